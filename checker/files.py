"""The only code that opens files of the outside world: regular files, never links, digested while they are read."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import Final

from checker.errors import CouldNotCheck

#: Bytes that are read at once: more would leave the processor's nearer caches.
BLOCK: Final = 1 << 16
#: Largest JSON document (a table, a spec) that is read whole, in bytes.
MAX_DOCUMENT: Final = 512 * 1024 * 1024


class NotRegular(Exception):
    """The path is a link, a folder or a device (rule L1)."""


def kind_of(path: Path) -> str:
    """`file`, `folder`, `link`, `absent` or `other`, without following a link.  Raises CouldNotCheck."""
    try:
        mode = os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a NUL in its name
        return "absent"
    except OSError as error:
        raise CouldNotCheck(f"{path.name}: cannot be looked at: {error.strerror}") from error
    for name, test in (("file", stat.S_ISREG), ("folder", stat.S_ISDIR), ("link", stat.S_ISLNK)):
        if test(mode):
            return name
    return "other"


class TooLarge(CouldNotCheck):
    """The document is larger than anything of its kind."""


@contextmanager
def opened(path: Path) -> Iterator[FileIO]:
    """The file opened for reading bytes.  Raises NotRegular, and CouldNotCheck where it cannot be read."""
    try:
        # O_NONBLOCK: a pipe with a log's name must not make the checker wait for ever.
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        if kind_of(path) in ("link", "folder", "other"):
            raise NotRegular(kind_of(path)) from None
        raise CouldNotCheck(f"{path.name}: cannot be opened: {error.strerror}") from error
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise NotRegular(kind_of(path))
    with FileIO(handle) as file:
        try:
            yield file
        except OSError as error:
            raise CouldNotCheck(f"{path.name}: cannot be read: {error.strerror}") from error


#: What tells a file that was changed or exchanged: its device, inode, size, and times in nanoseconds.
Stamp = tuple[int, int, int, int, int]


def stamp(file: FileIO | Path) -> Stamp | None:
    """The stamp of a file, without following a link; None where there is none any more."""
    try:
        status = os.lstat(file) if isinstance(file, Path) else os.fstat(file.fileno())
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def read(path: Path, most: int = MAX_DOCUMENT) -> bytes:
    """The bytes of a whole document.  Raises NotRegular, TooLarge and CouldNotCheck."""
    with opened(path) as file:
        if os.fstat(file.fileno()).st_size > most:
            raise TooLarge(f"{path.name}: larger than {most} bytes")
        return b"".join(iter(lambda: file.read(1 << 22), b""))


def sha256(path: Path) -> str:
    """Lower-case hexadecimal SHA-256 of the file.  Raises NotRegular and CouldNotCheck."""
    digest = hashlib.sha256()
    with opened(path) as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def below(folder: Path, trouble: Callable[[str], None] | None = None) -> list[str]:
    """Every path below `folder` that is not a folder itself, relative with `/`, in code-point order.

    A link is listed and never followed, and so is a folder that is named like a log: a fault (L1), not a place to look
    for logs.  Where a folder cannot be read, `trouble` gets to know it; without one, raises CouldNotCheck.
    """
    found: list[str] = []
    waiting = [folder]
    while waiting:
        place = waiting.pop()
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False) and not entry.name.endswith(".jsonl"):
                        waiting.append(place / entry.name)
                    else:
                        found.append((place / entry.name).relative_to(folder).as_posix())
        except OSError as error:
            message = f"{place.relative_to(folder.parent)}: cannot be listed: {error.strerror}"
            if trouble is None:
                raise CouldNotCheck(message) from error
            trouble(message)
    return sorted(found)
