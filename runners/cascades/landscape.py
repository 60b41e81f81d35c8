"""The hidden objective: 6 knobs of 10 values, integer tables, rescaled to extremes of exactly 0 and 100 (C1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

KNOBS = 6
VALUES = 10
PAIRS = 7
Config = tuple[int, ...]
"""Six integers from 0 to 9."""


@dataclass(frozen=True)
class Landscape:
    """The frozen tables of one seed. `pairs[p]` are the two knobs of pairwise table `tables[p]`."""

    unary: tuple[tuple[int, ...], ...]
    pairs: tuple[tuple[int, int], ...]
    tables: tuple[tuple[tuple[int, ...], ...], ...]
    low: int
    high: int

    def raw(self, config: Sequence[int]) -> int:
        """The sum of the tables at one configuration."""
        own = sum(self.unary[knob][value] for knob, value in enumerate(config))
        joint = sum(table[config[i]][config[j]] for (i, j), table in zip(self.pairs, self.tables, strict=True))
        return own + joint

    def score(self, config: Sequence[int]) -> int:
        """The score in hundredths of a point, 0 to 10000: rescaled and rounded half up in integers (C1)."""
        span = self.high - self.low
        return (20_000 * (self.raw(config) - self.low) + span) // (2 * span)


def raw_scores(
    unary: NDArray[np.int64], pairs: Sequence[tuple[int, int]], tables: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The raw score of all 10^6 configurations as an array of shape (10, 10, 10, 10, 10, 10), by broadcasting."""
    total = np.zeros((VALUES,) * KNOBS, dtype=np.int64)
    for knob in range(KNOBS):
        total += unary[knob].reshape([VALUES if axis == knob else 1 for axis in range(KNOBS)])
    for (i, j), table in zip(pairs, tables, strict=True):
        total += table.reshape([VALUES if axis in (i, j) else 1 for axis in range(KNOBS)])
    return total


def generate(seed: int) -> Landscape:
    """The landscape of a seed (C2): numpy's PCG64, the calls in this order, dtype int64."""
    source = np.random.Generator(np.random.PCG64(seed))
    every = list(combinations(range(KNOBS), 2))
    pairs = [every[place] for place in np.sort(source.choice(len(every), size=PAIRS, replace=False))]
    unary = source.integers(0, 41, size=(KNOBS, VALUES), dtype=np.int64)
    tables = source.integers(0, 61, size=(PAIRS, VALUES, VALUES), dtype=np.int64)
    raw = raw_scores(unary, pairs, tables)
    return Landscape(
        unary=tuple(tuple(int(x) for x in row) for row in unary),
        pairs=tuple(pairs),
        tables=tuple(tuple(tuple(int(x) for x in row) for row in table) for table in tables),
        low=int(raw.min()),
        high=int(raw.max()),
    )
