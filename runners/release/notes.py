"""`countersign withdraw` and `erratum`: what is said about a published version later; no number changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from runners import secrets, strict
from runners.errors import SpecError, UsageError
from runners.files import write_whole
from runners.release.freeze import freeze, now
from runners.release.manifest import NAME, Manifest, files_of, read_manifest, to_json

WITHDRAWN = "WITHDRAWN.json"
ERRATA = "ERRATA.md"


def withdraw(root: Path, name: str, model: str, reason: str) -> dict[str, Any]:
    """Mark a row as withdrawn: it stays listed with its numbers and its reason, and takes no rank. Returns the note.

    Raises:
        UsageError: no such version or row, no reason, or it is withdrawn already.
        SpecError: WITHDRAWN.json is not a list of notes.
        Refused: the version is frozen and something else of it moved.
    """
    manifest = _published(root, name)
    board = json.loads((root / "tables" / name / "leaderboard.json").read_bytes())
    models = [row["model"] for row in board["rows"]]
    if model not in models:
        raise UsageError(f"{name} has no row {model!r}. Its rows: {', '.join(models)}")
    path = root / "runs" / name / WITHDRAWN
    notes = read_withdrawn(path)
    if any(note["model"] == model for note in notes):
        raise UsageError(f"{path}: {model} is withdrawn already")
    note = {"at": now(), "model": model, "reason": _line(reason, "a withdrawal needs a reason: readers see it")}
    text = json.dumps([*notes, note], ensure_ascii=False, indent=1) + "\n"
    _write(root, manifest, path, text)
    return note


def add_erratum(root: Path, name: str, title: str, text: str) -> str:
    """Add a note above the numbers of a version, with today's date; returns its heading.

    Raises:
        UsageError: no such version, no title or no text, or the text holds a heading of its own.
        Refused: the version is frozen and something else of it moved.
    """
    manifest = _published(root, name)
    heading = f"{now()[:10]}: {_line(title, 'an erratum needs a title')}"
    body = text.strip()
    if not body or any(line.startswith("#") for line in body.splitlines()):
        raise UsageError("an erratum needs a text, and no line of it may begin with '#': that begins the next erratum")
    path = root / "runs" / name / ERRATA
    before = path.read_text("utf-8").rstrip("\n") if path.is_file() else f"# Errata of {name}"
    _write(root, manifest, path, f"{before}\n\n## {heading}\n\n{body}\n")
    return heading


def read_withdrawn(path: Path) -> list[dict[str, str]]:
    """The notes of a WITHDRAWN.json; none without a file.

    Raises:
        SpecError: it is not a list of {at, model, reason}.
    """
    if not path.is_file():
        return []
    try:
        notes = strict.loads(path.read_bytes())
        if not isinstance(notes, list) or not all(set(note) == {"at", "model", "reason"} for note in notes):
            raise ValueError("expected a list of {at, model, reason}")
    except (ValueError, TypeError) as error:
        raise SpecError(f"{path}: {error}") from error
    return notes


def _published(root: Path, name: str) -> Manifest:
    manifest = read_manifest(root, name)
    if manifest is None:
        raise UsageError(f"{name} is not published below {root.resolve() / 'tables'}")
    return manifest


def _line(text: str, why: str) -> str:
    line = " ".join(text.split())
    if not line:
        raise UsageError(why)
    return line


def _write(root: Path, manifest: Manifest, path: Path, text: str) -> None:
    """The note, and the manifest that lists it; without the second the note is not written either."""
    before = path.read_bytes() if path.is_file() else None
    write_whole(path, text)
    try:
        secrets.gate(root, [path])
        if manifest.frozen is not None:
            freeze(root, manifest.name)
        else:
            raw = to_json(manifest.name, manifest.digest, files_of(root, manifest.name))
            write_whole(root / "tables" / manifest.name / NAME, raw)
    except BaseException:
        if before is None:
            path.unlink()
        else:
            write_whole(path, before)
        raise
