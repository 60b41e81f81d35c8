"""A version of Court of Facts: its facts, rounds and repeats."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from runners.errors import SpecError
from runners.spec import Spec, load_spec


@dataclass(frozen=True)
class Item:
    """One fact of items.jsonl: the question, its recorded truth, and the rule that gives the lie."""

    fact: str
    domain: str
    label: str
    question: str
    truth: str
    lie_rule: str
    source: str
    region: str
    recorded_at: str


class Court(Spec):
    """A frozen version of Court of Facts."""

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The facts, in the order of items.jsonl.

        Raises:
            SpecError: two facts have the same id, case and spaces aside.
        """
        name = self.data["play"]["facts"]
        items = tuple(Item(**json.loads(line)) for line in self.contents[name].decode().splitlines())
        if len({item.fact.strip().lower() for item in items}) != len(items):
            raise SpecError(f"{self.folder / name}: two facts have the same id")
        return items

    @property
    def rounds(self) -> int:
        """Attacker turns of a duel."""
        return int(self.data["play"]["rounds"])

    @property
    def repeats(self) -> int:
        """How often each (Attacker, fact) is fought."""
        return int(self.data["play"]["repeats"])

    @property
    def last_turn(self) -> int:
        """The turn of the Defender's final answer (R3)."""
        return 2 * self.rounds

    @property
    def has_empty_state(self) -> bool:
        """Whether a reply that holds nothing is a state of its own (R11 from v4 on)."""
        return bool(self.data["answer"]["no_answer"] == "unparsed_or_empty")

    @cached_property
    def item(self) -> Mapping[str, Item]:
        """Items by fact id."""
        return {item.fact: item for item in self.items}


def load_court(root: Path, version: str) -> Court:
    """Load and verify `runs/court/<version>`.

    Raises:
        UsageError, SpecError: as `load_spec`.
    """
    return load_spec(root, "court", version, Court)
