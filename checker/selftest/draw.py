"""The alterations of each operator, drawn by seed, and how many of each are taken."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from itertools import zip_longest
from random import Random
from typing import Final

from checker.selftest.operators.every import BY_NAME
from checker.selftest.operators.operator import Hand, NoPlace, Operator
from checker.selftest.trial import Alteration
from checker.selftest.world import Files, World

#: Draws in a row that give nothing new, after which an operator has no more to give.
DRY: Final = 60
#: One in so many is made of what takes a copy of its own.
SELDOM: Final = 5


class SelfTestFailed(Exception):
    """The self-test could not run; the text says why."""


@dataclass
class Source:
    """The alterations of one operator, numbered from 0, each another one."""

    operator: Operator
    worlds: list[World]
    seed: int
    made: int = 0
    draws: int = 0
    dry: bool = False
    seen: set[str] = field(default_factory=set)

    def next(self) -> Alteration | None:
        """The next alteration, or None where there is no other one."""
        start = self.draws
        while not self.dry and self.made < self.operator.most:
            if self.draws - start == DRY:
                self.dry = True
                break
            chance = Random(f"{self.seed} {self.worlds[0].benchmark} {self.operator.name} {self.draws}")
            self.draws += 1
            place = chance.randrange(len(self.worlds))
            world = self.worlds[place]
            try:
                change = self.operator.draw(Hand(world, chance))
            except NoPlace:
                continue
            key = f"{place} {digest(change.files)}"
            if key in self.seen or all(world.files.get(path) == content for path, content in change.files.items()):
                continue
            self.seen.add(key)
            self.made += 1
            return Alteration(self.operator.name, self.made - 1, place, change)
        return None


def digest(files: Files) -> str:
    """What tells one alteration from another."""
    return hashlib.sha256(repr(sorted(files.items(), key=lambda item: item[0])).encode()).hexdigest()


def draw(name: str, worlds: list[World], seed: int, number: int) -> list[Alteration]:
    """The first `number` alterations of an operator, or all that there are."""
    source = Source(BY_NAME[name], worlds, seed)
    found = [source.next() for _ in range(number)]
    return [alteration for alteration in found if alteration]


def chosen(drawn: list[list[Alteration]], wanted: int) -> list[Alteration]:
    """`wanted` alterations, of each operator as many as of the others while it has any; of those whose every alteration
    takes a copy of its own, one for SELDOM of others.  Raises SelfTestFailed where there are not enough."""
    turns = zip_longest(*(_thinned(some, place % SELDOM) for place, some in enumerate(drawn)))
    found = [alteration for turn in turns for alteration in turn if alteration is not None][:wanted]
    if len(found) < wanted:
        raise SelfTestFailed(f"the operators give only {len(found)} different alterations, not {wanted}")
    return found


def _thinned(some: list[Alteration], wait: int) -> list[Alteration | None]:
    if not some or not is_seldom(some[0].operator):
        return list(some)
    pauses: list[None] = [None] * (SELDOM - 1)
    return [None] * wait + [alteration for one in some for alteration in (one, *pauses)]


def is_seldom(operator: Operator) -> bool:
    """Whether each of its alterations takes a copy, whatever else there is to check."""
    return operator.alone or operator.seldom


def wish(name: str, wanted: int, operators: int) -> int:
    """How many alterations an operator is asked for: some have few places, so the others may have to give more than
    their share."""
    share = wanted // operators * 3 // 2 + 2
    return share // SELDOM + 1 if is_seldom(BY_NAME[name]) else share
