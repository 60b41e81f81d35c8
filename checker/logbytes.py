"""The bytes of one log: rules L1, L2, L6 to L8 and L10, its digest, and what a fast reader may take for granted."""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final

from checker import files
from checker.schema import MAX_LINE, VERSIONS

_HEAD: Final = re.compile(
    rb'\{"v":([0-9]{1,9}),"run":"([^"\\]*)","seq":([0-9]{1,18}),"at":"([^"\\]*)","prev":"([^"\\]*)","event":"'
)
#: Length of a time (L5) and of what stands between a time and the digest of `prev`.
_AT, _BETWEEN, _DIGEST = 24, len('","prev":"'), 64

Report = Callable[[str, int | None, str, str, str], None]


@dataclass
class LogBytes:
    """What one pass over the bytes of a log found; `clean` means: LF-ended lines with the header that L6 wants."""

    path: str
    sha256: str = ""
    size: int = 0
    lines: int = 0
    tail: int = 0
    longest: int = 0
    clean: bool = True
    first_prev: str | None = None
    first_line: bytes = b""
    broken: list[int] = field(default_factory=list)
    readable: bool = True


def scan(root: Path, path: str, report: Report) -> LogBytes:
    """Read the log once.  `report(rule, line, field, expected, found)` receives each fault.

    Raises CouldNotCheck, and NotRegular for a link, folder or device.
    """
    log = LogBytes(path)
    run = path.rsplit("/", 1)[-1].removesuffix(".jsonl").encode("utf-8", "surrogateescape")
    with files.opened(root / path) as file:
        _Pass(log, run, report).read(file)
    return log


class _Pass:
    def __init__(self, log: LogBytes, run: bytes, report: Report) -> None:
        self.log, self.report = log, report
        self.run = run
        self.version = VERSIONS[0]
        self.head = self.header()
        self.seq = 0
        self.prev = b""
        self.at = b""

    def read(self, file: BinaryIO) -> None:
        log, digest, utf8 = self.log, hashlib.sha256(), codecs.getincrementaldecoder("utf-8")()
        carry = b""
        for block in iter(lambda: file.read(files.BLOCK), b""):
            digest.update(block)
            log.size += len(block)
            if not log.readable:
                continue
            try:
                utf8.decode(block)
            except UnicodeDecodeError:  # the slow reader names the line
                log.clean = False
                utf8.reset()
            if b"\r" in block or b"\0" in block:
                self.log.clean = False
            lines = block.split(b"\n")
            lines[0] = carry + lines[0]
            carry = lines.pop()
            self.lines(lines)
            if max(len(carry), log.longest) > MAX_LINE:
                self.fault(
                    "L2",
                    log.lines + (len(carry) > MAX_LINE),
                    "(bytes)",
                    f"a line of at most {MAX_LINE} bytes",
                    "a longer one",
                )
                log.readable, carry = False, b""
        log.sha256, log.tail = digest.hexdigest(), len(carry)
        if log.size == 0:
            self.fault("L9", None, "(file)", "a start line", "an empty file")
        if log.tail:
            log.clean = False

    def header(self) -> bytes:
        """A canonical header up to the time, but for its number: what nearly every line begins with."""
        return b'{"v":%d,"run":"' % self.version + self.run.replace(b"%", b"%%") + b'","seq":%d,"at":"'

    def fault(self, rule: str, line: int | None, where: str, expected: str, found: str) -> None:
        self.log.clean = False
        self.report(rule, line, where, expected, found)

    def lines(self, lines: list[bytes]) -> None:
        """The rules of each whole line.  This loop runs once a line of every log: it is kept short."""
        head, seq, prev, at, log = self.head, self.seq, self.prev, self.at, self.log
        sha256 = hashlib.sha256
        if log.lines == 0 and lines:
            log.first_line = lines[0]
        log.longest = max(log.longest, max(map(len, lines), default=0))
        for line in lines:
            start = head % seq
            if line.startswith(start):
                middle = len(start) + _AT
                now = line[len(start) : middle]
                middle += _BETWEEN
                claim = line[middle : middle + _DIGEST]
            else:
                now, claim, seq = self.unusual(line, seq)
                head = self.head
            if claim != prev:
                self.unchained(claim)
            if now < at:
                self.fault("L8", log.lines + 1, "at", f"not before {at.decode()}", now.decode("utf-8", "replace"))
            if now:
                at = now
            prev = sha256(line).hexdigest().encode()
            seq += 1
            log.lines += 1
        self.seq, self.prev, self.at = seq, prev, at

    def unchained(self, claim: bytes) -> None:
        """L7: this line's `prev` is not the digest of the line before; who altered what is told by `chain_faults`."""
        line = self.log.lines + 1
        if not claim:
            return  # no header was found: loglines.examine names the line
        if line == 1:
            self.log.first_prev = claim.decode("utf-8", "replace")
        else:
            self.log.broken.append(line)

    def unusual(self, line: bytes, seq: int) -> tuple[bytes, bytes, int]:
        """A line without the header that was expected: its time, its `prev`, and the number to go on from."""
        number = self.log.lines + 1
        match = _HEAD.match(line)
        if match is not None and self.other_version(int(match[1]), number) and line.startswith(self.head % seq):
            return match[4], match[5], seq
        self.log.clean = False
        if not line:
            self.report("L2", number, "(line)", "a line of JSON", "an empty line")
        if line.startswith(b"\xef\xbb\xbf"):
            self.report("L2", number, "(bytes)", "no byte order mark", "a byte order mark")
        if match is None:
            return b"", b"", seq  # loglines.examine says what is wrong with it
        if match[2] != self.run:
            self.report("L1", number, "run", f"the file's name, {self.run.decode('utf-8', 'replace')}",
                        match[2].decode("utf-8", "replace"))  # fmt: skip
        if int(match[3]) != seq:
            self.report("L6", number, "seq", str(seq), match[3].decode())
        return match[4], match[5], int(match[3])

    def other_version(self, version: int, number: int) -> bool:
        """Go on with the version of this line, if it is another one that is known; L6 lets it only grow."""
        if version == self.version or version not in VERSIONS:
            return False
        if version < self.version:
            self.fault("L6", number, "v", f"not below {self.version}, the v of the line before", str(version))
        self.version = version
        self.head = self.header()
        return True


def chain_faults(log: LogBytes) -> Iterator[tuple[int, str, str]]:
    """L7: (line, field, what is wrong) for each line that the broken links accuse.

    A link is broken at line j when its `prev` is not the digest of line j - 1.  One broken link alone accuses line
    j - 1 (its bytes changed); where the next link is broken too, line j itself changed, most likely in `prev`.  On the
    last line the two cannot be told apart, so both are named.
    """
    broken = set(log.broken)
    for line in log.broken:
        if line + 1 in broken:
            yield line, "prev", "this line was altered: neither its prev nor the next line's prev fits"
        elif line - 1 not in broken:
            yield line - 1, "(bytes)", f"this line was altered: its digest is not the prev of line {line}"
            if line == log.lines:
                yield line, "prev", f"or this prev was altered: it is not the digest of line {line - 1}"


def slow_lines(root: Path, log: LogBytes) -> Iterator[tuple[int, bytes]]:
    """(line number, bytes without LF) of each whole line of a log that is not clean, up to the first one too long."""
    with files.opened(root / log.path) as file:
        number, carry = 0, b""
        for block in iter(lambda: file.read(files.BLOCK), b""):
            *lines, carry = (carry + block).split(b"\n")
            for line in lines:
                number += 1
                yield number, line
            if len(carry) > MAX_LINE:
                return
