"""One session of `countersign play`: opens the models, shows the progress, plays the tournament, closes the models."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from runners.court.play import Tally, Tournament
from runners.court.version import Court, load_court
from runners.errors import CallFailed, UsageError
from runners.models import open_model
from runners.models.base import Model
from runners.spec import install_version


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
    models: dict[str, Model] = {}
    try:
        for name in names:
            models[name] = open_model(name, spec.settings(name.partition(":")[0]))
        return await Tournament(spec, models, concurrency, show).play(facts, close_failed)
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

        columns = (TextColumn("duels"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True)) as bar:
            task = bar.add_task("duels", total=None)
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
            print(f"{tally.done} of {tally.total} duels, {tally.unfinished} unfinished", file=sys.stderr, flush=True)
