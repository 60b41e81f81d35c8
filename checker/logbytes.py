"""The bytes of one log: rules L1, L2, L6 to L8 and L10, its digest, and what a fast reader may take for granted."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from checker import files
from checker.errors import CouldNotCheck
from checker.loglines import Fault, is_time
from checker.schema import MAX_LINE, TIME, VERSIONS

_HEAD: Final = re.compile(
    rb'\{"v":([0-9]{1,9}),"run":"([^"\\]*)","seq":([0-9]{1,18}),"at":"([^"\\]*)","prev":"([^"\\]*)","event":"'
)
_TIME: Final = re.compile(TIME.encode())
#: What follows a time and the digest of `prev`; and the lengths of the two (L5).
_PREV, _EVENT = b'","prev":"', b'","event":"'
_AT, _DIGEST = 24, 64
_LF: Final = ord("\n")


@dataclass
class LogBytes:
    """What one pass over the bytes of a log found.

    `clean` means LF-ended lines, numbered as L6 wants, in which a reader of lines can go wrong only over UTF-8.  The
    header of every line that is not `doubtful` is canonical, up to its event, and keeps L5 to L7.
    """

    path: str
    stamp: files.Stamp | None
    sha256: str = ""
    size: int = 0
    lines: int = 0
    tail: int = 0
    longest: int = 0
    clean: bool = True
    first_prev: str | None = None
    first_line: bytes = b""
    broken: list[int] = field(default_factory=list)
    doubtful: list[int] = field(default_factory=list)
    faults: list[tuple[Fault, int | None]] = field(default_factory=list)

    def fault(self, rule: str, line: int | None, where: str, expected: str, found: str) -> None:
        """Note one broken rule."""
        self.faults.append((Fault(rule, where, expected, found), line))


@contextmanager
def _opened(root: Path, path: str) -> Iterator[io.FileIO]:
    try:
        with files.opened(root / path) as file:
            yield file
    except files.NotRegular as kind:  # it was a regular file when the logs were listed
        raise CouldNotCheck(f"{path}: became a {kind} while the logs were read") from kind


def scan(root: Path, path: str) -> LogBytes:
    """Read the log once.  Raises CouldNotCheck."""
    with _opened(root, path) as file, ThreadPoolExecutor(max_workers=1) as beside:
        log = LogBytes(path, files.stamp(file))
        digested = _Digested(file, beside)
        with io.BufferedReader(digested, files.BLOCK) as lines:
            _Pass(log).lines(iter(partial(lines.readline, MAX_LINE + 2), b""))
            while lines.read(files.BLOCK):  # what follows a line that is too long is digested, too
                pass
    log.sha256, log.size = digested.digest.hexdigest(), digested.size
    log.clean = log.clean and digested.clean
    if log.size == 0:
        log.fault("L9", None, "(file)", "a start line", "an empty file")
    return log


class _Digested(io.RawIOBase):
    """A file that is digested while it is read: each block by the thread `beside`, while its lines are looked at."""

    def __init__(self, file: io.FileIO, beside: ThreadPoolExecutor) -> None:
        self.file, self.digest, self.size, self.clean = file, hashlib.sha256(), 0, True
        self.beside = beside
        self.busy: Future[object] = beside.submit(bool)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer)
        data = self.file.read(len(view))
        self.busy.result()  # one block after the other, in their order; at the end of the file, the last one
        if data:
            self.busy = self.beside.submit(self.digest.update, data)
        self.size += len(data)
        if b"\r" in data or b"\0" in data:
            self.clean = False
        view[: len(data)] = data
        return len(data)


class _Pass:
    def __init__(self, log: LogBytes) -> None:
        self.log = log
        self.run = log.path.rsplit("/", 1)[-1].removesuffix(".jsonl").encode("utf-8", "surrogateescape")
        self.version = VERSIONS[0]
        self.head = self.header()

    def header(self) -> bytes:
        """A canonical header up to the time, but for its number: what nearly every line begins with."""
        return b'{"v":%d,"run":"' % self.version + self.run.replace(b"%", b"%%") + b'","seq":%d,"at":"'

    def lines(self, lines: Iterator[bytes]) -> None:
        """The rules of each line with its LF.  This loop runs once a line of every log: it is kept short."""
        log, head, sha256 = self.log, self.head, hashlib.sha256
        number = seq = longest = 0
        prev = at = time = b""  # `time` is the last one that is known to be one
        doubt = log.doubtful.append
        for whole in lines:
            if len(whole) > longest:
                longest = len(whole)
                if longest > MAX_LINE + 1:
                    log.fault("L2", number + 1, "(bytes)", f"a line of at most {MAX_LINE} bytes", "a longer one")
                    log.clean = False
                    break
            line = whole[:-1]
            if whole[-1] != _LF:
                log.tail, log.clean = len(whole), False
                break
            number += 1
            if number == 1:
                log.first_line = line
            start = head % seq
            middle = len(start) + _AT
            digest = middle + len(_PREV)
            event = digest + _DIGEST
            if line.startswith(start) and line[middle:digest] == _PREV and line.startswith(_EVENT, event):
                now, claim = line[len(start) : middle], line[digest:event]
            else:
                now, claim, seq = self.unusual(line, number, seq)
                head = self.head
            if claim != prev:
                self.unchained(claim, number)
                doubt(number)
            if now != time:
                if self.is_time(now):
                    time = now
                else:
                    doubt(number)
            if now < at and now:
                log.fault("L8", number, "at", f"not before {_shown(at)}", _shown(now))
            at = now or at
            prev = sha256(line).hexdigest().encode()
            seq += 1
        log.lines, log.longest = number, longest

    def is_time(self, text: bytes) -> bool:
        """L5: whether a line's `at` is a time."""
        return _TIME.fullmatch(text) is not None and is_time(text.decode())

    def unchained(self, claim: bytes, line: int) -> None:
        """L7: this line's `prev` is not the digest of the line before; who altered what is told by `chain_faults`."""
        if not claim:
            return  # no header was found: loglines.examine names the line
        if line == 1:
            self.log.first_prev = _shown(claim)
        else:
            self.log.broken.append(line)

    def unusual(self, line: bytes, number: int, seq: int) -> tuple[bytes, bytes, int]:
        """A line without the header that was expected: its time, its `prev`, and the number to go on from.

        It is doubtful, but for one that only begins another version.
        """
        log = self.log
        match = _HEAD.match(line)
        if match is not None and self.other_version(int(match[1]), number) and line.startswith(self.head % seq):
            return match[4], match[5], seq
        log.clean = False
        log.doubtful.append(number)
        if not line:
            log.fault("L2", number, "(line)", "a line of JSON", "an empty line")
        if line.startswith(b"\xef\xbb\xbf"):
            log.fault("L2", number, "(bytes)", "no byte order mark", "a byte order mark")
        if match is None:
            return b"", b"", seq  # loglines.examine says what is wrong with it
        if match[2] != self.run:
            log.fault("L1", number, "run", f"the file's name, {_shown(self.run)}", _shown(match[2]))
        if int(match[3]) != seq:
            log.fault("L6", number, "seq", str(seq), match[3].decode())
        return match[4], match[5], int(match[3])

    def other_version(self, version: int, number: int) -> bool:
        """Go on with the version of this line, if it is another one that is known; L6 lets it only grow."""
        if version == self.version or version not in VERSIONS:
            return False
        if version < self.version:
            self.log.fault("L6", number, "v", f"not below {self.version}, the v of the line before", str(version))
        self.version = version
        self.head = self.header()
        return True


def _shown(text: bytes) -> str:
    return text.decode("utf-8", "replace")


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
    with _opened(root, log.path) as file, io.BufferedReader(file, files.BLOCK) as lines:
        for number in range(1, log.lines + 1):
            yield number, lines.readline(MAX_LINE + 2).removesuffix(b"\n")
