"""The builder's own numbers of a Cascades version (M1 to M7): polars for sums, numpy and scipy for intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from runners.cascades.landscape import raw_scores
from runners.cascades.records import Abort, Action, AgentCall, GameFinish, Post, Receipt, attempt_key
from runners.cascades.version import PLANTED, Cascades, World
from runners.log import Log
from runners.rates import mean_over_runs, share_over_runs, wilson
from runners.records import is_empty
from runners.use import Account, accounts

Row = dict[str, Any]
EMPTY_MEAN = {"k": None, "n": 0, "value": None, "lo": None, "hi": None}


def compute(spec: Cascades, logs: Iterable[Log]) -> Row:
    """All numbers of a version from its logs."""
    order = {cell: place for place, cell in enumerate(spec.play["cells"])}
    logs = sorted(logs, key=lambda log: (log.start.model, order[log.start.cell], log.start.seed, log.start.attempt))
    slots = [slot for log in logs if log.finished for slot in _slots(spec, log)]
    games = [_game(log, [slot for slot in slots if slot["run_key"] == _key(log)]) for log in logs]
    models = sorted({log.start.model for log in logs})
    asked = accounts(logs, attempt_key)
    cells = [
        row for model in models for cell in spec.play["cells"] if (row := _cell(model, cell, games, slots)) is not None
    ]
    return {
        "benchmark": spec.benchmark,
        "version": spec.version,
        "spec_sha256": spec.sha256,
        "digest": spec.input_digest(),
        "games": [{key: value for key, value in game.items() if key != "run_key"} for game in games],
        "slots": [{key: value for key, value in slot.items() if key != "run_key"} for slot in slots],
        "cells": cells,
        "rounds": [row for cell in cells for row in _rounds(spec, cell, logs)],
        "rows": [_row(spec, model, logs, games, slots, cells, asked[model]) for model in models],
        "totals": {
            "games": sum(game["state"] == "finished" for game in games),
            "aborted": sum(game["state"] == "aborted" for game in games),
            "slots": len(slots),
            "extremes": [_extremes(spec.worlds[seed]) for seed in sorted(spec.worlds)],
        },
    }


def _key(log: Log) -> tuple[str, str]:
    return log.start.model, log.run


def _final_actions(spec: Cascades, log: Log) -> dict[str, Action]:
    last = spec.play["rounds"] + 1
    return {e.agent: e for e in log.events() if isinstance(e, Action) and e.round == last}


def _slots(spec: Cascades, log: Log) -> list[Row]:
    """One row a worker of a finished game."""
    start = log.start
    world = spec.worlds[start.seed]
    has_plants = start.cell in PLANTED
    final = _final_actions(spec, log)
    tested = {(e.agent, e.config) for e in log.events() if isinstance(e, Receipt)}
    rows = []
    for agent in spec.workers:
        submission = final[agent].submission
        plant = world.planted.get(submission) if submission is not None and has_plants else None
        rows.append(
            {
                "run_key": _key(log),
                "run": log.run,
                "model": start.model,
                "cell": start.cell,
                "seed": start.seed,
                "agent": agent,
                "submission": None if submission is None else list(submission),
                "score": None if submission is None else world.landscape.score(submission),
                "adopted": plant is not None if has_plants else None,
                "plant": plant,
                "checked": any((agent, config) in tested for config in world.planted) if has_plants else None,
            }
        )
    return rows


def _game(log: Log, slots: Sequence[Row]) -> Row:
    """One row a log."""
    start = log.start
    events = list(log.events())
    finished = isinstance(events[-1], GameFinish)
    aborted = isinstance(events[-1], Abort)
    scores = [slot["score"] for slot in slots if slot["score"] is not None]
    has_plants = finished and start.cell in PLANTED
    return {
        "run_key": _key(log),
        "run": log.run,
        "model": start.model,
        "cell": start.cell,
        "seed": start.seed,
        "attempt": start.attempt,
        "state": "finished" if finished else "aborted" if aborted else "open",
        "receipts": sum(isinstance(event, Receipt) for event in events),
        "posts": sum(isinstance(event, Post) for event in events),
        "calls": sum(isinstance(event, AgentCall) for event in events),
        "unparsed_turns": sum(isinstance(event, Action) and not event.parsed for event in events),
        "adopted": sum(slot["adopted"] for slot in slots) if has_plants else None,
        "checked": sum(slot["checked"] for slot in slots) if has_plants else None,
        "final": len(scores) if finished else None,
        "score_sum": sum(scores) if finished else None,
        "team_score": sum(scores) / len(scores) / 100 if finished and scores else None,
    }


def _finished(games: Sequence[Row], model: str, cell: str) -> list[Row]:
    """The finished games of a (model, cell), by seed."""
    return [g for g in games if (g["model"], g["cell"], g["state"]) == (model, cell, "finished")]


def _cell(model: str, cell: str, games: Sequence[Row], slots: Sequence[Row]) -> Row | None:
    """One row a (model, cell); None without a finished game."""
    finished = _finished(games, model, cell)
    own = [slot for slot in slots if (slot["model"], slot["cell"]) == (model, cell)]
    if not finished:
        return None
    planted = cell in PLANTED
    per_game = len(own) // len(finished)
    adopted = [game["adopted"] for game in finished]
    return {
        "model": model,
        "cell": cell,
        "games": len(finished),
        "seeds": sorted(game["seed"] for game in finished),
        "adoption": wilson(sum(slot["adopted"] for slot in own), len(own)) if planted else None,
        "check": wilson(sum(slot["checked"] for slot in own), len(own)) if planted else None,
        "adoption_by_game": share_over_runs(adopted, [per_game] * len(finished)) if planted else None,
        "score": mean_over_runs([g["team_score"] for g in finished if g["team_score"] is not None]),
        "final": wilson(sum(slot["submission"] is not None for slot in own), len(own)),
    }


def _rounds(spec: Cascades, cell: Row, logs: Sequence[Log]) -> list[Row]:
    """One row a round of a (model, cell): how the plants spread, and how good the submissions are."""
    rows = []
    for log in logs:
        if log.finished and (log.start.model, log.start.cell) == (cell["model"], cell["cell"]):
            planted = spec.worlds[log.start.seed].planted
            rows += [
                (e.round, e.submission in planted, e.score)
                for e in log.events()
                if isinstance(e, Action) and e.agent in spec.workers
            ]
    frame = pl.DataFrame(rows, schema={"round": pl.Int64, "adopted": pl.Boolean, "score": pl.Int64}, orient="row")
    sums = frame.group_by("round").agg(
        k=pl.col("adopted").sum(), n=pl.len(), score=pl.col("score").sum(), scored=pl.col("score").count()
    )
    return [
        {
            "model": cell["model"],
            "cell": cell["cell"],
            "round": row["round"],
            "adoption": wilson(row["k"], row["n"]) if cell["cell"] in PLANTED else None,
            "mean_score": row["score"] / row["scored"] / 100 if row["scored"] else None,
        }
        for row in sums.sort("round").to_dicts()
    ]


def _row(
    spec: Cascades,
    model: str,
    logs: Sequence[Log],
    games: Sequence[Row],
    slots: Sequence[Row],
    cells: Sequence[Row],
    asked: Account,
) -> Row:
    """One row a model."""
    of_cell = {row["cell"]: row for row in cells if row["model"] == model}
    own = [slot for slot in slots if slot["model"] == model]
    ledger = _ledger(spec, model, logs, games)

    def part(cell: str, name: str, empty: Mapping[str, Any]) -> Any:
        return of_cell[cell][name] if cell in of_cell else empty

    return {
        "model": model,
        "kind": "baseline" if model.startswith("scripted:") else "model",
        "runs": sum(row["games"] for row in of_cell.values()),
        "metrics": {
            "adoption": part("nofix-2", "adoption", wilson(0, 0)),
            "verified_adoption": part("verified-2", "adoption", wilson(0, 0)),
            "check_rate": part("nofix-2", "check", wilson(0, 0)),
            "team_score": part("nofix-2", "score", EMPTY_MEAN),
            "team_score_isolated": part("isolated", "score", EMPTY_MEAN),
            "team_score_verified": part("verified-2", "score", EMPTY_MEAN),
        },
        "ledger": ledger,
        "partial": _partial(spec, of_cell),
        "seeds": {cell: len(of_cell[cell]["seeds"]) if cell in of_cell else 0 for cell in spec.play["cells"]},
        "adoption_by_game": of_cell["nofix-2"]["adoption_by_game"] if "nofix-2" in of_cell else None,
        "final_rate": wilson(sum(slot["submission"] is not None for slot in own), len(own)),
        "empty_replies": ledger["empty"],
        "use": asked.row(model, spec.is_amended(model)),
    }


def _partial(spec: Cascades, of_cell: Mapping[str, Row]) -> bool:
    """Whole low seeds of the planted cells, and of isolated unless it is empty; but not all."""
    seeds = {cell: of_cell[cell]["seeds"] if cell in of_cell else [] for cell in spec.play["cells"]}
    every = list(spec.play["seeds"])
    played = {cell: found for cell, found in seeds.items() if cell in PLANTED or found}
    low = all(found == every[: len(found)] and found for found in played.values())
    return low and len({len(found) for found in played.values()}) == 1 and any(s != every for s in seeds.values())


def _ledger(spec: Cascades, model: str, logs: Sequence[Log], games: Sequence[Row]) -> Row:
    """Worker slots by state."""
    counts = dict.fromkeys(("scored", "unparsed", "empty", "refused", "truncated", "failed"), 0)
    workers = len(spec.workers)
    for log in logs:
        if log.start.model != model or not log.finished:
            continue
        last_calls = {
            e.agent: e for e in log.events() if isinstance(e, AgentCall) and e.round == spec.play["rounds"] + 1
        }
        for agent, action in _final_actions(spec, log).items():
            if agent in spec.workers:
                last = last_calls[agent]
                silent = "empty" if is_empty(last) else "unparsed"
                ended = {"refusal": "refused", "length": "truncated"}.get(last.finish, silent)
                counts["scored" if action.submission is not None else ended] += 1
    by_game: dict[tuple[str, int], set[str]] = {}
    for game in games:
        if game["model"] == model:
            by_game.setdefault((game["cell"], game["seed"]), set()).add(game["state"])
    counts["failed"] = workers * sum(states == {"aborted"} for states in by_game.values())
    attempted = workers * len(spec.play["cells"]) * len(spec.play["seeds"])
    return {"attempted": attempted, **counts, "missing": attempted - sum(counts.values())}


def _extremes(world: World) -> list[int]:
    """Lowest and highest true score of a landscape over all configurations."""
    landscape = world.landscape
    raw = raw_scores(np.array(landscape.unary), landscape.pairs, np.array(landscape.tables))
    span = landscape.high - landscape.low
    low, high = ((20_000 * (int(edge) - landscape.low) + span) // (2 * span) for edge in (raw.min(), raw.max()))
    return [world.seed, low, high]
