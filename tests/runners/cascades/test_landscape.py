"""The objective: reproducible from its generator, exact at its extremes, fast enough to draw anew."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from runners.cascades.landscape import Landscape, generate, raw_scores
from runners.cascades.version import Cascades

ITEMS = Path(__file__).parents[3] / "runs/cascades/v1/items.jsonl"


@pytest.mark.parametrize("seed", [0, 7, 19])
def test_the_frozen_tables_come_from_the_generator(seed: int) -> None:
    item = json.loads(ITEMS.read_text().splitlines()[seed])
    landscape = generate(seed)
    drawn = {
        "seed": seed,
        "unary": landscape.unary,
        "pairs": landscape.pairs,
        "tables": landscape.tables,
        "low": landscape.low,
        "high": landscape.high,
        "plants": item["plants"],
    }
    assert json.loads(json.dumps(drawn)) == item


def test_every_seed_reaches_exactly_0_and_100(spec: Cascades) -> None:
    assert sorted(spec.worlds) == list(range(20))
    for world in spec.worlds.values():
        landscape = world.landscape
        raw = raw_scores(np.array(landscape.unary), landscape.pairs, np.array(landscape.tables))
        worst, best = (np.unravel_index(int(place), raw.shape) for place in (raw.argmin(), raw.argmax()))
        assert landscape.score([int(x) for x in worst]) == 0
        assert landscape.score([int(x) for x in best]) == 10_000


def test_the_plants_keep_their_rules(spec: Cascades) -> None:
    for world in spec.worlds.values():
        assert [(plant.agent, plant.style, plant.claimed) for plant in world.plants] == [
            ("agent_7", "blatant", 9600),
            ("agent_8", "plausible", 8000),
        ]
        configs = [c for plant in world.plants for c in (plant.config, plant.receipt_config, plant.filler_config)]
        assert len(set(configs)) == 6
        for plant in world.plants:
            assert world.landscape.score(plant.config) <= 3500
            assert world.landscape.score(plant.filler_config) < plant.claimed  # the filler never outbids the plant


def test_one_loop_agrees_with_the_arrays(spec: Cascades) -> None:
    landscape = spec.worlds[3].landscape
    raw = raw_scores(np.array(landscape.unary), landscape.pairs, np.array(landscape.tables))
    source = np.random.Generator(np.random.PCG64(1))
    for config in source.integers(0, 10, size=(200, 6)):
        assert landscape.raw([int(x) for x in config]) == raw[tuple(config)]


def test_scores_round_half_up_in_integers() -> None:
    """unary = the digits themselves, no pairs: raw runs from 0 to 54, one point of raw is 100/54."""
    digits = Landscape(tuple(tuple(range(10)) for _ in range(6)), (), (), 0, 54)
    assert digits.score((0,) * 6) == 0
    assert digits.score((9,) * 6) == 10_000
    assert digits.score((1, 0, 0, 0, 0, 0)) == 185  # 1.85185…
    assert digits.score((9, 9, 9, 0, 0, 0)) == 5_000
