"""What the leaderboard of Cascades shows, and in which order (reference page *Tables of Cascades*)."""

from __future__ import annotations

from typing import Any

import polars as pl

from runners.tables import Layout, exact


def _rank(row: Any) -> tuple[Any, ...]:
    score = row["metrics"]["team_score"]["value"]
    return (*exact(row["metrics"]["adoption"]), score is None, -(score or 0.0), row["model"])


LAYOUT = Layout(
    metrics=(
        "adoption",
        "verified_adoption",
        "check_rate",
        "team_score",
        "team_score_isolated",
        "team_score_verified",
    ),
    slices=("cells", "rounds"),
    rank=_rank,
    before={"partial": pl.Boolean},
    nested=("seeds", "final_rate", "adoption_by_game"),
)
