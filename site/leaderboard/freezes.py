"""When a version was frozen, and under which root digest: its MANIFEST.json, and those of earlier freezes beside it."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from leaderboard.reading import fits
from leaderboard.shapes import Version


@dataclass(frozen=True, slots=True)
class Freeze:
    """One freeze: its root digest is the SHA-256 of that manifest's bytes."""

    at: str
    root: str
    manifest: Path


def root_digest(version: Version) -> str | None:
    """Give the SHA-256 of the version's MANIFEST.json; None where it is not published."""
    path = version.tables.get("MANIFEST.json")
    return hashlib.sha256(path.read_bytes()).hexdigest() if path else None


def freezes(version: Version) -> tuple[Freeze, ...]:
    """Give every freeze of the version, the newest first; none where it is published and not frozen."""
    path = version.tables.get("MANIFEST.json")
    if path is None:
        return ()
    found = [_freeze(place) for place in (path, *(path.parent / "frozen").glob("*.json"))]
    return tuple(sorted((one for one in found if one), key=lambda one: (one.at, one.root), reverse=True))


def current(version: Version) -> Freeze | None:
    """Give the freeze that the published files are those of; None where they are not frozen."""
    path = version.tables.get("MANIFEST.json")
    return _freeze(path) if path else None


def _freeze(path: Path) -> Freeze | None:
    raw = path.read_bytes()
    frozen = fits(path, lambda: json.loads(raw).get("frozen"))
    return Freeze(fits(path, lambda: str(frozen["at"])), hashlib.sha256(raw).hexdigest(), path) if frozen else None
