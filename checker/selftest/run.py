"""Draw the alterations by seed, lay them together where they cannot touch each other, check the copies, count."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from itertools import chain, zip_longest
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Final

from checker.selftest.operators.every import BY_NAME, of
from checker.selftest.operators.operator import BARE, CASCADES, COURT, Change, Hand, NoPlace, Operator
from checker.selftest.publish import check
from checker.selftest.trial import Alteration, Result, several
from checker.selftest.world import Disk, Files, World
from checker.selftest.worlds import cascades, court

WORLDS: Final = {COURT: court.worlds, CASCADES: cascades.worlds}
#: Draws in a row that give nothing new, after which an operator has no more to give.
DRY: Final = 60
#: Most alterations that share a copy.
TOGETHER: Final = 20
#: Without these nothing else is looked at.
FROZEN: Final = ("MANIFEST.json", "spec.json", "items.jsonl", "builder.json")
#: Tables whose findings name the line.
BY_LINE: Final = ("builder.json", "checked.json", "leaderboard.json", "leaderboard.csv")
#: Forgeries that need the anchor come on top: one of each operator for so many alterations that need none.
FORGERY_EACH: Final = 200


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
    costs a check of its own, a third as many.  Raises SelfTestFailed where there are not enough."""
    turns = zip_longest(*(_thinned(some, place % 3) for place, some in enumerate(drawn)))
    found = [alteration for turn in turns for alteration in turn if alteration is not None][:wanted]
    if len(found) < wanted:
        raise SelfTestFailed(f"the operators give only {len(found)} different alterations, not {wanted}")
    return found


def _thinned(some: list[Alteration], wait: int) -> list[Alteration | None]:
    if not some or not some[0].operator.alone:
        return list(some)
    return [None] * wait + [alteration for one in some for alteration in (one, None, None)]


def packed(alterations: Iterable[Alteration], worlds: list[World]) -> list[list[Alteration]]:
    """The alterations in the copies that they share: never two in one log or in one line of a table, and nothing beside
    what it can bring to light (builder.json decides the statuses that the published tables must state)."""
    packs: list[list[Alteration]] = []
    open_: dict[tuple[object, ...], list[list[Alteration]]] = {}
    for alteration in alterations:
        operator, change, world = alteration.operator, alteration.change, worlds[alteration.world]
        frozen = operator.mends == BARE and change.file.endswith(FROZEN)
        key = (alteration.world, operator.mends, operator.anchor, group(world, change))
        some = open_.setdefault(key, [])
        pack = next((pack for pack in some if all(apart(other.change, change) for other in pack)), None)
        if operator.alone or frozen:
            packs.append([alteration])
        elif pack is None:
            some.append([alteration])
            packs.append(some[-1])
        else:
            pack.append(alteration)
            if len(pack) == TOGETHER:
                some.remove(pack)
    return packs


def group(world: World, change: Change) -> str:
    """Files that cannot be altered together with others."""
    if change.file in world.logs:
        return "logs"
    if change.file == f"{world.tables}/builder.json":
        return "builder.json"
    return "tables" if change.file.startswith(world.tables) else "others"


def apart(one: Change, other: Change) -> bool:
    """Whether two changes touch different files, or different lines of one table."""
    shared = one.files.keys() & other.files.keys()
    lines = one.line is not None and other.line is not None and one.line != other.line
    return not shared or (shared == {one.file} == {other.file} and one.file.endswith(BY_LINE) and lines)


# --- the work ---------------------------------------------------------------------------------------------------------


def good(benchmark: str) -> list[World]:
    """The good versions of a benchmark.  Raises SelfTestFailed where the checker finds a fault in them."""
    worlds = WORLDS[benchmark]()
    with tempfile.TemporaryDirectory() as folder:
        disk = Disk(Path(folder), worlds[0].files)
        for world in worlds:
            outcome = check(disk.root, world)
            faults = [f for f in outcome.crosscheck["mismatches"] if f["side"] != "imported"]
            if faults or outcome.troubles:
                raise SelfTestFailed(f"{world.name}: the good data is not good: {(outcome.troubles or faults)[0]}")
    return worlds


class Worker:
    """One process: a root of its own, and the good versions in it."""

    def __init__(self, worlds: list[World], seed: int) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="self-test-")
        self.worlds, self.seed = worlds, seed
        self.disk = Disk(Path(self.folder.name), worlds[0].files)

    def draw(self, wish: tuple[str, int]) -> list[Alteration]:
        """The alterations of one operator."""
        return draw(wish[0], self.worlds, self.seed, wish[1])

    def work(self, pack: list[Alteration]) -> list[Result]:
        """The results of the alterations of one copy."""
        return several(self.disk, self.worlds[pack[0].world], pack)


#: What a worker process keeps between its tasks.
_WORKER: list[Worker] = []


def _prepare(worlds: list[World], seed: int) -> None:
    # What a library prints (DuckDB shows the progress of a slow query) must not get into the report.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    _WORKER.append(Worker(worlds, seed))


def _draw(wish: tuple[str, int]) -> list[Alteration]:
    return _WORKER[0].draw(wish)


def _work(pack: list[Alteration]) -> list[Result]:
    return _WORKER[0].work(pack)


def run(benchmark: str, seed: int, wanted: int, workers: int) -> list[tuple[Alteration, Result]]:
    """`wanted` alterations and the forgeries, each with its result, in the order in which they were drawn.

    Raises SelfTestFailed.
    """
    worlds = good(benchmark)
    plain = [operator.name for operator in of(benchmark) if not operator.anchor]
    forgeries = [operator.name for operator in of(benchmark) if operator.anchor]
    # Some operators have few places, so the others are asked for more than their share.
    share = wanted // len(plain) * 3 // 2 + 2
    wishes = [(name, share) for name in plain] + [(name, max(1, wanted // FORGERY_EACH)) for name in forgeries]
    # Fresh interpreters: DuckDB has threads, and threads do not outlive a fork.
    with ProcessPoolExecutor(workers, get_context("spawn"), _prepare, (worlds, seed)) as pool:
        try:
            drawn = list(pool.map(_draw, wishes))
            forged = chain.from_iterable(drawn[len(plain) :])
            alterations = [*chosen(drawn[: len(plain)], wanted), *forged]
            packs = packed(alterations, worlds)
            results = list(pool.map(_work, packs))
        except BrokenProcessPool:
            raise SelfTestFailed(f"{benchmark}: a checking process died") from None
    pairs = [pair for pack, some in zip(packs, results, strict=True) for pair in zip(pack, some, strict=True)]
    found = {(alteration.name, alteration.number): result for alteration, result in pairs}
    return [(alteration, found[alteration.name, alteration.number]) for alteration in alterations]
