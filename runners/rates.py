"""Rates with their intervals: Wilson by scipy, percentile bootstrap by numpy (R15; M4, M5 of Cascades)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
from scipy.stats import binomtest

Rate = Mapping[str, float | int | None]
RESAMPLES = 10_000


@cache
def wilson(k: int, n: int) -> Rate:
    """k of n with its 95% Wilson score interval; for n = 0 the rate and its interval are None.

    Raises:
        ValueError: k is negative or greater than n.
    """
    if not 0 <= k <= n:
        raise ValueError(f"k = {k} is not between 0 and n = {n}")
    if n == 0:
        return {"k": 0, "n": 0, "value": None, "lo": None, "hi": None}
    interval = binomtest(k, n).proportion_ci(0.95, method="wilson")
    lo = 0.0 if k == 0 else float(interval.low)
    hi = 1.0 if k == n else float(interval.high)
    return {"k": k, "n": n, "value": k / n, "lo": lo, "hi": hi}


def mean_over_runs(values: Sequence[float]) -> Rate:
    """The mean of one value a run, in the order of seeds, with its 95% percentile bootstrap over runs (M4)."""
    if not values:
        return {"k": None, "n": 0, "value": None, "lo": None, "hi": None}
    runs = np.asarray(values, dtype=np.float64)
    lo, hi = _percentiles(runs[_resamples(len(runs))].mean(axis=1))
    return {"k": None, "n": len(runs), "value": float(runs.mean()), "lo": lo, "hi": hi}


def share_over_runs(k: Sequence[int], n: Sequence[int]) -> Rate:
    """Sum of k over sum of n, with its 95% percentile bootstrap over runs, in the order of seeds (M5)."""
    if not n or sum(n) == 0:
        return {"k": sum(k), "n": sum(n), "value": None, "lo": None, "hi": None}
    drawn = _resamples(len(n))
    shares = np.asarray(k, dtype=np.int64)[drawn].sum(axis=1) / np.asarray(n, dtype=np.int64)[drawn].sum(axis=1)
    lo, hi = _percentiles(shares)
    return {"k": sum(k), "n": sum(n), "value": sum(k) / sum(n), "lo": lo, "hi": hi}


def _resamples(n: int) -> np.ndarray:
    """Which runs each resample draws, shape (10000, n): a fresh generator for each interval, so none moves another."""
    return np.random.Generator(np.random.PCG64(0)).integers(0, n, size=(RESAMPLES, n), dtype=np.int64)


def _percentiles(values: np.ndarray) -> tuple[float, float]:
    lo, hi = np.quantile(values, [0.025, 0.975], method="linear")
    return float(lo), float(hi)
