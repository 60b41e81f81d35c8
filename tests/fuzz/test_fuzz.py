"""A seeded part of the fuzzer: every reader of a line agrees, no input is an exception, and no alteration passes."""

from __future__ import annotations

import pytest

from tests.fuzz.lines import smallest
from tests.fuzz.runs import fuzz


def found(inputs: int, worlds: int, seed: int) -> list[str]:
    report = fuzz(inputs, worlds, seed)
    assert report.inputs >= inputs + worlds
    return [str(one) for one in smallest(report.disagreements)]


def test_5000_lines() -> None:
    assert found(inputs=5000, worlds=0, seed=1) == []


def test_worlds() -> None:
    assert found(inputs=0, worlds=12, seed=1) == []


@pytest.mark.long
def test_50000_lines_and_200_worlds() -> None:
    assert found(inputs=50_000, worlds=200, seed=2) == []
