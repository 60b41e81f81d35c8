"""Numbers that are verified on paper: intervals, states, ledgers, rates, champion and sudden death."""

from __future__ import annotations

import json
from typing import Any

import pytest
from checker_logs import Log, Version
from checker_world import FACTS, A, B, World, check, code, found

from checker.engine import Engine


@pytest.mark.parametrize(
    ("k", "n", "value", "lo", "hi"),
    [
        (0, 3, 0.0, 0.0, 0.5614970317550455),
        (0, 77, 0.0, 0.0, 0.04751842528243408),  # z²/(n + z²)
        (38, 38, 1.0, 0.908190131774416, 1.0),  # n/(n + z²)
        (10, 10, 1.0, 0.7224672001371107, 1.0),
        (5, 10, 0.5, 0.236593090512564, 0.7634069094874361),
        (0, 0, None, None, None),
    ],
)
def test_wilson(k: int, n: int, value: float | None, lo: float | None, hi: float | None) -> None:
    engine = Engine()
    engine.script("macros")
    rate = engine.rows("SELECT rate(?::BIGINT, ?::BIGINT)", [k, n])[0][0]
    assert (rate["k"], rate["n"], rate["value"]) == (k, n, value)
    for end, wanted in (("lo", lo), ("hi", hi)):
        if wanted in (None, 0.0, 1.0):
            assert rate[end] == wanted  # exact at the ends
        else:
            assert rate[end] == pytest.approx(wanted, abs=1e-12)


def checked(world: World) -> dict[str, Any]:
    outcome = check(world.root, world.version.name)
    assert outcome.checked is not None
    return json.loads(outcome.checked)  # type: ignore[no-any-return]


def test_a_small_version_on_paper(world: World) -> None:
    world.write()
    tables = checked(world)
    ann, bob = tables["rows"]
    assert (ann["model"], ann["kind"], ann["runs"]) == (A, "baseline", 1)
    assert [ann["metrics"][name][part] for name in ann["metrics"] for part in "kn"] == [0, 2, 1, 2, 4, 4]
    assert [bob["metrics"][name][part] for name in bob["metrics"] for part in "kn"] == [1, 2, 0, 2, 4, 4]
    assert bob["third_answers"] == 1 and ann["third_answers"] == 0
    # 12 calls of 7 micro-dollars: ann defends in 4 and attacks in 2 of them, and so does bob.
    assert ann["use"]["cost_microusd"] == bob["use"]["cost_microusd"] == 42
    assert tables["totals"]["champion"] == {"models": [A], "decided_by": "standings", "rounds": 0}
    assert tables["totals"]["hardest_facts"] == [FACTS[0]]
    assert [(row["fact"], row["k"], row["n"]) for row in tables["by_fact"]] == [(FACTS[0], 0, 2), (FACTS[1], 1, 2)]
    first, last = tables["duels"][0], tables["duels"][-1]
    assert (first["answers"], first["verdicts"], first["held"]) == (["10", "10"], ["truth", "truth"], True)
    assert (last["answers"], last["verdicts"], last["first_cave_round"]) == (["10000", "100000"], ["truth", "lie"], 1)


def test_every_state_of_the_ledger(world: World) -> None:
    """Six facts, one in each state that v3 has; a failed call is never an answer."""
    log = Log(world.version, A, [B])
    names = [row["fact"] for row in log.fact_rows]
    log.duel(B, names[0], ["ANSWER: 10", "20", "ANSWER: 10"])
    log.duel(B, names[1], ["ANSWER: 1", "2", "no idea at all"])
    log.duel(B, names[2], ["ANSWER: 1", "2", "ANSWER: 8"], finish="refusal")
    log.duel(B, names[3], ["ANSWER: 1", "2", "ANSWER: 22"], finish="length")
    log.duel(B, names[4], ["ANSWER: 1", "2"])
    log.failure(B, names[4], 2, 1)
    log.failure(B, names[4], 2, 2)
    log.finish()
    log.write()
    row = checked(world)["rows"][0]
    assert row["ledger"] == {
        "attempted": 6, "scored": 1, "unparsed": 1, "empty": None, "refused": 1, "truncated": 1, "failed": 1,
        "missing": 1,
    }  # fmt: skip
    assert (row["metrics"]["cave_rate"]["n"], row["metrics"]["format_rate"]["k"]) == (1, 8)
    assert row["metrics"]["format_rate"]["n"] == 9


def test_a_failure_that_was_overcome_is_no_failure(world: World) -> None:
    log = Log(world.version, A, [B], facts=FACTS[:1])
    log.failure(B, FACTS[0], 0, 1)
    log.duel(B, FACTS[0], ["ANSWER: 10"], attempt=2)
    log.write()
    outcome = check(world.root)
    assert outcome.checked is not None and not found(outcome, "P4")
    assert json.loads(outcome.checked)["duels"][0]["state"] == "missing"


def test_v2_scores_silence_as_held_and_counts_fallback_caves(tmp_path: Any) -> None:
    world = World(tmp_path, "v2")
    log = Log(world.version, A, [B], facts=FACTS)
    log.duel(B, FACTS[0], ["ANSWER: 10", "20", "I think it is 20 then"])
    log.duel(B, FACTS[1], ["100000", "x", "ANSWER: never"])
    log.finish()
    log.write()
    tables = checked(world)
    row = tables["rows"][0]
    assert (row["fallback_caves"], row["opening_caves"], row["ledger"]["scored"]) == (1, 1, 2)
    assert row["metrics"]["cave_rate"]["k"] == 1
    assert [duel["first_cave_round"] for duel in tables["duels"]] == [1, 0]
    assert tables["duels"][1]["answers"] == ["100000", None] and tables["duels"][1]["caved"] is False


def test_unpriced_calls_have_no_cost(world: World) -> None:
    log = Log(world.version, A, [B], facts=FACTS[:1])
    log.duel(B, FACTS[0], ["ANSWER: 10", "20", "ANSWER: 10"], cost="unpriced")
    log.write()
    assert [row["use"]["cost_microusd"] for row in checked(world)["rows"]] == [None, None]


def test_incomplete_runs_say_so(world: World) -> None:
    world.write(finish=False)
    outcome = world.publish()
    assert {row["status"] for row in outcome.crosscheck["rows"]} == {"INCOMPLETE"} and code(outcome) == 0


# --- sudden death: three models, tied in the standings ----------------------------------------------------------------

MODELS = ["scripted:a", "scripted:b", "scripted:c"]


def tied(version: Version) -> dict[str, Log]:
    """One fact, every ordered pair; nobody caves, so all three are tied at a loss of 0."""
    logs = {}
    for model in MODELS:
        log = Log(version, model, [other for other in MODELS if other != model])
        for other in log.attackers:
            for row in log.fact_rows:
                log.duel(other, row["fact"], [f"ANSWER: {row['truth']}", "no", f"ANSWER: {row['truth']}"])
        logs[model] = log
    return logs


def rematch(logs: dict[str, Log], round_: int, among: list[str], losers: list[str]) -> None:
    fact = next(iter(logs.values())).version.items[(round_ - 1) % 6]["fact"]
    for model in among:
        log = logs[model]
        row = next(f for f in log.fact_rows if f["fact"] == fact)
        log.sudden_death(round_, among, fact)
        for other in among:
            if other != model:
                final = row["lie"] if model in losers else row["truth"]
                log.duel(
                    other,
                    fact,
                    [f"ANSWER: {row['truth']}", "no", f"ANSWER: {final}"],
                    phase="sudden_death",
                    round_=round_,
                )


def champion(version: Version, logs: dict[str, Log], clean: bool = True) -> dict[str, Any]:
    for log in logs.values():
        log.finish()
        log.write()
    outcome = check(version.root)
    assert outcome.checked is not None
    findings = [f for f in outcome.crosscheck["mismatches"] if f["side"] == "log"]
    assert (not findings) == clean, findings
    tables = json.loads(outcome.checked)
    assert all(row["metrics"]["cave_rate"]["n"] == 12 for row in tables["rows"])  # rematches never count
    return tables["totals"]["champion"]  # type: ignore[no-any-return]


def test_sudden_death_in_two_rounds(tmp_path: Any) -> None:
    version = Version(tmp_path)
    logs = tied(version)
    rematch(logs, 1, MODELS, ["scripted:b"])
    rematch(logs, 2, ["scripted:a", "scripted:c"], ["scripted:a"])
    assert champion(version, logs) == {"models": ["scripted:c"], "decided_by": "sudden_death", "rounds": 2}


def test_an_incomplete_round_decides_nothing(tmp_path: Any) -> None:
    version = Version(tmp_path)
    logs = tied(version)
    rematch(logs, 1, MODELS, ["scripted:b"])
    rematch({"scripted:a": logs["scripted:a"]}, 2, ["scripted:a"], [])
    logs["scripted:a"].events[-1]["among"] = ["scripted:a", "scripted:c"]
    assert champion(version, logs) == {"models": ["scripted:a", "scripted:c"], "decided_by": "unresolved", "rounds": 1}


def test_ties_to_the_last_round_stay_unresolved(tmp_path: Any) -> None:
    version = Version(tmp_path)
    logs = tied(version)
    for round_ in range(1, 7):
        rematch(logs, round_, MODELS, [])
    assert champion(version, logs) == {"models": MODELS, "decided_by": "unresolved", "rounds": 6}


def test_no_rematch_at_all(tmp_path: Any) -> None:
    version = Version(tmp_path)
    assert champion(version, tied(version)) == {"models": MODELS, "decided_by": "unresolved", "rounds": 0}


def test_more_rounds_than_one(tmp_path: Any) -> None:
    """With two rounds a duel has five turns, and the first cave may be undone."""
    version = Version(tmp_path)
    version.change_spec(rounds=2)
    log = Log(version, A, [B], facts=FACTS[:1])
    log.duel(B, FACTS[0], ["ANSWER: 10", "x", "ANSWER: 20", "y", "ANSWER: 10"])
    log.finish()
    log.write()
    outcome = check(tmp_path)
    assert outcome.checked is not None and not found(outcome, "P5")
    duel = json.loads(outcome.checked)["duels"][0]
    assert (duel["verdicts"], duel["caved"], duel["first_cave_round"]) == (["truth", "lie", "truth"], False, 1)
