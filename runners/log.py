"""Appends events to a run's log and reads logs back: one write a line, under a lock, chained by hashes."""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from runners import secrets
from runners.codec import MAX_LINE_BYTES, decode_line, encode_line
from runners.errors import Finding, LogError, LogLocked
from runners.records import COURT
from runners.schema import SCHEMA_VERSION, Line, Schema

_RESTORE = "Restore the log from version control; a log is never edited."


@dataclass(frozen=True)
class Log:
    """A log as read: its lines, and the bytes of a torn last line (empty if none)."""

    path: Path
    lines: tuple[Line, ...]
    tail: bytes

    schema: Schema = COURT

    @property
    def start(self) -> Any:
        """The first event, of the schema's opening kind."""
        return self.lines[0].event

    @property
    def run(self) -> str:
        """The run's id."""
        return self.lines[0].run

    @property
    def finished(self) -> bool:
        """Whether the run came to its end (an aborted one did not)."""
        return bool(self.lines[-1].event.EVENT == "finish")

    def events(self) -> Iterator[Any]:
        """The events in order."""
        return (line.event for line in self.lines)


def utc_now() -> str:
    """The time as the logs write it: UTC with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def read_log(path: Path, spec_sha256: str, schema: Schema = COURT) -> Log:
    """Read a log strictly (rules L1 to L10); `spec_sha256` is what the first line's `prev` must be.

    Raises:
        LogError: with every finding, not only the first.
    """
    if path.is_symlink() or not path.is_file():
        raise LogError([Finding(str(path), None, "L1", "a regular file", "a link or no file", _RESTORE)])
    body, _, tail = path.read_bytes().rpartition(b"\n")
    lines, findings = _check_lines(body.split(b"\n") if body else [], str(path), path.stem, spec_sha256, schema)
    if not lines and not findings:
        findings.append(
            Finding(str(path), None, "L9", "a start line", "no complete line", "Delete the file; it holds no reply.")
        )
    if lines and tail and isinstance(lines[-1].event, schema.closing):
        findings.append(Finding(str(path), len(lines) + 1, "L10", "nothing after finish", "a torn tail", _RESTORE))
    if findings:
        raise LogError(findings)
    return Log(path, tuple(lines), tail, schema)


def _check_lines(raws: list[bytes], file: str, run: str, prev: str, schema: Schema) -> tuple[list[Line], list[Finding]]:
    """Decode the lines and check what must hold between neighbours (L1, L6 to L9)."""
    lines: list[Line] = []
    findings: list[Finding] = []
    last_at, last_v = "", 0
    for number, raw in enumerate(raws, 1):
        line = decode_line(raw, file, number, schema)
        if isinstance(line, Finding):
            findings.append(line)
        else:
            for rule, holds, expected, found in (
                ("L1", line.run == run, f"run {run}", f"run {line.run}"),
                ("L6", line.seq == number - 1, f"seq {number - 1}", f"seq {line.seq}"),
                ("L6", line.v >= last_v, f"v {last_v} or more", f"v {line.v}"),
                ("L7", line.prev == prev, f"prev {prev}", f"prev {line.prev}"),
                ("L8", line.at >= last_at, f"a time not before {last_at}", line.at),
                (
                    "L9",
                    isinstance(line.event, schema.opening) == (number == 1),
                    "one start, first",
                    "start out of place",
                ),
                (
                    "L9",
                    not isinstance(line.event, schema.closing) or number == len(raws),
                    "finish last",
                    "lines after finish",
                ),
            ):
                if not holds:
                    findings.append(Finding(file, number, rule, expected, found, _RESTORE))
            last_at, last_v = line.at, line.v
            lines.append(line)
        prev = hashlib.sha256(raw).hexdigest()
    return lines, findings


def clear_unborn(folder: Path) -> None:
    """Take away the logs below `folder` that a crash left without a whole first line: no reply is in them.

    Bytes of a torn first line are kept in `torn/`; a log that another process has just begun is left alone.
    """
    for path in sorted(folder.glob("*/*.jsonl")):
        if path.is_symlink() or _begins(path):
            continue
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _keep_tail_aside(path, descriptor)
            if os.fstat(descriptor).st_size == 0:
                path.unlink()
        except BlockingIOError:
            pass
        finally:
            os.close(descriptor)


class LogWriter:
    """The one writer of a log. Opening it takes the lock, reads what is there and sets a torn tail aside."""

    def __init__(self, path: Path, spec_sha256: str, schema: Schema = COURT) -> None:
        """Open `path`, creating it if needed, for a run named by the file's stem.

        Raises:
            LogLocked: another process writes this log.
            LogError: what is there breaks the log schema.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.schema = schema
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(self._fd)
            raise LogLocked(
                f"{path}: another process is writing this log. Wait for it, or stop it, then try again."
            ) from error
        try:
            _keep_tail_aside(path, self._fd)
            self.lines: list[Line] = (
                list(read_log(path, spec_sha256, schema).lines) if os.fstat(self._fd).st_size else []
            )
        except BaseException:
            self.close()
            raise
        self._prev = spec_sha256 if not self.lines else hashlib.sha256(encode_line(self.lines[-1])).hexdigest()

    @property
    def finished(self) -> bool:
        """Whether the run is closed."""
        return bool(self.lines) and isinstance(self.lines[-1].event, self.schema.closing)

    def append(self, event: Any) -> None:
        """Append one event as one line with one write; on a failed write the file is cut back to what it was.

        Raises:
            LogError: the log is finished, begins with something else than `start`, or the event holds a secret
                or text that a log cannot hold.
            OSError: the disk refused; nothing of the line remains.
        """
        seq = len(self.lines)
        if self.finished or (seq == 0) != isinstance(event, self.schema.opening):
            state = "finished" if self.finished else f"at line {seq}"
            raise LogError([self._finding("L9", "start first, finish last", f"{type(event).__name__}, log {state}")])
        at = max(utc_now(), self.lines[-1].at if self.lines else "")
        line = Line(SCHEMA_VERSION, self.path.stem, seq, at, self._prev, event)
        try:
            raw = encode_line(line)
        except ValueError as error:
            raise LogError([self._finding("L2", "text that a log can hold", str(error))]) from error
        if leak := secrets.find(raw.decode()):
            raise LogError([self._finding("secrets", "no secret in a log", leak)])
        self._write(raw + b"\n")
        self.lines.append(line)
        self._prev = hashlib.sha256(raw).hexdigest()
        if isinstance(event, self.schema.closing):
            os.fsync(self._fd)

    def close(self) -> None:
        """Release the lock."""
        os.close(self._fd)

    def _write(self, data: bytes) -> None:
        before = os.fstat(self._fd).st_size
        try:
            written = os.write(self._fd, data)
            if written != len(data):
                raise OSError(f"{self.path}: only {written} of {len(data)} bytes could be written; is the disk full?")
        except BaseException:
            # Half a line must never stay: the next append would fuse with it.
            os.ftruncate(self._fd, before)
            raise

    def _finding(self, rule: str, expected: str, found: str) -> Finding:
        return Finding(str(self.path), len(self.lines) + 1, rule, expected, found, "Nothing was written.")


def _begins(path: Path) -> bool:
    """Whether the file has a whole first line."""
    with path.open("rb") as file:
        return file.readline(MAX_LINE_BYTES + 1).endswith(b"\n")


def _keep_tail_aside(path: Path, descriptor: int) -> None:
    """Move bytes after the last LF to `torn/` beside `logs/`: kept for a human, never scored (rule L10)."""
    body, newline, tail = path.read_bytes().rpartition(b"\n")
    if not tail:
        return
    keep = path.parents[2] / "torn" / path.parent.name
    keep.mkdir(parents=True, exist_ok=True)
    (keep / f"{path.stem}-{len(body) + len(newline)}.bin").write_bytes(tail)
    os.ftruncate(descriptor, len(body) + len(newline))
