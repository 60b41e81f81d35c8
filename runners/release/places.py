"""Where a version can lie: a folder (a checkout is one), an archive, or below an address on the web."""

from __future__ import annotations

import hashlib
import os
import tarfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path, PurePosixPath
from typing import IO, cast
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

from runners.errors import CouldNotCheck, UsageError

BLOCK = 1 << 20
SECONDS = 60
"""How long a server may be silent."""


class Place(ABC):
    """Files by their path from the root, as manifests name them."""

    name: str
    listed = True
    """Whether it can be asked what lies in it; an address cannot."""
    whole = False
    """Whether it holds a version and nothing else, the checker of then included, as an archive does."""

    @abstractmethod
    def opened(self, path: str) -> IO[bytes] | None:
        """The file, for reading; None where there is none.  Raises CouldNotCheck where that cannot be known."""

    @abstractmethod
    def paths(self) -> list[str]:
        """Every file below runs/ and tables/ (of an archive: every file), sorted."""

    def read(self, path: str) -> bytes | None:
        """The bytes of the file; None where there is none.  Raises CouldNotCheck."""
        file = self.opened(path)
        if file is None:
            return None
        with file:
            return b"".join(_blocks(file, path))

    def digest(self, path: str) -> str | None:
        """The SHA-256 of the file; None where there is none.  Raises CouldNotCheck."""
        file = self.opened(path)
        if file is None:
            return None
        sha256 = hashlib.sha256()
        with file:
            for block in _blocks(file, path):
                sha256.update(block)
        return sha256.hexdigest()


class Folder(Place):
    """A checkout, or any folder with runs/ and tables/ in it."""

    def __init__(self, root: Path) -> None:
        self.root, self.name = root, str(root)

    def opened(self, path: str) -> IO[bytes] | None:
        place = self.root / path
        try:
            # A link would let something outside the folder stand for a file of the version.
            if place.is_symlink() or any(parent.is_symlink() for parent in place.relative_to(self.root).parents):
                raise CouldNotCheck(f"{place}: expected a regular file, found a link")
            return place.open("rb")
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None
        except OSError as error:
            raise CouldNotCheck(f"{place}: cannot be read: {error.strerror}") from error

    def paths(self) -> list[str]:
        return sorted(
            Path(folder, name).relative_to(self.root).as_posix()
            for tree in ("runs", "tables")
            for folder, _, names in os.walk(self.root / tree)
            for name in names
        )


class Archive(Place):
    """A tar file that `countersign freeze --archive` wrote; compressed by whom and how is all the same."""

    whole = True

    def __init__(self, file: tarfile.TarFile, name: str) -> None:
        self.file, self.name = file, name
        self.members: dict[str, tarfile.TarInfo] = {}
        for member in file:
            parts = PurePosixPath(member.name).parts
            path = "/".join(parts[1:])  # below the one folder that an archive unpacks into
            if member.isdir():
                continue
            if not member.isreg() or len(parts) < 2 or path in self.members:
                raise CouldNotCheck(f"{name}: {member.name}: expected regular files, each once, in one folder")
            self.members[path] = member

    def opened(self, path: str) -> IO[bytes] | None:
        member = self.members.get(path)
        return None if member is None else self.file.extractfile(member)

    def paths(self) -> list[str]:
        return sorted(self.members)


class Address(Place):
    """A web address below which runs/ and tables/ are served."""

    listed = False

    def __init__(self, prefix: str) -> None:
        self.name = prefix.rstrip("/")

    def opened(self, path: str) -> IO[bytes] | None:
        address = f"{self.name}/{quote(path)}"
        request = Request(address, headers={"Accept-Encoding": "identity", "User-Agent": "countersign-verify"})
        try:
            return cast(IO[bytes], urlopen(request, timeout=SECONDS))
        except HTTPError as error:
            with error:
                if error.code in (404, 410):
                    return None
                raise CouldNotCheck(f"{address}: the server answers {error.code} {error.reason}") from error
        except (URLError, OSError, ValueError) as error:
            raise CouldNotCheck(f"{address}: cannot be fetched: {getattr(error, 'reason', error)}") from error

    def paths(self) -> list[str]:
        return []


@contextmanager
def open_place(text: str) -> Iterator[Place]:
    """The place that `text` names: an http(s) address, a folder, or a file that is an archive.

    Raises:
        UsageError: there is no such folder or file, or the address is of another kind.
        CouldNotCheck: the file is not an archive that can be read.
    """
    if "://" in text:
        if urlsplit(text).scheme not in ("http", "https"):
            raise UsageError(f"{text}: expected an http or https address, a folder or an archive")
        yield Address(text)
    elif Path(text).is_dir():
        yield Folder(Path(text))
    elif Path(text).is_file():
        try:
            with tarfile.open(text) as file:
                yield Archive(file, text)
        except (tarfile.TarError, EOFError, OSError) as error:
            raise CouldNotCheck(f"{text}: not an archive that can be read: {error}") from error
    else:
        raise UsageError(f"{text}: no such folder or file, and not an http or https address")


def _blocks(file: IO[bytes], path: str) -> Iterator[bytes]:
    """What the file holds. A body that ends early must not pass for a shorter file."""
    try:
        while block := file.read(BLOCK):
            yield block
    except (OSError, EOFError, ValueError, tarfile.TarError, HTTPException) as error:
        raise CouldNotCheck(f"{path}: cannot be read to its end: {error}") from error
    left = getattr(file, "length", None)  # http.client counts what of a body is still to come
    if left:
        raise CouldNotCheck(f"{path}: cannot be read to its end: {left} bytes are missing")
