"""What may happen to a version that is frozen: files are added and notes grow; nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from runners.errors import Finding, Refused
from runners.release.manifest import NOTES, Manifest, digests, files_of

RESTORE = "A frozen version never changes: restore the file, or make a new version."


def moved(frozen: Manifest, there: Mapping[str, str], trees: tuple[str, ...] = ("runs", "tables")) -> list[Finding]:
    """Each file of `frozen` that is gone or another one among `there` (path -> SHA-256); a note may be another one."""
    found = []
    for path, digest in frozen.files.items():
        real = there.get(path)
        if path.split("/", 1)[0] not in trees or real == digest or (real and frozen.may_grow(path)):
            continue
        found.append(Finding(path, None, "frozen", f"SHA-256 {digest}", real or "no such file", RESTORE))
    return found


def moved_beside(frozen: Manifest, root: Path) -> list[Finding]:
    """Each file below runs/, outside the version, that it was frozen with and that is gone or another one."""
    tables = {path: digest for path, digest in _beside(frozen).items() if path.startswith("runs/")}
    there = digests(root, (path for path in tables if (root / path).is_file()))
    return [
        Finding(path, None, "frozen", f"SHA-256 {digest}", there.get(path, "no such file"), RESTORE)
        for path, digest in tables.items()
        if there.get(path) != digest
    ]


def has_grown(root: Path, frozen: Manifest) -> bool:
    """Whether the version has further runs, or further settings of models, since it was frozen.

    Raises:
        Refused: something that was frozen is gone or another one.
    """
    there = files_of(root, frozen.name)
    findings = moved(frozen, there, ("runs",)) + moved_beside(frozen, root)
    if findings:
        raise Refused(f"{frozen.name} is frozen and is not published again", findings)
    notes = {f"runs/{frozen.name}/{note}" for note in NOTES}
    runs = {path: digest for path, digest in there.items() if path.startswith("runs/") and path not in notes}
    return runs != {path: frozen.files[path] for path in runs if path in frozen.files}


def _beside(frozen: Manifest) -> Mapping[str, str]:
    return frozen.frozen.beside if frozen.frozen else {}
