"""Bytes that are no log: each is refused by its line and rule, costs no time, and hides no other log."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from checker_logs import REPO
from checker_world import A, check, code, found
from hostile_world import Crowd, Edit, about, is_whole, replaced, statuses

from checker.check import Outcome
from checker.schema import MAX_LINE

DEEP = b"[" * 100_000 + b"]" * 100_000


def inside(new: bytes) -> Edit:
    """Put into the text of line 4, which no other line repeats."""
    return replaced(b"ANSWER: 30", b"ANSWER: 30 " + new)


def fused(line: bytes) -> bytes:
    """The case of a torn line on which a restarted writer goes on: half of it, and all of the next event."""
    return line[:150] + line


#: (what, line, edit, rule)
REFUSED: list[tuple[str, int, Edit, str]] = [
    ("mark-first", 1, lambda line: b"\xef\xbb\xbf" + line, "L2"),
    ("mark-between", 4, lambda line: b"\xef\xbb\xbf" + line, "L2"),
    ("utf-16", 4, lambda line: line.decode().encode("utf-16-le"), "L2"),
    ("nul", 4, inside(b"\0"), "L2"),
    ("nuls-only", 4, lambda line: b"\0" * 512, "L2"),
    ("cr-end", 4, lambda line: line + b"\r", "L2"),
    ("cr-inside", 4, inside(b"\r"), "L2"),
    ("overlong-nul", 4, inside(b"\xc0\x80"), "L2"),
    ("overlong-2", 4, inside(b"\xc1\xbf"), "L2"),
    ("overlong-3", 4, inside(b"\xe0\x80\xaf"), "L2"),
    ("overlong-4", 4, inside(b"\xf0\x80\x80\xaf"), "L2"),
    ("surrogate-bytes", 4, inside(b"\xed\xa0\x80"), "L2"),
    ("surrogate-pair-bytes", 4, inside(b"\xed\xa0\xbd\xed\xb8\x80"), "L2"),
    ("beyond-10ffff", 4, inside(b"\xf4\x90\x80\x80"), "L2"),
    ("five-bytes", 4, inside(b"\xf8\x88\x80\x80\x80"), "L2"),
    ("continuation", 4, inside(b"\x80"), "L2"),
    ("cut-character", 4, lambda line: line + b"\xe2\x82", "L2"),
    ("latin-1", 3, replaced("é".encode(), b"\xe9"), "L2"),
    ("bad-in-start", 1, replaced(b'"test 1"', b'"test \xff"'), "L2"),
    ("bad-in-time", 4, replaced(b'"at":"2026-12-01T', b'"at":"\xff026-12-01T'), "L2"),
    ("escaped-nul", 4, inside(b"\\u0000"), "L2"),
    ("high-escape", 4, inside(b"\\ud800"), "L2"),
    ("low-escape", 4, inside(b"\\udc00"), "L2"),
    ("reversed-pair", 4, inside(b"\\ude00\\ud83d"), "L2"),
    ("escaped-pair", 4, inside(b"\\ud83d\\ude00"), "L3"),
    ("escaped-letter", 4, inside(b"\\u0041"), "L3"),
    ("upper-escape", 4, inside(b"\\u001F"), "L3"),
    ("long-escape", 4, inside(b"\\u000a"), "L3"),
    ("solidus", 4, inside(b"\\/"), "L3"),
    ("python-escape", 4, inside(b"\\x41"), "L3"),
    ("raw-tab", 4, inside(b"\t"), "L3"),
    ("raw-control", 4, inside(b"\x1b"), "L3"),
    ("empty-line", 4, lambda line: b"", "L2"),
    ("blank-line", 4, lambda line: b"   ", "L3"),
    ("null-line", 4, lambda line: b"null", "L3"),
    ("list-line", 4, lambda line: b"[" + line + b"]", "L3"),
    ("empty-object", 4, lambda line: b"{}", "L4"),
    ("comment", 4, lambda line: line + b"//", "L3"),
    ("space-after", 4, lambda line: line + b" ", "L3"),
    ("no-break-space", 4, lambda line: b"\xc2\xa0" + line, "L3"),
    ("two-events", 4, lambda line: line + line, "L3"),
    ("half-and-whole", 4, fused, "L3"),
    ("head-and-tail", 4, lambda line: line[:300] + line[200:], "L3"),
    ("event-as-value", 4, lambda line: line.replace(b'"turn":2', b'"turn":' + line, 1), "L5"),
    ("half-a-line", 4, lambda line: line[: len(line) // 2], "L3"),
    ("deep-lists", 4, replaced(b'"turn":2', b'"turn":' + DEEP), "L3"),
    ("deep-objects", 4, replaced(b'"turn":2', b'"turn":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_000), "L3"),
    ("deep-settings", 4, replaced(b'"settings":{}', b'"settings":{"a":' + DEEP + b"}"), "L3"),
    ("open-lists", 4, lambda line: b"[" * 100_000, "L3"),
    ("deep-start", 1, replaced(b'"settings":{}', b'"settings":{"a":' + DEEP + b"}"), "L3"),
]
#: Characters that look dangerous and are none: every other character stands as itself (L3).
SOUND = (
    "\ufeff", "\u2028\u2029", "\x85", "\x7f\x80", "\uffff\ufffe", "\U0010ffff", "e\u0301", "\u202e", "\b\f\t\r\n\\\"",
)  # fmt: skip


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> tuple[Outcome, Crowd]:
    crowd = Crowd(tmp_path_factory.mktemp("bytes"), len(REFUSED) + len(SOUND))
    for log, text in zip(crowd.logs[len(REFUSED) :], SOUND, strict=True):
        log.events[3]["text"] = text
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
    assert all(is_whole(f) for f in hits)
    json.dumps(outcome.crosscheck, allow_nan=False).encode()  # the report itself can be written


def test_sound_characters_stay(refused: tuple[Outcome, Crowd]) -> None:
    outcome, crowd = refused
    for log, text in zip(crowd.logs[len(REFUSED) :], SOUND, strict=True):
        assert not about(outcome, log.path, crowd.version.root), text


def test_every_broken_log_is_named_and_no_other(refused: tuple[Outcome, Crowd]) -> None:
    outcome, crowd = refused
    named = {f["file"] for f in outcome.crosscheck["mismatches"] if f["side"] == "log"}
    assert named == {
        log.path.relative_to(crowd.version.root).as_posix() for log in crowd.logs[: len(REFUSED)]
    } and code(outcome) == 1  # fmt: skip


def test_a_line_is_torn_anywhere(tmp_path: Path) -> None:
    """A crash leaves any beginning of the last line: set aside with its length, never scored, no fault (L10)."""
    crowd = Crowd(tmp_path, 12)
    for log in crowd.logs:
        del log.events[6:]
    crowd.write()
    lengths = []
    for number, log in enumerate(crowd.logs):
        *lines, last, _ = log.path.read_bytes().split(b"\n")
        kept = last[: 1 + number * (len(last) - 1) // 11]  # the last one is whole, but for its LF
        log.path.write_bytes(b"\n".join([*lines, kept]))
        lengths.append(len(kept))
    outcome = crowd.check()
    assert not outcome.crosscheck["mismatches"] and code(outcome) == 0
    assert [(tail["line"], tail["bytes"]) for tail in outcome.crosscheck["tails"]] == [(6, size) for size in lengths]
    ledgers = [row["ledger"] for row in json.loads(outcome.checked or "")["rows"] if row["model"] != A]
    assert {(ledger["scored"], ledger["missing"]) for ledger in ledgers} == {(1, 1)}
    assert {status for model, status in statuses(outcome).items() if model != A} == {"INCOMPLETE"}


def test_a_torn_line_in_the_middle_is_a_fault(tmp_path: Path) -> None:
    """What follows a torn line was written after a crash: half a line and the next event in one (L3), the gap (L6)."""
    crowd = Crowd(tmp_path, 2)
    crowd.write()
    for log in crowd.logs:
        lines = log.path.read_bytes().split(b"\n")
        torn = [lines[2][:120] + lines[3]] if log is crowd.logs[0] else [lines[2][:120] + b"\0" * 40, lines[3]]
        log.path.write_bytes(b"\n".join([*lines[:2], *torn, *lines[4:]]))
    outcome = crowd.check()
    first, second = (
        {(f["rule"], f["line"]) for f in about(outcome, log.path, tmp_path)} for log in crowd.logs
    )  # fmt: skip
    assert {("L3", 3), ("L6", 4)} <= first and ("L2", 3) in second


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_line_of_100_megabytes(tmp_path: Path, end: bytes) -> None:
    """Refused by its line, in memory that does not grow with it, while the log beside it is checked."""
    crowd = Crowd(tmp_path, 2)
    crowd.write()
    with crowd.logs[0].path.open("r+b") as file:
        for _ in range(7):
            file.readline()
        file.seek(file.tell() - 1)
        for _ in range(100):
            file.write(b"x" * 1_000_000)
        file.write(end)
    script = (
        "import resource, subprocess, sys\n"
        "command = [sys.executable, '-m', 'checker', '--json', '--root', sys.argv[1]]\n"
        "done = subprocess.run(command, capture_output=True)\n"
        "sys.stdout.buffer.write(done.stdout)\n"
        "print('\\n#', done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], cwd=REPO, capture_output=True, text=True, check=True, timeout=300
    )
    text, _, last = done.stdout.rpartition("\n# ")
    exit_code, kilobytes = map(int, last.split())
    hits = about(Outcome(json.loads(text)), crowd.logs[0].path, tmp_path)
    assert ("L2", 7) in {(f["rule"], f["line"]) for f in hits} and exit_code == 2  # there is no builder.json
    assert kilobytes < 1024 * 1024 and f"{MAX_LINE}" in next(f["expected"] for f in hits if f["rule"] == "L2")


def test_ten_logs_broken_in_ten_ways(tmp_path: Path) -> None:
    """One check names them all, however early each is given up."""
    crowd = Crowd(tmp_path, 11)
    crowd.write()
    paths = [log.path for log in crowd.logs]
    paths[0].write_bytes(b"")
    paths[1].write_bytes(b"\xff" * 1000 + b"\n")
    paths[2].write_bytes(b"[" * 100_000 + b"\n")
    paths[3].write_bytes(paths[3].read_bytes() + b"{")
    paths[4].unlink()
    paths[4].mkdir()
    paths[5].write_bytes(b"\n" * 1000)
    paths[6].write_bytes(b'{"v":1}\n')
    paths[7].write_bytes(paths[7].read_bytes() * 2)
    crowd.edit(8, 4, replaced(b'"turn":2', b'"turn":NaN'))
    paths[9].write_bytes(b"PAR1" + bytes(range(256)) * 50)
    outcome = crowd.check()
    named = {f["file"] for f in outcome.crosscheck["mismatches"] if f["side"] == "log"}
    assert named == {path.relative_to(tmp_path).as_posix() for path in paths[:10]} and code(outcome) == 1
    assert not about(outcome, paths[10], tmp_path)
    assert all(is_whole(f) for f in outcome.crosscheck["mismatches"])
    assert found(check(tmp_path), "L9")  # and the same again
