"""Which duels a tournament still has to register: what no run of the version holds yet (R2, P8)."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from runners.court.version import Court
from runners.errors import LogError
from runners.log import Log, read_log
from runners.records import Fact, Start
from runners.slug import slug


@dataclass(frozen=True)
class RunPlan:
    """One log to write: a Defender, its Attackers and the facts, each pair fought `repeats` times."""

    run: str
    defender: str
    attackers: tuple[str, ...]
    facts: tuple[Fact, ...]


def log_path(spec: Court, model: str, run: str) -> Path:
    """Where the log of a run lies (rule L1)."""
    return spec.logs / slug(model) / f"{run}.jsonl"


def read_logs(spec: Court) -> list[Log]:
    """Every log of a version, sorted by path.

    Raises:
        LogError: with the findings of all logs, so that one bad file does not hide another.
    """
    logs: list[Log] = []
    findings = []
    reused = reused_specs(spec)
    for path in sorted(spec.logs.glob("*/*.jsonl")):
        name = path.relative_to(spec.folder).as_posix()
        try:
            logs.append(read_log(path, reused.get(name, spec.sha256)))
        except LogError as error:
            findings += error.findings
    if findings:
        raise LogError(findings)
    return logs


def reused_specs(spec: Court) -> dict[str, str]:
    """Path of each reused log -> digest of the spec that it was played under (REUSED.json)."""
    path = spec.folder / "REUSED.json"
    if not path.is_file():
        return {}
    return {name: str(entry["spec_sha256"]) for name, entry in json.loads(path.read_bytes()).items()}


def missing_runs(
    spec: Court, starts: Iterable[Start], models: Sequence[str], facts: Sequence[Fact], run: str
) -> list[RunPlan]:
    """The runs that register every ordered pair of `models` on every one of `facts` that no run registers yet.

    Attackers that lack the same facts share a run; a further group gets the run id with a number behind it.
    """
    taken = {
        (start.model, attacker, fact.fact) for start in starts for attacker in start.attackers for fact in start.facts
    }
    plans: list[RunPlan] = []
    for defender in models:
        groups: defaultdict[tuple[Fact, ...], list[str]] = defaultdict(list)
        for attacker in models:
            lacking = tuple(fact for fact in facts if (defender, attacker, fact.fact) not in taken)
            if attacker != defender and lacking:
                groups[lacking].append(attacker)
        for number, (lacking, attackers) in enumerate(groups.items(), 1):
            plans.append(RunPlan(run if number == 1 else f"{run}-{number}", defender, tuple(attackers), lacking))
    return plans
