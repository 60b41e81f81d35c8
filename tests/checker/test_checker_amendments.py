"""AMENDMENTS.json: whom an entry names, what P6 and P11 want, and that the file is an input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cascades_world import Tiny
from cascades_world import found as found_in_game
from checker_logs import Log, clock
from checker_world import A, B, World, check, code, found, rechain

from checker.amendments import Amendment, read_amendments
from checker.findings import Findings
from checker.inputs import Inputs

EARLIER = "2026-11-30T05:00:00.000Z"
SETTINGS = {"seed": 1, "max_tokens": 5}


def entry(models: str, **changes: Any) -> dict[str, Any]:
    return {"at": EARLIER, "models": models, "settings": SETTINGS, "reason": "It rejects a temperature."} | changes


def amend(folder: Path, value: Any) -> None:
    text = value if isinstance(value, str) else "[\n " + ",\n ".join(json.dumps(item) for item in value) + "\n]\n"
    (folder / "AMENDMENTS.json").write_text(text)


def use_settings(log: Log, model: str = A, settings: Any = SETTINGS) -> None:
    """The log's start and calls have those settings where they are of the model."""
    for event in log.events:
        if event["event"] in ("start", "call") and event["model"] == model:
            event["settings"] = settings


@pytest.mark.parametrize(
    ("models", "model", "named"),
    [
        ("bedrock:*kimi*", "bedrock:moonshot.kimi-k2", True), ("bedrock:*kimi*", "bedrock:kimi", True),
        ("bedrock:*kimi*", "bedrock:Kimi", False), ("bedrock:*kimi*", "nous:kimi", False),
        ("bedrock:*kimi*", "bedrock:kim", False), ("a:b", "a:b", True), ("a:b", "a:bc", False), ("a:b", "xa:b", False),
        ("a:*", "a:", True), ("a:*", "a:b:c\n*", True), ("a:b*b", "a:b", False), ("a:b*b", "a:bb", True),
        ("a:b**b", "a:bxb", True), ("a:*x*y", "a:xyxy", True), ("a:*x*y*z", "a:yxz", False), ("a:.*", "a:b", False),
        ("a:[b]", "a:b", False), ("a:?", "a:b", False), ("a:" + "*a" * 50 + "*b", "a:" + "a" * 5000, False),
    ],
)  # fmt: skip
def test_whom_an_entry_names(models: str, model: str, named: bool) -> None:
    assert Amendment(1, EARLIER, models, "{}").names(model) is named


def test_amended_settings_are_wanted(world: World) -> None:
    """P6 wants them of the start and of each call, in either role; `settings_differ` says so; nobody else has them."""
    amend(world.version.runs, [entry("scripted:nobody"), entry("scripted:a*")])
    use_settings(world.ann)
    use_settings(world.bob)
    world.write()
    outcome = world.publish(everything=True)
    assert code(outcome) == 0 and outcome.crosscheck["status"] == "CROSS-CHECKED", outcome.crosscheck["mismatches"]
    assert [row["use"]["settings_differ"] for row in json.loads(outcome.checked or "")["rows"]] == [True, False]
    assert "runs/court/v3/AMENDMENTS.json" in outcome.crosscheck["inputs"]
    assert code(check(world.root)) == 0


def test_the_routes_settings_are_not_wanted_then(world: World) -> None:
    amend(world.version.runs, [entry("scripted:ann")])
    use_settings(world.bob, settings={"max_tokens": 5, "seed": 1})  # the same keys in another order
    world.write()
    hits = {(f["file"].split("/")[-2], f["line"], f["field"], f["expected"]) for f in found(check(world.root), "P6")}
    text = '{"seed":1,"max_tokens":5}'
    ann, bob = (log.path.parent.name for log in (world.ann, world.bob))
    assert hits == {*((ann, line, "settings", text) for line in (1, 2, 4, 5, 7)),
                    *((bob, line, "settings", text) for line in (3, 6))}  # fmt: skip


def test_the_file_is_an_input(world: World) -> None:
    world.write()
    before = check(world.root).crosscheck["digest"]
    amend(world.version.runs, [])
    after = check(world.root).crosscheck
    assert after["digest"] not in (None, before) and "runs/court/v3/AMENDMENTS.json" in after["inputs"]


@pytest.mark.parametrize("at", [clock(0), clock(1), "2027-01-01T00:00:00.000Z"])
def test_an_amendment_after_the_beginning(world: World, at: str) -> None:
    """Named in each log that has the model, as its Defender or as an Attacker; the log may not begin with it either."""
    amend(world.version.runs, [entry("scripted:ann", at=at)])
    use_settings(world.ann)
    use_settings(world.bob)
    world.write()
    outcome = world.publish()
    hits = found(outcome, "P11")
    assert [(f["line"], f["field"], f["model"], f["side"], f["found"]) for f in hits] == [
        (1, "at", A, "log", clock(0)), (1, "at", B, "log", clock(0)),
    ]  # fmt: skip
    assert all(at in f["expected"] and f["fix"] for f in hits)
    assert {row["status"] for row in outcome.crosscheck["rows"]} == {"MISMATCH"}


def test_an_amendment_a_millisecond_before(world: World) -> None:
    amend(world.version.runs, [entry("scripted:ann", at="2026-11-30T23:59:59.999Z")])
    use_settings(world.ann)
    use_settings(world.bob)
    world.write()
    assert not check(world.root).crosscheck["mismatches"]


def test_two_entries_for_a_model(world: World) -> None:
    amend(world.version.runs, [entry("scripted:*n"), entry("scripted:ann")])
    use_settings(world.ann)
    use_settings(world.bob)
    world.write()
    outcome = world.publish()
    (hit,) = found(outcome, "P11")
    assert (hit["file"], hit["line"], hit["side"], hit["model"]) == ("runs/court/v3/AMENDMENTS.json", 3, "spec", A)
    assert {row["status"] for row in outcome.crosscheck["rows"]} == {"MISMATCH"} and code(outcome) == 1


@pytest.mark.parametrize(
    ("value", "line", "field"),
    [
        ("{", 1, "(file)"),
        ("{}", 1, "(file)"),
        ('[\n{"at": NaN}]', 2, "(file)"),
        ("[\n1]", 2, "[0]"),
        ([entry("a:b") | {"more": 1}], 2, "[0]"),
        ([{key: value for key, value in entry("a:b").items() if key != "reason"}], 2, "[0]"),
        ([entry("a:b"), entry("a:c", at="2026-11-30")], 3, "[1].at"),
        ([entry("a:b", at="2026-02-30T05:00:00.000Z")], 2, "[0].at"),
        ([entry("a:b"), entry("a:c", at="2026-11-30T04:59:59.999Z")], 3, "[1].at"),
        ([entry("ab")], 2, "[0].models"),
        ([entry("*:b")], 2, "[0].models"),
        ([entry("a:")], 2, "[0].models"),
        ([entry("a:b") | {"models": 7}], 2, "[0].models"),
        ([entry("a:b", settings=None)], 2, "[0].settings"),
        ([entry("a:b", reason=None)], 2, "[0].reason"),
        ('[\n{"at":"2026-11-30T05:00:00.000Z","models":"a:b","settings":{"x":1e999},"reason":""}]', 2, "[0].settings"),
        ("[" * 100_000, 1, "(file)"),
    ],
)
def test_the_shape_of_the_file(tmp_path: Path, value: Any, line: int, field: str) -> None:
    inputs = Inputs(tmp_path, "court", "v3", Findings())
    folder = tmp_path / "runs" / "court" / "v3"
    folder.mkdir(parents=True)
    amend(folder, value)
    read_amendments(inputs)
    (hit,) = inputs.findings.all()
    assert (hit.file, hit.rule, hit.side) == ("runs/court/v3/AMENDMENTS.json", "P11", "spec")
    assert (hit.line, hit.field) == (line, field) and hit.expected and hit.found and hit.fix


def test_a_broken_file_concerns_every_row(world: World) -> None:
    amend(world.version.runs, [entry("ab")])
    world.write()
    outcome = world.publish()
    assert {row["status"] for row in outcome.crosscheck["rows"]} == {"MISMATCH"} and code(outcome) == 1


def test_a_link_is_not_followed(world: World) -> None:
    world.write()
    (world.root / "elsewhere.json").write_text("[]")
    (world.version.runs / "AMENDMENTS.json").symlink_to(world.root / "elsewhere.json")
    assert [f["file"] for f in found(check(world.root), "L1", "spec")] == ["runs/court/v3/AMENDMENTS.json"]


def test_an_amended_game(tmp_path: Path) -> None:
    """The same of Cascades: G1 wants the amended settings of the start, and P11 an earlier amendment."""
    tiny = Tiny(tmp_path)
    tiny.write_all()
    amend(tiny.runs, [entry("scripted:t*")])
    assert found_in_game(tiny.check()) == {("G1", 1, "settings")}
    for run in tiny.games:
        events = tiny.events(run)
        events[0]["settings"] = SETTINGS
        tiny.write(run, events)
    (tiny.tables / "builder.json").unlink()
    outcome = tiny.check()
    assert code(outcome) == 0 and json.loads(outcome.checked or "")["rows"][0]["use"]["settings_differ"] is True
    amend(tiny.runs, [entry("scripted:t*", at=clock(0))])
    rechain(tiny.path("nofix-2-s00-a1"), (tiny.runs / "spec.json").read_bytes())
    assert {hit for hit in found_in_game(tiny.check()) if hit[0] != "R20"} == {("P11", 1, "at")}
