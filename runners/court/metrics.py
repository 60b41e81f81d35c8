"""The builder's own numbers of a Court of Facts version: polars for the sums, scipy for the intervals (R12 to R18)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import polars as pl

from runners.court.answers import GRAMMARS
from runners.court.scoring import STATES, DuelScore, find_champion, rematches_of, score_log
from runners.court.version import Court
from runners.log import Log
from runners.rates import wilson
from runners.records import Call, attempt_key, is_empty
from runners.use import Account, accounts

Row = dict[str, Any]
_STATE_SUMS = [(pl.col("state") == state).sum().alias(state) for state in STATES]


def compute(spec: Court, logs: Sequence[Log]) -> Row:
    """All numbers of a version, in the shape of `builder.json` (see the reference page *Tables*)."""
    scores = [score for log in logs for score in score_log(spec, log)]
    duels = _duel_frame(spec, scores)
    calls = _call_frame(spec, logs)
    asked = accounts(logs, attempt_key)
    main = duels.filter(pl.col("phase") == "main")
    by_fact = _slice(main, ["fact"], _item_order(spec))
    models = sorted({log.start.model for log in logs} | {name for log in logs for name in log.start.attackers})
    champion = find_champion(spec, scores, rematches_of(logs))
    return {
        "benchmark": spec.benchmark,
        "version": spec.version,
        "spec_sha256": spec.sha256,
        "digest": spec.input_digest(),
        "duels": [_duel_row(score) for score in _sorted_duels(spec, scores)],
        "rows": [_model_row(spec, name, logs, main, calls, asked[name]) for name in models],
        "by_fact": by_fact,
        "by_attacker": _slice(main, ["attacker"], {}),
        "defender_fact": _slice(main, ["defender", "fact"], _item_order(spec)),
        "defender_attacker": _slice(main, ["defender", "attacker"], {}),
        "totals": {
            "runs": len(logs),
            "duels": main.height,
            "caves": _caves(main),
            "format": _format(calls),
            **_counts(main),
            "ledger": _ledger(spec, main),
            "champion": {
                "models": list(champion.models),
                "decided_by": champion.decided_by,
                "rounds": champion.rounds,
            },
            "hardest_facts": _hardest(by_fact),
        },
    }


def _item_order(spec: Court) -> dict[str, int]:
    return {item.fact: place for place, item in enumerate(spec.items)}


def _duel_frame(spec: Court, scores: Iterable[DuelScore]) -> pl.DataFrame:
    """One row a registered duel."""
    rows = [
        (
            score.key.phase,
            score.defender,
            score.key.attacker,
            score.key.fact,
            score.state,
            score.caved,
            score.verdicts[-1] == "third",
            score.answers[-1].how == "fallback",
            score.verdicts[0] == "lie",
        )
        for score in scores
    ]
    schema = dict.fromkeys(("phase", "defender", "attacker", "fact", "state"), pl.String)
    flags = dict.fromkeys(("caved", "third", "by_fallback", "opening_cave"), pl.Boolean)
    return pl.DataFrame(rows, schema={**schema, **flags}, orient="row").with_columns(scored=pl.col("state") == "scored")


def _call_frame(spec: Court, logs: Iterable[Log]) -> pl.DataFrame:
    """One row a main-phase reply of a Defender: whether it kept the format, and whether a final one is empty."""
    read = GRAMMARS[spec.data["answer"]["grammar"]].read

    def rows() -> Iterator[tuple[str, bool, bool]]:
        for log in logs:
            for event in log.events():
                if isinstance(event, Call) and event.phase == "main" and event.turn % 2 == 0:
                    empty = event.turn == spec.last_turn and is_empty(event)
                    yield event.model, read(event.text).how == "line", empty

    schema = {"model": pl.String, "in_format": pl.Boolean, "empty": pl.Boolean}
    return pl.DataFrame(list(rows()), schema=schema, orient="row")


def _caves(duels: pl.DataFrame) -> Mapping[str, float | int | None]:
    scored = duels.filter("scored")
    return wilson(int(scored["caved"].sum()), scored.height)


def _format(calls: pl.DataFrame) -> Mapping[str, float | int | None]:
    return wilson(int(calls["in_format"].sum()), calls.height)


def _ledger(spec: Court, duels: pl.DataFrame) -> Row:
    sums = duels.select(_STATE_SUMS).row(0, named=True)
    if not spec.has_empty_state:
        sums["empty"] = None  # a state that the version does not know, which is not a count of 0
    return {"attempted": duels.height, **sums}


def _counts(duels: pl.DataFrame) -> Row:
    scored = duels.filter("scored")
    return {
        "third_answers": int(scored["third"].sum()),
        "fallback_caves": int((scored["caved"] & scored["by_fallback"]).sum()),
        "opening_caves": int(scored["opening_cave"].sum()),
    }


def _model_row(
    spec: Court, name: str, logs: Sequence[Log], main: pl.DataFrame, calls: pl.DataFrame, asked: Account
) -> Row:
    defended = main.filter(pl.col("defender") == name)
    answered = calls.filter(pl.col("model") == name)
    return {
        "model": name,
        "kind": "baseline" if name.startswith("scripted:") else "model",
        "runs": sum(log.start.model == name for log in logs),
        "metrics": {
            "cave_rate": _caves(defended),
            "attack_rate": _caves(main.filter(pl.col("attacker") == name)),
            "format_rate": _format(answered),
        },
        "ledger": _ledger(spec, defended),
        **_counts(defended),
        "empty_replies": int(answered["empty"].sum()),
        "use": asked.row(name, spec.is_amended(name)),
    }


def _slice(main: pl.DataFrame, keys: Sequence[str], item_order: Mapping[str, int]) -> list[Row]:
    """Caves among the scored duels of each group (R16); groups come from all registered duels."""
    groups = main.group_by(keys).agg(k=(pl.col("scored") & pl.col("caved")).sum(), n=pl.col("scored").sum())
    rows = [{**{key: group[key] for key in keys}, **wilson(group["k"], group["n"])} for group in groups.to_dicts()]
    return sorted(
        rows, key=lambda row: [item_order.get(row[key], row[key]) if key == "fact" else row[key] for key in keys]
    )


def _hardest(by_fact: Sequence[Row]) -> list[str]:
    """R18: the lowest rate by exact fractions, ties all listed."""
    rates = {row["fact"]: Fraction(row["k"], row["n"]) for row in by_fact if row["n"]}
    return [fact for fact, value in rates.items() if value == min(rates.values())]


def _sorted_duels(spec: Court, scores: Iterable[DuelScore]) -> list[DuelScore]:
    order = _item_order(spec)

    def place(score: DuelScore) -> tuple[object, ...]:
        key = score.key
        return key.phase, key.round, score.defender, key.attacker, order[key.fact], key.repeat, score.run

    return sorted(scores, key=place)


def _duel_row(score: DuelScore) -> Row:
    return {
        "run": score.run,
        "defender": score.defender,
        "attacker": score.key.attacker,
        "fact": score.key.fact,
        "phase": score.key.phase,
        "round": score.key.round,
        "repeat": score.key.repeat,
        "state": score.state,
        "answers": [answer.value for answer in score.answers],
        "hows": [answer.how for answer in score.answers],
        "fallbacks": [answer.fallback for answer in score.answers],
        "verdicts": list(score.verdicts),
        "caved": score.caved,
        "held": score.held if score.caved is not None else None,
        "first_cave_round": score.first_cave_round,
    }
