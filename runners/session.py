"""One session of `countersign play`: opens the models, shows the progress, plays the tournament, closes the models."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from runners.cascades.play import play_all
from runners.cascades.version import Cascades, load_cascades
from runners.court.play import Tournament
from runners.court.version import Court, load_court
from runners.errors import CallFailed, UsageError
from runners.models import open_model
from runners.models.base import Model
from runners.spec import Spec, install_version
from runners.tally import Tally


def play_court(
    root: Path,
    version: str,
    names: Sequence[str],
    facts: Sequence[str] | None,
    concurrency: int,
    close_failed: bool,
    quiet: bool,
) -> dict[str, Any]:
    """Play a tournament among `names`; the result has `done`, `unfinished` and `logs`.

    Raises:
        UsageError: fewer than two models, one twice, or an interrupted run needs more.
        CallFailed as UsageError: a model refuses its configuration or its key.
    """
    if len(set(names)) != len(names) or len(names) < 2:
        raise UsageError("a tournament needs at least two different models: give --model ROUTE:ID for each")
    install_version(root, "court", version)
    spec = load_court(root, version)
    with _progress(quiet) as show:
        tally = asyncio.run(_play(spec, names, facts, concurrency, close_failed, show))
    return {"done": tally.done, "unfinished": tally.unfinished, "logs": sorted(tally.logs)}


async def _play(
    spec: Court,
    names: Sequence[str],
    facts: Sequence[str] | None,
    concurrency: int,
    close_failed: bool,
    show: Callable[[Tally], None],
) -> Tally:
    async with _opened(spec, names) as models:
        return await Tournament(spec, models, concurrency, show).play(facts, close_failed)


def play_cascades(
    root: Path,
    version: str,
    names: Sequence[str],
    cells: Sequence[str] | None,
    seeds: Sequence[int] | None,
    concurrency: int,
    quiet: bool,
    budget_usd: float | None = None,
) -> dict[str, Any]:
    """Play the missing games of `names`, seed by seed; the result has `done`, `unfinished`, `logs` and `stopped`.

    Raises:
        UsageError: a model twice, an unknown cell or seed, or a model refuses its configuration or its key.
    """
    if len(set(names)) != len(names):
        raise UsageError("a model is named twice")
    install_version(root, "cascades", version)
    spec = load_cascades(root, version)
    with _progress(quiet) as show:
        tally = asyncio.run(_play_cascades(spec, names, cells, seeds, concurrency, show, budget_usd))
    logs, stopped = sorted(tally.logs), sorted(tally.stopped)
    return {"done": tally.done, "unfinished": tally.unfinished, "logs": logs, "stopped": stopped}


async def _play_cascades(
    spec: Cascades,
    names: Sequence[str],
    cells: Sequence[str] | None,
    seeds: Sequence[int] | None,
    concurrency: int,
    show: Callable[[Tally], None],
    budget_usd: float | None,
) -> Tally:
    async with _opened(spec, names) as models:
        wanted = cells or spec.play["cells"], spec.play["seeds"] if seeds is None else seeds
        return await play_all(spec, list(models.values()), *wanted, concurrency, show, budget_usd)


@asynccontextmanager
async def _opened(spec: Spec, names: Sequence[str]) -> AsyncIterator[dict[str, Model]]:
    """The models by name, closed at the end; what no later call can escape becomes a UsageError."""
    models: dict[str, Model] = {}
    try:
        for name in names:
            models[name] = open_model(name, spec.settings(name.partition(":")[0]))
        yield models
    except CallFailed as failure:
        raise UsageError(f"the run stopped: {failure}. What was said is logged; mend it and run again.") from failure
    finally:
        for model in models.values():
            await model.close()


@contextmanager
def _progress(quiet: bool) -> Iterator[Callable[[Tally], None]]:
    """A bar on a terminal, a plain line at every tenth otherwise, nothing if quiet."""
    if quiet:
        yield lambda tally: None
    elif sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("played"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True)) as bar:
            task = bar.add_task("played", total=None)
            yield lambda tally: bar.update(task, total=tally.total, completed=tally.done)
    else:
        yield _PlainLines()


class _PlainLines:
    """A line on standard error at every tenth of the work."""

    def __init__(self) -> None:
        self._said = -1

    def __call__(self, tally: Tally) -> None:
        tenth = 10 * tally.done // tally.total if tally.total else 10
        if tenth != self._said:
            self._said = tenth
            print(f"{tally.done} of {tally.total} done, {tally.unfinished} unfinished", file=sys.stderr, flush=True)
