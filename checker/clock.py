"""What a check took: seconds by step, and memory.  None of it enters a number, a finding or crosscheck.json."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from checker.engine import THREADS


class Clock:
    """Adds up wall time by step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Count what happens inside towards a step."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start

    def machine(self) -> dict[str, Any]:
        """The `machine` object of run.json; the memory is the process's greatest so far, in bytes."""
        return {
            "seconds": {name: round(value, 6) for name, value in self.seconds.items()},
            "peak_memory_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
            "threads": THREADS,
        }
