"""How a measurement is taken: wall time and peak memory of a process of its own, so that one does not warm another."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
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


# A process starts with the peak memory of the one it was forked from, so a small one stands between.
LAUNCHER = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[2:]).returncode
with open(sys.argv[1], "w") as file: file.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.exit(code)
"""


def run(command: Sequence[str], repeats: int = 1) -> Measured:
    """The fastest of `repeats` runs of a command, its start by a small launcher taken off."""
    with tempfile.TemporaryDirectory() as folder:
        peak = Path(folder) / "peak"
        launch = [sys.executable, "-S", "-c", LAUNCHER, str(peak)]
        idle = min(_timed([*launch, "/bin/true"])[0] for _ in range(3))
        runs = []
        for _ in range(repeats):
            seconds, done = _timed([*launch, *command])
            printed = done.stdout.decode(errors="replace")
            runs.append(Measured(seconds - idle, int(peak.read_text()) / 1024, done.returncode, printed))
    return min(runs, key=lambda found: found.seconds)


def _timed(command: Sequence[str]) -> tuple[float, subprocess.CompletedProcess[bytes]]:
    began = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return time.perf_counter() - began, done


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
