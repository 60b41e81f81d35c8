"""The first line of each log of Court of Facts: P7, its agreement with place and spec."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from checker.court.lies import lie
from checker.court.spec import CourtSpec, Item
from checker.findings import show
from checker.loglines import Fault
from checker.starts import Start, common_faults


@dataclass(frozen=True)
class CourtStart(Start):
    """What a log's first line registers; `facts` are its fact objects, each id once."""

    imported: bool
    attackers: list[str]
    facts: list[dict[str, str]]
    repeats: int

    @property
    def names(self) -> list[str]:
        """The Defender and its Attackers."""
        return [self.model, *self.attackers]


def start_of(event: dict[str, Any], spec: CourtSpec) -> CourtStart:
    """What the log registers; where P7 is broken, no more than the spec allows."""
    facts = {row["fact"]: row for row in reversed(event["facts"])}
    in_order = [facts.pop(row["fact"]) for row in event["facts"] if row["fact"] in facts]
    attackers = [name for name in dict.fromkeys(event["attackers"]) if name != event["model"]]
    return CourtStart(
        event["model"], event["run"], event["at"], event["source"]["kind"] == "imported", attackers, in_order,
        max(0, min(event["repeats"], spec.repeats)),
    )  # fmt: skip


def start_faults(
    event: dict[str, Any], path: str, spec: CourtSpec, items: list[Item], played_as: str, amended: str | None
) -> Iterator[Fault]:
    """L1, P6 and P7 for one start line; `played_as` and `amended` as in `common_faults`."""
    yield from common_faults(event, path, spec, played_as, amended, "P7", "P6")
    model, attackers = event["model"], event["attackers"]
    if event["repeats"] != spec.repeats:
        yield Fault("P7", "repeats", show(spec.repeats), show(event["repeats"]))
    if len(set(attackers)) != len(attackers) or model in attackers:
        yield Fault("P7", "attackers", "different names, none of them the model", show(attackers))
    yield from _facts(event["facts"], items, event["source"]["kind"] == "imported")


def _facts(facts: list[dict[str, str]], items: list[Item], imported: bool) -> Iterator[Fault]:
    known = {item.fact: item for item in items}
    places = [known[row["fact"]].place for row in facts if row["fact"] in known]
    if places != sorted(set(places)):
        yield Fault("P7", "facts", "the order of items.jsonl, each once", show([row["fact"] for row in facts]))
    for number, row in enumerate(facts):
        item = known.get(row["fact"])
        if item is None:
            yield Fault("P7", f"facts[{number}].fact", "a fact of items.jsonl", show(row["fact"]))
            continue
        if not imported and row["question"] != item.question:
            yield Fault("P7", f"facts[{number}].question", show(item.question), show(row["question"]))
        wanted = lie(item.lie_rule, row["truth"])
        if wanted is None:
            yield Fault("P7", f"facts[{number}].truth", "a plain decimal (R6)", show(row["truth"]))
        elif row["lie"] != wanted:
            yield Fault("P7", f"facts[{number}].lie", show(wanted), show(row["lie"]))
