"""Knows whether a finished build still stands for what it was made from, so that nothing is made anew for nothing."""

import hashlib
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import distributions
from pathlib import Path

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
        *((_GENERATOR, path) for path in _below(_GENERATOR) if path.suffix != ".pyc"),
        *((root, path) for name in ("runs", "tables") for path in _below(root / name)),
        *((repo, path) for name in ("site/docs", "site/theme") for path in _below(repo / name)),
        *((repo, path) for path in _below(repo / "checker") if path.suffix == ".sql"),
        *((repo, path) for path in (repo / "mkdocs.yml", repo / "site/hooks.py") if path.is_file()),
    ]
    libraries = sorted(f"{found.name}=={found.version}" for found in distributions())
    program = hashlib.sha256("\n".join([sys.version, *libraries]).encode()).hexdigest()
    made = ((out, path) for path in _below(out) if path.name != FILE)
    return f"program {program}\nmade from {_digest(made_from)}\nmade {_digest(made)}\n"


def _below(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


def _digest(files: Iterable[tuple[Path, Path]]) -> str:
    whole = hashlib.sha256()
    for base, path in files:
        whole.update(f"{path.relative_to(base).as_posix()}\0".encode(errors="surrogateescape"))
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()
