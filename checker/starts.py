"""The first line of each log: L1's path, and P7, its agreement with place and spec."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from checker.findings import show
from checker.lies import lie
from checker.loglines import Fault, canonical
from checker.spec import Item, Spec


@dataclass(frozen=True)
class Start:
    """What a log's first line registers; `facts` are its fact objects, each id once."""

    model: str
    run: str
    imported: bool
    attackers: list[str]
    facts: list[dict[str, str]]
    repeats: int


def slug(model: str) -> str:
    """L1: the folder of a model's logs."""
    lower = "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in model)
    stem = re.sub(r"[^a-z0-9]+", "-", lower).strip("-")[:40].rstrip("-") or "model"
    return f"{stem}-{hashlib.sha256(model.encode()).hexdigest()[:8]}"


def start_of(event: dict[str, Any], spec: Spec) -> Start:
    """What the log registers; where P7 is broken, no more than the spec allows."""
    facts = {row["fact"]: row for row in reversed(event["facts"])}
    in_order = [facts.pop(row["fact"]) for row in event["facts"] if row["fact"] in facts]
    attackers = [name for name in dict.fromkeys(event["attackers"]) if name != event["model"]]
    return Start(
        event["model"], event["run"], event["source"]["kind"] == "imported", attackers, in_order,
        max(0, min(event["repeats"], spec.repeats)),
    )  # fmt: skip


def start_faults(event: dict[str, Any], path: str, spec: Spec, items: list[Item], played_as: str) -> Iterator[Fault]:
    """L1 and P7 for one start line.  `played_as` is `benchmark/version` of the spec that the log was played under."""
    model, imported = event["model"], event["source"]["kind"] == "imported"
    folder = path.split("/")[-2]
    if folder != slug(model):
        yield Fault("L1", "model", f"a model whose slug is the folder's name, {folder}", f"{model} ({slug(model)})")
    benchmark, version = played_as.split("/")
    route = "imported" if imported else model.split(":", 1)[0] if ":" in model else "(no route in the model's name)"
    wanted: list[tuple[str, object]] = [
        ("benchmark", benchmark), ("version", version), ("repeats", spec.repeats), ("route", route),
        ("kind", "baseline" if model.startswith("scripted:") else "model"),
    ]  # fmt: skip
    for field, value in wanted:
        if event[field] != value:
            yield Fault("P7", field, show(value), show(event[field]))
    settings = "null" if imported else spec.routes.get(event["route"], "(a route of the spec)")
    if canonical(event["settings"]) != settings:
        yield Fault("P6", "settings", settings, canonical(event["settings"]))
    attackers = event["attackers"]
    if len(set(attackers)) != len(attackers) or model in attackers:
        yield Fault("P7", "attackers", "different names, none of them the model", show(attackers))
    yield from _facts(event["facts"], items, imported)


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
