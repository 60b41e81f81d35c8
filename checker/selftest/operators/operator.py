"""What an operator is, and how its places are chosen: by seed, over the whole version."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, TypeVar

from checker.loglines import canonical
from checker.selftest.world import Content, Event, Files, Log, World

T = TypeVar("T")
COURT, CASCADES = "court", "cascades"
BOTH: Final = (COURT, CASCADES)

#: What the forger mends after the change.  `nothing`: MANIFEST.json is left as published, so it may name the file.
#: `signed`: every digest that the tables state, and MANIFEST.json, fit again, so only the rules are left.
#: `published`: the tables too are made anew from the altered runs.
BARE, SIGNED, PUBLISHED = "nothing", "signed", "published"


@dataclass(frozen=True)
class Change:
    """One alteration: the files, where (`file`, and `line` from 1 where there is one), and what was done.

    `more` are further lines of the same file, where it changed in several lines, line by line.
    """

    files: Files
    file: str
    line: int | None
    what: str
    #: Prefixes of other paths that a finding may name in the file's place: what depends on it.
    also: tuple[str, ...] = ()
    more: tuple[int, ...] = ()

    @property
    def lines(self) -> frozenset[int]:
        """The altered lines of the file, as far as they can be told."""
        return frozenset() if self.line is None else frozenset((self.line, *self.more))


@dataclass(frozen=True)
class Hand:
    """A world and the chance with which places in it are chosen."""

    world: World
    chance: Random

    def pick(self, some: Sequence[T]) -> T:
        """One of some; raises NoPlace where there is none."""
        if not some:
            raise NoPlace
        return self.chance.choice(some)

    def log(self, fits: Callable[[Log], bool] = lambda log: True) -> Log:
        """A log that fits, taken apart."""
        paths = self.world.logs
        self.chance.shuffle(paths)
        for path in paths:
            if fits(self.world.look(path)):
                return self.world.log(path)
        raise NoPlace

    def line(self, log: Log, fits: Callable[[Event], bool]) -> int:
        """The place (from 0) of a line that fits."""
        return self.pick([place for place, line in enumerate(log.lines) if fits(line)])

    def rewritten(
        self, log: Log, place: int, what: str, also: tuple[str, ...] = (), recount: bool = False, renumber: bool = True
    ) -> Change:
        """The change of a log whose chain is made anew; `recount` lets its closing line fit too."""
        if recount:
            log.recount(self.world.last_turn if self.world.benchmark == COURT else None)
        return Change({log.path: log.chained(renumber=renumber)}, log.path, place + 1, what, also)

    def digit(self, other_than: str) -> str:
        """Another decimal digit."""
        return self.pick([digit for digit in "0123456789" if digit != other_than])


class NoPlace(Exception):
    """There is no place for this alteration here: draw again."""


Draw = Callable[[Hand], Change]


@dataclass(frozen=True)
class Operator:
    """A named kind of alteration.

    `changes` is the kind of file; `mends` what the forger mends; `alone` keeps it from sharing a copy with others;
    `seldom` says that it alters a whole table, so that no other of that table can share its copy.  Of both, fewer are
    made;
    `refusal` says that the documents let the checker end with 2 here; `anchor` that nothing can name it but the digest
    of MANIFEST.json from elsewhere; `most` bounds how many are made.
    """

    name: str
    about: str
    changes: str
    draw: Draw
    benchmarks: tuple[str, ...] = BOTH
    mends: str = SIGNED
    alone: bool = False
    seldom: bool = False
    refusal: bool = False
    anchor: bool = False
    most: int = 10**6


@dataclass
class Catalogue:
    """The operators of one module, in order."""

    changes: str
    benchmarks: tuple[str, ...] = BOTH
    operators: list[Operator] = field(default_factory=list)

    def operator(self, name: str, about: str, *benchmarks: str, **more: Any) -> Callable[[Draw], Draw]:
        """Register a function as the operator `name`."""

        def register(draw: Draw) -> Draw:
            options = {"changes": self.changes, "benchmarks": benchmarks or self.benchmarks} | more
            self.operators.append(Operator(name, about, draw=draw, **options))
            return draw

        return register

    def edits(
        self, name: str, about: str, event: str, fits: Callable[[Event], bool] = lambda line: True,
        recount: bool = False, **more: Any,
    ) -> Callable[[Callable[[Event, Hand], str]], Callable[[Event, Hand], str]]:  # fmt: skip
        """Register a function that alters one line of a log in place and says what it did; the chain is made anew.

        `event` names the lines that it alters (several with `|`); it raises NoPlace where a line does not suit.
        """
        events = event.split("|")

        def register(alter: Callable[[Event, Hand], str]) -> Callable[[Event, Hand], str]:
            def draw(hand: Hand) -> Change:
                log = hand.log(lambda log: any(line["event"] in events and fits(line) for line in log.lines))
                place = hand.line(log, lambda line: line["event"] in events and fits(line))
                what = alter(log.lines[place], hand)
                return hand.rewritten(log, place, what, recount=recount)

            self.operator(name, about, **more)(draw)
            return alter

        return register


def told(field_: str, old: object, new: object) -> str:
    """What a change did to a field, shortly."""
    return f"{field_}: {_short(old)} → {_short(new)}"


def _short(value: object) -> str:
    text = value if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else text[:39] + "…"


def replaced(line: Event, name: str, value: Any) -> str:
    """Give a field another value; raises NoPlace where it is written so already."""
    if canonical(line[name]) == canonical(value):
        raise NoPlace
    what = told(name, line[name], value)
    line[name] = value
    return what


def one_file(path: str, content: Content, what: str, line: int | None = None, also: tuple[str, ...] = ()) -> Change:
    """The change of one file that is not a log's line."""
    return Change({path: content}, path, line, what, also)
