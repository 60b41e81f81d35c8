"""Builds the site: what MkDocs makes and what is made from data, written into a tree by changing only what differs."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from leaderboard import stamp
from leaderboard.errors import SiteError
from leaderboard.places import home

File = tuple[str, bytes]
_MARK = "court/index.html"


def build_site(root: Path, out: Path, repo: Path | None = None) -> Path:
    """Build prose and data pages of `root` into `out`, unless they stand there already; give the first page."""
    repo = (repo or home()).resolve()
    if stamp.is_fresh(root, repo, out):
        return out / "index.html"
    from leaderboard.files import (
        site_files,
    )  # what draws takes seconds to load, and a build that stands needs none of it

    with tempfile.TemporaryDirectory(prefix="countersign-prose-") as prose, _mkdocs(repo, root, prose) as process:
        # MkDocs works on its pages while these are made.
        write_tree(out, chain(site_files(root, repo, out), _prose(process, repo, Path(prose))))
    stamp.write(root, repo, out)
    return out / "index.html"


def write_tree(out: Path, files: Iterable[File]) -> None:
    """Write files that differ, and remove what no build yields any more."""
    if out.is_dir() and any(out.iterdir()) and not (out / _MARK).is_file():
        raise SiteError(f"{out}: expected an empty folder or an earlier build, found other files. Name another folder.")
    kept = write_files(out, files)
    for old in sorted(out.rglob("*"), reverse=True):
        if old.is_dir():
            if not any(old.iterdir()):
                old.rmdir()
        elif old.relative_to(out).as_posix() not in kept:
            old.unlink()


def write_files(out: Path, files: Iterable[File]) -> set[str]:
    """Write files that differ from what is there; give the paths of all."""
    written: set[str] = set()
    folders: set[Path] = set()
    for path, content in files:
        target = out / path
        written.add(path)
        if target.parent not in folders:
            target.parent.mkdir(parents=True, exist_ok=True)
            folders.add(target.parent)
        if not _same(target, content):
            target.write_bytes(content)
    return written


def _same(target: Path, content: bytes) -> bool:
    try:
        return target.stat().st_size == len(content) and target.read_bytes() == content
    except FileNotFoundError:
        return False


def _mkdocs(repo: Path, root: Path, out: str) -> subprocess.Popen[str]:
    """Start MkDocs in a process of its own: this package must not depend on it."""
    environment = {
        **os.environ,
        "COUNTERSIGN_ROOT": str(root.resolve()),
        "COUNTERSIGN_PROSE_ONLY": "1",
        "NO_MKDOCS_2_WARNING": "1",
    }
    return subprocess.Popen(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", "mkdocs.yml", "--site-dir", out],
        cwd=repo,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def _prose(process: subprocess.Popen[str], repo: Path, folder: Path) -> Iterator[File]:
    """Yield what MkDocs made, once it is done."""
    said, _ = process.communicate()
    if process.returncode:
        raise SiteError(f"{repo / 'mkdocs.yml'}: MkDocs could not build the prose pages: {said}")
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), path.read_bytes()
