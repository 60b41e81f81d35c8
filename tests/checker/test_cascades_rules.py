"""Cascades: one altered log a rule, chained again as a forger would, and it is named with file, line and rule."""

from __future__ import annotations

import hashlib
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cascades_world import Events, Tiny, found, receipt_id
from checker_logs import slug
from checker_world import code, rechain

Change = Callable[[Events], object]
NOFIX, VERIFIED, ISOLATED = "nofix-2-s00-a1", "verified-2-s00-a1", "isolated-s00-a1"


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    return Tiny(tmp_path)


def put(line: int, **fields: Any) -> Change:
    """Change fields of one line."""
    return lambda events: events[line - 1].update(fields)


def claim(line: int, **fields: Any) -> Change:
    return lambda events: events[line - 1]["claims"][0].update(fields)


def drop(line: int) -> Change:
    return lambda events: events.pop(line - 1)


def double(line: int) -> Change:
    return lambda events: events.insert(line, dict(events[line - 1]))


def swap(one: int, other: int) -> Change:
    def change(events: Events) -> None:
        events[one - 1], events[other - 1] = events[other - 1], events[one - 1]

    return change


def extra(line: int, **event: Any) -> Change:
    """A line more, as line number `line`."""
    return lambda events: events.insert(line - 1, event)


def receipt(agent: str, round_: int, config: list[int], score: int, place: int = 0) -> dict[str, Any]:
    new = receipt_id("tiny", 0, agent, round_, place, config)
    return {"event": "receipt", "receipt": new, "round": round_, "agent": agent, "config": config, "score": score}


ZEROS = [0] * 6
PLANT = [1, 0, 0, 0, 0, 0]
ALTERATIONS = [
    ("G1 cell", NOFIX, put(1, cell="nofix-3"), ("G1", 1, "cell")),
    ("G1 seed", NOFIX, put(1, seed=1), ("G1", 1, "seed")),
    ("G1 attempt", NOFIX, put(1, attempt=2), ("G1", 1, "run")),
    ("G1 settings", NOFIX, put(1, settings={"temperature": 1}), ("G1", 1, "settings")),
    ("G1 kind", NOFIX, put(1, kind="model"), ("G1", 1, "kind")),
    ("G1 version", NOFIX, put(1, version="v1"), ("G1", 1, "version")),
    ("G2 swapped actions", NOFIX, swap(7, 9), ("G2", 8, "event")),
    ("G2 a post too early", NOFIX, swap(19, 20), ("G2", 20, "event")),
    ("G2 no action", NOFIX, drop(52), ("G2", 52, "event")),
    ("G2 two actions", NOFIX, double(52), ("G2", 53, "event")),
    ("G2 no call", NOFIX, drop(51), ("G2", 51, "event")),
    ("G2 round", NOFIX, put(52, round=7), ("G2", 52, "round")),
    ("G2 great round", NOFIX, put(51, round=2**53 - 1), ("G2", 51, "round")),
    ("G2 number of a post", NOFIX, put(21, post=2), ("G2", 21, "post")),
    ("G3 three experiments", NOFIX, put(11, experiments=[PLANT, ZEROS, ZEROS]), ("G3", 11, "experiments")),
    ("G3 final experiment", NOFIX, put(78, experiments=[ZEROS]), ("G3", 78, "experiments")),
    ("G3 final note", NOFIX, put(78, note="bye"), ("G3", 78, "note")),
    ("G3 final claim", NOFIX, put(78, claims=[{"config": ZEROS, "score": 0, "receipt": None}]), ("G3", 78, "claims")),
    ("G4 another configuration", NOFIX, put(19, **receipt("agent_3", 1, ZEROS, 0)), ("G4", 19, "config")),
    ("G4 no receipt", NOFIX, drop(19), ("G4", 11, "experiments[0]")),
    ("G4 one too many", NOFIX, extra(20, **receipt("agent_3", 1, ZEROS, 0, 1)), ("G4", 20, "event")),
    ("G4 another agent", NOFIX, put(19, **receipt("agent_4", 1, PLANT, 185)), ("G4", 19, "event")),
    ("G4 without a board", ISOLATED, extra(2, **receipt("agent_7", 0, [2, 0, 0, 0, 0, 0], 370)), ("G4", 2, "event")),
    ("G5 score", NOFIX, put(19, score=186), ("G5", 19, "score")),
    ("G5 id", NOFIX, put(19, receipt="r-478c7764"), ("G5", 19, "receipt")),
    ("G5 used twice", NOFIX, put(3, receipt="r-7f2bbd97"), ("G5", 3, "receipt")),
    ("G6 receipt", NOFIX, put(2, **receipt("agent_7", 0, ZEROS, 0)), ("G6", 2, "config")),
    ("G6 plant", NOFIX, claim(20, config=[2, 0, 0, 0, 0, 0]), ("G6", 20, "claims[0].config")),
    ("G6 false score", NOFIX, claim(20, score=9500), ("G6", 20, "claims[0].score")),
    ("G6 cited receipt", NOFIX, claim(21, receipt="r-7f2bbd97"), ("G6", 21, "claims[0].receipt")),
    ("G6 filler", NOFIX, claim(49, score=557), ("G6", 49, "claims[0].score")),
    ("G6 note", NOFIX, put(20, note="Trust me."), ("G6", 20, "note")),
    ("G6 no post", NOFIX, drop(50), ("G6", 50, "event")),
    ("G6 no receipt", NOFIX, drop(5), ("G6", 1, "event")),
    ("G6 two claims", NOFIX, lambda e: e[19]["claims"].append(e[19]["claims"][0]), ("G6", 20, "claims")),
    ("G7 note", NOFIX, put(35, note="me too"), ("G7", 35, "note")),
    ("G7 claim", NOFIX, claim(35, score=9700), ("G7", 35, "claims[0]")),
    ("G7 claim more", NOFIX, lambda e: e[34]["claims"].append(e[34]["claims"][0]), ("G7", 35, "claims[1]")),
    ("G7 no post", NOFIX, drop(35), ("G7", 23, "event")),
    ("G7 another agent", NOFIX, put(35, agent="agent_2"), ("G7", 35, "event")),
    ("G7 without a board", ISOLATED, lambda e: e.insert(13, {
        "event": "post", "post": 0, "round": 1, "agent": "agent_1", "claims": [], "note": "hello",
        "seen_by": [f"agent_{n}" for n in range(1, 7)],
    }), ("G7", 14, "event")),
    ("G8 true without receipt", VERIFIED, claim(35, verified=True), ("G8", 35, "claims[0].verified")),
    ("G8 a plant", VERIFIED, claim(20, verified=True), ("G8", 20, "claims[0].verified")),
    ("G8 a filler", VERIFIED, claim(49, verified=False), ("G8", 49, "claims[0].verified")),
    ("G8 null", VERIFIED, claim(49, verified=None), ("G8", 49, "claims[0].verified")),
    ("G8 without marks", NOFIX, claim(49, verified=True), ("G8", 49, "claims[0].verified")),
    ("G9 confederate", NOFIX, put(20, seen_by=["agent_1", "agent_2", "agent_3"]), ("G9", 20, "seen_by")),
    ("G9 team", NOFIX, put(35, seen_by=["agent_1"]), ("G9", 35, "seen_by")),
    ("G9 order", NOFIX, put(20, seen_by=["agent_2", "agent_1"]), ("G9", 20, "seen_by")),
    ("G10 too few", NOFIX, put(22, posts=[0]), ("G10", 22, "posts")),
    ("G10 too many", NOFIX, put(26, posts=[0]), ("G10", 26, "posts")),
    ("G10 too early", NOFIX, put(6, posts=[0]), ("G10", 6, "posts")),
    ("G10 order", NOFIX, put(22, posts=[1, 0]), ("G10", 22, "posts")),
    ("G11 score", NOFIX, put(78, score=186), ("G11", 78, "score")),
    ("G11 none", NOFIX, put(78, score=None), ("G11", 78, "score")),
    ("G11 without a submission", NOFIX, put(87, score=0), ("G11", 87, "score")),
    ("G12 ask", NOFIX, put(14, ask=2), ("G12", 14, "ask")),
    ("G12 attempt", NOFIX, put(14, attempt=2), ("G12", 14, "attempt")),
    ("G12 asked again", NOFIX, double(6), ("G12", 7, "event")),
    ("G12 asked thrice", NOFIX, double(15), ("G12", 16, "event")),
    ("G12 asked once", NOFIX, drop(15), ("G12", 15, "event")),
    ("G13 submission", NOFIX, put(78, submission=[0, 1, 0, 0, 0, 0]), ("G13", 78, "submission")),
    ("G13 no submission", NOFIX, put(78, submission=None, score=None), ("G13", 78, "submission")),
    ("G13 claims", NOFIX, claim(23, score=9500), ("G13", 23, "claims")),
    ("G13 note", NOFIX, put(7, note="hm"), ("G13", 7, "note")),
    ("G13 experiments", NOFIX, put(11, experiments=[]), ("G13", 11, "experiments")),
    ("G13 dropped", NOFIX, put(7, dropped=1), ("G13", 7, "dropped")),
    ("G13 parsed", NOFIX, put(7, parsed=False), ("G13", 7, "parsed")),
    ("G13 the text", NOFIX, put(77, text='{"submission": [1, 0, 0, 0, 0, 1]}'), ("G13", 78, "submission")),
    ("G13 a cut reply", NOFIX, put(77, finish="length"), ("G13", 78, "parsed")),
    ("G14 a prompt", NOFIX, put(6, system="a", user="b"), ("G14", 6, "system")),
    ("G15 lines", NOFIX, put(90, lines=90), ("G15", 90, "lines")),
    ("L9 after the end", NOFIX, swap(89, 90), ("L9", 89, "event")),
    ("L9 two ends", NOFIX, double(90), ("L9", 91, "event")),
    ("L9 two starts", NOFIX, double(1), ("L9", 2, "event")),
    ("L5 agent", NOFIX, put(6, agent="agent_7"), ("L5", 6, "agent")),
    ("L5 configuration", NOFIX, put(19, config=[1, 0, 0, 0, 0, 10]), ("L5", 19, "config")),
    ("L5 score", NOFIX, put(19, score=10001), ("L5", 19, "score")),
    ("L5 claim", NOFIX, claim(35, score=-1), ("L5", 35, "claims[0].score")),
    ("L4 claim", NOFIX, claim(23, verified=True), ("L4", 23, "claims[0].verified")),
]  # fmt: skip


def team(number: int) -> str:
    return f"scripted:team-{number}"


@pytest.fixture(scope="module")
def altered(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """Each alteration is the game of a team of its own, chained again; one check, its findings by file."""
    tiny = Tiny(tmp_path_factory.mktemp("altered"))
    for number, (_, game, change, named) in enumerate(ALTERATIONS):
        events = tiny.events(game)
        events[0]["model"] = team(number)
        change(events)
        tiny.write(game, events, lines=named[0] != "G15")
    outcome = tiny.check()
    assert code(outcome) == 1 and outcome.crosscheck["status"] == "MISMATCH", outcome.troubles
    assert {row["status"] for row in outcome.crosscheck["rows"]} == {"MISMATCH"}
    found: dict[str, list[dict[str, Any]]] = {}
    for finding in outcome.crosscheck["mismatches"]:
        found.setdefault(finding["file"], []).append(finding)
    return found


@pytest.mark.parametrize("number", range(len(ALTERATIONS)), ids=[a[0] for a in ALTERATIONS])
def test_an_altered_log_is_named(altered: dict[str, list[dict[str, Any]]], number: int) -> None:
    _, game, _, named = ALTERATIONS[number]
    hits = altered[f"runs/cascades/tiny/logs/{slug(team(number))}/{game}.jsonl"]
    assert named in {(f["rule"], f["line"], f["field"]) for f in hits}, hits
    assert all(f["fix"] and f["side"] == "log" and f["model"] == team(number) for f in hits)


def test_nothing_else_is_named(altered: dict[str, list[dict[str, Any]]]) -> None:
    assert len(altered) == len(ALTERATIONS)


def test_every_rule_has_an_alteration() -> None:
    assert {named[0] for *_, named in ALTERATIONS} >= {f"G{number}" for number in range(1, 16)}


def test_attempts(tiny: Tiny) -> None:
    """G1: no second finished game, no attempt that nothing explains."""
    tiny.write_all()
    for attempt in (2, 4):
        events = tiny.events()
        events[0]["attempt"] = attempt
        tiny.write(f"nofix-2-s00-a{attempt}", events)
    hits = [f for f in tiny.check().crosscheck["mismatches"] if f["rule"] == "G1"]
    assert [(f["run"], f["expected"].split(" ")[0], f["found"]) for f in hits] == [
        ("nofix-2-s00-a2", "an", "that attempt is finished"),
        ("nofix-2-s00-a2", "one", "another one"),
        ("nofix-2-s00-a4", "an", "there is no such log"),
        ("nofix-2-s00-a4", "one", "another one"),
    ]


def test_failures_before_an_answer_and_before_an_abort(tiny: Tiny) -> None:
    """A failed attempt is no answer; after the last one the game is aborted, which may happen anywhere."""

    def failure(attempt: int) -> dict[str, Any]:
        return {
            "event": "failure", "round": 1, "agent": "agent_2", "ask": 1, "attempt": attempt, "kind": "timeout",
            "message": "no reply", "latency_ms": None,
        }  # fmt: skip

    tiny.write_all()
    events = tiny.events()
    events[7]["attempt"] = 3
    events[7:7] = [failure(1), failure(2)]
    tiny.write(NOFIX, events)
    assert not tiny.check().crosscheck["mismatches"]
    tiny.write(VERIFIED, [*tiny.events(VERIFIED)[:7], failure(1), failure(2), failure(3),
                          {"event": "abort", "lines": 10, "kind": "timeout", "message": "gone"}])  # fmt: skip
    (tiny.tables / "builder.json").unlink()
    outcome = tiny.check()
    assert not outcome.crosscheck["mismatches"] and outcome.crosscheck["status"] == "INCOMPLETE"
    events[8]["attempt"] = 3
    tiny.write(NOFIX, events)
    assert ("G12", 9, "attempt") in found(tiny.check())


def test_an_abort_may_stand_anywhere(tiny: Tiny) -> None:
    """A game that is aborted, or cut off, after any of its lines breaks no rule between lines."""
    tiny.write_all()
    for game in (NOFIX, VERIFIED, ISOLATED):
        for number in range(1, len(tiny.events(game))):
            events = tiny.events(game)[:number]
            tiny.write_as(f"scripted:cut-{number}", game, events)
            end = {"event": "abort", "lines": number, "kind": "connection", "message": "gone"}
            tiny.write_as(f"scripted:end-{number}", game, [*tiny.events(game)[:number], end])
    outcome = tiny.check()
    assert not outcome.crosscheck["mismatches"] and code(outcome) == 0
    statuses = {row["model"]: row["status"] for row in outcome.crosscheck["rows"]}
    assert statuses.pop("scripted:tiny") == "CROSS-CHECKED" and set(statuses.values()) == {"INCOMPLETE"}


def test_prompts_of_a_model_hash_to_their_digest(tmp_path: Path) -> None:
    """G14 for a team that is not scripted: every call keeps its prompt; one flipped letter is named."""
    tiny = Tiny(tmp_path)
    settings = {"temperature": 0.7, "max_tokens": 400, "seed": 0}
    for run in tiny.games:
        events = tiny.events(run)
        events[0] |= {"model": "local:tiny", "kind": "model", "route": "local", "settings": settings}
        for number, event in enumerate(events):
            if event["event"] == "call":
                event["system"], event["user"] = "You are agent é.", f"Round\n{number} \U0001f600"
                text = f"{event['system']}\n{event['user']}"
                event["prompt_sha256"] = hashlib.sha256(text.encode()).hexdigest()
        path = tiny.write(run, events)
        if run == NOFIX:
            kept = events
    outcome = tiny.check()
    assert code(outcome) == 0 and outcome.crosscheck["status"] == "CROSS-CHECKED", outcome.crosscheck["mismatches"]
    assert path.exists()
    (tiny.tables / "builder.json").unlink()
    kept[5]["user"] = "round\n5 \U0001f600"
    kept[7]["system"] = None
    tiny.write(NOFIX, kept)
    assert found(tiny.check()) == {("G14", 6, "prompt_sha256"), ("G14", 8, "system")}


FLIPPED = (
    "receipt",
    "score",
    "config",
    "submission",
    "post",
    "seen_by",
    "posts",
    "claims",
    "prompt_sha256",
    "experiments",
)


def flipped(tiny: Tiny, game: str, chance: random.Random) -> tuple[str, int, bytes]:
    """(key, line number, bytes of the log) of a game with one digit changed in one of those fields."""
    lines = tiny.path(game).read_bytes().split(b"\n")
    places = [
        (at, key, digit)
        for at, line in enumerate(lines[1:-2], 1)
        for key in FLIPPED
        if (begin := line.find(f'"{key}":'.encode(), line.find(b'"event"'))) >= 0
        for digit in range(begin, len(line))
        if line[digit : digit + 1].isdigit() and b',"' not in line[begin + len(key) : digit]
    ]
    key = chance.choice(FLIPPED)
    at, _, digit = chance.choice([place for place in places if place[1] == key])
    new = str((int(lines[at][digit : digit + 1]) + chance.randrange(1, 10)) % 10).encode()
    lines[at] = lines[at][:digit] + new + lines[at][digit + 1 :]
    return key, at + 1, b"\n".join(lines)


def test_a_flipped_digit_is_named(tiny: Tiny) -> None:
    """Seeded flips of one digit in a receipt, score, post, prompt or submission: without mending the chain the line is
    named; where the chain is mended too, all but a scripted prompt's digest still are (that one only replay proves)."""
    tiny.write_all()
    wanted: dict[str, int | None] = {}
    for number in range(100):
        chance = random.Random(f"digit {number}")
        game = chance.choice([NOFIX, VERIFIED])
        model = f"scripted:flip-{number}"
        tiny.write_as("scripted:tiny", game, tiny.events(game))
        key, line, data = flipped(tiny, game, chance)
        tiny.path(game).write_bytes(data)
        mended = number % 2 == 1 and key != "prompt_sha256"
        if mended:
            rechain(tiny.path(game), (tiny.runs / "spec.json").read_bytes())
        # The same bytes as the log of a team of its own; its first lines are chained to each other anew.
        lines = tiny.path(game).read_bytes().replace(b'"model":"scripted:tiny"', f'"model":"{model}"'.encode())
        first, second, rest = lines.split(b"\n", 2)
        at = second.find(b'"prev":"') + 8
        path = tiny.path(game, model)
        path.parent.mkdir(parents=True)
        path.write_bytes(
            first + b"\n" + second[:at] + hashlib.sha256(first).hexdigest().encode() + second[at + 64 :] + b"\n" + rest
        )
        if mended:
            rechain(path, (tiny.runs / "spec.json").read_bytes())
        wanted[path.relative_to(tiny.root).as_posix()] = None if mended else line
    shutil.rmtree(tiny.path(NOFIX).parent)
    hits = {(f["file"], f["line"]) for f in tiny.check().crosscheck["mismatches"] if f["side"] == "log"}
    for file, line in wanted.items():
        assert (file, line) in hits if line is not None else file in {name for name, _ in hits}, (file, line)
