"""From the paths of the command line to the versions that are meant."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from checker.errors import CouldNotCheck
from checker.inputs import NAME

TREES: Final = ("runs", "tables")
#: The folder beside the benchmarks in runs/ that is none.
PRICES: Final = "prices"


def versions_of(paths: list[str], root: Path) -> tuple[Path, list[tuple[str, str]]]:
    """(root, sorted (benchmark, version) pairs) for the paths; all versions below the root where there are none.

    A path is `court/v3` or `court` below the root, a folder of runs/ or tables/, or a folder that holds runs/.  All
    must lie below one root.  Raises CouldNotCheck.
    """
    if not root.is_dir():
        raise CouldNotCheck(f"--root {root}: there is no such folder")
    found: set[tuple[str, str]] = set()
    roots: set[Path] = set()
    for path in paths or ["."]:
        base, parts = _place(path, root)
        roots.add(base)
        found |= _below(path, base, parts)
    if len(roots) > 1:
        raise CouldNotCheck("the paths lie below several roots; check them one by one")
    if not found:
        raise CouldNotCheck("there is nothing to check: no runs/<benchmark>/<version>/ was found")
    return roots.pop(), sorted(found)


def _place(path: str, root: Path) -> tuple[Path, tuple[str, ...]]:
    """The root of a path and what follows runs/ or tables/ in it."""
    candidates = [root / path] if path == "." else [root / path, Path(path)]
    for place in candidates:
        full = place.resolve()
        if (full / "runs").is_dir():
            return full, ()
        for depth in range(3):
            parent = full if depth == 0 else full.parents[depth - 1] if depth <= len(full.parents) else full
            if parent.name in TREES and (full.exists() or depth == 2):
                return parent.parent, full.parts[len(parent.parts) :]
    parts = tuple(part for part in path.strip("/").split("/") if part)
    named = 1 <= len(parts) <= 2 and all(NAME.fullmatch(part) for part in parts)
    if named and any((root / tree / "/".join(parts)).is_dir() for tree in TREES):
        return root.resolve(), parts
    raise CouldNotCheck(f"{path}: no version, benchmark or folder of that name below {root}")


def _below(path: str, root: Path, parts: tuple[str, ...]) -> set[tuple[str, str]]:
    if len(parts) == 2:
        if not any((root / tree / parts[0] / parts[1]).is_dir() for tree in TREES):
            raise CouldNotCheck(f"{path}: there is no such version")
        return {(parts[0], parts[1])}
    if len(parts) > 2:
        raise CouldNotCheck(f"{path}: name the version's folder, not a file or folder in it")
    found: set[tuple[str, str]] = set()
    for tree in TREES:
        pattern = f"{parts[0]}/*" if parts else "*/*"
        if (root / tree).is_dir():
            found |= {(p.parent.name, p.name) for p in (root / tree).glob(pattern) if p.is_dir()}
    return {(benchmark, version) for benchmark, version in found if benchmark != PRICES}
