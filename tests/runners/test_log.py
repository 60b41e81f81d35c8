"""A log is appended by one writer, a line at a time, and nothing that is wrong with it is read as if it were right."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from runners.errors import LogError, LogLocked
from runners.log import LogWriter, clear_unborn, read_log
from runners.records import Finish, Source, Start, Stated

SPEC = "5" * 64
START = Start(
    benchmark="court",
    version="v9",
    model="m",
    kind="model",
    route="imported",
    settings=None,
    source=Source("imported", None, None, "test"),
    attackers=("a",),
    facts=(),
    repeats=1,
)


def a_log(folder: Path, finish: bool = True) -> Path:
    path = folder / "logs" / "m" / "run-1.jsonl"
    writer = LogWriter(path, SPEC)
    writer.append(START)
    writer.append(Stated("a", "f", 0, ("1",), (False,), False))
    if finish:
        writer.append(Finish(2, 0))
    writer.close()
    return path


def rules(path: Path) -> set[str]:
    with pytest.raises(LogError) as caught:
        read_log(path, SPEC)
    for finding in caught.value.findings:
        assert finding.file == str(path)
    return {finding.rule for finding in caught.value.findings}


def test_lines_are_chained_from_the_spec(tmp_path: Path) -> None:
    path = a_log(tmp_path)
    lines = path.read_bytes().splitlines()
    log = read_log(path, SPEC)
    assert [line.seq for line in log.lines] == [0, 1, 2]
    assert [line.prev for line in log.lines] == [SPEC, *(hashlib.sha256(x).hexdigest() for x in lines[:2])]
    assert log.finished
    assert path.read_bytes().endswith(b"\n")


def test_a_second_writer_is_kept_out(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "m" / "run-1.jsonl"
    writer = LogWriter(path, SPEC)
    with pytest.raises(LogLocked, match="another process"):
        LogWriter(path, SPEC)
    writer.close()
    LogWriter(path, SPEC).close()


def test_a_torn_tail_is_set_aside_and_the_log_goes_on(tmp_path: Path) -> None:
    path = a_log(tmp_path, finish=False)
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"v":1,"run":"run-1","se')
    assert read_log(path, SPEC).tail == b'{"v":1,"run":"run-1","se'
    writer = LogWriter(path, SPEC)
    writer.append(Finish(2, 0))
    writer.close()
    assert path.read_bytes().startswith(whole)
    assert [kept.read_bytes() for kept in (tmp_path / "torn" / "m").iterdir()] == [b'{"v":1,"run":"run-1","se']
    assert read_log(path, SPEC).finished


def test_an_unterminated_last_line_does_not_count_even_if_it_parses(tmp_path: Path) -> None:
    path = a_log(tmp_path, finish=False)
    path.write_bytes(path.read_bytes()[:-1])
    log = read_log(path, SPEC)
    assert len(log.lines) == 1
    assert log.tail


def test_after_finish_nothing_is_accepted(tmp_path: Path) -> None:
    path = a_log(tmp_path)
    writer = LogWriter(path, SPEC)
    with pytest.raises(LogError, match="L9"):
        writer.append(Finish(3, 0))
    writer.close()
    path.write_bytes(path.read_bytes() + b"{")
    assert rules(path) == {"L10"}


def test_every_finding_is_told(tmp_path: Path) -> None:
    path = a_log(tmp_path)
    first, _, third = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + b"garbage\n" + third.replace(b'"lines":2', b'"lines":"2"'))
    with pytest.raises(LogError) as caught:
        read_log(path, SPEC)
    assert [finding.line for finding in caught.value.findings] == [2, 3]


Alter = Callable[[bytes, bytes, bytes], bytes]


@pytest.mark.parametrize(
    ("alter", "expected"),
    [
        (lambda a, b, c: a + a + b + c, {"L6", "L7", "L9"}),
        (lambda a, b, c: a + c, {"L6", "L7"}),
        (lambda a, b, c: a + c + b, {"L6", "L7", "L9"}),
        (lambda a, b, c: b + c, {"L6", "L7", "L9"}),
        (lambda a, b, c: a.replace(b"imported", b"Imported") + b + c, {"L5", "L7"}),
        (lambda a, b, c: a.replace(b'"version":"v9"', b'"version":"v8"') + b + c, {"L7"}),
        (lambda a, b, c: a + b"\n" + b + c, {"L2", "L6", "L7"}),
        (lambda a, b, c: a.replace(b"\n", b"\r\n") + b + c, {"L2", "L7"}),
        (lambda a, b, c: a + b[:40] + c, {"L2"}),
        (lambda a, b, c: a + b.replace(b'"run":"run-1"', b'"run":"run-2"') + c, {"L1", "L7"}),
        (lambda a, b, c: b"", {"L9"}),
    ],
)
def test_damage_in_the_middle_is_never_tolerated(tmp_path: Path, alter: Alter, expected: set[str]) -> None:
    path = a_log(tmp_path)
    path.write_bytes(alter(*path.read_bytes().splitlines(keepends=True)))
    # Lines that change places may also run back in time, if a millisecond passed between them.
    assert rules(path) - {"L8"} == expected


def test_the_wrong_spec_is_named(tmp_path: Path) -> None:
    path = a_log(tmp_path)
    with pytest.raises(LogError, match=f"prev {'6' * 64}"):
        read_log(path, "6" * 64)


def test_a_link_is_refused(tmp_path: Path) -> None:
    path = a_log(tmp_path)
    link = path.with_name("run-2.jsonl")
    link.symlink_to(path)
    with pytest.raises(LogError, match="L1"):
        read_log(link, SPEC)


def test_a_full_disk_leaves_no_half_line(tmp_path: Path) -> None:
    """The file size limit makes write() return short, as a full disk does."""
    path = a_log(tmp_path, finish=False)
    before = path.read_bytes()
    script = f"""
import resource, signal, sys
from pathlib import Path
from runners.log import clear_unborn, LogWriter
from runners.records import Stated
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
writer = LogWriter(Path({str(path)!r}), {SPEC!r})
resource.setrlimit(resource.RLIMIT_FSIZE, ({len(before)} + 100, {len(before)} + 100))
try:
    writer.append(Stated("a", "f", 0, ("x" * 1000,), (False,), False))
except OSError:
    sys.exit(7)
"""
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 7
    assert path.read_bytes() == before


def _append_many(path: Path) -> None:
    writer = LogWriter(path, SPEC)
    if not writer.lines:
        writer.append(START)
    for number in range(10_000_000):
        writer.append(Stated("a", str(number), 0, ("x" * (number % 3000),), (False,), False))


@pytest.mark.parametrize("moment", [0.05, 0.11, 0.2])
def test_kill_9_at_any_moment_leaves_a_log_that_resumes(tmp_path: Path, moment: float) -> None:
    path = tmp_path / "logs" / "m" / "run-1.jsonl"
    seen = 0
    for _ in range(3):
        child = multiprocessing.get_context("fork").Process(target=_append_many, args=(path,))
        size = path.stat().st_size if path.exists() else 0
        child.start()
        while not path.exists() or path.stat().st_size <= size:  # a loaded machine may start it late
            time.sleep(0.005)
        time.sleep(moment)
        assert child.pid
        os.kill(child.pid, signal.SIGKILL)
        child.join()
        LogWriter(path, SPEC).close()
        lines = read_log(path, SPEC).lines
        assert len(lines) > seen
        seen = len(lines)


def test_a_secret_never_reaches_a_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "correct-horse-battery")
    path = a_log(tmp_path, finish=False)
    before = path.read_bytes()
    writer = LogWriter(path, SPEC)
    for secret in ("sk-" + "a1B2" * 8, "AKIA" + "ABCDEFGHIJKLMNOP", "xx correct-horse-battery xx"):
        with pytest.raises(LogError) as caught:
            writer.append(Stated("a", "f", 0, (secret,), (False,), False))
        assert secret not in str(caught.value)
    writer.close()
    assert path.read_bytes() == before


@pytest.mark.parametrize("torn", [b"", b'{"v":2,"run":"run-1"'])
def test_a_log_that_a_crash_left_without_a_first_line_is_cleared(tmp_path: Path, torn: bytes) -> None:
    folder = tmp_path / "runs/court/v3/logs/model-00000000"
    folder.mkdir(parents=True)
    unborn, whole = folder / "unborn.jsonl", folder / "whole.jsonl"
    unborn.write_bytes(torn)
    whole.write_bytes(b"{}\n")
    clear_unborn(folder.parent)
    assert not unborn.exists()
    assert whole.read_bytes() == b"{}\n"
    assert [path.read_bytes() for path in (tmp_path / "runs/court/v3/torn").rglob("*.bin")] == ([torn] if torn else [])


def test_a_log_that_another_process_has_just_begun_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "runs/court/v3/logs/model-00000000/run-1.jsonl"
    writer = LogWriter(path, "0" * 64)
    clear_unborn(path.parents[1])
    assert path.exists()
    writer.close()
