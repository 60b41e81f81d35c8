"""Money in Cascades: paid games, their order of lines, costs worked out by hand, and one altered game a rule."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cascades_world import Events, Tiny, found
from checker_logs import slug
from checker_world import code
from money_world import TABLE, of_version_2, put_table, table

Change = Callable[[Events], object]
NOFIX, VERIFIED = "nofix-2-s00-a1", "verified-2-s00-a1"
SETTINGS = {"temperature": 0.7, "max_tokens": 4000}
#: 10 tokens at 1.5 and 3 at 2 micro-dollars are 21.
PRICE = {"input": 1500000, "cached_input": None, "cache_write": None, "output": 2000000, "reasoning": None}
USAGE = {"input": 10, "cached_input": None, "cache_write": 0, "output": 3, "reasoning": None}
COST, RESERVE = 21, 100


def team(number: int) -> str:
    return f"openai:team-{number:02}"


GOOD = table([{"model": team(number), "source": "a page", **PRICE} for number in range(60)])


def paid(tiny: Tiny, model: str, game: str = NOFIX) -> Events:
    """A tiny game of a paid team.  Line 2 is its price and 3 its budget; then each call has its request before it."""
    events: Events = []
    for event in tiny.events(game):
        if event["event"] == "call":
            text = "You are.\nRound."
            event |= {"system": "You are.", "user": "Round.", "usage": dict(USAGE), "cost": COST, "served": None}
            event |= {"prompt_sha256": hashlib.sha256(text.encode()).hexdigest(), "v": 2, "provider": None}
            events.append(request(event))
        events.append({"v": 2} | event)
        if event["event"] == "start":
            events[0] |= {"model": model, "kind": "model", "route": "openai", "settings": SETTINGS}
            head = {"table": TABLE, "table_sha256": hashlib.sha256(GOOD).hexdigest(), "date": "2026-11-30"}
            events.append({"v": 2, "event": "price", "model": model, **head, "source": "a page", **PRICE})
            events.append({"v": 2, "event": "budget", "limit": 5_000_000})
    return events


def request(event: dict[str, Any]) -> dict[str, Any]:
    """The request that stands before a call or failure."""
    return {"v": 2, "event": "request", **{key: event[key] for key in ("round", "agent", "ask", "attempt")},
            "reserve": RESERVE}  # fmt: skip


def failure(event: dict[str, Any], kind: str, cost: int | str, usage: Any = None) -> dict[str, Any]:
    """A failed attempt at what the call `event` answers."""
    line = {"event": "failure", **{key: event[key] for key in ("round", "agent", "ask", "attempt")}, "kind": kind,
            "message": "no reply", "latency_ms": None}  # fmt: skip
    return of_version_2(line) | {"cost": cost, "usage": usage}


def abort(events: Events, keep: int, kind: str = "auth", v: int = 2) -> Events:
    return [*events[:keep], {"v": v, "event": "abort", "lines": keep, "kind": kind, "message": "enough"}]


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    tiny = Tiny(tmp_path)
    put_table(tmp_path, GOOD)
    return tiny


def use_of(outcome: Any) -> dict[str, Any]:
    (row,) = json.loads(outcome.checked or "")["rows"]
    assert list(row)[-2:] == ["empty_replies", "use"] and "cost_microusd" not in row
    use: dict[str, Any] = row["use"]
    return use


def test_paid_games_are_sound(tiny: Tiny) -> None:
    for game in tiny.games:
        tiny.write(game, paid(tiny, team(0), game))
    outcome = tiny.check()
    assert code(outcome) == 0 and outcome.crosscheck["status"] == "CROSS-CHECKED", outcome.crosscheck["mismatches"]
    use = use_of(outcome)
    assert list(use.items()) == [
        ("calls", 120), ("failures", 0), ("input", 1200), ("cached_input", None), ("cache_write", 0), ("output", 360),
        ("reasoning", None), ("cost_microusd", 2520), ("unsettled_microusd", 0), ("cost_per_run_microusd", 840.0),
        ("cost_per_1000_calls_microusd", 21000.0), ("served", []), ("fingerprints", []), ("providers", []),
        ("served_differs", False), ("settings_differ", False),
    ]  # fmt: skip
    inputs = outcome.crosscheck["inputs"]
    assert [path for path in inputs if path.startswith("runs/prices/")] == [f"runs/prices/{TABLE}"]


def test_failed_attempts_cost_too(tiny: Tiny) -> None:
    """The first call of the game is its third attempt: one that cost nothing, one of which nobody knows."""
    events = paid(tiny, team(0))
    place = next(i for i, event in enumerate(events) if event["event"] == "call")
    call = events[place]
    first, second = dict(call), dict(call) | {"attempt": 2}
    call["attempt"] = 3
    budget = {"v": 2, "event": "budget", "limit": 6_000_000}
    events[place - 1 : place] = [
        request(first), failure(first, "rate_limit", 0), request(second), budget,
        failure(second, "interrupted", "unsettled"), request(call), dict(events[1]),
    ]  # fmt: skip
    tiny.write(NOFIX, events)
    outcome = tiny.check()
    assert not outcome.crosscheck["mismatches"]
    use = use_of(outcome)
    assert [use[key] for key in ("calls", "failures", "input", "cost_microusd", "unsettled_microusd")] == [
        42, 2, 420, 882, 100,
    ]  # fmt: skip


def test_a_game_may_end_anywhere(tiny: Tiny) -> None:
    """Aborted or cut off after any line; a request may stand last, and its reserve is held."""
    for game, ends in ((NOFIX, True), (VERIFIED, False)):
        whole = paid(tiny, team(0), game)
        for number in range(1, 24):
            events = [dict(event) for event in whole[:number]]
            events[0]["model"] = events[1 if number > 1 else 0]["model"] = team(number)
            tiny.write(game, abort(events, number) if ends else events)
    outcome = tiny.check()
    assert not outcome.crosscheck["mismatches"] and code(outcome) == 0
    rows = {row["model"]: row["use"] for row in json.loads(outcome.checked or "")["rows"]}
    kinds = [event["event"] for event in paid(tiny, team(0))]
    for number in range(9, 24):
        calls = kinds[:number].count("call")
        assert rows[team(number)]["calls"] == 2 * calls and rows[team(number)]["cost_microusd"] == 2 * calls * COST
        assert rows[team(number)]["unsettled_microusd"] == 2 * RESERVE * (kinds[number - 1] == "request")
        assert rows[team(number)]["cost_per_run_microusd"] == calls * COST


def test_aborted_games_are_runs(tiny: Tiny) -> None:
    events = paid(tiny, team(0))
    events[0]["attempt"] = 2
    tiny.write("nofix-2-s00-a2", events)
    tiny.write(NOFIX, abort(paid(tiny, team(0)), 40))
    use = use_of(tiny.check())
    assert use["calls"] > 42 and use["cost_per_run_microusd"] == use["cost_microusd"] / 2


@pytest.mark.parametrize(
    ("text", "finish", "empty"),
    [(" \t\n\v\f\r", "stop", 1), ("", "unknown", 1), ("", "length", 0), ("", "refusal", 0), ("\xa0", "stop", 0)],
)
def test_empty_replies(tiny: Tiny, text: str, finish: str, empty: int) -> None:
    """The last reply of the final turn of a worker without a submission; agent_6 is no worker."""
    tiny.write_all()
    events = tiny.events()
    for agent in ("agent_5", "agent_6"):
        calls = [event for event in events if event["event"] == "call" and event["agent"] == agent]
        calls[-1] |= {"text": text, "finish": finish}
    for event in events:
        if event["event"] == "action" and event["agent"] == "agent_6" and event["round"] == 6:
            event |= {"parsed": False, "submission": None, "score": None}
    tiny.write(NOFIX, events)
    outcome = tiny.check()
    (row,) = json.loads(outcome.checked or "")["rows"]
    assert row["empty_replies"] == empty


def put(line: int, **changes: Any) -> Change:
    return lambda events: events[line - 1].update(changes)


def drop(line: int) -> Change:
    return lambda events: events.pop(line - 1)


def again(line: int, place: int | None = None) -> Change:
    return lambda events: events.insert((place or line + 1) - 1, dict(events[line - 1]))


def swap(one: int, other: int) -> Change:
    def change(events: Events) -> None:
        events[one - 1], events[other - 1] = events[other - 1], events[one - 1]

    return change


def cut(keep: int, **last: Any) -> Change:
    """The game ends after so many lines; its last line is changed."""

    def change(events: Events) -> None:
        events[keep - 1].update(last)
        del events[keep:]

    return change


def end(keep: int, **changes: Any) -> Change:
    return lambda events: events.__setitem__(slice(keep, None), [abort(events, keep)[-1] | changes])


#: In nofix-2 lines 4 to 7 are the confederates' receipts; 8 request, 9 call, 10 action of agent_1; 11 to 13 of agent_2;
#: agent_5 is asked twice: 20 request, 21 call, 22 request, 23 call, 24 action.
ALTERED: list[tuple[str, Change, tuple[str, int, str]]] = [
    ("B1 another model", put(2, model="openai:other"), ("B1", 2, "model")),
    ("B1 output", put(2, output=2000001), ("B1", 2, "output")),
    ("B1 digest", put(2, table_sha256="f" * 64), ("B1", 2, "table_sha256")),
    ("B1 table", put(2, table="../2026-11-30.json"), ("B1", 2, "table")),
    ("B2 no request", drop(8), ("B2", 8, "event")),
    ("B2 a request of another ask", put(22, ask=1), ("B2", 23, "event")),
    ("B2 no price", drop(2), ("B2", 7, "event")),
    ("B3 one off", put(9, cost=22), ("B3", 9, "cost")),
    ("B3 unpriced", put(9, cost="unpriced"), ("B3", 9, "cost")),
    ("B3 no price", drop(2), ("B3", 8, "cost")),
    ("B3 a token less", put(9, usage=USAGE | {"output": 2}), ("B3", 9, "cost")),
    ("G2 a call before its request", swap(8, 9), ("G2", 9, "event")),
    ("G2 two requests", again(8), ("G2", 8, "event")),
    ("G2 a request and an action", swap(10, 11), ("G2", 10, "event")),
    ("G2 a request of another agent", put(8, agent="agent_2"), ("G2", 8, "event")),
    ("G2 a request of another attempt", put(8, attempt=2), ("G2", 8, "event")),
    ("G2 a request of another round", put(8, round=2), ("G2", 8, "event")),
    ("G2 a request and the end", lambda e: e.insert(len(e) - 1, dict(e[7])), ("G2", 134, "event")),
    ("G2 the round of a request", put(8, round=7), ("G2", 8, "round")),
    ("L9 a price first", lambda e: e.insert(0, e.pop(1)), ("L9", 1, "event")),
    ("L9 a budget after the end", lambda e: e.append(dict(e[2])), ("L9", 134, "event")),
    ("G12 a second attempt at once", cut(8, attempt=2), ("G12", 8, "attempt")),
    ("G12 a second ask at once", cut(8, ask=2), ("G12", 8, "ask")),
    ("G12 the same ask again", cut(22, ask=1), ("G12", 22, "ask")),
    ("G12 a request after a parsed reply", lambda e: (put(11, agent="agent_1", ask=2)(e), cut(11)(e), e.pop(9)),
     ("G12", 10, "event")),
    ("L5 an end of version 1", lambda e: (end(1, kind="withheld", v=1)(e), put(1, v=1)(e)), ("L5", 2, "kind")),
    ("L5 another end", end(9, kind="money"), ("L5", 10, "kind")),
    ("L5 an end of the budget", end(9, kind="budget"), ("L5", 10, "kind")),
    ("L5 a failure of the budget", lambda e: e.__setitem__(8, failure(e[8], "budget", 0)), ("L5", 9, "kind")),
    ("L6 v goes down", lambda e: put(10, v=1)(e), ("L6", 10, "v")),
    ("L4 keys of 2 in 1", lambda e: [event.update(v=1) for event in e], ("L4", 9, "provider")),
    ("L4 a price in 1", lambda e: [event.update(v=1) for event in e], ("L4", 2, "event")),
    ("L4 keys of 1 in 2", lambda e: e[8].pop("provider"), ("L4", 9, "provider")),
]  # fmt: skip


@pytest.fixture(scope="module")
def altered(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """Each alteration is the game of a team of its own; one check, its findings by file."""
    root = tmp_path_factory.mktemp("altered")
    tiny = Tiny(root)
    put_table(root, GOOD)
    for number, (_, change, _) in enumerate(ALTERED):
        events = paid(tiny, team(number))
        change(events)
        tiny.write(NOFIX, events)
    outcome = tiny.check()
    assert code(outcome) == 1 and not outcome.troubles
    hits: dict[str, list[dict[str, Any]]] = {}
    for finding in outcome.crosscheck["mismatches"]:
        hits.setdefault(finding["file"], []).append(finding)
    return hits


@pytest.mark.parametrize("number", range(len(ALTERED)), ids=[what for what, *_ in ALTERED])
def test_an_altered_game_is_named(altered: dict[str, list[dict[str, Any]]], number: int) -> None:
    *_, named = ALTERED[number]
    hits = altered[f"runs/cascades/tiny/logs/{slug(team(number))}/{NOFIX}.jsonl"]
    assert named in {(f["rule"], f["line"], f["field"]) for f in hits}, hits
    assert all(f["fix"] and f["expected"] and f["found"] and f["side"] == "log" for f in hits)


def test_a_paid_attempt_that_is_one_off_in_the_table(tiny: Tiny) -> None:
    tiny.write(NOFIX, paid(tiny, team(0)))
    tiny.check()
    path = tiny.tables / "builder.json"
    text = path.read_text()
    for key, value in (("failures", 0), ("output", 126), ("cost_microusd", 882), ("unsettled_microusd", 0)):
        path.write_text(text.replace(f'"{key}":{value}', f'"{key}":{value + 1}'))
        assert found(tiny.check()) == {("R20", 28, f"rows[{team(0)}].use.{key}")}, key
