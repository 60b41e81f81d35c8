"""M4: the seeded resample indices of the bootstrap, the one thing that SQL does not draw."""

from __future__ import annotations

from collections.abc import Sequence

from checker.cascades.spec import BOOTSTRAP
from checker.engine import Engine


def indices(n: int) -> list[list[int]]:
    """For each resample of n games the places (from 0) that it draws; a fresh generator for each n."""
    import numpy as np  # only here: Court of Facts is checked without numpy

    size = (BOOTSTRAP["resamples"], n)
    drawn = np.random.Generator(np.random.PCG64(BOOTSTRAP["seed"])).integers(0, n, size=size, dtype=np.int64)
    found: list[list[int]] = drawn.tolist()
    return found


def draw(engine: Engine, sizes: Sequence[int]) -> None:
    """The table `resamples`: one row per number of games n and resample, with its places (from 0)."""
    engine.run("CREATE TABLE resamples (n BIGINT, picks BIGINT[])")
    for n in sizes:
        # As text: DuckDB casts it in a third of the time that it takes to walk through Python's lists.
        engine.run("INSERT INTO resamples SELECT ?, unnest(?::BIGINT[][])", [n, str(indices(n))])
