"""`countersign freeze`: one digest over everything that a published version is made of (reads as its steps)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from runners import secrets, strict
from runners.errors import Finding, Refused, UsageError
from runners.files import write_whole
from runners.release.growth import moved, moved_beside
from runners.release.manifest import (
    EARLIER,
    NAME,
    NOTES,
    Frozen,
    Manifest,
    digests,
    earlier,
    files_of,
    last_freeze,
    read_manifest,
    to_json,
)  # fmt: skip

LOCK = "requirements-check.lock"
FIT = ("CROSS-CHECKED", "PARTIAL", "INCOMPLETE")
"""Statuses that a row of a frozen version may have: whatever of it there is was checked and agrees."""
PUBLISH = "Publish the version again."


@dataclass(frozen=True)
class Freeze:
    """A frozen manifest, and whether this call made it or found it."""

    manifest: Manifest
    made: bool


def freeze(root: Path, name: str, at: str | None = None) -> Freeze:
    """Freeze a published version (`court/v4`): MANIFEST.json gains the key `frozen`.

    A version that is frozen and has gained nothing since stays as it is. The manifest of the freeze before is kept, so
    that who cites it can still verify that every log of then is there.

    Raises:
        UsageError: the version is not published, or the checker's source or its lock is not beside runs/.
        Refused: a file moved since it was published, a row is not fit, another checker checked it; names each.
        LogError: a secret is in what would be frozen.
    """
    current = read_manifest(root, name)
    if current is None:
        raise UsageError(f"{root / 'tables' / name / NAME} does not exist: publish {name} before it is frozen")
    before = last_freeze(root, name)
    there = files_of(root, name)
    changed = {path for path in {*current.files, *there} if current.files.get(path) != there.get(path)}
    if before is not None and before.root == current.root and not changed:
        return Freeze(current, made=False)
    findings = _stale(current, there, changed) + _unfit(root, name)
    if before is not None:
        findings += [fault for fault in moved(before, there, ("runs",)) if fault not in findings]
        findings += moved_beside(before, root)
    same_numbers = before is not None and before.root == current.root
    beside: Mapping[str, str]
    if same_numbers and before is not None and before.frozen is not None:
        beside = before.frozen.beside  # only notes are new: who checked the numbers is who checked them then
    else:
        beside, faults = _beside(root, name)
        findings += faults
    if findings:
        raise Refused(f"{name} is not frozen", findings)
    secrets.gate(root, [Path(path) for path in (*there, *(path for path in beside if path.startswith("runs/")))])
    if same_numbers and before is not None:
        keep(root, before)
        there = files_of(root, name)
    frozen = Frozen(at or now(), before.root if before else None, dict(beside))
    raw = to_json(name, current.digest, there, frozen)
    write_whole(root / "tables" / name / NAME, raw)
    made = read_manifest(root, name)
    assert made is not None
    return Freeze(made, made=True)


def now() -> str:
    """The time in UTC, as a manifest has it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def keep(root: Path, manifest: Manifest) -> None:
    """Keep a frozen manifest beside the one that will follow it, under its own digest."""
    write_whole(root / "tables" / manifest.name / EARLIER / f"{manifest.root}.json", manifest.raw)


def freezes(root: Path, name: str) -> list[Manifest]:
    """Every freeze of the version, oldest first, the current one included where it is frozen."""
    current = read_manifest(root, name)
    return [*earlier(root, name), *([current] if current and current.frozen else [])]


def _stale(current: Manifest, there: Mapping[str, str], changed: set[str]) -> list[Finding]:
    """Files that are not those that were published: notes are written after that, and kept manifests."""
    notes = {f"runs/{current.name}/{note}" for note in NOTES}
    kept = f"tables/{current.name}/{EARLIER}/"
    return [
        Finding(
            path, None, "manifest", current.files.get(path, "no such file"), there.get(path, "no such file"), PUBLISH
        )
        for path in sorted(changed)
        if path not in notes and not (path.startswith(kept) and path not in current.files)
    ]


def _unfit(root: Path, name: str) -> list[Finding]:
    report = _report(root, name)
    file = f"tables/{name}/crosscheck.json"
    return [
        Finding(file, None, "status", f"{row['model']}: one of {', '.join(FIT)}", row["status"], PUBLISH)
        for row in report["rows"]
        if row["status"] not in FIT
    ]


def _beside(root: Path, name: str) -> tuple[dict[str, str], list[Finding]]:
    """What lies outside the version and belongs to it: price tables, specs of reused logs, the checker, its lock."""
    sources = sorted(path for path in (root / "checker").rglob("*") if path.suffix in (".py", ".sql", ".json"))
    checker = [path.relative_to(root).as_posix() for path in sources]
    if not checker or not (root / LOCK).is_file():
        raise UsageError(
            f"{root.resolve()} holds no checker/ or no {LOCK}: a freeze names the checker that checked the version. "
            "Freeze in a checkout of the repository."
        )
    prices = sorted(path.relative_to(root).as_posix() for path in (root / "runs" / "prices").glob("*.json"))
    found = digests(root, [*checker, LOCK, *prices, *_reused_specs(root, name)])
    checked_by = _report(root, name)["checker"]["files"]
    findings = [
        Finding(
            f"tables/{name}/crosscheck.json", None, "checker", f"checked by {path} as it is here, {found.get(path)}",
            str(checked_by.get(path)), PUBLISH,
        )
        for path in sorted({*checked_by, *(path for path in checker if not path.endswith(".json"))})
        if found.get(path) != checked_by.get(path)
    ]  # fmt: skip
    return found, findings


def _reused_specs(root: Path, name: str) -> list[str]:
    """The spec of each version whose logs this one adopted: the checker reads it."""
    path = root / "runs" / name / "REUSED.json"
    entries = strict.loads(path.read_bytes()).values() if path.is_file() else ()
    return sorted({f"runs/{entry['from']}/spec.json" for entry in entries})


def _report(root: Path, name: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads((root / "tables" / name / "crosscheck.json").read_bytes())
    return report
