"""The state `empty` of rule R11: where a version has it, what it takes and what not, and null where it is not there."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from cascades_world import Tiny
from checker_logs import Log, Version
from checker_world import FACTS, A, B, World, check, code, found
from test_invariants import in_csv, in_parquet, replaced

from checker.board import LEDGER
from checker.check import check_version

#: What the last Defender turn says, how it ended, and its state in v4, in v3, and in v1 and v2.
LAST = [
    ("", "stop", "empty", "unparsed", "scored"),
    (" \n\t", "stop", "empty", "unparsed", "scored"),
    (" \t\n\v\f\r ", "unknown", "empty", "unparsed", "scored"),
    ("", "unknown", "empty", "unparsed", "scored"),
    ("", "refusal", "refused", "refused", "refused"),
    (" \n", "length", "truncated", "truncated", "truncated"),
    ("ANSWER: 10", "refusal", "refused", "refused", "refused"),
    # Other characters that nobody sees, and a reply without one when its thoughts are cut, are not nothing.
    ("\xa0", "stop", "unparsed", "unparsed", "scored"),
    ("\u200b", "stop", "unparsed", "unparsed", "scored"),
    ("\ufeff", "stop", "unparsed", "unparsed", "scored"),
    (" \x85 ", "unknown", "unparsed", "unparsed", "scored"),
    ("\x1f", "stop", "unparsed", "unparsed", "scored"),
    ("\\n", "stop", "unparsed", "unparsed", "scored"),
    ("<think>10</think>\n", "stop", "unparsed", "unparsed", "scored"),
    ("No.", "stop", "unparsed", "unparsed", "scored"),
    ("\nANSWER: 10\n", "stop", "scored", "scored", "scored"),
]


@pytest.mark.parametrize("version", ["v1", "v2", "v3", "v4"])
def test_what_the_last_reply_is(tmp_path: Path, version: str) -> None:
    """On the fast way and, by a comma in `served`, on the slow one; what an earlier turn says does not matter."""
    place = {"v4": 2, "v3": 3}.get(version, 4)
    runs = Version(tmp_path, version)
    wanted = {}
    for number, row in enumerate(LAST):
        for served in ("x", "x,"):
            log = Log(runs, f"scripted:{number}{served}", [A], facts=FACTS[:1])
            log.duel(A, FACTS[0], [" \n", "It is 20.", row[0]], finish=row[1])
            log.events[3]["served"] = served
            log.finish()
            log.write()
            wanted[log.model] = row[place]
    outcome = check(tmp_path, version)
    assert not outcome.crosscheck["mismatches"]
    tables = json.loads(outcome.checked or "")
    assert {duel["defender"]: duel["state"] for duel in tables["duels"]} == wanted
    assert all((duel["caved"] is None) == (duel["state"] != "scored") for duel in tables["duels"])
    names = [name for name in LEDGER[1:] if name != "empty" or version == "v4"]
    for row in tables["rows"]:
        states = [wanted[row["model"]]] if row["model"] in wanted else []
        ledger = {name: states.count(name) for name in names} | {"attempted": len(states)}
        assert row["ledger"] == {"empty": None} | ledger
    totals = {name: list(wanted.values()).count(name) for name in names} | {"attempted": len(wanted)}
    assert tables["totals"]["ledger"] == {"empty": None} | totals
    assert totals.get("empty") == (8 if version == "v4" else None)
    assert {tuple(row["ledger"]) for row in [*tables["rows"], tables["totals"]]} == {LEDGER}


def test_a_duel_without_a_last_reply_is_not_empty(tmp_path: Path) -> None:
    """Though its last reply is blank: that is not the last turn's.  Nor is a rematch counted."""
    world = World(tmp_path, "v4")
    log = Log(world.version, A, [B], facts=FACTS)
    log.duel(B, FACTS[0], ["", "It is 20."])
    log.failure(B, FACTS[0], 2)
    log.duel(B, FACTS[1], [""])
    log.sudden_death(1, [A, B], FACTS[0])
    log.duel(B, FACTS[0], ["ANSWER: 10", "It is 20.", ""], phase="sudden_death", round_=1)
    log.finish()
    log.write()
    tables = json.loads(check(tmp_path, "v4").checked or "")
    assert [duel["state"] for duel in tables["duels"]] == ["failed", "missing", "empty"]
    assert tables["rows"][0]["ledger"] == dict.fromkeys(LEDGER, 0) | {"attempted": 2, "failed": 1, "missing": 1}


def test_what_is_empty_is_lost(tmp_path: Path) -> None:
    """R13: silence never wins; R9 to R12: it is in no rate of verdicts, but its reply is one of the Defender's."""
    world = World(tmp_path, "v4")
    for line in (3, 6):
        world.ann.events[line]["text"] = "\n"
    world.write()
    tables = json.loads(check(tmp_path, "v4").checked or "")
    ann, bob = tables["rows"]
    assert ann["ledger"] == dict.fromkeys(LEDGER, 0) | {"attempted": 2, "empty": 2} and ann["empty_replies"] == 2
    assert [ann["metrics"][name][part] for name in ("cave_rate", "format_rate") for part in "kn"] == [0, 0, 2, 4]
    assert [bob["metrics"]["attack_rate"][part] for part in "kn"] == [0, 0]
    assert tables["totals"]["champion"] == {"models": [B], "decided_by": "standings", "rounds": 0}


def test_only_three_things_can_become_of_a_reply_without_an_answer(tmp_path: Path) -> None:
    world = World(tmp_path, "v4")
    spec = world.version.runs / "spec.json"
    spec.write_text(spec.read_text().replace('"no_answer": "unparsed_or_empty"', '"no_answer": "empty"'))
    world.write()
    (fault,) = found(check(tmp_path, "v4"), "SPEC")
    assert fault["field"] == "answer.no_answer" and fault["found"] == '"empty"'
    assert fault["expected"] == "one of held, unparsed, unparsed_or_empty"


# --- null is not 0 ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def silent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A published version that has the state: ann says nothing once."""
    world = World(tmp_path_factory.mktemp("silent"), "v4")
    world.ann.events[3]["text"] = ""
    world.write()
    world.publish(everything=True)
    outcome = check(world.root, "v4")
    assert code(outcome) == 0 and outcome.crosscheck["status"] == "CROSS-CHECKED", outcome.crosscheck["mismatches"]
    return world.root


#: In v3 `empty` is null, in v4 a number: (version, file, change, field).
OTHER = [
    ("v3", "builder.json", replaced('"empty":null', '"empty":0'), f"rows[{A}].ledger.empty"),
    ("v3", "checked.json", replaced('"empty":null', '"empty":0'), f"rows[{A}].ledger.empty"),
    ("v3", "builder.json", replaced('"unparsed":0,"empty":null', '"unparsed":0'), f"rows[{A}].ledger.empty"),
    ("v3", "leaderboard.json", replaced('"empty":null', '"empty":0'), "rows[0].ledger.empty"),
    ("v3", "leaderboard.csv", in_csv(1, "empty", "0"), f"rows[{A}].empty"),
    ("v3", "leaderboard.parquet", in_parquet("0::BIGINT AS empty"), f"rows[{A}].empty"),
    ("v4", "builder.json", replaced('"empty":0', '"empty":null'), f"rows[{B}].ledger.empty"),
    ("v4", "leaderboard.json", replaced('"empty":1', '"empty":null'), "rows[0].ledger.empty"),
    ("v4", "leaderboard.csv", in_csv(1, "empty", ""), f"rows[{A}].empty"),
    ("v4", "leaderboard.parquet", in_parquet("NULL::BIGINT AS empty"), f"rows[{A}].empty"),
]


def copied(root: Path, version: str, place: Path, name: str, change: Any, logs: bool = True) -> set[tuple[str, str]]:
    """(rule, field) of what is found in one file after a change; without logs nothing is there to compare with."""
    shutil.copytree(root, place)
    tables = place / "tables" / "court" / version
    (tables / "MANIFEST.json").unlink()
    if not logs:
        shutil.rmtree(place / "runs" / "court" / version / "logs")
    change(tables / name)
    outcome = check(place, version)
    assert code(outcome) == (1 if logs else 2)
    return {(f["rule"], f["field"]) for f in outcome.crosscheck["mismatches"] if f["file"].endswith(name)}


@pytest.mark.parametrize(("version", "name", "change", "field"), OTHER, ids=[f"{o[0]}-{o[1]}" for o in OTHER])
def test_0_for_null_is_a_mismatch(
    template: Path, silent: Path, tmp_path: Path, version: str, name: str, change: Any, field: str
) -> None:
    root = template if version == "v3" else silent
    assert ("R20", field) in copied(root, version, tmp_path / "copy", name, change)


SCORED = '"scored":2,"unparsed":0,"empty":null'
#: Where nothing is there to compare with: (version, file, change, the invariant that is named, or None).
ALONE = [
    ("v3", "builder.json", replaced(SCORED, SCORED), None),
    ("v4", "builder.json", replaced('"empty":0', '"empty":0'), None),
    ("v3", "builder.json", replaced('"empty":null', '"empty":1'), "I5"),
    ("v3", "builder.json", replaced('"empty":null', '"empty":"null"'), "I5"),
    ("v3", "builder.json", replaced('"unparsed":0,"empty":null', '"unparsed":0'), "I5"),
    ("v3", "builder.json", replaced('"unparsed":0,"empty":null', '"unparsed":-1,"empty":1'), "I5"),
    ("v3", "builder.json", replaced(SCORED, '"scored":1,"unparsed":0,"empty":1'), "I9"),
    ("v3", "builder.json", replaced(SCORED, '"scored":1,"unparsed":0,"empty":1'), "I12"),
    ("v4", "builder.json", replaced('"empty":0', '"empty":null'), "I5"),
    ("v4", "leaderboard.json", replaced('"empty":0', '"empty":null'), "I5"),
    ("v4", "leaderboard.csv", in_csv(1, "empty", ""), "I5"),
    ("v4", "leaderboard.parquet", in_parquet("NULL::BIGINT AS empty"), "I5"),
    ("v4", "builder.json", replaced('"state":"empty"', '"state":"unparsed"'), "I12"),
    ("v4", "builder.json", replaced('"unparsed":0,"empty":1', '"unparsed":1,"empty":0'), "I9"),
]  # fmt: skip


@pytest.mark.parametrize(("version", "name", "change", "rule"), ALONE)
def test_an_invariant_names_a_wrong_ledger(
    template: Path, silent: Path, tmp_path: Path, version: str, name: str, change: Any, rule: str | None
) -> None:
    root = template if version == "v3" else silent
    rules = {rule for rule, _ in copied(root, version, tmp_path / "copy", name, change, logs=False)}
    assert rule in rules if rule else not rules


@pytest.mark.parametrize(
    ("old", "new", "rules"),
    [
        ('"unparsed":2,"empty":0', '"unparsed":1,"empty":1', {"I16"}),
        ('"unparsed":2,"empty":0', '"unparsed":2,"empty":null', {"I5", "I16"}),
        ('"empty_replies":0', '"empty_replies":1', {"I16"}),
    ],
)
def test_in_cascades_it_is_never_null_and_is_the_empty_replies(
    tmp_path: Path, old: str, new: str, rules: set[str]
) -> None:
    tiny = Tiny(tmp_path)
    tiny.write_all()
    tiny.check()
    path = tiny.tables / "builder.json"
    replaced(old, new)(path)
    outcome = tiny.check()
    fields = [f["field"].rpartition(".")[2] for f in outcome.crosscheck["mismatches"] if f["rule"] == "R20"]
    assert code(outcome) == 1 and set(fields) <= {"unparsed", "empty", "empty_replies"}
    shutil.rmtree(tiny.runs / "logs")
    outcome = check_version(tiny.root, "cascades", "tiny", {"name": "none", "why": "x", "probes": []}, {})
    assert {f["rule"] for f in outcome.crosscheck["mismatches"]} == rules
