"""The benchmarks that have pages; another one is added here with its reader and its pages."""

from leaderboard.cascades.kit import CASCADES
from leaderboard.court.kit import COURT
from leaderboard.kit import Benchmark

BENCHMARKS: tuple[Benchmark, ...] = (COURT, CASCADES)
