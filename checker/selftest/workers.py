"""The checking processes: each has the good versions on a disk of its own, draws alterations and checks copies."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Final, TypeVar

from checker import engine
from checker.selftest.draw import draw
from checker.selftest.trial import Alteration, Result, several
from checker.selftest.world import Disk, World

Task = TypeVar("Task")
Done = TypeVar("Done")
#: The good versions of each benchmark.
Worlds = dict[str, list[World]]
#: What shares a copy, and of which benchmark it is.
Pack = tuple[str, list[Alteration]]

#: What came of an alteration that ended the checking process.
DIED: Final = Result([], at_line=False, code=2, crash="the checking process died")


class Worker:
    """One process, and the good versions on a disk of its own."""

    def __init__(self, worlds: Worlds, seed: int) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="self-test-")
        self.worlds, self.seed = worlds, seed
        self.disks = {name: Disk(Path(self.folder.name, name), some[0].files) for name, some in worlds.items()}


#: What a worker process keeps between its tasks.
_WORKER: list[Worker] = []


def _prepare(worlds: Worlds, seed: int) -> None:
    # What a library prints (DuckDB shows the progress of a slow query) must not get into the report.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    # There are as many processes as cores.
    engine._SETTINGS["threads"] = 1
    _WORKER.append(Worker(worlds, seed))


def draw_some(wish: tuple[str, str, int]) -> list[Alteration]:
    """Of a benchmark and an operator the first so many alterations."""
    benchmark, name, number = wish
    return draw(name, _WORKER[0].worlds[benchmark], _WORKER[0].seed, number)


def check_copy(pack: Pack) -> list[Result]:
    """The results of the alterations of one copy."""
    benchmark, some = pack
    return several(_WORKER[0].disks[benchmark], _WORKER[0].worlds[benchmark][some[0].world], some)


class Processes:
    """Checking processes, each with a root of its own.  Fresh interpreters: threads, as DuckDB has, outlive no fork."""

    def __init__(self, number: int, worlds: Worlds, seed: int) -> None:
        self.number, self.start = number, (worlds, seed)

    def map(self, work: Callable[[Task], Done], tasks: Sequence[Task]) -> list[Done | None]:
        """The result of each task, None where it ended its process."""
        found: dict[int, Done | None] = {}
        left = list(range(len(tasks)))
        while left:
            found |= zip(left, self.results(work, [tasks[place] for place in left], self.number), strict=True)
            undone = [place for place in left if found[place] is None]
            # Tasks are begun in their order, so what ended a process is among the first that are not done: these go one
            # by one, each in a process of its own.
            suspects, left = undone[: 2 * self.number + 1], undone[2 * self.number + 1 :]
            found |= {place: self.results(work, [tasks[place]], 1)[0] for place in suspects}
        return [found[place] for place in range(len(tasks))]

    def results(self, work: Callable[[Task], Done], tasks: Sequence[Task], number: int) -> list[Done | None]:
        """The result of each task, None for all that were not done when a process died."""
        with ProcessPoolExecutor(number, get_context("spawn"), _prepare, self.start) as pool:
            futures: list[Future[Done]] = []
            with suppress(BrokenProcessPool):
                futures += (pool.submit(work, task) for task in tasks)
            results = [_result(future) for future in futures]
            return results + [None] * (len(tasks) - len(futures))

    def check(self, packs: list[Pack]) -> dict[tuple[str, str, int], Result]:
        """The result of each alteration, by its benchmark, operator and number."""
        found: dict[tuple[str, str, int], Result] = {}
        for (benchmark, some), results in zip(packs, self.map(check_copy, packs), strict=True):
            if results is None:  # whatever ended the process named nothing; of several each gets a copy of its own
                alone = self.map(check_copy, [(benchmark, [one]) for one in some]) if len(some) > 1 else [None]
                results = [result[0] if result else DIED for result in alone]
            found |= {(benchmark, one.name, one.number): r for one, r in zip(some, results, strict=True)}
        return found


def _result(future: Future[Done]) -> Done | None:
    try:
        return future.result()
    except BrokenProcessPool:
        return None
