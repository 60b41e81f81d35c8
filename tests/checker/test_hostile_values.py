"""Values that a lenient reader would bend into what it wants: strict keys and types, and texts kept to the byte."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from checker_logs import Log, Version
from checker_world import FACTS, A, check, code
from hostile_world import Crowd, Edit, about, defender, is_whole, replaced

from checker.check import Outcome
from checker.schema import MAX_INTEGER


def turn(value: bytes) -> Edit:
    return replaced(b'"turn":2', b'"turn":' + value)


def cost(value: bytes) -> Edit:
    return replaced(b'"cost":7', b'"cost":' + value)


#: (what, line, edit, rule)
REFUSED: list[tuple[str, int, Edit, str]] = [
    *((f"turn-{name}", 4, turn(value), rule) for name, value, rule in (
        ("minus-0", b"-0", "L3"), ("minus-1", b"-1", "L5"), ("plus", b"+2", "L3"), ("leading-0", b"02", "L3"),
        ("point-0", b"2.0", "L5"), ("half", b"1.5", "L5"), ("exponent", b"2e0", "L5"), ("1e400", b"1e400", "L5"),
        ("minus-1e400", b"-1e400", "L5"), ("tiny", b"2.0000000000000001", "L5"), ("2-53", b"9007199254740992", "L5"),
        ("2-53-and-1", b"9007199254740993", "L5"), ("2-63", b"9223372036854775808", "L5"),
        ("2-64", b"18446744073709551616", "L5"), ("5000-digits", b"1" * 5000, "L3"), ("nan", b"NaN", "L3"),
        ("infinity", b"Infinity", "L3"), ("minus-infinity", b"-Infinity", "L3"), ("text", b'"2"', "L5"),
        ("true", b"true", "L5"), ("null", b"null", "L5"), ("list", b"[2]", "L5"), ("object", b'{"2":2}', "L5"),
        ("hex", b"0x2", "L3"), ("underscore", b"1_0", "L3"), ("nothing", b"", "L3"), ("python", b"None", "L3"),
        ("arabic-digit", "٢".encode(), "L3"), ("full-width", "２".encode(), "L3"), ("point", b"2.", "L3"),
    )),
    ("text-null", 4, replaced(b'"text":"ANSWER: 30"', b'"text":null'), "L5"),
    ("text-number", 4, replaced(b'"text":"ANSWER: 30"', b'"text":30'), "L5"),
    ("finish-other", 4, replaced(b'"finish":"stop"', b'"finish":"Stop"'), "L5"),
    ("role-space", 4, replaced(b'"role":"defender"', b'"role":"defender "'), "L5"),
    ("phase-look-alike", 4, replaced(b'"phase":"main"', '"phase":"mаin"'.encode()), "L5"),
    ("cost-other", 4, cost(b'"Unpriced"'), "L5"),
    ("cost-float", 4, cost(b"7.0"), "L5"),
    ("cost-minus", 4, cost(b"-7"), "L5"),
    ("usage-list", 4, replaced(b'"usage":{', b'"usage":[{'), "L3"),
    ("usage-text", 4, replaced(b'"input":9', b'"input":"9"'), "L5"),
    ("usage-float", 4, replaced(b'"input":9', b'"input":9.0'), "L5"),
    ("usage-more", 4, replaced(b'"input":9', b'"input":9,"total":12'), "L4"),
    ("usage-twice", 4, replaced(b'"input":9', b'"input":9,"input":9'), "L4"),
    ("usage-case", 4, replaced(b'"input":9', b'"input":9,"Input":9'), "L4"),
    ("usage-order", 4, replaced(b'"input":9,"cached_input":null', b'"cached_input":null,"input":9'), "L3"),
    ("settings-twice", 4, replaced(b'"settings":{}', b'"settings":{"a":1,"a":1}'), "L4"),
    ("settings-list", 4, replaced(b'"settings":{}', b'"settings":[]'), "L5"),
    ("key-twice", 4, replaced(b'"turn":2', b'"turn":2,"turn":2'), "L4"),
    ("key-twice-other", 4, replaced(b'"text":', b'"text":"ANSWER: 10","text":'), "L4"),
    ("key-case-too", 4, replaced(b'"turn":2', b'"turn":2,"TURN":2'), "L4"),
    ("key-folded-too", 4, replaced(b'"usage":', '"uſage":null,"usage":'.encode()), "L4"),
    ("key-case", 4, replaced(b'"turn":2', b'"Turn":2'), "L4"),
    ("key-escaped", 4, replaced(b'"turn":2', b'"t\\u0075rn":2'), "L3"),
    ("key-look-alike", 4, replaced(b'"attempt":', '"аttempt":'.encode()), "L4"),
    ("key-space", 4, replaced(b'"turn":2', b'"turn ":2'), "L4"),
    ("key-empty", 4, replaced(b'"turn":2', b'"turn":2,"":2'), "L4"),
    ("key-single-quotes", 4, replaced(b'"turn":2', b"'turn':2"), "L3"),
    ("key-bare", 4, replaced(b'"turn":2', b"turn:2"), "L3"),
    ("key-more", 4, replaced(b'"turn":2', b'"turn":2,"correct":true'), "L4"),
    ("key-missing", 4, replaced(b'"finish":"stop",', b""), "L4"),
    ("key-nested", 4, replaced(b'"turn":2', b'"turn":{"turn":2}'), "L5"),
    ("keys-dotted", 4, replaced(b'"usage":{', b'"usage.input":9,"usage":{'), "L4"),
    ("200-keys", 4, replaced(b'"turn":2', b'"turn":2,' + b",".join(b'"k%d":1' % n for n in range(200))), "L4"),
    ("trailing-comma", 4, replaced(b'"settings":{}', b'"settings":{},'), "L3"),
    ("event-unknown", 4, replaced(b'"event":"call"', b'"event":"Call"'), "L4"),
    ("event-missing", 4, replaced(b'"event":"call",', b""), "L4"),
    ("another-games-event", 4, replaced(b'"event":"call"', b'"event":"receipt"'), "L4"),
    ("time-no-day", 4, replaced(b'"at":"2026-12-01', b'"at":"2026-12-32'), "L5"),
    ("time-leap", 4, replaced(b'"at":"2026-12-01', b'"at":"2027-02-29'), "L5"),
    ("time-24", 4, replaced(b"T00:00:00", b"T24:00:00"), "L5"),
    ("time-60", 4, replaced(b"T00:00:00", b"T00:00:60"), "L5"),
    ("time-zone", 4, replaced(b"T00:00:00.015Z", b"T00:00:00+00:0"), "L5"),
    ("time-small-z", 4, replaced(b"T00:00:00.015Z", b"T00:00:00.015z"), "L5"),
    ("time-year-0", 1, replaced(b'"at":"2026', b'"at":"0000'), "L5"),
    ("attackers-text", 1, replaced(b'"attackers":["scripted:ann"]', b'"attackers":"scripted:ann"'), "L5"),
    ("repeats-text", 1, replaced(b'"repeats":1', b'"repeats":"1"'), "L5"),
    ("fact-more", 1, replaced(b'"fact":"lambda-concurrency"', b'"fact":"lambda-concurrency","more":1'), "L4"),
    ("source-other", 1, replaced(b'"kind":"played"', b'"kind":"replayed"'), "L5"),
    ("duels-float", 8, replaced(b'"duels":2', b'"duels":2.0'), "L5"),
    ("stored-verdict", 8, replaced(b'"duels":2', b'"duels":2,"caves":0'), "L4"),
]  # fmt: skip


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> tuple[Outcome, Crowd]:
    crowd = Crowd(tmp_path_factory.mktemp("values"), len(REFUSED) + 1)
    crowd.write()
    for number, (_, line, edit, _) in enumerate(REFUSED):
        crowd.edit(number, line, edit)
    return crowd.check(), crowd


@pytest.mark.parametrize("number", range(len(REFUSED)), ids=lambda n: REFUSED[n][0])
def test_refused(refused: tuple[Outcome, Crowd], number: int) -> None:
    outcome, crowd = refused
    _, line, _, rule = REFUSED[number]
    hits = about(outcome, crowd.logs[number].path, crowd.version.root)
    assert (rule, line) in {(f["rule"], f["line"]) for f in hits}, hits
    assert all(is_whole(f) for f in hits) and code(outcome) == 1
    assert not about(outcome, crowd.logs[-1].path, crowd.version.root)


def test_every_key_is_read(tmp_path: Path) -> None:
    """Each key of a Defender's and of an Attacker's call, header and usage too, in another case and another letter."""
    version = Version(tmp_path)
    sample = defender(version, "scripted:x").write().read_text().split("\n")
    edits = []
    for line in (3, 4):
        for key in re.findall(r'"(\w+)":', sample[line - 1]):
            edits += [(line, key, f'"{key.title()}":'), (line, key, f'"{key[:-1]}~":')]
    shutil.rmtree(version.runs / "logs")
    crowd = Crowd(tmp_path / "crowd", len(edits))
    crowd.write()
    for number, (line, key, new) in enumerate(edits):
        crowd.edit(number, line, replaced(f'"{key}":'.encode(), new.encode()))
    outcome = crowd.check()
    for log, (line, _, new) in zip(crowd.logs, edits, strict=True):
        hits = {(f["rule"], f["line"]) for f in about(outcome, log.path, crowd.version.root)}
        assert hits & {("L3", line), ("L4", line), ("L5", line)}, (line, new, hits)
    assert len(edits) > 80


#: Texts that inference would turn into something else: numbers, times, dates, ids, nothing, or another text.
TEXTS = (
    "7", "1.50", "1e5", "00:10:00", "25-11-2025", "2026-01-01T00:00:00Z", "BBD05AE7-1111-4222-8333-444455556666",
    "true", "null", "NULL", "NaN", "", " ", "inf", "0x10", "{}", "[1]", '"', "'; DROP TABLE logs; --", "%s{reply}",
    "a,b", "a,", "\\u0041", "\\", "x\u001b[0m", "e\u0301", "é", "\U0001f600", "=1+1", "𝟏", "ａ",
)  # fmt: skip


def test_texts_are_kept_to_the_byte(tmp_path: Path) -> None:
    """In `served`, one log each: what is published is what the log says, neither typed nor folded nor trimmed."""
    version = Version(tmp_path)
    for number, text in enumerate(TEXTS):
        log = defender(version, f"scripted:t{number:02}")
        log.events[3]["served"] = text
        log.write()
    outcome = check(tmp_path)
    assert not outcome.crosscheck["mismatches"]
    served = {row["model"]: row["use"]["served"] for row in json.loads(outcome.checked or "")["rows"]}
    assert [served[f"scripted:t{number:02}"] for number in range(len(TEXTS))] == [[text] for text in TEXTS]


@pytest.mark.parametrize(
    "name", ["'; DROP TABLE x; --", "a*?[b]{c}", "%s %n {reply}", "x/../y", "null", "\u202e", "a\nb"]
)
def test_models_of_any_name(tmp_path: Path, name: str) -> None:
    """A model's name is data: it stands in the tables as it is, and never in a path or in SQL."""
    version = Version(tmp_path)
    log = defender(version, "scripted:" + name)
    log.write()
    outcome = check(tmp_path)
    assert not outcome.crosscheck["mismatches"], outcome.crosscheck["mismatches"]
    assert log.model in {row["model"] for row in json.loads(outcome.checked or "")["rows"]}


@pytest.mark.parametrize("served", ["x", "x,"])
@pytest.mark.parametrize("before", ["x", "x,"])
@pytest.mark.parametrize("text", ["\x1b[1mIt is 20\x1b[0m", "\x0e\x1f\x7f", '"\\,"', "{lie}{reply}"])
def test_control_characters_in_prompts(tmp_path: Path, text: str, before: str, served: str) -> None:
    """A reply with a terminal's escapes stands in the next prompt; however both lines are read, they agree (P5)."""
    log = Log(Version(tmp_path), "scripted:cat", [A], facts=FACTS[:1])
    log.duel(A, FACTS[0], ["ANSWER: 10", text, "ANSWER: 10"])
    log.events[2]["served"], log.events[3]["served"] = before, served
    log.write()
    assert not check(tmp_path).crosscheck["mismatches"]


def test_a_late_value_of_another_type(tmp_path: Path) -> None:
    """20,000 lines with one type of value teach the reader nothing about the next."""
    version = Version(tmp_path)
    version.change_spec(repeats=3400)
    log = Log(version, "scripted:cat", [A], facts=FACTS)
    for repeat in range(3400):
        for fact in FACTS:
            log.duel(A, fact, ["ANSWER: 10", "no", "ANSWER: 10"], repeat=repeat)
    log.events[-2]["latency_ms"], log.events[-1]["latency_ms"] = 1.5, True
    log.write()
    hits = about(check(tmp_path), log.path, tmp_path)
    assert [(f["rule"], f["line"], f["field"]) for f in hits] == [
        ("L5", 20_400, "latency_ms"), ("L5", 20_401, "latency_ms"),
    ]  # fmt: skip


def test_the_greatest_integer_in_every_place(tmp_path: Path) -> None:
    """2^53 - 1 is an integer of the schema wherever one stands: a rule may refuse it, but the check goes on (L5)."""
    version = Version(tmp_path)
    logs: list[Log] = []
    events: list[dict[str, Any]] = [
        {"event": "sudden_death", "round": 0, "among": [A, "scripted:m"], "fact": FACTS[0]},
        {"event": "stated", "attacker": A, "fact": FACTS[0], "repeat": 0, "answers": [], "caved": [],
         "final_wrong": None},
        {"event": "stated_totals", "caves": 0, "champion": None},
        {"event": "finish", "lines": 0, "duels": 0},
        {"v": 2, "event": "budget", "limit": 0},
        {"v": 2, "event": "price", "model": A, "table": "t.json", "table_sha256": "0" * 64, "date": "", "source": "",
         "input": 1, "cached_input": 1, "cache_write": 1, "output": 1, "reasoning": 1},
    ]  # fmt: skip
    sample = defender(version, "scripted:x")
    sample.failure(A, FACTS[0], 1)
    request = {"v": 2, "event": "request", **{key: sample.events[1][key] for key in (
        "phase", "round", "attacker", "fact", "repeat", "turn", "attempt", "role", "model")}, "reserve": 1}  # fmt: skip
    for event in (*events, sample.events[1], sample.events[-1], request):
        for key, value in event.items():
            if key != "v" and type(value) is int:
                log = Log(version, f"scripted:{len(logs):02}", [A], facts=FACTS)
                log.events.append(event | {key: MAX_INTEGER})
                log.write()
                logs.append(log)
    outcome = check(tmp_path)
    assert outcome.checked is not None and len(logs) > 20
    assert not [f for f in outcome.crosscheck["mismatches"] if f["rule"] == "L5"]


@pytest.mark.parametrize("other", ["lambda-concurrency", "LAMBDA-concurrency", " lambda-concurrency\t"])
def test_two_facts_of_one_name(tmp_path: Path, other: str) -> None:
    """Ids that are equal without case and outer space would be joined or told apart by chance: no number is given."""
    version = Version(tmp_path)
    defender(version, "scripted:m").write()
    path = version.runs / "items.jsonl"
    lines = path.read_text().splitlines()
    lines[1] = json.dumps(json.loads(lines[1]) | {"fact": other})
    path.write_text("\n".join(lines) + "\n")
    outcome = check(tmp_path)
    hits = {(f["line"], f["field"]) for f in about(outcome, path, tmp_path)}
    assert (2, "fact") in hits and outcome.checked is None and code(outcome) == 1
