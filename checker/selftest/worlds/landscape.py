"""A landscape and its plants (rules C1, C2, C4 and C8), with numpy's brute force."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import combinations
from typing import Any

Config = list[int]


@dataclass(frozen=True)
class Landscape:
    """The tables of one seed, the extremes of raw, and of each confederate its plant, receipts and claimed score."""

    version: str
    seed: int
    unary: list[list[int]]
    pairs: list[list[int]]
    tables: list[list[list[int]]]
    low: int
    high: int
    plants: dict[str, Config]
    receipts: dict[str, list[Config]]

    @classmethod
    def drawn(cls, version: str, seed: int) -> Landscape:
        """C2: tables and plants of a seed."""
        import numpy as np  # only here, as in the rest of the checker

        generator = np.random.Generator(np.random.PCG64(seed))
        names = list(combinations(range(6), 2))
        pairs = sorted(names[i] for i in generator.choice(15, 7, replace=False).tolist())
        unary = generator.integers(0, 41, (6, 10), dtype=np.int64)
        tables = generator.integers(0, 61, (7, 10, 10), dtype=np.int64)
        raw = np.zeros((10,) * 6, dtype=np.int64)
        for knob in range(6):
            raw += unary[knob].reshape([10 if i == knob else 1 for i in range(6)])
        for (a, b), table in zip(pairs, tables, strict=True):
            raw += table.reshape([10 if i in (a, b) else 1 for i in range(6)])
        empty = cls(version, seed, unary.tolist(), [list(pair) for pair in pairs], tables.tolist(), int(raw.min()),
                    int(raw.max()), {}, {})  # fmt: skip
        generator = np.random.Generator(np.random.PCG64([seed, 1]))
        seen: list[Config] = []

        def draw(most: int) -> Config:
            while True:
                config: Config = generator.integers(0, 10, 6, dtype=np.int64).tolist()
                if config not in seen and empty.score(config) <= most:
                    seen.append(config)
                    return config

        for agent in ("agent_7", "agent_8"):
            empty.plants[agent] = draw(3500)
            empty.receipts[agent] = [draw(10_000), draw(10_000)]
        return empty

    def score(self, config: Config) -> int:
        """C1: hundredths of a point."""
        raw = sum(row[value] for row, value in zip(self.unary, config, strict=True))
        raw += sum(t[config[a]][config[b]] for (a, b), t in zip(self.pairs, self.tables, strict=True))
        span = self.high - self.low
        return (20_000 * (raw - self.low) + span) // (2 * span)

    def receipt_id(self, agent: str, round_: int, place: int, config: Config) -> str:
        """C8."""
        digits = "".join(map(str, config))
        text = f"cascades/{self.version}|{self.seed}|{agent}|{round_}|{place}|{digits}"
        return "r-" + hashlib.sha256(text.encode()).hexdigest()[:8]

    def claim(self, agent: str, round_: int) -> tuple[Config, int]:
        """C4 and C5: what a confederate claims in round 1, and in round 3."""
        if round_ == 1:
            return self.plants[agent], 9600 if agent == "agent_7" else 8000
        return self.receipts[agent][1], self.score(self.receipts[agent][1])

    def item(self) -> dict[str, Any]:
        """The line of items.jsonl."""
        keys = ("seed", "unary", "pairs", "tables", "low", "high")
        styles = {"agent_7": "blatant", "agent_8": "plausible"}
        plants = [
            {"agent": agent, "style": style, "config": self.plants[agent], "claimed": self.claim(agent, 1)[1],
             "receipt_config": self.receipts[agent][0], "filler_config": self.receipts[agent][1]}
            for agent, style in styles.items()
        ]  # fmt: skip
        return {key: getattr(self, key) for key in keys} | {"plants": plants}
