"""A stretch of fuzzing, reproducible by its seed, with a watchdog for each check."""

from __future__ import annotations

import contextlib
import faulthandler
import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from tests.fuzz.lines import Report, fuzz_lines
from tests.fuzz.worlds import fuzz_world, templates

#: Seconds that one check (some thousands of lines, or one world) may take before the process is ended as hanging.
LIMIT: Final = 300


@contextlib.contextmanager
def watched(what: str) -> Iterator[Path]:
    """A folder for one check; the process ends with every thread's stack where it takes longer than LIMIT."""
    faulthandler.dump_traceback_later(LIMIT, exit=True)
    try:
        with tempfile.TemporaryDirectory(prefix=f"countersign-fuzz-{what}-", ignore_cleanup_errors=True) as folder:
            yield Path(folder)
    finally:
        faulthandler.cancel_dump_traceback_later()


def fuzz(inputs: int, worlds: int, seed: int, progress: Callable[[int, int], None] = lambda *_: None) -> Report:
    """At least `inputs` altered lines of both benchmarks in turn, then `worlds` altered versions."""
    report, batch = Report(), 0
    while report.inputs < inputs:
        benchmark = ("court", "cascades")[batch % 2]
        with watched(f"{seed}-{batch}") as folder:
            report.add(fuzz_lines(benchmark, random.Random(f"{seed} lines {batch}"), folder))
        batch += 1
        progress(report.inputs, len(report.disagreements))
    with tempfile.TemporaryDirectory(prefix="countersign-fuzz-") as made:
        sources = templates(Path(made)) if worlds else []
        for number in range(worlds):
            chance = random.Random(f"{seed} world {number}")
            with watched(f"{seed}-world-{number}") as folder:
                report.add(fuzz_world(chance.choice(sources), chance, folder))
            progress(report.inputs, len(report.disagreements))
    return report
