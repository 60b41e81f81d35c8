"""Bombs in the checker's place: each ends as "could not check" (2), leaves no process behind, and its parent lives."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from attacks.stage import actor
from attacks.world import give, public_folder

from checker.limits import Limits

READY = "import os, sys; print('countersign-checker 1', flush=True)\n"
FOR_EVER = "while True: pass"
REGEX = "import re; re.match('(a+)+$', 'a' * 60 + 'b')"
CROSS_JOIN = """
import duckdb
duckdb.sql("SELECT sum(a.range * b.range) FROM range(10000000) AS a, range(10000000) AS b").fetchall()
"""
PROCESSES = """
import time
for _ in range(3000):
    if os.fork() == 0:
        time.sleep(30)
        os._exit(0)
"""
THREADS = """
import threading, time
threading.stack_size(32768)
for _ in range(3000):
    threading.Thread(target=time.sleep, args=(30,), daemon=True).start()
time.sleep(30)
"""
MEMORY = "held = []\nwhile True: held.append(bytearray(1 << 24))"
THREADS_OF_MEMORY = """
import threading
def fill(held):
    while True: held.append(bytearray(1 << 24))
for _ in range(8): threading.Thread(target=fill, args=([],)).start()
"""
DESCRIPTORS = "while True: os.dup(0)"
DISK = "open('/tmp/full', 'wb').write(b'0' * (1 << 30))"
TALK = "while True: sys.stdout.write('x' * 65536)"
COMPLAIN = "while True: sys.stderr.write('x' * 65536)"
SLEEP = "import time; time.sleep(60)"
SILENT = "import time; os.close(1); os.close(2); time.sleep(60)"
STOP = "import signal; os.kill(os.getpid(), signal.SIGSTOP)"
DEAF = (
    "import signal; [signal.signal(s, signal.SIG_IGN) for s in range(1, 32) if s not in (9, 17, 19)]\nwhile True: pass"
)
KILL_ALL = "import signal; os.kill(-1, 9)"
KILL_FIRST = "import signal; os.kill(1, 9); os.kill(1, 15); os.kill(os.getpid(), 9)"
LATE = "print('[]', flush=True); sys.exit(1)"

#: name, program, limits, what the complaint says
CASES = [
    ("processes", PROCESSES, {}, "Operation not permitted"),
    ("threads", THREADS, {"tasks": 100}, "more than 100 processes and threads|can't start new thread"),
    ("memory", MEMORY, {"address_space": 1 << 28}, "MemoryError"),
    ("memory by threads", THREADS_OF_MEMORY, {"address_space": 1 << 28}, "MemoryError|signal|can't start new thread"),
    ("descriptors", DESCRIPTORS, {}, "Too many open files"),
    ("disk", DISK, {}, "not permitted"),
    ("everybody", KILL_ALL, {}, "No such process"),
    ("the first process", KILL_FIRST, {}, "signal 9"),
    ("a loop", FOR_EVER, {"cpu_seconds": 1}, "signal (9|24)"),
    ("a loop that hears no signal", DEAF, {"cpu_seconds": 1}, "signal 9"),
    ("a regular expression", REGEX, {"wall_clock": 0.5}, "longer than 0.5 seconds"),
    ("a cross join", CROSS_JOIN, {"wall_clock": 1.5}, "longer than 1.5 seconds"),
    ("sleep", SLEEP, {"wall_clock": 0.5}, "longer than 0.5 seconds"),
    ("sleep without pipes", SILENT, {"wall_clock": 0.5}, "longer than 0.5 seconds"),
    ("a stopped process", STOP, {"wall_clock": 0.5}, "longer than 0.5 seconds"),
    ("a long answer", TALK, {"answer": 1 << 20}, "said more than 1048576 bytes"),
    ("a long complaint", COMPLAIN, {}, "said more than 1048576 bytes"),
    ("an answer before code 1", LATE, {}, "ended with code 1"),
]
#: The kernel treats root otherwise in these, so that they are run as both at any time; the rest as root is `long`.
OF_BOTH = {"processes", "threads", "memory"}
ALL = [
    pytest.param(user, *case, id=f"{case[0]}-{user}",
                 marks=[] if user == "ordinary" or case[0] in OF_BOTH else pytest.mark.long)
    for case in CASES
    for user in ("root", "ordinary")
]  # fmt: skip


@pytest.fixture(scope="module")
def root() -> Iterator[Path]:
    with public_folder() as place:
        (place / "runs" / "court" / "v3").mkdir(parents=True)
        yield place


@pytest.mark.parametrize(("user", "name", "program", "limits", "expected"), ALL)
def test_a_bomb(user: str, name: str, program: str, limits: dict[str, Any], expected: str, root: Path) -> None:
    who = actor(user)
    give(root, who)
    mark = f"# {uuid.uuid4()}\n"
    done = who.run("check", root, program=mark + READY + program, limits=limits, arguments=["--root", str(root)])
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("countersign-check: could not check: the checking process ")
    assert len(done.stderr.splitlines()) == 1
    assert re.search(expected, done.stderr), done.stderr
    assert gone(mark)


def gone(mark: str) -> bool:
    """Whether every process whose command has the mark ends within a moment."""
    for _ in range(40):
        if not any(mark.strip().encode() in commandline(path) for path in Path("/proc").glob("[0-9]*/cmdline")):
            return True
        time.sleep(0.05)
    return False


def commandline(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_limits_go_to_the_other_side_as_text() -> None:
    limits = replace(Limits(), tasks=7, wall_clock=1.5)
    assert eval(repr(limits), {"Limits": Limits}) == limits
