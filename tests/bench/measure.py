"""How a measurement is taken: wall time and peak memory of a process of its own, so that one does not warm another."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Measured:
    """Wall seconds, peak resident memory in MiB (the largest process of the tree), exit code and standard output."""

    seconds: float
    mib: float
    code: int
    printed: str


def run(command: Sequence[str], repeats: int = 1) -> Measured:
    """The fastest of `repeats` runs of a command, after which its output is that of the last run."""
    best: Measured | None = None
    for _ in range(repeats):
        began = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert process.stdout
        printed = process.stdout.read().decode(errors="replace")
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        found = Measured(time.perf_counter() - began, usage.ru_maxrss / 1024, process.returncode, printed)
        best = found if best is None or found.seconds < best.seconds else best
    assert best
    return best


def python(code: str, *arguments: str, repeats: int = 1) -> Measured:
    """Run Python code in a fresh interpreter; raises if it fails."""
    found = run([sys.executable, "-c", code, *arguments], repeats)
    if found.code:
        raise SystemExit(found.printed)
    return found


def machine() -> str:
    """What this was measured on."""
    model = next(
        (line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")), "?"
    )
    memory = next((int(line.split()[1]) // 2**20 for line in _lines("/proc/meminfo") if "MemTotal" in line), 0)
    return f"{os.cpu_count()} x {model}, {memory} GiB, Python {platform.python_version()}, {platform.system()}"


def _lines(path: str) -> list[str]:
    file = Path(path)
    return file.read_text().splitlines() if file.exists() else []
