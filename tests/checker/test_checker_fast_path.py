"""Lines proved sound many at a time, and the same lines examined one by one: the same documents, to the byte."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from cascades_world import Tiny
from checker_logs import REPO, Log
from checker_world import A, World, check, rechain, rewrite
from money_world import of_version_2
from test_checker_log_rules import BYTES, EVENTS, crowd, replaced
from test_checker_versions import ALTERED, crowd_log, newer

from checker import batches
from checker.batches import Batch
from checker.check import Outcome, check_version


@contextmanager
def slowly() -> Iterator[None]:
    """Every line is examined by itself."""
    with mock.patch.object(Batch, "fast", False):
        yield


def document(outcome: Outcome) -> str:
    return json.dumps([outcome.crosscheck, outcome.checked, outcome.troubles], ensure_ascii=False)


def assert_same(root: Path, game: Any = check) -> Outcome:
    """Both ways give the same; the outcome of the fast one."""
    fast = game(root)
    with slowly():
        slow = game(root)
    assert document(fast) == document(slow)
    return fast


def examined(root: Path) -> tuple[Outcome, list[str]]:
    """A check, and the lines that were examined by themselves, but for first ones."""
    with mock.patch.object(batches, "look", wraps=batches.look) as look:
        outcome = check(root)
    return outcome, [str(call.args[0]) for call in look.call_args_list]


def test_every_line_goes_the_way_it_is_sent(world: World) -> None:
    """No line of a good log is examined by itself, whatever its version and event; all are where that is asked."""
    for log in (world.ann, world.bob):
        log.failure(log.attackers[0], "lambda-concurrency", 1)
        log.events.insert(2, log.events.pop())
        log.events[3]["attempt"] = 2
        for event in log.events[1:]:
            if event["event"] == "call":
                event["cost"] = "unpriced"
        log.finish()
    newer(world.bob)
    world.bob.events.insert(1, {"v": 2, "event": "budget", "limit": 5})
    world.bob.events[-1]["lines"] += 1
    for log in (world.ann, world.bob):
        log.write()
    outcome, lines = examined(world.root)
    assert not outcome.crosscheck["mismatches"] and lines == []
    with slowly():
        again, lines = examined(world.root)
    assert document(again) == document(outcome)
    assert len(lines) == sum(len(log.events) - 1 for log in (world.ann, world.bob))


@pytest.mark.parametrize("cases", [BYTES, EVENTS], ids=["bytes", "events"])
def test_damaged_logs(tmp_path: Path, cases: list[Any]) -> None:
    """One log a case, as in test_checker_log_rules.py."""
    version, logs = crowd(tmp_path, len(cases) + 1)
    if cases is EVENTS:
        for log, (_, _, change, _) in zip(logs, EVENTS, strict=False):
            change(log)
    for log in logs:
        log.write()
    if cases is BYTES:
        for log, (_, line, edit, _) in zip(logs, BYTES, strict=False):
            rewrite(log.path, line, edit)
            rechain(log.path, version.spec_bytes)
    assert assert_same(tmp_path).crosscheck["mismatches"]


def test_damaged_versions(tmp_path: Path) -> None:
    """One log a case, as in test_checker_versions.py."""
    version, _ = crowd(tmp_path, 0)
    for number, (_, first, change, *_) in enumerate(ALTERED):
        log = crowd_log(version, number)
        if first:
            newer(log, first)
        change(log)
        log.write()
    assert assert_same(tmp_path).crosscheck["mismatches"]


#: What a reply, a prompt and a served name may hold that cuts a line into other pieces, or is written with escapes.
STRANGE = (
    "", ",", "a,", ',"', '"', "\\", '\\"', '","finish":"stop"', ',"usage":null', "\b\f\n\r\t\u0001\u001f\u007f",
    "\U0001f600é\ufeff\u2028", "ANSWER: 10,", '","text":"', "\\u0041", "\\\\",
)  # fmt: skip


@pytest.mark.parametrize("v", [1, 2])
def test_strange_texts(tmp_path: Path, v: int) -> None:
    """Sound calls, whatever their strings hold, are sound both ways."""
    version, _ = crowd(tmp_path, 0)
    for number, text in enumerate(STRANGE):
        log = Log(version, f"scripted:m{number:02}", [A], facts=["lambda-concurrency"])
        log.duel(A, "lambda-concurrency", ["ANSWER: 10" + text, text, text + "ANSWER: 30"], cost="unpriced")
        log.events[2]["served"], log.events[3]["fingerprint"] = text, text
        log.finish()
        if v == 2:
            log.events[:] = [of_version_2(event) for event in log.events]
            log.events[1]["provider"] = text
        log.write()
    assert not assert_same(tmp_path).crosscheck["mismatches"]


#: (what, an edit of line 4: a Defender's answer to its Attacker, in version 1) that keeps most of the line as it was.
ALMOST = {
    "key-of-same-length": replaced(b'"attacker":', b'"Attacker":'),
    "no-attacker": replaced(b'"attacker":"scripted:ann"', b'"attacker":'),
    "no-fact": replaced(b'"fact":"lambda-concurrency"', b'"fact":'),
    "no-repeat": replaced(b'"repeat":0', b'"repeat":'),
    "minus-0": replaced(b'"turn":2', b'"turn":-0'),
    "no-user": replaced(b'"user":"', b'"user":x"'),
    "escape-in-user": replaced(b"It is 20", b"It is\\u002020"),
    "solidus-in-user": replaced(b"It is 20", b"It is\\/20"),
    "tab-in-user": replaced(b"It is 20", b"It is\t20"),
    "usage-twice": replaced(b'"usage":', b'"usage":null,"usage":'),
    "settings-twice": lambda line: line[:-1] + line[line.index(b',"settings"') :],
    "more-after-it": lambda line: line + b',"usage":null}',
    "nested-settings": lambda line: line[: line.index(b'"settings":')] + b'"settings":{"a":{"b":{"c":[[1]]}}}}',
    "space": replaced(b'"finish":', b'"finish": '),
    "other-case": replaced(b'"stop"', b'"Stop"'),
    "big-integer": replaced(b'"latency_ms":12', b'"latency_ms":9007199254740991'),
    "too-big-integer": replaced(b'"latency_ms":12', b'"latency_ms":9007199254740992'),
    "big-turn": replaced(b'"turn":2', b'"turn":9007199254740992'),
    "attempt-10": replaced(b'"attempt":1', b'"attempt":10'),
}


def test_almost_plain(tmp_path: Path) -> None:
    version, logs = crowd(tmp_path, len(ALMOST))
    for log, edit in zip(logs, ALMOST.values(), strict=True):
        log.write()
        rewrite(log.path, 4, edit)
        rechain(log.path, version.spec_bytes)
    named = {f["model"] for f in assert_same(tmp_path).crosscheck["mismatches"] if f["line"] == 4}
    sound = {"big-integer"}
    assert named == {log.model for log, name in zip(logs, ALMOST, strict=True) if name not in sound}


def test_a_repaired_log_reads_on(world: World) -> None:
    """A line of another log, half a line and a broken chain in one log: what is sound beside them still counts."""
    world.write()
    data = world.bob.path.read_bytes().split(b"\n")
    data[3:3] = [data[2][:100], b"", world.ann.path.read_bytes().split(b"\n")[2]]
    world.bob.path.write_bytes(b"\n".join(data))
    outcome = assert_same(world.root)
    assert {f["rule"] for f in outcome.crosscheck["mismatches"]} >= {"L2", "L3", "L6", "L7"}


def test_games(tmp_path: Path) -> None:
    """Cascades: a byte is changed in each of many logs, whose chain is then made anew."""
    tiny = Tiny(tmp_path)
    chance = random.Random(7)
    for number in range(24):
        events = tiny.events()
        path = tiny.write_as(f"scripted:m{number}", "nofix-2-s00-a1", events)
        if number == 0:
            continue
        line = chance.randrange(2, len(events) + 1)

        def flip(data: bytes) -> bytes:
            at = chance.randrange(len(data))
            return data[:at] + bytes([data[at] ^ (1 << chance.randrange(7))]) + data[at + 1 :]

        rewrite(path, line, flip)
        rechain(path, (tiny.runs / "spec.json").read_bytes())
    assert assert_same(tmp_path, lambda _: tiny.check(publish=False)).crosscheck["mismatches"]


def test_a_published_version() -> None:
    """The logs of this repository, played by many programs and models over time."""
    sandbox = {"name": "none", "why": "a test", "probes": []}
    outcome = assert_same(REPO, lambda root: check_version(root, "court", "v3", sandbox, {}))
    assert outcome.checked and not outcome.troubles
