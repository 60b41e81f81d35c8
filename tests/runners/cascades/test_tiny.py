"""Games small enough to verify on paper give the tables that the paper gives (tests/fixtures/cascades/tiny)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from runners.cascades.logs import read_logs
from runners.cascades.metrics import compute
from runners.cascades.replay import replay
from runners.cascades.version import load_cascades

TINY = Path(__file__).parents[2] / "fixtures/cascades/tiny"
EXPECTED: dict[str, Any] = json.loads((TINY / "expected.json").read_bytes())


def test_the_tables_of_the_paper() -> None:
    spec = load_cascades(TINY, "tiny")
    numbers = compute(spec, read_logs(spec))
    for name in ("games", "slots"):
        for expected, found in zip(EXPECTED[name], numbers[name], strict=name == "games"):
            assert {key: found[key] for key in expected} == expected
    row = numbers["rows"][0]
    assert row["ledger"] == EXPECTED["ledger"]
    for metric, (k, n) in EXPECTED["rates"].items():
        assert (row["metrics"][metric]["k"], row["metrics"][metric]["n"]) == (k, n)
    for metric, value in EXPECTED["means"].items():
        assert row["metrics"][metric]["value"] == value
        assert row["metrics"][metric]["lo"] == row["metrics"][metric]["hi"] == value  # one game: nothing to resample
    assert numbers["totals"]["extremes"] == [[0, 0, 10_000]]


def test_the_games_replay() -> None:
    spec = load_cascades(TINY, "tiny")
    for log in read_logs(spec):
        assert replay(spec, log) == len(log.lines)
