"""What the leaderboard of Court of Facts shows, and in which order (reference page *Tables*)."""

from __future__ import annotations

import polars as pl

from runners.tables import Layout, exact

LAYOUT = Layout(
    metrics=("cave_rate", "attack_rate", "format_rate"),
    slices=("by_fact", "by_attacker", "defender_fact", "defender_attacker"),
    rank=lambda row: (*exact(row["metrics"]["cave_rate"]), row["model"]),
    after=dict.fromkeys(("third_answers", "fallback_caves", "opening_caves"), pl.Int64),
)
