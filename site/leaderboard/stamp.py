"""Knows whether a finished build still stands for what it was made from, so that nothing is made anew for nothing."""

import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import distributions
from pathlib import Path

from leaderboard.origin import site_url

FILE = ".stamp"
"""Beside the pages; removed by any build that begins to write, written by one that came to its end."""
_GENERATOR = Path(__file__).parent


def is_fresh(root: Path, repo: Path, out: Path) -> bool:
    """Whether `out` is a finished build of these very inputs, and not a byte of it was changed since."""
    stamp = out / FILE
    return stamp.is_file() and stamp.read_text("utf-8") == _stamp(root, repo, out)


def write(root: Path, repo: Path, out: Path) -> None:
    """Note what `out` was made from and what it is."""
    (out / FILE).write_text(_stamp(root, repo, out), "utf-8")


def _stamp(root: Path, repo: Path, out: Path) -> str:
    made_from = [
        _digest(_GENERATOR, [""], lambda name: not name.endswith(".pyc")),
        _digest(root, ["runs", "tables"]),
        _digest(repo, ["site/docs", "site/theme", "mkdocs.yml", "site/hooks.py"]),
        _digest(repo, ["checker"], lambda name: name.endswith((".sql", ".schema.json"))),
    ]
    libraries = sorted(f"{found.name}=={found.version}" for found in distributions())
    program = hashlib.sha256("\n".join([sys.version, *libraries]).encode()).hexdigest()
    made = _digest(out, [""], lambda name: name != FILE)
    return f"program {program}\nfor {site_url(repo)}\nmade from {' '.join(made_from)}\nmade {made}\n"


def _digest(base: Path, places: Iterable[str], counts: Callable[[str], bool] = lambda name: True) -> str:
    """Digest names and bytes of the files at and below these places."""
    base, whole = base.resolve(), hashlib.sha256()
    for name in sorted(name for place in places for name in _below(base, place) if counts(name)):
        with Path(base, name).open("rb") as file:
            content = hashlib.file_digest(file, "sha256").digest()
        whole.update(f"{name}\0".encode(errors="surrogateescape") + content)
    return whole.hexdigest()


def _below(base: Path, place: str) -> Iterator[str]:
    """Yield the files at a place below `base`, as text from there: paths as objects would take longer than hashing."""
    top, start = base / place, len(base.as_posix()) + 1
    if top.is_file():
        yield place
    for folder, _, names in os.walk(top):
        yield from (f"{folder}/{name}"[start:] for name in names)
