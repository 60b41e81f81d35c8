"""The only code that opens files of the outside world: regular files, never links, digested while they are read."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from checker.errors import CouldNotCheck

BLOCK: Final = 1 << 18
#: Largest JSON document (a table, a spec) that is read whole, in bytes.
MAX_DOCUMENT: Final = 512 * 1024 * 1024


class NotRegular(Exception):
    """The path is a link, a folder or a device (rule L1)."""


def kind_of(path: Path) -> str:
    """`file`, `folder`, `link`, `absent` or `other`, without following a link.  Raises CouldNotCheck."""
    try:
        mode = os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
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
def opened(path: Path) -> Iterator[BinaryIO]:
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
    with os.fdopen(handle, "rb", buffering=0) as file:
        try:
            yield file
        except OSError as error:
            raise CouldNotCheck(f"{path.name}: cannot be read: {error.strerror}") from error


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


def below(folder: Path) -> list[str]:
    """Every path below `folder` that is not a folder itself, relative with `/`, in code-point order.

    A link is listed and never followed.  Raises CouldNotCheck where a folder cannot be read.
    """

    def refuse(error: OSError) -> None:
        raise CouldNotCheck(f"{folder.name}: cannot be listed: {error.strerror}") from error

    found: list[str] = []
    for place, folders, names in os.walk(folder, onerror=refuse, followlinks=False):
        links = [name for name in folders if Path(place, name).is_symlink()]
        # A folder that is named like a log is a fault (L1), not a place to look for logs.
        odd = [name for name in folders if name.endswith(".jsonl") and name not in links]
        folders[:] = [name for name in folders if name not in links and name not in odd]
        found += [Path(place, name).relative_to(folder).as_posix() for name in names + links + odd]
    return sorted(found)
