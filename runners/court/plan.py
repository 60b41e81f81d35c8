"""Which duels a tournament still has to register: what no run of the version holds yet (R2, P8)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from runners.court.version import Court
from runners.records import Fact, Start


@dataclass(frozen=True)
class RunPlan:
    """One log to write: a Defender, its Attackers and the facts, each pair fought `repeats` times."""

    run: str
    defender: str
    attackers: tuple[str, ...]
    facts: tuple[Fact, ...]


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
