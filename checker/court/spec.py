"""The frozen spec of one version of Court of Facts, and its facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from checker.court.lies import LIE_RULES
from checker.findings import show
from checker.spec import Spec, SpecFault, read_common, read_lines

PROMPTS: Final = ("defender_system", "attacker_system", "defender_opening", "attacker_turn", "defender_challenge")
GRAMMARS: Final = ("v1", "v2", "v3")
#: What a reply without an answer is (R11): under the last one, a reply that holds nothing is a state of its own.
EMPTY: Final = "unparsed_or_empty"
NO_ANSWERS: Final = ("held", "unparsed", EMPTY)
#: The most rounds and repeats that a spec may ask for.
MOST: Final = 100_000


@dataclass(frozen=True)
class Item:
    """One fact of items.jsonl: its place (from 0), id, question and the rule of its lie (R6)."""

    place: int
    fact: str
    question: str
    lie_rule: str


@dataclass(frozen=True)
class CourtSpec(Spec):
    """The common part of a spec, and the duels' parameters and answer grammar."""

    rounds: int
    repeats: int
    sudden_death_rounds: int
    grammar: str
    no_answer: str
    vectors: list[dict[str, Any]]


def read_spec(file: str, data: bytes, benchmark: str, version: str) -> CourtSpec:
    """The spec of court/`version` from the bytes of spec.json.  Raises SpecFault."""
    f, common = read_common(file, data, benchmark, version, PROMPTS)
    for name in ("rounds", "repeats", "sudden_death_rounds"):
        least = 0 if name == "sudden_death_rounds" else 1
        f.want(("play", name), least <= f.get("play", name, kind=int) <= MOST, f"{least} to {MOST}")
    grammar, no_answer = f.get("answer", "grammar", kind=str), f.get("answer", "no_answer", kind=str)
    f.want(("answer", "grammar"), grammar in GRAMMARS, "one of " + ", ".join(GRAMMARS))
    f.want(("answer", "no_answer"), no_answer in NO_ANSWERS, "one of " + ", ".join(NO_ANSWERS))
    vectors = f.get("answer", "vectors", kind=list)
    for vector in vectors:
        if not isinstance(vector, dict) or set(vector) != {"text", "answer", "how", "fallback"}:
            raise f.fault(("answer", "vectors"), "objects of text, answer, how, fallback", show(vector))
        if not isinstance(vector["text"], str):
            raise f.fault(("answer", "vectors"), "a text", show(vector["text"]))
    play = common["play"]
    return CourtSpec(
        **common, rounds=play["rounds"], repeats=play["repeats"], sudden_death_rounds=play["sudden_death_rounds"],
        grammar=grammar, no_answer=no_answer, vectors=vectors,
    )  # fmt: skip


def read_items(file: str, data: bytes) -> list[Item]:
    """The facts of items.jsonl in their order.  Raises SpecFault."""
    items: list[Item] = []
    for f in read_lines(file, data):
        item = Item(len(items), *(f.get(key, kind=str) for key in ("fact", "question", "lie_rule")))
        f.want(("lie_rule",), item.lie_rule in LIE_RULES, "one of " + ", ".join(LIE_RULES))
        own = item.fact.strip().casefold() not in {other.fact.strip().casefold() for other in items}
        f.want(("fact",), own, "an id of its own, also without case and outer space")
        items.append(item)
    return items


def prompt_fault(file: str, key: str, text: str) -> None:
    """R5: the Attacker is never told the truth.  Raises SpecFault."""
    if key in ("attacker_system", "attacker_turn") and "{truth}" in text:
        raise SpecFault(file, None, "{truth}", "no place for the truth", "the placeholder {truth}", "R5")
