"""The benchmarks that this checker knows."""

from __future__ import annotations

from typing import Final

from checker.benchmark import Benchmark
from checker.cascades.game import Cascades
from checker.court.game import Court

BENCHMARKS: Final[dict[str, Benchmark]] = {"court": Court(), "cascades": Cascades()}
