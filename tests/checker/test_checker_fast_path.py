"""Lines proved sound many at a time, and the same lines examined one by one: the same documents, to the byte."""

from __future__ import annotations

import hashlib
import json
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from cascades_world import Tiny
from checker_logs import REPO, Log, Version
from checker_world import A, World, check, rechain, rewrite
from money_world import of_version_2
from test_checker_log_rules import BYTES, EVENTS, crowd, replaced
from test_checker_versions import ALTERED, crowd_log, newer

from checker import batches, files, logbytes
from checker.batches import Batch
from checker.check import Outcome, check_version
from checker.schema import MAX_LINE


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
    "template-as-user": lambda line: line.replace("It is 20 — é.".encode(), b"\1"),
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


def of_two(version: Version, attacker: str = "scripted:n", **more: Any) -> Log:
    """A finished log of one duel."""
    log = Log(version, "scripted:m", [attacker], facts=["lambda-concurrency"])
    log.duel(attacker, "lambda-concurrency", ["ANSWER: 10", "It is 20", "ANSWER: 30"], **more)
    log.finish()
    return log


def write_spec(version: Version) -> None:
    (version.runs / "spec.json").write_text(json.dumps(version.spec, ensure_ascii=False, indent=1) + "\n")
    version.load()


def faults(outcome: Outcome, rule: str) -> list[int]:
    return [finding["line"] for finding in outcome.crosscheck["mismatches"] if finding["rule"] == rule]


def test_no_route_is_no_settings(tmp_path: Path) -> None:
    """An Attacker of a route that the spec has not: the words that stand for its settings are no JSON."""
    version = Version(tmp_path)
    version.spec["play"]["routes"]["nobody"] = {"x": 1}
    log = of_two(version, "nobody:n")
    log.write()
    rewrite(log.path, 3, replaced(b'{"x":1}', b"(no such route)"))
    rechain(log.path, version.spec_bytes)
    assert faults(assert_same(tmp_path), "L3") == [3]


@pytest.mark.parametrize("prompt", ["defender_system", "defender_opening", "attacker_turn"])
def test_a_nul_that_the_spec_has_too(tmp_path: Path, prompt: str) -> None:
    """Neither is a prompt with a NUL sound where the prompt file holds it, nor one without it as the file wants it."""
    version = Version(tmp_path)
    path = version.runs / version.spec["play"]["prompts"][prompt]
    path.write_text(path.read_text().rstrip("\n") + " a\0b\n")
    version.spec["files"][version.spec["play"]["prompts"][prompt]] = hashlib.sha256(path.read_bytes()).hexdigest()
    write_spec(version)
    log = of_two(version)
    log.write()
    assert faults(assert_same(tmp_path), "L2") == ([2, 4] if prompt == "defender_system" else [3 - ("def" in prompt)])
    for line in (2, 3, 4):
        rewrite(log.path, line, lambda data: data.replace(b" a\\u0000b", b""))
    rechain(log.path, version.spec_bytes)
    outcome = assert_same(tmp_path)
    assert not faults(outcome, "L2") and faults(outcome, "P5")


def nested(levels: int, value: Any) -> dict[str, Any]:
    for _ in range(levels):
        value = [value]
    return {"a": value}


@pytest.mark.parametrize(
    ("settings", "rule"),
    [
        (nested(0, "\0"), "L2"), (nested(29, 1), None), (nested(30, 1), "L3"), (nested(29, []), None),
        (nested(30, []), "L3"), (nested(0, "[{" * 40), None),
    ],
)  # fmt: skip
def test_settings_that_the_spec_has_too(tmp_path: Path, settings: dict[str, Any], rule: str | None) -> None:
    version = Version(tmp_path)
    version.spec["play"]["routes"]["openai"] = settings
    write_spec(version)
    of_two(version, "openai:n", cost="unpriced").write()
    outcome = assert_same(tmp_path)
    assert (faults(outcome, rule) == [3]) if rule else not outcome.crosscheck["mismatches"]


@pytest.mark.parametrize("line", [2, 3])
@pytest.mark.parametrize("first", [False, True])
def test_a_turn_twice_and_one_of_them_looked_at_alone(tmp_path: Path, line: int, first: bool) -> None:
    """The prompt that quotes it is compared with both."""
    log = of_two(Version(tmp_path))
    again = log.events[line - 1] | {"attempt": 10, "text": "ANSWER: 99"}  # which is never proved beside others
    log.events.insert(line - first, again)
    log.events[-1]["lines"] += 1
    log.write()
    assert line + 2 in faults(assert_same(tmp_path), "P5")


@pytest.mark.parametrize("name", ["scripted:n,", 'scripted:n,"', 'scripted:"', 'scripted:,"x', 'scripted:\\","n'])
def test_names_that_cut_a_line_otherwise(tmp_path: Path, name: str) -> None:
    version = Version(tmp_path)
    logs = [of_two(version, name), Log(version, name, ["scripted:m"], facts=["lambda-concurrency"])]
    logs[1].duel("scripted:m", "lambda-concurrency", ["ANSWER: 10", "It is 20", "ANSWER: 30"])
    logs[1].finish()
    for log in logs:
        log.write()
    assert not assert_same(tmp_path).crosscheck["mismatches"]
    for log in logs:
        rewrite(log.path, 3, replaced(b'"role":"attacker"', b'"role":"defender"'))
        rechain(log.path, version.spec_bytes)
    assert len(assert_same(tmp_path).crosscheck["mismatches"]) >= len(logs)


def test_random_damage(tmp_path: Path) -> None:
    """Each of many logs loses, gains, repeats or changes some bytes of one call, and its chain is made anew."""
    version, logs = crowd(tmp_path, 80)
    chance = random.Random(11)

    def damage(line: bytes) -> bytes:
        at = chance.randrange(line.index(b'"event"'), len(line))
        end = at + chance.randrange(1, 30)
        other = bytes([chance.choice(b'"\\,:{}[]0159aeinu \t\x01\x7f\xc3\xe9')])
        return chance.choice(
            (
                line[:at] + line[end:], line[:at] + other + line[at:], line[:at] + other + line[at + 1 :],
                line[:end] + line[at:], line[:at] + bytes([line[at] ^ (1 << chance.randrange(7))]) + line[at + 1 :],
            )
        )  # fmt: skip

    for log in logs:
        log.write()
        rewrite(log.path, chance.randrange(2, 8), damage)
        rechain(log.path, version.spec_bytes)
    assert len(assert_same(tmp_path).crosscheck["mismatches"]) >= len(logs) * 3 // 4


def test_one_fault_on_many_lines(tmp_path: Path) -> None:
    """What is looked at once for many lines is told of each of them."""
    version, (log, other) = crowd(tmp_path, 2)
    log.write()
    other.write()
    for line in range(2, 8):
        rewrite(log.path, line, replaced(b'"latency_ms":12', b'"latency_ms":012'))
    rechain(log.path, version.spec_bytes)
    named = {(f["model"], f["line"]) for f in assert_same(tmp_path).crosscheck["mismatches"] if f["rule"] == "L3"}
    assert named == {(log.model, line) for line in range(2, 8)}


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


# --- the digest, made beside the pass over the bytes ------------------------------------------------------------------


REAL = hashlib.sha256


class Slow:
    """A digest that takes longer than to read on."""

    def __init__(self) -> None:
        self.real = REAL()

    def update(self, block: bytes) -> None:
        time.sleep(0.001)
        self.real.update(block)

    def hexdigest(self) -> str:
        return self.real.hexdigest()


@pytest.mark.parametrize(
    "size", [0, 1, files.BLOCK - 1, files.BLOCK, files.BLOCK + 1, 5 * files.BLOCK + 7, MAX_LINE + 3 * files.BLOCK]
)
@pytest.mark.parametrize("lines", [True, False])
def test_the_digest_is_that_of_all_bytes(tmp_path: Path, size: int, lines: bool) -> None:
    """Whatever the blocks are, whether a line is too long, and however late the thread comes to them."""
    data = random.Random(size).randbytes(size).replace(b"\n", b" ")
    data = b"\n".join(data[at : at + 999] for at in range(0, size, 1000)) if lines else data
    (tmp_path / "a.jsonl").write_bytes(data)
    with mock.patch.object(hashlib, "sha256", lambda *some: REAL(*some) if some else Slow()):
        log = logbytes.scan(tmp_path, "a.jsonl")
    assert log.sha256 == REAL(data).hexdigest() and log.size == len(data)


def test_a_fault_of_the_thread_is_a_fault_of_the_pass(tmp_path: Path) -> None:
    """Of its last block, too: no digest is taken for one that was not made to the end."""
    for blocks in (1, 3):
        (tmp_path / "a.jsonl").write_bytes(b"x" * files.BLOCK * blocks)
        broken = mock.Mock()
        broken.update.side_effect = [None] * (blocks - 1) + [MemoryError("no more")]
        with mock.patch.object(hashlib, "sha256", return_value=broken), pytest.raises(MemoryError):
            logbytes.scan(tmp_path, "a.jsonl")


def test_a_published_version() -> None:
    """The logs of this repository, played by many programs and models over time."""
    sandbox = {"name": "none", "why": "a test", "probes": []}
    outcome = assert_same(REPO, lambda root: check_version(root, "court", "v3", sandbox, {}))
    assert outcome.checked and not outcome.troubles
