"""The charts of one team of Cascades: each of its games as a dot."""

from collections.abc import Iterable, Sequence

import altair as alt
from altair.utils.schemapi import debug_mode

from leaderboard.cascades.charts import colour, legend, shape
from leaderboard.cascades.shapes import Game
from leaderboard.charts import TIP, Chart, ChartRow, draw, extremes, rate_figures, rate_tip
from leaderboard.shapes import Rate


@debug_mode(False)
def seeds(
    model: str, games: Iterable[Game], cells: Sequence[str], order: Sequence[int], workers: int, how: str
) -> tuple[Chart, ...]:
    """Draw one team's games as dots: how many workers adopted, and the team's score, by seed."""
    finished = [g for g in games if g.state == "finished"]
    adopted = [
        (g, Rate(g.adopted, workers, g.adopted / workers, None, None)) for g in finished if g.adopted is not None
    ]
    scored = [(g, Rate(None, g.final or 0, g.team_score, None, None)) for g in finished]
    planted = [cell for cell in cells if any(g.cell == cell for g, _ in adopted)]
    return (
        _dots(
            model,
            "chart-seed-adoption",
            "Workers that adopted a plant, by seed",
            "A dot a game.",
            adopted,
            alt.Axis(
                title="Workers",
                values=[n / workers for n in range(workers + 1)],
                labelExpr=f"round(datum.value * {workers})",
            ),
            planted,
            order,
            ("k", "n", "Share"),
            how,
        ),
        _dots(
            model,
            "chart-seed-scores",
            "Team score, by seed",
            "A dot a game: the mean true score of its workers' final submissions. A game without any has no dot.",
            scored,
            alt.Axis(title="Points", tickCount=5),
            cells,
            order,
            ("Submissions", "Points"),
            how,
        ),
    )


def _dots(
    model: str,
    chart_id: str,
    title: str,
    caption: str,
    games: Sequence[tuple[Game, Rate]],
    axis: alt.Axis,
    cells: Sequence[str],
    order: Sequence[int],
    heads: tuple[str, ...],
    how: str,
) -> Chart:
    values = [
        {"seed": g.seed, "cell": g.cell, "value": rate.value, TIP: rate_tip((g.cell, f"seed {g.seed}"), rate)}
        for g, rate in games
        if rate.value is not None
    ]
    top = 1 if heads[0] == "k" else 100
    chart = (
        alt.Chart(alt.NamedData("rows"))
        .mark_point(filled=True, size=75, opacity=1)
        .encode(
            x=alt.X(
                "seed:O", scale=alt.Scale(domain=list(order)), axis=alt.Axis(title="Seed", labelAngle=0, grid=False)
            ),
            xOffset=alt.XOffset("cell:N", sort=list(cells), scale=alt.Scale(domain=list(cells))),
            y=alt.Y("value:Q", scale=alt.Scale(domain=[0, top]), axis=axis),
            color=colour(cells),
            shape=shape(cells),
        )
        .properties(width=alt.Step(12), height=130)
    )
    full = [pair for pair in games if pair[1].value is not None]
    says = extremes(
        "games", title.split(",")[0].lower(), full, lambda p: f"{p[0].cell}, seed {p[0].seed}", lambda p: p[1]
    )
    return Chart(
        id=chart_id,
        title=title,
        caption=f"{caption} {legend(cells)}",
        drawing=draw(chart, values, chart_id, f"{title}: {model}", says),
        heads=("Cell", "Seed", *heads),
        keys=2,
        rows=tuple(ChartRow((g.cell, str(g.seed)), rate_figures(rate, heads)) for g, rate in games),
        how=how,
    )
