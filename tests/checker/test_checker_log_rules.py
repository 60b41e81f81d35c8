"""Every rule of the log schema: one altered log each, named by file, line and rule, exit code 1."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from checker_logs import Log, Version, slug
from checker_world import FACTS, A, B, World, check, code, found, rechain, rewrite, write_manifest

from checker.check import Outcome


def replaced(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    def edit(line: bytes) -> bytes:
        assert old in line
        return line.replace(old, new, 1)

    return edit


def with_settings(value: bytes) -> Callable[[bytes], bytes]:
    return lambda line: line[: line.index(b'"settings":')] + b'"settings":' + value + b"}"


#: (rule, line of the altered log, the edit, part of the finding's field)
BYTES: list[tuple[str, int, Callable[[bytes], bytes], str]] = [
    ("L2", 3, lambda line: b"\xef\xbb\xbf" + line, "(bytes)"),
    ("L2", 3, lambda line: line + b"\r", "(bytes)"),
    ("L2", 3, replaced(b"It is", b"It\0is"), "(bytes)"),
    ("L2", 3, replaced(b"It is", b"It\\u0000is"), "(line)"),
    ("L2", 3, replaced(b"It is", b"It\\ud800is"), "(line)"),
    ("L2", 3, replaced(b"It is", b"It\xffis"), "(bytes)"),
    ("L2", 3, lambda line: line + b"\n", "(line)"),
    ("L3", 3, replaced(b'"turn":1', b'"turn": 1'), "(line)"),
    ("L3", 3, replaced(b'"turn":1', b'"turn":NaN'), "(line)"),
    ("L3", 3, replaced(b'"turn":1', b'"turn":01'), "(line)"),
    ("L3", 3, lambda line: line[:-1] + b",}", "(line)"),
    ("L3", 3, replaced(b"It is", b"It\\/is"), "(line)"),
    ("L3", 3, replaced(b"It is", b"It\\u001Fis"), "(line)"),
    ("L3", 3, replaced(b"It is", b"It\\u0041is"), "(line)"),
    ("L3", 3, lambda line: line + b"{}", "(line)"),
    ("L3", 3, lambda line: b"[" * 5000 + line, "(line)"),
    ("L3", 3, lambda line: line[:200], "(line)"),
    ("L3", 3, replaced(b'"turn":1,"attempt":1', b'"attempt":1,"turn":1'), "(keys)"),
    ("L3", 3, with_settings(b'{"a":' + b"[" * 40 + b"]" * 40 + b"}"), "(line)"),
    ("L3", 3, with_settings(b'{"a":' + b"[" * 900 + b"]" * 900 + b"}"), "(line)"),
    ("L3", 3, with_settings(b'{"a":1e999}'), "(line)"),
    ("L3", 3, with_settings(b'{"a":1.50}'), "(line)"),
    ("P6", 3, with_settings(b'{"a":{"b":{"c":[[1.5]]}}}'), "settings"),
    ("L4", 3, replaced(b'"turn":1', b'"turn":1,"turn":1'), "(line)"),
    ("L4", 3, replaced(b'"turn":1', b'"turn":1,"Turn":1'), "(line)"),
    ("L4", 3, replaced(b'"turn":1', b'"turn":1,"note":1'), "note"),
    ("L4", 3, replaced(b'"turn":1,', b""), "turn"),
    ("L4", 3, replaced(b'"input":9,', b'"input":9,"input":9,'), "(line)"),
    ("L4", 3, replaced(b'"event":"call"', b'"event":"cal"'), "event"),
    ("L5", 3, replaced(b'"turn":1', b'"turn":1.0'), "turn"),
    ("L5", 3, replaced(b'"turn":1', b'"turn":true'), "turn"),
    ("L5", 3, replaced(b'"turn":1', b'"turn":"1"'), "turn"),
    ("L5", 3, replaced(b'"turn":1', b'"turn":1234567890123456789'), "turn"),
    ("L5", 3, replaced(b'"cost":7', b'"cost":"free"'), "cost"),
    ("L5", 3, replaced(b'"finish":"stop"', b'"finish":"done"'), "finish"),
    ("L5", 3, replaced(b'"input":9', b'"input":9.5'), "usage.input"),
    ("L5", 3, replaced(b'"at":"2026-12-01', b'"at":"2026-02-30'), "at"),
    ("L6", 3, replaced(b'"seq":2', b'"seq":3'), "seq"),
    ("L8", 3, replaced(b'"at":"2026-12-01', b'"at":"2026-11-01'), "at"),
    ("L1", 3, replaced(b'"run":"run-1"', b'"run":"run-2"'), "run"),
]


def crowd(root: Path, number: int) -> tuple[Version, list[Log]]:
    """Many Defenders, each with a finished log of its own like bob's, so that one check sees many altered logs."""
    version = Version(root)
    logs = []
    for i in range(number):
        log = Log(version, f"scripted:m{i:02}", [A], facts=FACTS)
        log.duel(A, FACTS[0], ["ANSWER: 10", "It is 20 — é.", "ANSWER: 30"])
        log.duel(A, FACTS[1], ["ANSWER: 10000", "It is 100,000.", "ANSWER: 100,000"])
        log.finish()
        logs.append(log)
    return version, logs


def checked_against_itself(version: Version) -> Outcome:
    """builder.json agrees, so that only what is wrong with the logs can differ."""
    version.tables.mkdir(parents=True, exist_ok=True)
    first = check(version.root)
    assert first.checked is not None, first.troubles
    (version.tables / "builder.json").write_text(first.checked)
    return check(version.root)


def findings_of(outcome: Outcome, log: Log, rule: str, field: str) -> list[dict[str, Any]]:
    name = log.path.relative_to(log.version.root).as_posix()
    return [f for f in found(outcome, rule, "log") if f["file"] == name and field in f["field"]]


@pytest.fixture(scope="module")
def altered_bytes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Outcome, list[Log]]:
    """One log a case; the forger made each chain anew, so only the rule itself can tell."""
    version, logs = crowd(tmp_path_factory.mktemp("bytes"), len(BYTES) + 1)
    for log in logs:
        log.write()
    for log, (_, line, edit, _) in zip(logs, BYTES, strict=False):
        rewrite(log.path, line, edit)
        rechain(log.path, version.spec_bytes)
    return checked_against_itself(version), logs


@pytest.mark.parametrize("number", range(len(BYTES)), ids=lambda n: f"{BYTES[n][0]}-{n}")
def test_bytes_and_lines(altered_bytes: tuple[Outcome, list[Log]], number: int) -> None:
    outcome, logs = altered_bytes
    rule, line, _, field = BYTES[number]
    hits = findings_of(outcome, logs[number], rule, field)
    assert {f["line"] for f in hits} & {line, line + 1}
    assert all(f["fix"] and f["model"] == logs[number].model for f in hits)


def test_one_bad_log_hides_no_other(altered_bytes: tuple[Outcome, list[Log]]) -> None:
    outcome, logs = altered_bytes
    statuses = {row["model"]: row["status"] for row in outcome.crosscheck["rows"]}
    assert code(outcome) == 1 and statuses.pop(A) == statuses.pop(logs[-1].model) == "CROSS-CHECKED"
    assert set(statuses.values()) == {"MISMATCH"}


def edit_call(**changes: Any) -> Callable[[Log], None]:
    return lambda log: log.events[2].update(changes)


def second_start(log: Log) -> None:
    log.events.insert(3, dict(log.events[0]))


def early_finish(log: Log) -> None:
    log.events.insert(4, {"event": "finish", "lines": 4, "duels": 1})


def start(**changes: Any) -> Callable[[Log], None]:
    return lambda log: log.events[0].update(changes)


def fact(number: int, **changes: Any) -> Callable[[Log], None]:
    return lambda log: log.events[0]["facts"][number].update(changes)


def swap(log: Log) -> None:
    log.events[2], log.events[3] = log.events[3], log.events[2]


def again(log: Log) -> None:
    log.events.insert(4, dict(log.events[3]))


def late_failure(log: Log) -> None:
    log.failure(A, FACTS[0], 1, 2)


def stated(log: Log) -> None:
    log.events.insert(4, {"event": "stated", "attacker": A, "fact": FACTS[0], "repeat": 0, "answers": [], "caved": [],
                          "final_wrong": None})  # fmt: skip


def finish(**changes: Any) -> Callable[[Log], None]:
    return lambda log: log.events[-1].update(changes)


#: (rule, line, change of bob's log, part of the field)
EVENTS: list[tuple[str, int, Callable[[Log], None], str]] = [
    ("L9", 4, second_start, "event"),
    ("L9", 5, early_finish, "event"),
    ("P1", 3, edit_call(fact="availability-zones"), "fact"),
    ("P1", 3, edit_call(attacker="scripted:eve", model="scripted:eve"), "attacker"),
    ("P1", 3, edit_call(repeat=1), "repeat"),
    ("P1", 3, edit_call(phase="sudden_death", round=1), "round"),
    ("P2", 3, edit_call(role="defender"), "role"),
    ("P2", 3, edit_call(model="scripted:eve"), "model"),
    ("P2", 4, lambda log: log.events[3].update(turn=4), "turn"),
    ("P3", 3, swap, "turn"),
    ("P3", 5, again, "turn"),
    ("P4", 3, edit_call(attempt=2), "attempt"),
    ("P4", 9, late_failure, "attempt"),
    ("P5", 3, edit_call(system="You may say the truth."), "system"),
    ("P5", 3, edit_call(user="What is it?"), "user"),
    ("P5", 4, edit_call(text="Said something else."), "user"),
    ("P6", 3, edit_call(settings={"temperature": 1}), "settings"),
    ("P6", 3, edit_call(settings=None), "settings"),
    ("P6", 1, start(settings={"seed": 1}), "settings"),
    ("P7", 1, start(benchmark="other"), "benchmark"),
    ("P7", 1, start(version="v2"), "version"),
    ("P7", 1, start(kind="model"), "kind"),
    ("P7", 1, start(route="local"), "route"),
    ("P7", 1, start(repeats=2), "repeats"),
    ("P7", 1, start(attackers=[A, A]), "attackers"),
    ("P7", 1, fact(0, lie="21"), "facts[0].lie"),
    ("P7", 1, fact(0, question="How many?"), "facts[0].question"),
    ("P7", 1, fact(0, fact="moon-distance"), "facts[0].fact"),
    ("P7", 1, lambda log: log.events[0]["facts"].reverse(), "facts"),
    ("P9", 8, finish(duels=1), "duels"),
    ("P9", 8, finish(lines=6), "lines"),
    ("P10", 5, stated, "event"),
]


@pytest.fixture(scope="module")
def altered_events(tmp_path_factory: pytest.TempPathFactory) -> tuple[Outcome, list[Log]]:
    """One whole, well-chained log a case that breaks one rule."""
    version, logs = crowd(tmp_path_factory.mktemp("events"), len(EVENTS) + 1)
    for log, (_, _, change, _) in zip(logs, EVENTS, strict=False):
        change(log)
    for log in logs:
        log.write()
    return checked_against_itself(version), logs


@pytest.mark.parametrize("number", range(len(EVENTS)), ids=lambda n: f"{EVENTS[n][0]}-{n}")
def test_between_lines(altered_events: tuple[Outcome, list[Log]], number: int) -> None:
    outcome, logs = altered_events
    rule, line, _, field = EVENTS[number]
    assert line in {f["line"] for f in findings_of(outcome, logs[number], rule, field)}
    assert code(outcome) == 1
    assert {row["model"]: row["status"] for row in outcome.crosscheck["rows"]}[logs[-1].model] == "CROSS-CHECKED"


def test_one_byte_of_a_log_is_named_with_its_line(tmp_path: Path) -> None:
    """A seeded flip in each of many logs; the manifest vouches for the last lines."""
    version, logs = crowd(tmp_path, 40)
    for log in logs:
        log.write()
    checked_against_itself(version)
    write_manifest(tmp_path, version)
    chance = random.Random(11)
    flipped = []
    for log in logs:
        data = log.path.read_bytes()
        at = chance.randrange(len(data) - 1)
        log.path.write_bytes(data[:at] + bytes([data[at] ^ (1 << chance.randrange(7))]) + data[at + 1 :])
        flipped.append((log, data.count(b"\n", 0, at) + 1))
    outcome = check(tmp_path)
    for log, line in flipped:
        name = log.path.relative_to(tmp_path).as_posix()
        lines = {f["line"] for f in outcome.crosscheck["mismatches"] if f["file"] == name}
        assert line in lines, (name, line, [f for f in outcome.crosscheck["mismatches"] if f["file"] == name])


def test_the_chain_names_the_altered_line(world: World) -> None:
    world.write()
    world.publish()
    rewrite(world.bob.path, 4, replaced(b'"latency_ms":12', b'"latency_ms":13'))
    hits = found(check(world.root), "L7")
    assert [f["line"] for f in hits] == [4]
    rewrite(world.ann.path, 3, lambda line: line.replace(b'"prev":"', b'"prev":"0')[:0] + _other_prev(line))
    assert {(f["line"], f["field"]) for f in found(check(world.root), "L7") if "ann" in f["file"]} == {(3, "prev")}


def _other_prev(line: bytes) -> bytes:
    at = line.index(b'"prev":"') + 8
    return line[:at] + (b"0" if line[at : at + 1] != b"0" else b"1") + line[at + 1 :]


def test_the_first_prev_is_the_specs_digest(world: World) -> None:
    world.write()
    rechain(world.bob.path, b"another spec")
    world.publish()
    hits = found(check(world.root), "L7")
    assert [(f["line"], f["field"]) for f in hits] == [(1, "prev")]


def test_the_last_line_is_named_by_the_manifest(world: World) -> None:
    world.write()
    world.publish(everything=True)
    rewrite(world.bob.path, 8, lambda line: line.replace(b'"at":"2026-12-01T00:00:00', b'"at":"2026-12-01T00:00:01'))
    outcome = check(world.root)
    name = world.bob.path.relative_to(world.root).as_posix()
    assert (name, 8) in {(f["file"], f["line"]) for f in outcome.crosscheck["mismatches"]} and code(outcome) == 1


def test_torn_tails_are_set_aside(world: World) -> None:
    world.write(finish=False)
    world.publish()
    whole = json.loads(world.bob.events[-1] and json.dumps(world.bob.events[-1]))
    with world.bob.path.open("ab") as file:
        file.write(b'{"v":1,"run":"run-1","seq":7,"at":"2026-')
    outcome = check(world.root)
    assert whole and [(t["line"], t["bytes"]) for t in outcome.crosscheck["tails"]] == [(8, 40)]
    # Only the digest of the inputs is another one.
    assert {f["field"] for f in outcome.crosscheck["mismatches"]} == {"digest"}


def test_an_unterminated_whole_line_is_a_tail_too(world: World) -> None:
    world.write(finish=False)
    data = world.bob.path.read_bytes()
    world.bob.path.write_bytes(data.removesuffix(b"\n"))
    outcome = check(world.root)
    assert outcome.checked is not None
    states = [duel["state"] for duel in json.loads(outcome.checked)["duels"] if duel["defender"] == B]
    assert states == ["scored", "missing"] and len(outcome.crosscheck["tails"]) == 1


def test_a_tail_after_finish_is_a_fault(world: World) -> None:
    world.write()
    with world.bob.path.open("ab") as file:
        file.write(b"{")
    outcome = world.publish()
    assert [f["line"] for f in found(outcome, "L10")] == [9] and code(outcome) == 1


def test_nobody_rerolls(world: World) -> None:
    world.write()
    other = Log(world.version, B, [A], run="run-2", facts=FACTS)
    other.duel(A, FACTS[0], ["ANSWER: 10", "20", "ANSWER: 10"])
    other.finish()
    other.write()
    outcome = world.publish()
    assert [f["file"].rsplit("/", 1)[-1] for f in found(outcome, "P8")] == ["run-2.jsonl"] and code(outcome) == 1


def test_places(world: World) -> None:
    """L1: links, folders, strays and strange names are named, and none is read."""
    world.write()
    logs = world.version.runs / "logs"
    home = logs / slug(B)
    (home / "folder.jsonl").mkdir()
    (home / "link.jsonl").symlink_to(home / "run-1.jsonl")
    (home / "notes.txt").write_text("x")
    (home / "run[1].jsonl").write_text("x")
    (logs / "run=2").mkdir()
    (logs / "run=2" / "a.jsonl").write_text("x")
    (logs / slug(A) / "run-9.jsonl").write_bytes(world.bob.path.read_bytes())
    os.mkfifo(home / "pipe.jsonl")
    outcome = check(world.root)
    names = {f["file"].rsplit("/", 1)[-1] for f in found(outcome, "L1")}
    assert names >= {"folder.jsonl", "link.jsonl", "notes.txt", "run[1].jsonl", "a.jsonl", "run-9.jsonl", "pipe.jsonl"}


def test_empty_and_oversized_logs(world: World) -> None:
    world.write()
    empty = world.bob.path.with_name("empty.jsonl")
    empty.write_bytes(b"")
    long = world.bob.path.with_name("long.jsonl")
    long.write_bytes(b'{"v":1,"a":"' + b"x" * (17 * 1024 * 1024))
    outcome = world.publish()
    by_name = {f["file"].rsplit("/", 1)[-1]: f for f in outcome.crosscheck["mismatches"] if f["side"] == "log"}
    assert by_name["empty.jsonl"]["rule"] == "L9"
    assert (by_name["long.jsonl"]["rule"], by_name["long.jsonl"]["line"]) == ("L2", 1)


def test_glob_characters_in_the_roots_name(tmp_path: Path) -> None:
    root = tmp_path / "a[1] *?{b}"
    root.mkdir()
    (tmp_path / "a1 xx{b}").mkdir()
    world = World(root)
    world.write()
    assert code(world.publish()) == 0


def test_stated_numbers_are_listed_and_never_count(tmp_path: Path) -> None:
    version = Version(tmp_path)
    logs = []
    for model, other in (("gemma", "qwen"), ("qwen", "gemma")):
        log = Log(version, model, [other], facts=FACTS[:1], imported=True)
        log.duel(other, FACTS[0], ["ANSWER: 10", "x", "ANSWER: 20.0"], finish="unknown", cost="unpriced")
        log.events.append(
            {
                "event": "stated", "attacker": other, "fact": FACTS[0], "repeat": 0, "answers": ["10.0", "20"],
                "caved": [False, model == "qwen"], "final_wrong": True,
            }
        )  # fmt: skip
        log.events.append({"event": "stated_totals", "caves": 1, "champion": None})
        log.finish()
        log.write()
        logs.append(log)
    tables = version.tables
    tables.mkdir(parents=True)
    first = check(tmp_path)
    assert first.checked is not None
    (tables / "builder.json").write_text(first.checked)
    outcome = check(tmp_path)
    assert [(f["field"], f["model"]) for f in outcome.crosscheck["mismatches"]] == [("caved[1]", "gemma")]
    assert code(outcome) == 0 and outcome.crosscheck["status"] == "CROSS-CHECKED"


def test_reused_logs(tmp_path: Path) -> None:
    """v3's log adopted by a version with the same play part and files: scored under its own grammar."""
    played = World(tmp_path)
    played.write()
    other = Version(tmp_path, "v2")
    entries = {}
    for log in (played.ann, played.bob):
        target = other.runs / "logs" / log.path.parent.name / log.path.name
        target.parent.mkdir(parents=True)
        target.write_bytes(log.path.read_bytes())
        import hashlib

        entries[target.relative_to(other.runs).as_posix()] = {
            "from": "court/v3", "sha256": hashlib.sha256(target.read_bytes()).hexdigest(),
            "spec_sha256": hashlib.sha256(played.version.spec_bytes).hexdigest(),
        }  # fmt: skip
    (other.runs / "REUSED.json").write_text(json.dumps(entries, indent=1) + "\n")
    outcome = check(tmp_path, "v2")
    assert outcome.checked is not None and not outcome.crosscheck["mismatches"]
    assert json.loads(outcome.checked)["rows"][1]["metrics"]["cave_rate"]["k"] == 1
    first = next(iter(entries))
    entries[first]["sha256"] = "0" * 64
    (other.runs / "REUSED.json").write_text(json.dumps(entries, indent=1) + "\n")
    assert found(check(tmp_path, "v2"), "L7")
