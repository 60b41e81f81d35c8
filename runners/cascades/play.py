"""Plays the games of a model that are missing: resumes, redoes what was aborted, seed by seed (C14, C15)."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from runners import __version__
from runners.cascades.game import play_game
from runners.cascades.logs import log_path
from runners.cascades.records import CASCADES, Abort, AgentCall, GameFinish, GameStart
from runners.cascades.replay import Comparing
from runners.cascades.version import Cascades
from runners.cascades.voices import Live, Recorded
from runners.errors import CallFailed, UsageError
from runners.log import LogWriter, read_log
from runners.models.base import Model
from runners.records import Source
from runners.slug import slug
from runners.tally import Tally


async def play_all(
    spec: Cascades,
    models: Sequence[Model],
    cells: Sequence[str],
    seeds: Sequence[int],
    concurrency: int,
    progress: Callable[[Tally], None],
    budget_usd: float | None = None,
) -> Tally:
    """Play every missing game of the models, each model seed by seed (C15); at most `concurrency` games at once.

    A model stops before a seed that its budget (the spec's, if none is given) may not cover: what it has then are
    whole low seeds. Calls without a price cost nothing that could be counted.

    Raises:
        UsageError: a cell or seed that the version does not have.
        CallFailed: a failure that no later game can escape (configuration, authentication).
    """
    if unknown := [str(x) for x in (*cells, *seeds) if x not in spec.play["cells"] and x not in spec.play["seeds"]]:
        raise UsageError(f"{spec.folder} has no cell or seed {', '.join(unknown)}")
    budget = round(1_000_000 * (spec.play["budget_usd"] if budget_usd is None else budget_usd))
    wanted = [cell for cell in spec.play["cells"] if cell in cells]
    missing = {
        (model.name, seed): [
            (cell, attempt) for cell in wanted if (attempt := _next_attempt(spec, model.name, cell, seed)) is not None
        ]
        for model in models
        for seed in seeds
    }
    tally = Tally(total=sum(map(len, missing.values())))
    progress(tally)
    gate = asyncio.Semaphore(concurrency)

    async def one(model: Model, cell: str, seed: int, attempt: int) -> None:
        async with gate:
            finished = await play_one(spec, model, cell, seed, attempt)
        tally.done += finished
        tally.unfinished += not finished
        tally.logs.append(str(log_path(spec, model.name, cell, seed, attempt)))
        progress(tally)

    async def all_seeds(model: Model) -> None:
        for seed in seeds:
            games = missing[model.name, seed]
            if games and not _covers(budget, spent_by_seed(spec, model.name)):
                tally.stopped.append(model.name)
                return
            async with asyncio.TaskGroup() as group:
                for cell, attempt in games:
                    group.create_task(one(model, cell, seed, attempt))

    try:
        async with asyncio.TaskGroup() as group:
            for model in models:
                group.create_task(all_seeds(model))
    except* CallFailed as failures:
        raise _first(failures) from None
    return tally


def spent_by_seed(spec: Cascades, model: str) -> dict[int, int]:
    """Micro-dollars that the logs of a model account for, by seed, aborted attempts included."""
    spent: Counter[int] = Counter()
    for path in spec.logs.glob(f"{slug(model)}/*.jsonl"):
        log = read_log(path, spec.sha256, CASCADES)
        spent[log.start.seed] += sum(e.cost for e in log.events() if isinstance(e, AgentCall) and e.cost != "unpriced")
    return dict(spent)


def _covers(budget: int, spent: Mapping[int, int]) -> bool:
    """Whether the budget has room for one more seed as dear as the dearest so far."""
    return sum(spent.values()) + max(spent.values(), default=0) <= budget


def _first(failures: BaseExceptionGroup[CallFailed]) -> BaseException:
    """The failure in a group of groups of them."""
    failure: BaseException = failures
    while isinstance(failure, BaseExceptionGroup):
        failure = failure.exceptions[0]
    return failure


async def play_one(spec: Cascades, model: Model, cell: str, seed: int, attempt: int) -> bool:
    """Play or resume one game; False if an infrastructure failure aborted it (the abort is in the log).

    Raises:
        CallFailed: as `play_all`; the game is aborted in its log first.
    """
    log = LogWriter(log_path(spec, model.name, cell, seed, attempt), spec.sha256, CASCADES)
    try:
        logged = [line.event for line in log.lines]
        emit = Comparing(str(log.path), logged, log.append)
        voice = Recorded(logged, emit, Live(model, emit))
        start = logged[0] if logged else _start(spec, model, cell, seed, attempt)
        await play_game(spec, start, voice, emit, emit.lines)
    except CallFailed as failure:
        kind: str = failure.kind
        log.append(Abort(len(log.lines), kind, failure.message[:2000]))  # type: ignore[arg-type]
        if kind in ("config", "auth"):
            raise
        return False
    else:
        return True
    finally:
        log.close()


def _next_attempt(spec: Cascades, model: str, cell: str, seed: int) -> int | None:
    """The attempt to play: an open log's, or one more than the last aborted; None if the game is finished."""
    attempt = 1
    while (path := log_path(spec, model, cell, seed, attempt)).exists():
        if path.stat().st_size == 0:
            return attempt
        last = read_log(path, spec.sha256, CASCADES).lines[-1].event
        if isinstance(last, GameFinish):
            return None
        if not isinstance(last, Abort):
            return attempt
        attempt += 1
    return attempt


def _start(spec: Cascades, model: Model, cell: str, seed: int, attempt: int) -> GameStart:
    route = model.name.partition(":")[0]
    return GameStart(
        benchmark=spec.benchmark,
        version=spec.version,
        model=model.name,
        kind="baseline" if route == "scripted" else "model",
        route=route,
        settings=spec.settings(route),
        source=Source("played", None, None, f"countersign {__version__}"),
        cell=cell,  # type: ignore[arg-type]
        seed=seed,
        attempt=attempt,
    )
