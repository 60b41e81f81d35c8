"""Cascades: the tables of games that can be verified on paper, golden numbers of the bootstrap, statuses, attempts."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from cascades_world import TINY, Events, Tiny, as_seed, found
from checker_world import SANDBOX, code

from checker.benchmarks import BENCHMARKS
from checker.board import LEDGER
from checker.cascades.resamples import draw, indices
from checker.check import Outcome, check_version
from checker.engine import Engine


def table(outcome: Outcome) -> dict[str, Any]:
    assert outcome.checked is not None, outcome.troubles
    document: dict[str, Any] = json.loads(outcome.checked)
    return document


def abort(events: Events, keep: int) -> Events:
    """The first `keep` lines of a game, then an infrastructure failure."""
    return [*events[:keep], {"event": "abort", "lines": keep, "kind": "timeout", "message": "no reply"}]


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    return Tiny(tmp_path)


def test_the_tiny_games_give_the_tables_of_the_paper(tiny: Tiny) -> None:
    tiny.write_all()
    outcome = tiny.check()
    assert code(outcome) == 0 and outcome.crosscheck["status"] == "CROSS-CHECKED", outcome.crosscheck["mismatches"]
    expected, got = json.loads((TINY / "expected.json").read_text()), table(outcome)
    for key, names in (("games", ("run",)), ("slots", ("run", "agent"))):
        rows = {tuple(row[name] for name in names): row for row in got[key]}
        for row in expected[key]:
            assert rows[tuple(row[name] for name in names)] | row == rows[tuple(row[name] for name in names)]
    (row,) = got["rows"]
    assert row["ledger"] == expected["ledger"] and list(row["ledger"]) == list(LEDGER)
    assert not row["partial"]
    assert {name: [row["metrics"][name][part] for part in "kn"] for name in expected["rates"]} == expected["rates"]
    assert {name: row["metrics"][name]["value"] for name in expected["means"]} == expected["means"]
    assert got["totals"] == {"games": 3, "aborted": 0, "slots": 15, "extremes": [[0, 0, 10000]]}
    assert row["seeds"] == {"nofix-2": 1, "verified-2": 1, "isolated": 1} and row["runs"] == 3
    assert [row["final_rate"][part] for part in "kn"] == [13, 15] and row["use"]["cost_microusd"] is None
    last = next(r for r in got["rounds"] if (r["cell"], r["round"]) == ("nofix-2", 6))
    assert last["adoption"]["k"] == 2 and last["mean_score"] == 25.925


def test_the_interval_of_one_game_is_its_value(tiny: Tiny) -> None:
    tiny.write_all()
    cell = table(tiny.check())["cells"][0]
    assert cell["score"] == {"k": None, "n": 1, "value": 25.925, "lo": 25.925, "hi": 25.925}
    assert cell["adoption_by_game"] == {"k": 2, "n": 5, "value": 0.4, "lo": 0.4, "hi": 0.4}


def test_the_bootstrap_is_the_one_of_the_spec() -> None:
    """Golden numbers of Generator(PCG64(0)), drawn and taken with numpy alone."""
    assert indices(4)[:2] == [[3, 2, 2, 1], [1, 0, 0, 0]] and len(indices(4)) == 10_000
    assert indices(20)[0] == [17, 12, 10, 5, 6, 0, 1, 0, 3, 16, 12, 18, 10, 12, 19, 14, 12, 10, 11, 18]
    engine = Engine()
    engine.run(
        "CREATE TABLE cell_games AS SELECT 'm' AS model, 'c' AS cell, 4 AS scores, 4 AS games, 5 AS workers,"
        " true AS board, unnest(range(4)) AS score_place, unnest(range(4)) AS game_place,"
        " unnest([25.925, 50, 12.5, 80.01])::DOUBLE AS team_score, unnest([2, 5, 0, 1]) AS adopted"
    )
    draw(engine, [4])
    for name, lo, hi in (("score_intervals", 19.2125, 66.48875), ("adoption_intervals", 0.1, 0.8)):
        (row,) = engine.result(name, "sql/cascades")
        assert abs(row["lo"] - lo) < 1e-12 and abs(row["hi"] - hi) < 1e-12, row


def test_an_aborted_game_is_redone(tiny: Tiny) -> None:
    tiny.write_all()
    tiny.path("nofix-2-s00-a1").unlink()
    tiny.write("nofix-2-s00-a1", abort(tiny.events(), 40))
    second = tiny.events()
    second[0]["attempt"] = 2
    tiny.write("nofix-2-s00-a2", second)
    outcome = tiny.check()
    got = table(outcome)
    assert code(outcome) == 0 and outcome.crosscheck["status"] == "CROSS-CHECKED", outcome.crosscheck["mismatches"]
    assert [(g["attempt"], g["state"], g["adopted"]) for g in got["games"][:2]] == [
        (1, "aborted", None),
        (2, "finished", 2),
    ]
    assert got["totals"]["aborted"] == 1 and got["rows"][0]["runs"] == 3


@pytest.mark.parametrize("close", [True, False])
def test_a_game_that_is_not_finished(tiny: Tiny, close: bool) -> None:
    """Aborted for good: failed.  Cut off: missing.  Neither is scored."""
    tiny.write_all()
    events = abort(tiny.events(), 40)
    tiny.write("nofix-2-s00-a1", events if close else events[:-1])
    outcome = tiny.check()
    ledger = table(outcome)["rows"][0]["ledger"]
    assert (ledger["failed"], ledger["missing"]) == ((5, 0) if close else (0, 5)) and ledger["scored"] == 9
    assert table(outcome)["rows"][0]["metrics"]["adoption"] == {"k": 0, "n": 0, "value": None, "lo": None, "hi": None}
    assert outcome.crosscheck["status"] == "INCOMPLETE" and code(outcome) == 0


@pytest.mark.parametrize(
    ("finish", "text", "state"),
    [
        ("refusal", "No.", "refused"), ("length", "{", "truncated"), ("stop", "Well.", "unparsed"),
        ("refusal", "", "refused"), ("length", " ", "truncated"), ("stop", "", "empty"), ("unknown", "", "empty"),
        ("stop", " \t\n\v\f\r", "empty"), ("unknown", "\n", "empty"), ("stop", "\xa0", "unparsed"),
        ("stop", "\x1f", "unparsed"), ("unknown", "\ufeff", "unparsed"),
    ],
)  # fmt: skip
def test_why_a_slot_has_no_final_submission(tiny: Tiny, finish: str, text: str, state: str) -> None:
    """The last reply of the final turn decides; the one before it was refused, and blank."""

    def change(events: Events) -> None:
        calls = [e for e in events if e["event"] == "call" and e["agent"] == "agent_5" and e["round"] == 6]
        calls[0] |= {"finish": "refusal", "text": ""}
        calls[-1] |= {"finish": finish, "text": text}

    tiny.write_all()
    events = tiny.events()
    change(events)
    tiny.write("nofix-2-s00-a1", events)
    outcome = tiny.check()
    assert code(outcome) == 0, outcome.crosscheck["mismatches"]
    row = table(outcome)["rows"][0]
    others = {"attempted": 15, "scored": 13, "unparsed": 1}  # the other unparsed one is of verified-2
    assert row["ledger"] == dict.fromkeys(LEDGER, 0) | others | {state: 2 if state == "unparsed" else 1}
    assert row["empty_replies"] == (state == "empty")


@pytest.mark.parametrize(
    ("there", "status"),
    [
        ({"nofix-2": [0, 1], "verified-2": [0, 1], "isolated": [0, 1]}, "PARTIAL"),
        ({"nofix-2": [0, 1, 2], "verified-2": [0, 1, 2], "isolated": []}, "PARTIAL"),
        ({"nofix-2": [0], "verified-2": [0], "isolated": []}, "PARTIAL"),
        ({"nofix-2": [0, 1, 2], "verified-2": [0, 1, 2], "isolated": [0, 1, 2]}, "CROSS-CHECKED"),
        ({"nofix-2": [0, 1], "verified-2": [0], "isolated": [0]}, "INCOMPLETE"),
        ({"nofix-2": [0, 2], "verified-2": [0, 2], "isolated": [0, 2]}, "INCOMPLETE"),
        ({"nofix-2": [1], "verified-2": [1], "isolated": []}, "INCOMPLETE"),
        ({"nofix-2": [0, 1], "verified-2": [0, 1], "isolated": [0]}, "INCOMPLETE"),
        ({"nofix-2": [0], "verified-2": [], "isolated": []}, "INCOMPLETE"),
    ],
)
def test_whole_low_seeds_are_partial(tmp_path: Path, there: dict[str, list[int]], status: str) -> None:
    tiny = Tiny(tmp_path, seeds=3)
    for cell, seeds in there.items():
        for seed in seeds:
            tiny.write(f"{cell}-s{seed:02}-a1", as_seed(tiny.events(f"{cell}-s00-a1"), seed))
    outcome = tiny.check()
    assert outcome.crosscheck["status"] == status and code(outcome) == 0, outcome.crosscheck["mismatches"][:3]
    assert table(outcome)["rows"][0]["partial"] == (status == "PARTIAL")


def test_costs_add_up_unless_one_is_unpriced(tiny: Tiny) -> None:
    for run in tiny.games:
        events = tiny.events(run)
        for event in events:
            if event["event"] == "call":
                event["cost"] = 3
        tiny.write(run, events)
    assert table(tiny.check())["rows"][0]["use"]["cost_microusd"] == 3 * (42 + 42 + 36)


def test_one_field_of_builder_json(tiny: Tiny) -> None:
    tiny.write_all()
    tiny.check()
    path = tiny.tables / "builder.json"
    text = path.read_text()
    for old, new, field in (
        ('"score_sum":10370', '"score_sum":10371', "games[nofix-2-s00-a1, scripted:tiny].score_sum"),
        ('"plant":"agent_8"', '"plant":"agent_7"', "slots[nofix-2-s00-a1, scripted:tiny, agent_2].plant"),
        ('"partial":false', '"partial":true', "rows[scripted:tiny].partial"),
        ('"mean_score":25.925', '"mean_score":25.926', "rounds[scripted:tiny, nofix-2, 6].mean_score"),
        ("[0,0,10000]", "[0,0,9999]", "totals.extremes"),
    ):
        path.write_text(text.replace(old, new, 1))
        outcome = tiny.check()
        assert [f["field"] for f in outcome.crosscheck["mismatches"]] == [field] and code(outcome) == 1
        assert outcome.crosscheck["mismatches"][0]["side"] == "builder"


def test_wrong_extremes_and_plants_are_faults_of_the_spec(tmp_path: Path) -> None:
    tiny = Tiny(tmp_path)
    path = tiny.runs / "items.jsonl"
    item = json.loads(path.read_text())
    item["high"] = 55
    item["plants"][1]["config"] = [9, 9, 9, 9, 0, 0]
    path.write_text(json.dumps(item, separators=(",", ":")) + "\n")
    tiny.change_spec()
    tiny.write_all()
    outcome = tiny.check()
    sides = {
        (f["rule"], f["field"], f["expected"], f["line"])
        for f in outcome.crosscheck["mismatches"]
        if f["side"] == "spec"
    }
    assert ("C1", "high", "54", 1) in sides
    assert ("G6", "plants[agent_8].config", "a true score of at most 3500", 1) in sides
    assert outcome.crosscheck["status"] == "MISMATCH" and ("G5", 2, "score") in found(outcome)


def test_reused_games_keep_the_version_that_they_were_played_under(tiny: Tiny) -> None:
    """REUSED.json: byte-for-byte copies below another version of the same play part; receipt ids keep the old name."""
    tiny.write_all()
    old_spec = (tiny.runs / "spec.json").read_bytes()
    new = tiny.runs.parent / "later"
    shutil.copytree(tiny.runs, new)
    (new / "spec.json").write_bytes(old_spec.replace(b'"version": "tiny"', b'"version": "later"'))
    reused = {
        path.relative_to(new).as_posix(): {
            "from": "cascades/tiny", "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            "spec_sha256": hashlib.sha256(old_spec).hexdigest(),
        }
        for path in sorted(new.rglob("logs/*/*.jsonl"))
    }  # fmt: skip
    (new / "REUSED.json").write_text(json.dumps(reused))
    first = check_version(tiny.root, "cascades", "later", SANDBOX, {})
    assert not first.crosscheck["mismatches"] and len(table(first)["games"]) == 3
    (new / "REUSED.json").unlink()
    broken = check_version(tiny.root, "cascades", "later", SANDBOX, {})
    assert {("L7", 1, "prev"), ("G1", 1, "version"), ("G5", 2, "receipt")} <= found(broken)


def test_the_board_is_ordered_by_adoption_then_team_score() -> None:
    board = BENCHMARKS["cascades"].board
    assert board.columns[:10] == (
        "model", "kind", "status", "runs", "partial", "adoption_k", "adoption_n", "adoption_value", "adoption_lo",
        "adoption_hi",
    )  # fmt: skip
    assert board.columns[35:] == (
        "attempted", "scored", "unparsed", "empty", "refused", "truncated", "failed", "missing", "cost_usd",
        "empty_replies", "calls", "failures", "input", "cached_input", "cache_write", "output", "reasoning",
        "cost_microusd", "unsettled_microusd", "cost_per_run_microusd", "cost_per_1000_calls_microusd",
        "served_differs", "settings_differ",
    )  # fmt: skip

    def row(model: str, k: int, n: int, score: float | None) -> dict[str, Any]:
        return {"model": model, "metrics": {"adoption": {"k": k, "n": n}, "team_score": {"value": score}}}

    rows = [row("e", 0, 0, None), row("d", 1, 3, None), row("b", 1, 3, 50.0), row("c", 2, 6, 60.0), row("a", 1, 4, 1.0),
            row("f", 3, 9, 50.0)]  # fmt: skip
    assert [r["model"] for r in sorted(rows, key=lambda r: (*board.order(r), r["model"]))] == [
        "a",
        "c",
        "b",
        "f",
        "d",
        "e",
    ]
