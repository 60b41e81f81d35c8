"""The files of a checkout or a folder, and what one has that another has not."""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from runners.errors import UsageError

LEFT_OUT = {".git", ".venv", "build", "__pycache__"}
"""Folders of a plain folder that are never part of a submission; of a git checkout, git says what is."""


@dataclass(frozen=True)
class Tree:
    """Files by path from the root -> size in bytes; None for what is not a regular file."""

    root: Path
    files: Mapping[str, int | None]
    tables: Path | None = None
    """Where the files below tables/ lie, if they are those of another tree."""

    def path(self, name: str) -> Path:
        """Where a file lies."""
        return (self.tables if self.tables is not None and name.startswith("tables/") else self.root) / name

    def same(self, path: str, other: Tree) -> bool:
        """Whether both have the same regular file."""
        mine, theirs = self.files.get(path), other.files.get(path)
        return mine is not None and mine == theirs and _equal(self.path(path), other.path(path))


def read_tree(root: Path) -> Tree:
    """The files of a folder: those that git tracks or would add where it is a checkout, else all but `LEFT_OUT`.

    Raises:
        UsageError: there is no such folder.
    """
    if not root.is_dir():
        raise UsageError(f"{root}: no such folder")
    names = _of_git(root) if (root / ".git").exists() else _of_folder(root)
    sizes: dict[str, int | None] = {}
    for name in sorted(names):
        try:
            status = os.lstat(root / name)
        except FileNotFoundError:  # tracked, and deleted in the working tree
            continue
        sizes[name] = status.st_size if stat.S_ISREG(status.st_mode) else None
    return Tree(root, sizes)


@contextmanager
def checked_out(repository: Path, revision: str) -> Iterator[Path]:
    """A folder with the files of a revision, without touching the working tree.

    Raises:
        UsageError: no git checkout, or no such revision.
    """
    with TemporaryDirectory() as folder:
        command = ["git", "-C", str(repository), "archive", "--format=tar", revision]
        try:
            packed = subprocess.run(command, capture_output=True, check=False)
        except FileNotFoundError as error:
            raise UsageError("git is not installed; give --base the folder of an untouched copy") from error
        if packed.returncode != 0:
            said = packed.stderr.decode("utf-8", "replace").strip()
            raise UsageError(f"--base {revision}: {said}. Give a revision of {repository}, or an untouched folder.")
        subprocess.run(["tar", "-x", "-C", folder], input=packed.stdout, check=True)
        yield Path(folder)


def first_difference(old: bytes, new: bytes) -> int:
    """The number of the first line in which two files differ."""
    before, after = old.split(b"\n"), new.split(b"\n")
    same = next((n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), None)
    return (min(len(before), len(after)) if same is None else same) + 1


def _of_git(root: Path) -> list[str]:
    # A .gitignore among what is proposed cannot hide a file: what is tracked is always listed.
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != 0:
        raise UsageError(f"{root}: git cannot list it: {done.stderr.decode('utf-8', 'replace').strip()}")
    return [os.fsdecode(name) for name in set(done.stdout.split(b"\0")) if name]


def _of_folder(root: Path) -> Iterator[str]:
    for folder, below, names in os.walk(root):
        below[:] = [name for name in below if name not in LEFT_OUT]
        links = [name for name in below if Path(folder, name).is_symlink()]
        for name in [*names, *links]:
            yield Path(folder, name).relative_to(root).as_posix()


def _equal(one: Path, other: Path) -> bool:
    with one.open("rb") as a, other.open("rb") as b:
        while block := a.read(1 << 20):
            if block != b.read(len(block)):
                return False
    return True
