"""Draw the alterations by seed, lay them together where they cannot touch each other, check the copies, count."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from checker.selftest.draw import SelfTestFailed, chosen, wish
from checker.selftest.operators.every import of
from checker.selftest.operators.operator import BARE, CASCADES, COURT, Change, Operator
from checker.selftest.publish import check
from checker.selftest.trial import Alteration, Result
from checker.selftest.workers import Processes, Worlds, draw_some
from checker.selftest.world import Disk, World
from checker.selftest.worlds import cascades, court

WORLDS: Final = {COURT: court.worlds, CASCADES: cascades.worlds}
#: Most alterations that share a copy.
TOGETHER: Final = 50
#: Without these there is nothing to compare.
NEEDED: Final = ("spec.json", "items.jsonl", "builder.json")
#: Tables whose findings name the line.
BY_LINE: Final = ("builder.json", "checked.json", "leaderboard.json", "leaderboard.csv")
#: Forgeries that need the anchor come on top: one of each operator for so many alterations that need none.
FORGERY_EACH: Final = 200


def packed(alterations: Iterable[Alteration], worlds: list[World]) -> list[list[Alteration]]:
    """The alterations in the copies that they share: never two in one log or in one line of a table, and nothing beside
    what it can bring to light (builder.json decides the statuses that the published tables must state)."""
    packs: list[list[Alteration]] = []
    open_: dict[tuple[object, ...], list[list[Alteration]]] = {}
    for alteration in alterations:
        operator, change = alteration.operator, alteration.change
        if is_alone(operator, change):
            packs.append([alteration])
            continue
        key = (alteration.world, operator.mends, operator.anchor, group(operator, worlds[alteration.world], change))
        some = open_.setdefault(key, [])
        pack = next((pack for pack in some if all(apart(other.change, change) for other in pack)), None)
        if pack is None:
            pack = []
            some.append(pack)
            packs.append(pack)
        pack.append(alteration)
        if len(pack) == TOGETHER:
            some.remove(pack)
    return packs


def is_alone(operator: Operator, change: Change) -> bool:
    """Whether nothing else is looked at, or is certain, where this is altered."""
    if operator.mends == BARE and change.file.endswith("MANIFEST.json"):
        return True
    return operator.alone or (operator.refusal and change.file.endswith(NEEDED))


def group(operator: Operator, world: World, change: Change) -> str:
    """Files that can be altered together."""
    if operator.mends == BARE:
        return "any"  # MANIFEST.json is as published, and names each file whose digest is another one
    if change.file.startswith(f"{world.runs}/logs/"):
        return "logs"
    if change.file == f"{world.tables}/builder.json":
        return "builder.json"
    return "tables" if change.file.startswith(world.tables) else "others"


def apart(one: Change, other: Change) -> bool:
    """Whether two changes touch different files, or different lines of one table."""
    shared = one.files.keys() & other.files.keys()
    lines = one.lines and other.lines and not one.lines & other.lines
    return not shared or (shared == {one.file} == {other.file} and one.file.endswith(BY_LINE) and bool(lines))


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


def all_good(benchmarks: Sequence[str], workers: int) -> Worlds:
    """The good versions of each benchmark, made side by side.  Raises SelfTestFailed."""
    with ProcessPoolExecutor(min(workers, len(benchmarks)), get_context("spawn")) as pool:
        try:
            return dict(zip(benchmarks, pool.map(good, benchmarks), strict=True))
        except BrokenProcessPool:
            raise SelfTestFailed("a process died while it made the good data") from None


def run(benchmarks: Sequence[str], seed: int, wanted: int, workers: int) -> dict[str, list[tuple[Alteration, Result]]]:
    """Of each benchmark `wanted` alterations and the forgeries, each with its result, in the order in which they were
    drawn.

    Raises SelfTestFailed.
    """
    worlds = all_good(benchmarks, workers)
    processes = Processes(workers, worlds, seed)
    wishes = [(benchmark, *some) for benchmark in benchmarks for some in wishes_of(benchmark, wanted)]
    drawn: dict[str, list[list[Alteration]]] = {benchmark: [] for benchmark in benchmarks}
    for (benchmark, *_), some in zip(wishes, processes.map(draw_some, wishes), strict=True):
        if some is None:
            raise SelfTestFailed(f"{benchmark}: a process died while it drew alterations")
        drawn[benchmark].append(some)
    alterations = {benchmark: taken(benchmark, lists, wanted) for benchmark, lists in drawn.items()}
    packs = [(name, pack) for name, some in alterations.items() for pack in packed(some, worlds[name])]
    # The fullest first: what is not named in one is checked again.
    found = processes.check(sorted(packs, key=lambda pack: -len(pack[1])))
    return {
        benchmark: [(one, found[benchmark, one.name, one.number]) for one in some]
        for benchmark, some in alterations.items()
    }


def wishes_of(benchmark: str, wanted: int) -> list[tuple[str, int]]:
    """How many alterations of each operator are drawn, to have enough to choose from."""
    plain = [operator.name for operator in of(benchmark) if not operator.anchor]
    forged = [operator.name for operator in of(benchmark) if operator.anchor]
    wishes = [(name, wish(name, wanted, len(plain))) for name in plain]
    return wishes + [(name, max(1, wanted // FORGERY_EACH)) for name in forged]


def taken(benchmark: str, drawn: list[list[Alteration]], wanted: int) -> list[Alteration]:
    """`wanted` of the drawn alterations, and all forgeries behind them.  Raises SelfTestFailed."""
    plain = sum(not operator.anchor for operator in of(benchmark))
    return [*chosen(drawn[:plain], wanted), *chain.from_iterable(drawn[plain:])]
