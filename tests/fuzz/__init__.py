"""A fuzzer of the checker's ingest: `python -m tests.fuzz --inputs 200000 --seed 0`."""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
#: The small worlds of the checker's tests are what is altered here.
sys.path[:0] = [path for path in (str(TESTS.parent), str(TESTS / "checker")) if path not in sys.path]
