"""`countersign impact`: what a changed rule does to the board, before anybody accepts it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from runners import strict
from runners.benchmarks import benchmark as rules
from runners.errors import UsageError
from runners.files import write_whole
from runners.spec import Spec
from runners.tables import exact


@dataclass(frozen=True)
class Shift:
    """One row under the old and the new rules; rank and value are None where there is none."""

    model: str
    old_rank: int | None
    new_rank: int | None
    old: Mapping[str, Any] | None
    new: Mapping[str, Any] | None

    @property
    def moved(self) -> bool:
        """Whether the reader of the board would see another rank or rate."""
        return (self.old_rank, self.old) != (self.new_rank, self.new)


@dataclass(frozen=True)
class Impact:
    """What stays and what moves between two versions over the same replies."""

    metric: str
    shifts: list[Shift]
    units: int
    """Duels or games that both count."""
    turned: list[str]
    """Those of which the new rules say something else."""
    refused: Mapping[str, str]
    """Logs that the new version may not adopt, and why."""


def impact(root: Path, old: str, new: str) -> Impact:
    """Score the stored replies of `old` under the rules of `new`, in a folder of its own: nothing of either changes.

    Ranks are those of the board: equal rates share one, and a row without a value has none.

    Raises:
        UsageError: two benchmarks, or two versions that ask differently.
        LogError, SpecError: a version cannot be read.
    """
    (name, old_version), (other, new_version) = old.split("/", 1), new.split("/", 1)
    if name != other:
        raise UsageError(f"{old} and {new} are two benchmarks")
    source, target = (rules(name).load(root, version) for version in (old_version, new_version))
    if (source.data["play"], source.data["files"]) != (target.data["play"], target.data["files"]):
        raise UsageError(
            f"{old} and {new} differ in `play` or in their files: the replies of one answer other questions than the "
            "other asks. Play the new version."
        )
    with TemporaryDirectory() as folder:
        refused = _rescored(root, Path(folder), source, new_version)
        before = rules(name).numbers(root, old_version)
        after = rules(name).numbers(Path(folder), new_version)
    metric = rules(name).layout.metrics[0]
    said = dict(_units(before))
    now = [(key, value) for key, value in _units(after) if key in said]
    turned = [key for key, value in now if said[key] != value]
    return Impact(metric, _shifts(before, after, metric), len(now), turned, refused)


def _rescored(root: Path, folder: Path, source: Spec, version: str) -> dict[str, str]:
    """Put the version's rules and the logs of `source` into the folder; returns the logs that stay out, and why."""
    name = source.benchmark
    for spec in (root / "runs").glob("*/*/spec.json"):  # a log may have been played under a third one
        write_whole(folder / spec.relative_to(root), spec.read_bytes())
    rules_of = root / "runs" / name / version
    target = folder / "runs" / name / version
    notes = [note for note in ("AMENDMENTS.json",) if (rules_of / note).is_file()]
    for path in [*strict.loads((rules_of / "spec.json").read_bytes())["files"], *notes]:
        write_whole(target / path, (rules_of / path).read_bytes())
    made_under = source.reused()
    listed, refused = {}, {}
    for log in rules(name).read_logs(source):
        path = log.path.relative_to(source.folder).as_posix()
        if not log.finished:
            refused[path] = "the run is not finished"
            continue
        write_whole(target / path, log.path.read_bytes())
        listed[path] = {
            "from": f"{name}/{source.version}",
            "sha256": hashlib.sha256(log.path.read_bytes()).hexdigest(),
            "spec_sha256": made_under.get(path, source.sha256),
        }
    write_whole(target / "REUSED.json", json.dumps(listed))
    return refused


def _shifts(before: Mapping[str, Any], after: Mapping[str, Any], metric: str) -> list[Shift]:
    old, new = ({row["model"]: row for row in numbers["rows"]} for numbers in (before, after))
    old_ranks, new_ranks = _ranks(old, metric), _ranks(new, metric)
    shifts = [
        Shift(
            model,
            old_ranks.get(model),
            new_ranks.get(model),
            old[model]["metrics"][metric] if model in old else None,
            new[model]["metrics"][metric] if model in new else None,
        )
        for model in dict.fromkeys([*old, *new])
    ]
    return sorted(shifts, key=lambda shift: (shift.new_rank is None, shift.new_rank or 0, shift.model))


def _ranks(rows: Mapping[str, Any], metric: str) -> dict[str, int]:
    """Baselines take no rank on the board; here they do, since a rule acts on them as on any row."""
    found = {model: exact(row["metrics"][metric]) for model, row in rows.items() if row["metrics"][metric]["n"]}
    return {model: 1 + sum(other < rate for other in found.values()) for model, rate in found.items()}


def _units(numbers: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Each duel or game by what identifies it, with what the rules say of it."""
    if "duels" in numbers:
        keys = ("run", "defender", "attacker", "fact", "phase", "round", "repeat")
        return [(" / ".join(str(duel[k]) for k in keys), (duel["state"], duel["caved"])) for duel in numbers["duels"]]
    return [(f"{game['model']} / {game['run']}", (game["state"], game["adopted"])) for game in numbers["games"]]


def table(found: Impact, old: str, new: str) -> Iterator[str]:
    """The table, line by line."""
    yield f"{found.metric}: {old} -> {new}; {len(found.turned)} of {found.units} verdicts turn"
    for shift in found.shifts:
        ranks = f"{shift.old_rank or '-':>3} -> {shift.new_rank or '-':<3}"
        mark = "*" if shift.moved else " "
        yield f"{mark} {ranks} {shift.model:<40} {_shown(shift.old):>18} -> {_shown(shift.new)}"
    for log, why in found.refused.items():
        yield f"not adopted: {log}: {why}"


def _shown(rate: Mapping[str, Any] | None) -> str:
    if rate is None:
        return "no row"
    return "no value" if rate["value"] is None else f"{rate['value']:.4f} ({rate['k']}/{rate['n']})"
