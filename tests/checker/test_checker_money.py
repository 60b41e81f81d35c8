"""Money in the logs of Court of Facts: rules B1 to B3 and P4 broken one by one, and costs worked out by hand."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from checker_logs import Log, Version
from checker_world import check, code, found
from money_world import (
    ANN_COST,
    ANN_PRICE,
    EVE,
    EVE_COST,
    EVE_PRICE,
    TABLE,
    USAGE,
    paid_log,
    price,
    put_table,
    row,
    table,
)

from checker.check import Outcome
from checker.engine import Engine
from checker.schema import MAX_INTEGER

Change = Callable[[Log], object]
BIG = MAX_INTEGER


# --- B3 on paper ------------------------------------------------------------------------------------------------------


def cost(usage: dict[str, Any] | None, prices: dict[str, Any] | None, kind: str | None = None) -> str:
    """What B3 wants of one call (or failure of that kind), as the finding says it."""
    engine = Engine()
    engine.script("tables", "sql/money")
    if prices is not None:
        engine.insert("prices", [(0, 2, "openai:ann", "t.json", "", "", "", *prices.values())])
    numbers = [None] * 5 if usage is None else list(usage.values())
    engine.insert("outcomes", [(0, 4, "openai:ann", "1", 1, kind, usage is not None, *numbers, "no cost at all")])
    engine.relation("priced_outcomes", "sql/money")
    (row,) = engine.offenders("B3_costs", "must_be_empty/money")
    return str(row["expected"]).split(",")[0].split(":")[0]


def tokens(*counts: int | None) -> dict[str, Any]:
    return dict(zip(USAGE, counts, strict=True))


def prices(*numbers: int | None) -> dict[str, Any]:
    return dict(zip(ANN_PRICE, numbers, strict=True))


@pytest.mark.parametrize(
    ("usage", "priced", "expected"),
    [
        (USAGE, ANN_PRICE, str(ANN_COST)),
        (USAGE, EVE_PRICE, str(EVE_COST)),
        (tokens(78320, 58000, 20000, 1234, 1000), prices(2500000, 250000, 3125000, 10000000, None), "90140"),  # exact
        (tokens(78320, 58000, 20000, 1234, 1000), prices(1, None, None, 1, None), "1"),  # 0.079554
        (tokens(1, None, None, 0, None), prices(1, None, None, 1, None), "1"),  # a millionth is a whole one
        (tokens(0, None, None, 0, None), prices(BIG, None, None, BIG, None), "0"),
        (tokens(1000000, 0, 0, 0, 0), prices(3, None, None, 1, None), "3"),
        (tokens(1000001, 0, 0, 0, 0), prices(3, None, None, 1, None), "4"),
        (tokens(10, 10, None, 5, None), prices(1000000, 0, None, 2000000, None), "10"),  # a part may be free
        (tokens(10, 6, 4, 5, 5), prices(9000000, 1000000, 2000000, 9000000, 3000000), "29"),
        (tokens(10, 6, 5, 5, 5), prices(1, 1, 1, 1, 1), "unsettled"),  # more parts than there is
        (tokens(10, None, 11, 5, 5), prices(1, 1, 1, 1, 1), "unsettled"),
        (tokens(10, 6, 4, 5, 6), prices(1, 1, 1, 1, 1), "unsettled"),
        (tokens(None, None, None, 5, None), prices(1, 1, 1, 1, 1), "unsettled"),
        (tokens(10, None, None, None, None), prices(1, 1, 1, 1, 1), "unsettled"),
        (None, prices(1, 1, 1, 1, 1), "unsettled"),
        (USAGE, None, "unpriced"),
        (None, None, "unpriced"),
        (tokens(BIG, BIG, 0, BIG, BIG), prices(BIG, BIG, BIG, BIG, BIG), str(-(-2 * BIG * BIG // 10**6))),
        (tokens(BIG, BIG, BIG, BIG, BIG), prices(BIG, BIG, BIG, BIG, BIG), "unsettled"),
    ],
)
def test_the_cost_of_a_call(usage: dict[str, Any] | None, priced: dict[str, Any] | None, expected: str) -> None:
    assert cost(usage, priced) == expected


@pytest.mark.parametrize(
    ("kind", "usage", "expected"),
    [
        *((kind, None, "0") for kind in ("config", "auth", "rate_limit", "overloaded", "connection")),
        *((kind, None, "unsettled") for kind in ("timeout", "cut_stream", "error_body", "invalid_text", "withheld",
                                                 "interrupted")),
        ("timeout", USAGE, str(ANN_COST)),
        ("config", USAGE, str(ANN_COST)),
        ("config", tokens(5, None, None, None, None), "unsettled"),
    ],
)  # fmt: skip
def test_the_cost_of_a_failure(kind: str, usage: dict[str, Any] | None, expected: str) -> None:
    assert cost(usage, ANN_PRICE, kind) == expected


# --- one altered log a rule -------------------------------------------------------------------------------------------


def put(line: int, **changes: Any) -> Change:
    return lambda log: log.events[line - 1].update(changes)


def drop(*lines: int) -> Change:
    def change(log: Log) -> None:
        log.events = [event for number, event in enumerate(log.events, 1) if number not in lines]

    return change


def again(line: int, place: int | None = None) -> Change:
    """The same line once more, as line number `place`."""
    return lambda log: log.events.insert((place or line + 1) - 1, dict(log.events[line - 1]))


def swap(one: int, other: int) -> Change:
    def change(log: Log) -> None:
        log.events[one - 1], log.events[other - 1] = log.events[other - 1], log.events[one - 1]

    return change


def names(name: str) -> Change:
    """The first price names another table; its digest is right where the file can be digested."""
    return lambda log: log.events[1].update(price(log.model, FILES.get(name, b""), name))


ALL = [row(f"openai:m{number:02}") for number in range(99)] + [row(EVE)]
GOOD = table(ALL)
FILES = {
    "text.json": b"no JSON",
    "nan.json": GOOD.replace(b'"input": 100000', b'"input": NaN'),
    "float.json": GOOD.replace(b'"input": 100000', b'"input": 100000.0'),
    "true.json": GOOD.replace(b'"input": 100000', b'"input": true'),
    "great.json": GOOD.replace(b'"input": 100000', b'"input": 9007199254740992'),
    "minus.json": GOOD.replace(b'"input": 100000', b'"input": -1'),
    "key-twice.json": GOOD.replace(b'"input": 100000', b'"input": 1, "input": 100000'),
    "row-twice.json": table([*ALL, row(EVE)]),
    "more.json": table([*ALL[:-1], row(EVE) | {"note": "x"}]),
    "less.json": GOOD.replace(b' "currency": "USD",\n', b""),
    "euro.json": GOOD.replace(b"USD", b"EUR"),
    "day.json": GOOD.replace(b"2026-11-30", b"2026-11-31"),
    "no-route.json": table([*ALL, row("ann")]),
    "list.json": b"[]",
    "bom.json": b"\xef\xbb\xbf" + GOOD,
    "deep.json": b"[" * 100_000,
    "huge.json": GOOD + b" " * (16 * 1024 * 1024),
    "other.json": table([row(EVE)]),
    "more..dots.json": GOOD,
    ".hidden.json": GOOD,
    "prices.txt": GOOD,
}

#: (what, change, rule, line, field)
ALTERED: list[tuple[str, Change, str, int, str]] = [
    ("a price of another model", put(2, model="openai:other"), "B1", 2, "model"),
    ("no row", names("other.json"), "B1", 2, "model"),
    ("another digest", put(2, table_sha256="0" * 64), "B1", 2, "table_sha256"),
    ("another date", put(2, date="2026-12-01"), "B1", 2, "date"),
    ("another source", put(2, source="hearsay"), "B1", 2, "source"),
    ("input one off", put(2, input=2500002), "B1", 2, "input"),
    ("cached_input one off", put(2, cached_input=250001), "B1", 2, "cached_input"),
    ("cache_write null", put(2, cache_write=None), "B1", 2, "cache_write"),
    ("output one off", put(2, output=9999999), "B1", 2, "output"),
    ("reasoning no null", put(2, reasoning=10000000), "B1", 2, "reasoning"),
    ("input free", put(2, input=0), "B1", 2, "input"),
    ("output free", put(2, output=0), "B1", 2, "output"),
    ("no such table", names("absent.json"), "B1", 2, "table"),
    *((f"a table: {name}", names(name), "B1", 2, "table") for name in FILES if name != "other.json"),
    *(
        (f"a table: {name}", names(name), "B1", 2, "table")
        for name in ("../prices/2026-11-30.json", "a/2026-11-30.json", "..", "", "/etc/passwd", "a\\b.json", "C:x.json",
                     "link.json", "folder.json", "pipe.json", "x" * 300 + ".json", "nul\x01.json")
    ),
    ("no request", drop(5), "B2", 5, "event"),
    ("a call before its request", swap(5, 6), "B2", 5, "event"),
    ("a request after its call", swap(5, 6), "P4", 6, "event"),
    ("a failure without request", drop(7), "B2", 7, "event"),
    ("a request without price", drop(2), "B2", 4, "event"),
    ("a price too late", swap(2, 5), "B2", 2, "event"),
    ("a request of another duel", put(5, fact="s3-buckets"), "B2", 6, "event"),
    ("an unregistered request", put(5, fact="s3-buckets"), "P1", 5, "attacker, fact, repeat, round"),
    ("an unregistered repeat", put(5, repeat=1), "P1", 5, "attacker, fact, repeat, round"),
    ("the role of a request", put(5, role="attacker"), "P2", 5, "role"),
    ("the model of a request", put(5, model=EVE), "P2", 5, "model"),
    ("the turn of a request", put(5, turn=3), "P2", 5, "turn"),
    ("two requests", again(5), "P4", 6, "event"),
    ("two requests, one outcome later", again(5, 7), "P4", 7, "event"),
    ("a request of a later attempt", put(5, attempt=2), "P4", 5, "attempt"),
    ("an outcome of another attempt", put(5, attempt=2), "P4", 6, "attempt"),
    ("a request of the attempt before", put(9, attempt=1), "P4", 9, "attempt"),
    ("no failure between", drop(8), "P4", 8, "event"),
    ("two outcomes", again(8), "P4", 9, "attempt"),
    ("one too much", put(6, cost=ANN_COST + 1), "B3", 6, "cost"),
    ("one too little", put(6, cost=ANN_COST - 1), "B3", 6, "cost"),
    ("one too little of eve", put(10, cost=EVE_COST - 1), "B3", 10, "cost"),
    ("unpriced at a price", put(6, cost="unpriced"), "B3", 6, "cost"),
    ("unsettled though known", put(6, cost="unsettled"), "B3", 6, "cost"),
    ("known though unsettled", put(6, usage=None), "B3", 6, "cost"),
    ("a token more", put(6, usage=USAGE | {"output": 1235}), "B3", 6, "cost"),
    ("a failure with a cost", put(8, cost=1), "B3", 8, "cost"),
    ("an unpriced failure", put(8, cost="unpriced"), "B3", 8, "cost"),
    ("a failure that may cost", put(8, kind="timeout"), "B3", 8, "cost"),
    ("no price, a cost", drop(2), "B3", 5, "cost"),
    ("no price, unsettled", lambda log: (drop(2, 3, 5, 7, 9, 11)(log), put(3, cost="unsettled")(log)), "B3", 3, "cost"),
    ("a cost too great", put(6, cost=MAX_INTEGER, usage=tokens(BIG, None, None, BIG, None)), "B3", 6, "cost"),
]  # fmt: skip


@pytest.fixture(scope="module")
def altered(tmp_path_factory: pytest.TempPathFactory) -> tuple[Outcome, list[Log]]:
    """One log a case, each of a Defender of its own, and one that is sound; one check."""
    root = tmp_path_factory.mktemp("money")
    version = Version(root)
    folder = put_table(root, GOOD).parent
    for name, data in FILES.items():
        put_table(root, data, name)
    (folder / "link.json").symlink_to(folder / TABLE)
    (folder / "folder.json").mkdir()
    os.mkfifo(folder / "pipe.json")
    logs = [paid_log(version, f"openai:m{number:02}", GOOD) for number in range(len(ALTERED) + 1)]
    for log, (_, change, *_) in zip(logs, ALTERED, strict=False):
        change(log)
    for log in logs:
        log.write()
    version.tables.mkdir(parents=True)
    first = check(root)
    assert first.checked is not None, first.troubles
    (version.tables / "builder.json").write_text(first.checked)
    return check(root), logs


@pytest.mark.parametrize("number", range(len(ALTERED)), ids=[what for what, *_ in ALTERED])
def test_an_altered_log_is_named(altered: tuple[Outcome, list[Log]], number: int) -> None:
    outcome, logs = altered
    _, _, rule, line, field = ALTERED[number]
    name = logs[number].path.relative_to(logs[number].version.root).as_posix()
    hits = [f for f in outcome.crosscheck["mismatches"] if f["file"] == name]
    named = [f for f in hits if (f["rule"], f["line"], f["field"]) == (rule, line, field)]
    assert named, hits
    assert all(f["expected"] and f["found"] and f["fix"] and f["model"] == logs[number].model for f in named)


def test_one_bad_log_hides_no_other(altered: tuple[Outcome, list[Log]]) -> None:
    outcome, logs = altered
    statuses = {row["model"]: row["status"] for row in outcome.crosscheck["rows"]}
    assert code(outcome) == 1 and not outcome.troubles
    assert statuses.pop(EVE) == statuses.pop(logs[-1].model) == "CROSS-CHECKED"
    assert set(statuses.values()) == {"MISMATCH"}
    assert {f["side"] for f in outcome.crosscheck["mismatches"]} == {"log"}


def test_every_rule_has_an_alteration() -> None:
    assert {rule for _, _, rule, _, _ in ALTERED} >= {"B1", "B2", "B3", "P1", "P2", "P4"}


def test_a_finding_says_what_was_expected(altered: tuple[Outcome, list[Log]]) -> None:
    outcome, _ = altered
    wanted = {f["field"]: (f["expected"], f["found"]) for f in found(outcome, "B1") if f["line"] == 2}
    assert wanted["input"][0].startswith(("2500001, as in runs/prices/", "a price above 0"))
    costs = {(f["expected"], f["found"]) for f in found(outcome, "B3")}
    assert ("90141, by the price of line 2", "90142") in costs
    assert ("unpriced: no price is in force", "90141") in costs
    assert ("unsettled: its usage does not tell", "0") in costs
    tables = [f["found"] for f in found(outcome, "B1") if f["field"] == "table"]
    for part in (
        "NaN is not JSON", "a second row of", "stands twice", "file: link", "file: folder", "file: other",
        "larger than", "there is no such file", "without / or ..", "a day as YYYY-MM-DD",
    ):  # fmt: skip
        assert any(part in text for text in tables), (part, tables)


# --- sound logs -------------------------------------------------------------------------------------------------------


def sound(root: Path, log: Log) -> dict[str, Any]:
    """The tables of a version with that log alone, against which nothing is found."""
    log.write()
    outcome = check(root)
    assert outcome.checked is not None and not outcome.crosscheck["mismatches"], outcome.crosscheck["mismatches"]
    document: dict[str, Any] = json.loads(outcome.checked)
    return document


@pytest.fixture
def log(tmp_path: Path) -> Log:
    put_table(tmp_path, GOOD)
    return paid_log(Version(tmp_path), "openai:m00", GOOD)


def test_use_on_paper(tmp_path: Path, log: Log) -> None:
    log.events[5] |= {"served": "m00-2026", "fingerprint": "fp-é", "provider": "Some,"}
    log.events[11] |= {"served": "m00", "fingerprint": "fp-a", "provider": "Other"}
    ends = "ends in a comma,"
    log.events[9] |= {"served": "eve", "fingerprint": ends}
    eve, ann = sound(tmp_path, log)["rows"]
    assert list(ann["use"].items()) == [
        ("calls", 2), ("failures", 0), ("input", 156640), ("cached_input", 116000), ("cache_write", 40000),
        ("output", 2468), ("reasoning", 2000), ("cost_microusd", 180282), ("unsettled_microusd", 0),
        ("cost_per_run_microusd", 180282.0), ("cost_per_1000_calls_microusd", 90141000.0),
        ("served", ["m00", "m00-2026"]), ("fingerprints", ["fp-a", "fp-é"]), ("providers", ["Other", "Some,"]),
        ("served_differs", True), ("settings_differ", False),
    ]  # fmt: skip
    assert list(eve["use"].values()) == [
        1, 1, 78320, 58000, 20000, 1234, 1000, 9526, 0, 9526.0, 9526000.0, ["eve"], [ends], [], False, False,
    ]  # fmt: skip
    assert (ann["empty_replies"], list(ann)[-2:]) == (0, ["empty_replies", "use"]) and "cost_microusd" not in ann


def test_reserves_that_are_still_held(tmp_path: Path, log: Log) -> None:
    """An outcome that is unsettled and a request without one hold their reserves; settled ones do not."""
    log.events[5] |= {"usage": USAGE | {"reasoning": 1235}, "cost": "unsettled"}
    log.events[7] |= {"kind": "interrupted", "cost": "unsettled"}
    log.events[10] |= {"reserve": 5}
    log.events = log.events[:11]
    eve, ann = sound(tmp_path, log)["rows"]
    use = ann["use"]
    assert (use["calls"], use["cost_microusd"], use["unsettled_microusd"]) == (1, 0, 200_005)
    assert (use["cost_per_run_microusd"], use["reasoning"]) == (0.0, 1235)
    assert (eve["use"]["cost_microusd"], eve["use"]["unsettled_microusd"]) == (EVE_COST, 200_000)


def test_who_only_fails_has_a_cost(tmp_path: Path, log: Log) -> None:
    """Eve fails in two runs and answers in none: her failures cost, but not by the call; ann calls in both."""
    other = paid_log(log.version, "openai:m01", GOOD)
    other.run = "run-2"
    for game in (other, log):
        game.events[7] |= {"kind": "cut_stream", "usage": dict(USAGE), "cost": EVE_COST}
        game.events = game.events[:8]
    other.events[7] |= {"kind": "rate_limit", "usage": None, "cost": 0}
    other.write()
    eve, *others = sound(tmp_path, log)["rows"]
    assert list(eve["use"].values()) == [
        0, 2, None, None, None, None, None, 9526, 0, 4763.0, None, [], [], [], False, False,
    ]  # fmt: skip
    assert [row["use"]["cost_per_run_microusd"] for row in others] == [90141.0, 90141.0]


def test_a_request_alone_has_no_cost(tmp_path: Path, log: Log) -> None:
    """Neither call nor failure: what is held for it is not told either."""
    log.events = log.events[:5]
    for model in sound(tmp_path, log)["rows"]:
        assert list(model["use"].values()) == [0, 0, *[None] * 9, [], [], [], False, False]


def test_a_new_price_counts_from_its_line_on(tmp_path: Path, log: Log) -> None:
    data = table([row("openai:m00", input=2000000)])
    put_table(tmp_path, data, "later.json")
    log.events.insert(6, {"v": 2} | price("openai:m00", data, "later.json", input=2000000))
    log.events[-1]["lines"] += 1
    log.events[12]["cost"] = 89980  # 640 + 14500 + 62500 + 12340
    rows = sound(tmp_path, log)["rows"]
    assert rows[1]["use"]["cost_microusd"] == ANN_COST + 89980
    inputs = check(tmp_path).crosscheck["inputs"]
    assert {"runs/prices/later.json", f"runs/prices/{TABLE}"} <= set(inputs)


def test_a_table_that_no_log_names_is_not_read(tmp_path: Path, log: Log) -> None:
    os.mkfifo(tmp_path / "runs" / "prices" / "pipe.json")
    put_table(tmp_path, b"no JSON", "stray.json")
    (tmp_path / "runs" / "prices" / "folder").mkdir()
    sound(tmp_path, log)
    inputs = check(tmp_path).crosscheck["inputs"]
    assert [path for path in inputs if path.startswith("runs/prices/")] == [f"runs/prices/{TABLE}"]


def test_the_folder_of_the_tables_may_be_no_link(tmp_path: Path, log: Log) -> None:
    folder = tmp_path / "runs" / "prices"
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    log.write()
    hits = found(check(tmp_path), "B1")
    assert {(f["line"], f["field"], f["found"]) for f in hits} == {
        (line, "table", "runs/prices is a link, not a folder") for line in (2, 3)
    }


def test_unpriced_lines_of_version_2(tmp_path: Path) -> None:
    """Without a price nothing is requested, and everything is unpriced."""
    log = paid_log(Version(tmp_path), "openai:m00", GOOD)
    log.events = [event for event in log.events if event["event"] not in ("price", "budget", "request")]
    for event in log.events:
        if "cost" in event:
            event["cost"] = "unpriced"
    log.events[-1]["lines"] = len(log.events) - 1
    eve, ann = sound(tmp_path, log)["rows"]
    assert ann["use"]["input"] == 156640 and ann["use"]["cost_microusd"] is ann["use"]["unsettled_microusd"] is None
    assert eve["use"]["cost_per_run_microusd"] is eve["use"]["cost_per_1000_calls_microusd"] is None


def test_prices_of_who_is_tied(tmp_path: Path, log: Log) -> None:
    """A price may be of a model that only a rematch names."""
    data = table([*ALL, row("openai:late")])
    put_table(tmp_path, data, "late.json")
    log.events[3] = {"v": 2} | price("openai:late", data, "late.json")
    log.write()
    assert [(f["line"], f["field"]) for f in found(check(tmp_path), "B1")] == [(4, "model")]
    tied = sorted([log.model, "openai:late"])
    log.events.insert(12, {"v": 2, "event": "sudden_death", "round": 1, "among": tied, "fact": log.events[5]["fact"]})
    log.write()
    assert not found(check(tmp_path), "B1")
