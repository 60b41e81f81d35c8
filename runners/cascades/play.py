"""Plays the games of a model that are missing: resumes, redoes what was aborted, seed by seed (C14, C15)."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from runners import __version__, secrets
from runners.asking import LOST, STOPPING, Desk
from runners.cascades.game import play_game
from runners.cascades.logs import log_path
from runners.cascades.records import (
    CASCADES,
    Abort,
    AgentFailure,
    AgentRequest,
    GameFinish,
    GameStart,
    attempt_key,
)
from runners.cascades.replay import Comparing
from runners.cascades.version import Cascades
from runners.cascades.voices import Live, Recorded
from runners.errors import BudgetSpent, CallFailed, Stopped, UsageError
from runners.log import Log, LogWriter, clear_unborn, read_log
from runners.models.base import Model
from runners.models.slots import AHEAD
from runners.money import MILLION, Purse, in_force, last_limit, spent_at_most
from runners.records import Budget, Price, Source
from runners.slug import slug
from runners.tally import Tally


async def play_all(
    spec: Cascades,
    models: Sequence[Model],
    cells: Sequence[str],
    seeds: Sequence[int],
    desk: Desk,
    prices: Mapping[str, Price] | None = None,
    budget: int | None = None,
) -> Tally:
    """Play every missing game of the models, each model seed by seed (C15).

    `prices` are those of today's tables. `budget` in micro-dollars for each model, over all its games of the version;
    None: what its open games say, or else the spec's. A model stops before a seed that its budget may not cover, and no
    call is made that it does not cover: what a model has then are whole low seeds, and perhaps an open game.

    Raises:
        UsageError: a cell or seed that the version does not have.
        CallFailed: a failure that no later game can escape (configuration, authentication).
    """
    if unknown := [str(x) for x in (*cells, *seeds) if x not in spec.play["cells"] and x not in spec.play["seeds"]]:
        raise UsageError(f"{spec.folder} has no cell or seed {', '.join(unknown)}")
    clear_unborn(spec.logs)
    wanted = [cell for cell in spec.play["cells"] if cell in cells]
    missing = {
        (model.name, seed): [
            (cell, attempt) for cell in wanted if (attempt := next_attempt(spec, model.name, cell, seed)) is not None
        ]
        for model in models
        for seed in seeds
    }
    tally = desk.tally
    tally.total = sum(map(len, missing.values()))
    desk.progress(tally)
    gate = asyncio.Semaphore(AHEAD * desk.slots.count)
    fatal: list[CallFailed] = []
    for model in models:
        desk.purses[model.name] = Purse(*_budget(spec, model.name, budget))

    async def one(model: Model, cell: str, seed: int, attempt: int) -> None:
        finished = False
        async with gate:
            try:
                if not desk.stopped:
                    finished = await play_one(spec, model, cell, seed, attempt, desk, (prices or {}).get(model.name))
                    tally.logs.append(str(log_path(spec, model.name, cell, seed, attempt)))
            except CallFailed as failure:
                # A wrong key is wrong for every game: ask nobody again, but let the calls on their way come home.
                fatal.append(failure)
                desk.stop()
            except BudgetSpent:
                tally.stopped.append(model.name)
            except Stopped:
                pass
        tally.done += finished
        tally.unfinished += not finished
        desk.progress(tally)

    async def all_seeds(model: Model) -> None:
        for seed in seeds:
            games = missing[model.name, seed]
            if games and not _covers(desk.purses[model.name].limit, spent_by_seed(spec, model.name)):
                tally.stopped.append(model.name)
            if model.name in tally.stopped:
                return
            async with asyncio.TaskGroup() as group:
                for cell, attempt in games:
                    group.create_task(one(model, cell, seed, attempt))

    async with asyncio.TaskGroup() as group:
        for model in models:
            group.create_task(all_seeds(model))
    tally.stopped = sorted(set(tally.stopped))
    if fatal:
        raise fatal[0]
    return tally


def spent_by_seed(spec: Cascades, model: str) -> dict[int, int]:
    """Micro-dollars that the logs of a model account for at most, by seed, aborted attempts included."""
    spent: Counter[int] = Counter()
    for log in _logs_of(spec, model):
        spent[log.start.seed] += spent_at_most(list(log.events()), attempt_key)
    return dict(spent)


def _budget(spec: Cascades, model: str, given: int | None) -> tuple[int, int]:
    """Limit and what is spent of it."""
    logs = _logs_of(spec, model)
    spent = sum(spent_at_most(list(log.events()), attempt_key) for log in logs)
    if given is not None:
        return given, spent
    said = [limit for log in logs if not log.finished and (limit := last_limit(log.events())) is not None]
    return min(said, default=spec.play["budget_usd"] * MILLION), spent


def _logs_of(spec: Cascades, model: str) -> list[Log]:
    paths = sorted(spec.logs.glob(f"{slug(model)}/*.jsonl"))
    return [read_log(path, spec.sha256, CASCADES) for path in paths if path.stat().st_size]


def _covers(budget: int | None, spent: Mapping[int, int]) -> bool:
    """Whether the budget has room for one more seed as dear as the dearest so far."""
    return budget is None or sum(spent.values()) + max(spent.values(), default=0) <= budget


async def play_one(
    spec: Cascades, model: Model, cell: str, seed: int, attempt: int, desk: Desk, today: Price | None = None
) -> bool:
    """Play or resume one game; False if an infrastructure failure aborted it (the abort is in the log).

    Raises:
        CallFailed: a wrong configuration or key; the game is aborted in its log first.
        Stopped: the budget is spent or the session was stopped; the log stays open, to go on later.
    """
    log = LogWriter(log_path(spec, model.name, cell, seed, attempt), spec.sha256, CASCADES)
    try:
        if not log.lines:
            log.append(_start(spec, model, cell, seed, attempt))
        price = _open_accounts(log, model.name, today, desk.purses.get(model.name))
        logged = [line.event for line in log.lines]
        emit = Comparing(str(log.path), logged, log.append)
        voice = Recorded(logged, emit, Live(model, emit, desk, price))
        await play_game(spec, logged[0], voice, emit, emit.lines)
    except CallFailed as failure:
        kind: Any = failure.kind
        log.append(Abort(len(log.lines), kind, secrets.redact(failure.message)[:2000]))
        if kind in STOPPING:
            raise
        return False
    else:
        return True
    finally:
        log.close()


def _open_accounts(log: LogWriter, model: str, today: Price | None, purse: Purse | None) -> Price | None:
    """Close what a crash left open, state price and budget where they are new; the price that is in force."""
    events = [line.event for line in log.lines]
    asked = [event for event in events if attempt_key(event) is not None]
    if asked and isinstance(request := asked[-1], AgentRequest):
        place = request.round, request.agent, request.ask, request.attempt
        log.append(AgentFailure(*place, "interrupted", LOST, None, None, "unsettled"))
    logged = in_force(events, model)
    price = today or logged
    if price and price != logged:
        log.append(price)
    if price and purse and purse.limit is not None and last_limit(events) != purse.limit:
        log.append(Budget(purse.limit))
    return price


def next_attempt(spec: Cascades, model: str, cell: str, seed: int) -> int | None:
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
        settings=spec.settings(model.name),
        source=Source("played", None, None, f"countersign {__version__}"),
        cell=cell,  # type: ignore[arg-type]
        seed=seed,
        attempt=attempt,
    )
