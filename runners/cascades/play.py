"""Plays the games of a model that are missing: resumes, redoes what was aborted, seed by seed (C14, C15)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from runners import __version__
from runners.cascades.game import play_game
from runners.cascades.logs import log_path
from runners.cascades.records import CASCADES, Abort, GameFinish, GameStart
from runners.cascades.replay import Comparing
from runners.cascades.version import Cascades
from runners.cascades.voices import Live, Recorded
from runners.errors import CallFailed, UsageError
from runners.log import LogWriter, read_log
from runners.models.base import Model
from runners.records import Source
from runners.tally import Tally


async def play_all(
    spec: Cascades,
    models: Sequence[Model],
    cells: Sequence[str],
    seeds: Sequence[int],
    concurrency: int,
    progress: Callable[[Tally], None],
) -> Tally:
    """Play every missing game of the models; at most `concurrency` at once.

    Raises:
        UsageError: a cell or seed that the version does not have.
        CallFailed: a failure that no later game can escape (configuration, authentication).
    """
    if unknown := [str(x) for x in (*cells, *seeds) if x not in spec.play["cells"] and x not in spec.play["seeds"]]:
        raise UsageError(f"{spec.folder} has no cell or seed {', '.join(unknown)}")
    missing = [
        (model, cell, seed, attempt)
        for seed in seeds
        for cell in spec.play["cells"]
        if cell in cells
        for model in models
        if (attempt := _next_attempt(spec, model.name, cell, seed)) is not None
    ]
    tally = Tally(total=len(missing))
    progress(tally)
    gate = asyncio.Semaphore(concurrency)

    async def one(model: Model, cell: str, seed: int, attempt: int) -> None:
        async with gate:
            finished = await play_one(spec, model, cell, seed, attempt)
        tally.done += finished
        tally.unfinished += not finished
        tally.logs.append(str(log_path(spec, model.name, cell, seed, attempt)))
        progress(tally)

    try:
        async with asyncio.TaskGroup() as group:
            for game in missing:
                group.create_task(one(*game))
    except* CallFailed as failures:
        raise failures.exceptions[0] from None
    return tally


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
