"""Schema versions 1 and 2 side by side: what each line may hold, that v never goes down, and the fast way of both."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from checker_logs import Log, Version
from checker_world import FACTS, A, World, check, code
from money_world import of_version_2

from checker import money
from checker.batches import Batch
from checker.check import Outcome
from checker.court import ingest
from checker.engine import Engine

Change = Callable[[Log], object]


def newer(log: Log, line: int = 1) -> None:
    """The lines from that one on are of version 2."""
    log.events[line - 1 :] = [of_version_2(event) for event in log.events[line - 1 :]]


def put(line: int, **changes: Any) -> Change:
    return lambda log: log.events[line - 1].update(changes)


def without(line: int, key: str) -> Change:
    return lambda log: log.events[line - 1].pop(key)


def with_provider(line: int, v: int) -> Change:
    """A call with the keys of version 2 that says it is of `v`."""

    def change(log: Log) -> None:
        log.events[line - 1] = of_version_2(log.events[line - 1]) | {"v": v}

    return change


def failing(line: int, **changes: Any) -> Change:
    """A failure before the call of that line, which is the second attempt then."""

    def change(log: Log) -> None:
        call = log.events[line - 1]
        log.failure(call["attacker"], call["fact"], call["turn"])
        failure = log.events.pop()
        log.events.insert(line - 1, (of_version_2(failure) if call.get("v") == 2 else failure) | changes)
        call["attempt"] = 2
        log.events[-1]["lines"] += 1

    return change


PRICE = {
    "event": "price", "model": A, "table": "t.json", "table_sha256": "0" * 64, "date": "2026-11-30", "source": "",
    "input": 1, "cached_input": None, "cache_write": None, "output": 1, "reasoning": None,
}  # fmt: skip

#: (what, the first line of version 2 or 0, change, rule, line, field)
ALTERED: list[tuple[str, int, Change, str, int, str]] = [
    ("v goes down", 1, with_provider(4, 1), "L6", 4, "v"),
    ("v goes down, keys of 1", 3, lambda log: (put(4, v=1)(log), without(4, "provider")(log)), "L6", 4, "v"),
    ("v goes down after start", 1, lambda log: (put(2, v=1)(log), without(2, "provider")(log)), "L6", 2, "v"),
    ("keys of 2 in 1", 0, with_provider(3, 1), "L4", 3, "provider"),
    ("keys of 1 in 2", 1, without(3, "provider"), "L4", 3, "provider"),
    ("provider no text", 1, put(3, provider=1), "L5", 3, "provider"),
    ("an event of 2 in 1", 0, lambda log: log.events.insert(2, dict(PRICE)), "L4", 3, "event"),
    ("a budget in 1", 0, lambda log: log.events.insert(2, {"event": "budget", "limit": 1}), "L4", 3, "event"),
    ("a cost of 2 in 1", 0, put(3, cost="unsettled"), "L5", 3, "cost"),
    ("another cost", 1, put(3, cost="free"), "L5", 3, "cost"),
    ("a kind of 2 in 1", 0, failing(3, kind="interrupted"), "L5", 3, "kind"),
    ("a usage of 2 in 1", 0, failing(3, usage=None), "L4", 3, "usage"),
    ("no usage in 2", 1, lambda log: (failing(3)(log), without(3, "usage")(log)), "L4", 3, "usage"),
    ("another kind", 1, failing(3, kind="budget"), "L5", 3, "kind"),
    ("a price that is no integer", 1, lambda log: log.events.insert(2, {"v": 2} | PRICE | {"input": None}), "L5", 3,
     "input"),
    ("a limit below 0", 1, lambda log: log.events.insert(2, {"v": 2, "event": "budget", "limit": -1}), "L5", 3,
     "limit"),
    ("version 3", 1, put(3, v=3), "L5", 3, "v"),
    ("version 3 at the start", 1, put(1, v=3), "L5", 1, "v"),
    ("version 0", 0, put(3, v=0), "L5", 3, "v"),
    ("version true", 0, put(3, v=True), "L5", 3, "v"),
    ("version 1.0", 0, put(3, v=1.0), "L5", 3, "v"),
    ("a version of many digits", 0, put(3, v=10**30), "L5", 3, "v"),
]  # fmt: skip


def crowd_log(version: Version, number: int, model: str = "") -> Log:
    log = Log(version, model or f"scripted:m{number:02}", [A], facts=FACTS)
    for fact in FACTS:
        log.duel(A, fact, ["ANSWER: 10", "It is 20 — é.", "ANSWER: 30"], cost="unpriced")
    log.finish()
    return log


@pytest.fixture(scope="module")
def altered(tmp_path_factory: pytest.TempPathFactory) -> tuple[Outcome, list[Log]]:
    version = Version(tmp_path_factory.mktemp("versions"))
    logs = [crowd_log(version, number) for number in range(len(ALTERED))]
    for log, (_, first, change, *_) in zip(logs, ALTERED, strict=True):
        if first:
            newer(log, first)
        change(log)
        log.write()
    return check(version.root), logs


@pytest.mark.parametrize("number", range(len(ALTERED)), ids=[what for what, *_ in ALTERED])
def test_an_altered_line_is_named(altered: tuple[Outcome, list[Log]], number: int) -> None:
    outcome, logs = altered
    _, _, _, rule, line, field = ALTERED[number]
    name = logs[number].path.relative_to(logs[number].version.root).as_posix()
    hits = [f for f in outcome.crosscheck["mismatches"] if f["file"] == name]
    assert (rule, line, field) in {(f["rule"], f["line"], f["field"]) for f in hits}, hits


@pytest.mark.parametrize("first", [1, 2, 3, 8, 9])
def test_a_log_may_grow_newer(world: World, first: int) -> None:
    """From any line on, a log of version 1 goes on in version 2 (costs are unpriced: no price is in force)."""
    for log in (world.ann, world.bob):
        for event in log.events[1:]:
            event["cost"] = "unpriced"
        log.finish()
        newer(log, first)
        log.write()
    outcome = world.publish(everything=True)
    assert code(outcome) == 0 and outcome.crosscheck["status"] == "CROSS-CHECKED", outcome.crosscheck["mismatches"]
    assert code(check(world.root)) == 0


def test_calls_of_both_versions_go_the_fast_way(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system prompt is kept only of a line that had to be examined by itself."""
    slow: list[int] = []
    keep = ingest.keep

    def counted(batch: Batch) -> None:
        rows = batch.engine.rows("SELECT line FROM batch WHERE event = 'call' AND system IS NOT NULL ORDER BY line")
        slow.extend(line for (line,) in rows)
        keep(batch)

    monkeypatch.setattr(ingest, "keep", counted)
    log = world.bob
    for event in log.events[1:]:
        event["cost"] = "unpriced"
    log.events[2]["usage"] = None
    log.finish()
    newer(log, 4)
    log.events[4] |= {"provider": "Some Provider", "fingerprint": 'an "x"', "usage": None}
    log.write()
    check(world.root)
    assert slow == []
    log.events[5]["served"] = "ends in a comma,"
    log.write()
    assert json.loads(check(world.root).checked or "")["rows"][0]["use"]["served"] == ["ends in a comma,"]
    assert slow == [6]


SERVED = ("a,", ",", '"', "\\", ',"provider":null', "a\u001fb", "", "\U0001f600é")


def test_who_served_whatever_it_is_called(tmp_path: Path) -> None:
    """Strings that cut a line into other pieces, or are written with escapes, in each field and both versions."""
    version = Version(tmp_path)
    wanted = {}
    for number, name in enumerate(SERVED):
        for v, field in ((1, "served"), (1, "fingerprint"), (2, "served"), (2, "fingerprint"), (2, "provider")):
            log = crowd_log(version, 0, f"scripted:{field}-{number}-{v}")
            if v == 2:
                newer(log)
            log.events[1][field] = name
            log.write()
            wanted[log.model] = [[name] * (field == other) for other in ("served", "fingerprint", "provider")]
    outcome = check(tmp_path)
    assert not outcome.crosscheck["mismatches"]
    uses = {row["model"]: row["use"] for row in json.loads(outcome.checked or "")["rows"]}
    for model, lists in wanted.items():
        assert [uses[model][key] for key in ("served", "fingerprints", "providers")] == lists, model
        assert uses[model]["served_differs"] == bool(lists[0])


@pytest.mark.parametrize(
    ("model", "served", "differs"),
    [
        ("scripted:x", "x", False), ("scripted:x", "scripted:x", False), ("scripted:x", "X", True),
        ("scripted:x", None, False), ("scripted:a:b", "a:b", False), ("scripted:a:b", "b", True),
        ("ollama:x", "x:latest", False), ("ollama:x:latest", "x", False), ("ollama:x", "x", False),
        ("ollama:x", "x:7b", True), ("ollama:x:7b", "x", True), ("scripted:x", "x:latest", True),
        ("ollama:x", "", True), ("gemma", "gemma", False), ("scripted:a:b", "scripted:a:b", False),
        ("scripted:a:b", "scripted:a", True), ("scripted:x", "scripted:x:latest", True),
        ("ollama:x", "ollama:x", False), ("ollama:x", "ollama:x:latest", False), ("ollama:x:latest", "ollama:x", False),
        ("ollama:x:7b", "ollama:x:7b", False), ("ollama:x:7b", "ollama:x", True), ("ollama:latest", "ollama", True),
        ("ollama:latest", "ollama:latest", False),
    ],
)  # fmt: skip
def test_served_is_what_was_asked_for(model: str, served: str | None, differs: bool) -> None:
    engine = Engine()
    for name in ("tables", "money/tables"):
        engine.script(name)
    engine.insert("logs", [(0, "", "run-1", model, False, 1)])
    engine.insert("model_names", [(model, False)])
    engine.insert("uses", [(0, model, True, name, None, None, 1, *[None] * 10, 0, 0) for name in (served, None)])
    for name in money.RELATIONS:
        engine.relation(name, money.SQL)
    ((use,),) = engine.rows('SELECT use FROM "use"')
    assert use["served_differs"] is differs and use["served"] == [served] * (served is not None)


def test_a_baseline_may_be_served_by_its_whole_name(tmp_path: Path) -> None:
    version = Version(tmp_path)
    for name in ("scripted:cat", "scripted:dog"):
        log = crowd_log(version, 0, name)
        log.events[1]["served"] = "scripted:cat"
        log.write()
    outcome = check(tmp_path)
    assert not outcome.crosscheck["mismatches"]
    uses = [row["use"] for row in json.loads(outcome.checked or "")["rows"] if row["model"] != A]
    assert [(use["served"], use["served_differs"]) for use in uses] == [
        (["scripted:cat"], False), (["scripted:cat"], True),
    ]  # fmt: skip


def test_failures_of_version_1_are_unpriced(world: World) -> None:
    """A failure counts, its tokens are unknown, and with it the cost; who does not fail has a cost."""
    world.bob.failure(A, FACTS[0], 1, 2)
    world.bob.events[2]["attempt"], world.bob.events[-1]["attempt"] = 2, 1
    world.bob.events.insert(2, world.bob.events.pop())
    world.write()
    outcome = check(world.root)
    assert not outcome.crosscheck["mismatches"]
    ann, bob = json.loads(outcome.checked or "")["rows"]
    assert (ann["use"]["calls"], ann["use"]["failures"], ann["use"]["input"]) == (6, 1, 54)
    assert (
        ann["use"]["cost_microusd"] is ann["use"]["unsettled_microusd"] is ann["use"]["cost_per_run_microusd"] is None
    )
    assert bob["use"]["cost_microusd"] == 42 and bob["use"]["cost_per_run_microusd"] == 42.0


def test_a_run_is_counted_once(world: World) -> None:
    """Both logs have the run run-1; in another run the model has calls too."""
    world.write()
    other = Log(world.version, "scripted:cat", [A], run="run-2", facts=FACTS[:1])
    other.duel(A, FACTS[0], ["ANSWER: 10", "no", "ANSWER: 10"])
    other.write()
    rows = {row["model"]: row["use"] for row in json.loads(check(world.root).checked or "")["rows"]}
    assert rows[A]["cost_per_run_microusd"] == 24.5 and rows[A]["cost_per_1000_calls_microusd"] == 7000.0


WHITE = [
    ("", "stop", 1), (" \t\n\v\f\r ", "stop", 1), ("", "unknown", 1), ("", "length", 0), ("", "refusal", 0),
    ("\xa0", "stop", 0), ("\x1f", "stop", 0), ("\x08", "stop", 0), ("\\n", "stop", 0), (",", "stop", 0),
    (" ,", "stop", 0), ("\x85", "stop", 0), ("0", "stop", 0),
]  # fmt: skip


def test_empty_replies(tmp_path: Path) -> None:
    """Only the last Defender turn of a main duel counts, and only these white characters."""
    version = Version(tmp_path)
    for number, (text, finish, _) in enumerate(WHITE):
        for served in ("x", "x,"):  # the comma sends the line the slow way
            log = Log(version, f"scripted:{number}{served}", [A], facts=FACTS)
            log.duel(A, FACTS[0], ["ANSWER: 10", " ", text], finish=finish)
            log.duel(A, FACTS[1], ["", "", "ANSWER: 1"])
            log.events[3]["served"] = served
            log.write()
    outcome = check(tmp_path)
    assert not outcome.crosscheck["mismatches"]
    rows = {row["model"]: row["empty_replies"] for row in json.loads(outcome.checked or "")["rows"]}
    assert rows.pop(A) == 0
    assert rows == {f"scripted:{n}{served}": WHITE[n][2] for n in range(len(WHITE)) for served in ("x", "x,")}
