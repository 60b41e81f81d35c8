"""One session of `countersign play`: prices, budget, models, display, Ctrl-C; plays, and closes the models."""

from __future__ import annotations

import asyncio
import gc
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runners.asking import Desk
from runners.cascades.play import play_all
from runners.cascades.version import load_cascades
from runners.court.facts import recorded_facts
from runners.court.play import Tournament
from runners.court.version import Court, load_court
from runners.display import display
from runners.errors import CallFailed, Interrupted, UsageError
from runners.models import ROUTES, canonical, open_model
from runners.models.base import Model
from runners.models.slots import Slots
from runners.money import MILLION, load_prices
from runners.records import Fact, Price
from runners.spec import Spec, install_prices, install_version
from runners.tally import Tally


@dataclass(frozen=True)
class Options:
    """What `countersign play` was asked for, beyond the version."""

    models: Sequence[str]
    cells: Sequence[str] | None = None
    seeds: Sequence[int] | None = None
    facts: str = "recorded"
    concurrency: int = 8
    close_failed: bool = False
    budget_usd: float | None = None
    allow_unpriced: bool = False
    quiet: bool = False

    @property
    def names(self) -> list[str]:
        """The models by the one name that each has.

        Raises:
            UsageError: one is named twice, or no model's name.
        """
        names = [canonical(name) for name in self.models]
        if doubled := sorted({name for name in names if names.count(name) > 1}):
            raise UsageError(f"a model is named twice: {', '.join(doubled)}")
        return names

    @property
    def budget(self) -> int | None:
        """The budget in micro-dollars, rounded down."""
        return None if self.budget_usd is None else int(self.budget_usd * MILLION)


def play_court(root: Path, version: str, options: Options) -> dict[str, Any]:
    """Play a tournament; the result has `done`, `unfinished`, `logs`, `stopped` and what was used.

    Raises:
        UsageError: fewer than two models, one twice, an interrupted run needs more, a model without a price under a
            budget, facts that cannot be read, or a model that refuses its configuration or its key.
        Interrupted: Ctrl-C; the calls on their way were awaited and logged.
    """
    names = options.names
    if len(names) < 2:
        raise UsageError("a tournament needs at least two different models: give --model ROUTE:ID for each")
    install_version(root, "court", version)
    spec = load_court(root, version)
    prices = _prices(root, names, options, bounded=options.budget is not None)
    facts = _facts(spec, options)

    async def session(models: Mapping[str, Model], show: Callable[[Tally], None]) -> Tally:
        game = Tournament(spec, models, options.concurrency, show, prices, options.budget)
        with _graceful(game.stop):
            return await game.play(facts, options.close_failed)

    return _run(spec, names, "duels", options.quiet, session)


def play_cascades(root: Path, version: str, options: Options) -> dict[str, Any]:
    """Play the missing games of the models, seed by seed; the result as `play_court`'s.

    Raises:
        UsageError: a model twice, an unknown cell or seed, a billed model without a price, or one that refuses its
            configuration or its key.
        Interrupted: Ctrl-C; the calls on their way were awaited and logged.
    """
    names = options.names
    install_version(root, "cascades", version)
    spec = load_cascades(root, version)
    prices = _prices(root, names, options, bounded=True)

    async def session(models: Mapping[str, Model], show: Callable[[Tally], None]) -> Tally:
        desk = Desk(Tally(), show, Slots(options.concurrency))
        wanted = options.cells or spec.play["cells"], spec.play["seeds"] if options.seeds is None else options.seeds
        with _graceful(desk.stop):
            return await play_all(spec, list(models.values()), *wanted, desk, prices, options.budget)

    return _run(spec, names, "games", options.quiet, session)


def _run(spec: Spec, names: Sequence[str], what: str, quiet: bool, session: Any) -> dict[str, Any]:
    async def opened(show: Callable[[Tally], None]) -> Tally:
        async with _opened(spec, names) as models:
            spare_the_collector()
            tally: Tally = await session(models, show)
            return tally

    with display(what, quiet) as show:
        tally = asyncio.run(opened(show))
        show(tally)
    return {
        "done": tally.done,
        "unfinished": tally.unfinished,
        "logs": sorted(tally.logs),
        "stopped": tally.stopped,
        "calls": tally.calls,
        "failures": tally.failures,
        "tokens": tally.tokens,
        "cost_usd": tally.microusd / MILLION if tally.priced else None,
        "unsettled_calls": tally.unsettled,
    }


def spare_the_collector() -> None:
    """Take what is loaded by now out of the garbage collector's rounds, and make these rarer.

    A round over all that the libraries hold stops every call on its way for 30 ms and more.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def _facts(spec: Court, options: Options) -> tuple[Fact, ...]:
    if options.facts == "aws":
        from runners.court.live import read_live_facts

        return read_live_facts(spec, options.cells)
    return recorded_facts(spec, options.cells)


def _prices(root: Path, names: Sequence[str], options: Options, bounded: bool) -> dict[str, Price]:
    """Today's prices of the models; under a budget each that is billed must have one, or nothing could be counted."""
    install_prices(root)
    prices = load_prices(root)
    unpriced = [name for name in names if name not in prices and ROUTES[name.partition(":")[0]].billed]
    if bounded and unpriced and not options.allow_unpriced:
        raise UsageError(
            f"no price table in {root / 'runs' / 'prices'} has a price for {', '.join(unpriced)}: a budget cannot hold "
            "what it cannot count. Add a table (see the page Price tables), or give --allow-unpriced: then the cost is "
            "published as unpriced."
        )
    return {name: prices[name] for name in names if name in prices}


@asynccontextmanager
async def _opened(spec: Spec, names: Sequence[str]) -> AsyncIterator[dict[str, Model]]:
    """The models by name, closed at the end; what no later call can escape becomes a UsageError."""
    models: dict[str, Model] = {}
    try:
        for name in names:
            models[name] = open_model(name, spec.settings(name))
        yield models
    except CallFailed as failure:
        raise UsageError(f"the run stopped: {failure}. What was said is logged; mend it and run again.") from failure
    finally:
        for model in models.values():
            await model.close()


@contextmanager
def _graceful(stop: Callable[[], None]) -> Iterator[None]:
    """The first Ctrl-C lets the calls on their way come home, the second drops them."""
    if threading.current_thread() is not threading.main_thread():  # only there a program hears signals
        yield
        return
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    pressed = 0

    def on_interrupt() -> None:
        nonlocal pressed
        pressed += 1
        if pressed == 1:
            stop()
        else:
            task.cancel()

    loop.add_signal_handler(signal.SIGINT, on_interrupt)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        if pressed:
            raise Interrupted("interrupted. The logs are whole: run the same command to go on.")
