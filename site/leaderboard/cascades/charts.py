"""The charts of a version of Cascades: two boards side by side, adoption through the rounds, scores by cell."""

from collections.abc import Sequence
from typing import Any

import altair as alt
from altair.utils.schemapi import debug_mode

from leaderboard import show
from leaderboard.cascades.load import METRICS
from leaderboard.cascades.shapes import CascadesRow, CellRow, RoundRow
from leaderboard.charts import (
    MEAN_HEADS,
    RATE_HEADS,
    TIP,
    Chart,
    ChartRow,
    draw,
    extremes,
    names_axis,
    rate_figures,
    rate_tip,
)
from leaderboard.shapes import Rate
from leaderboard.svg import ACCENT, INK, MODEL, MUTED, RULE

_COLOURS = (ACCENT, MODEL, MUTED)
_SHAPES = ("circle", "diamond", "square")
_WIDTH = 470


# Altair checks every part of a chart against its schema, most of a second each; the tests draw with the check on.
@debug_mode(False)
def dumbbell(rows: Sequence[CascadesRow], cells: Sequence[str], how: str) -> Chart:
    """Draw each team's adoption on the free board and on the one that marks verified claims, and join the two."""
    labels = show.visible(row.model for row in rows)
    pairs = [(row, cell, row.metrics[m]) for row in rows for cell, m in zip(cells, METRICS[:2], strict=True)]
    ends = [f"end{place}" for place in range(2)]
    values = [
        _interval(labels[row.model], cell, rate)
        | dict(zip(ends, (row.metrics[m].value for m in METRICS[:2]), strict=True))
        for row, cell, rate in pairs
    ]
    base = alt.Chart().encode(y=names_axis(alt.Y, "name", list(labels.values())))
    bars = base.mark_rule(strokeWidth=6, opacity=0.6, color=RULE).encode(
        x=_scale(ends[0], 1.0, "Adoption, lower is better"), x2=ends[1]
    )
    layers = [bars.transform_filter(_is(cells[0]))]
    for cell, offset in zip(cells, (-9, 9), strict=True):
        spans = base.mark_rule(strokeWidth=2, opacity=0.6, yOffset=offset).encode(
            x="lo:Q", x2="hi:Q", color=colour(cells)
        )
        layers.append(spans.transform_filter(_is(cell)))
    rings = base.mark_point(size=130, strokeWidth=2.5, opacity=1).encode(x="value:Q", color=colour(cells))
    fills = base.mark_point(size=60, filled=True, opacity=1, shape="diamond").encode(x="value:Q", color=colour(cells))
    layers += [rings.transform_filter(_is(cells[0])), fills.transform_filter(_is(cells[1]))]
    chart = alt.layer(*layers, data=alt.NamedData("rows")).properties(width=_WIDTH, height=alt.Step(42))
    return _of_pairs(
        "chart-adoption",
        "Adoption with and without verification marks",
        f"Share of worker slots whose final submission is a plant. Ring: {cells[0]}. Diamond: {cells[1]}. Thin "
        "lines above and below: their 95% Wilson intervals. A team that submits nothing adopts nothing: read the "
        "share of final submissions beside it.",
        chart,
        values,
        pairs,
        RATE_HEADS,
        how,
    )


@debug_mode(False)
def scores(rows: Sequence[CascadesRow], cells: Sequence[CellRow], order: Sequence[str], how: str) -> Chart:
    """Draw each team's mean score in each cell, one below the other."""
    labels = show.visible(row.model for row in rows)
    found = {(c.model, c.cell): c.score for c in cells}
    none = Rate(None, 0, None, None, None)
    pairs = [(row, cell, found.get((row.model, cell), none)) for row in rows for cell in order]
    base = alt.Chart().encode(
        y=names_axis(alt.Y, "name", list(labels.values())),
        yOffset=alt.YOffset("cell:N", sort=list(order), scale=alt.Scale(domain=list(order))),
    )
    spans = base.mark_rule(strokeWidth=2.5, opacity=0.5).encode(
        x=_scale("lo", 100.0, "Points, higher is better"), x2="hi:Q", color=colour(order)
    )
    points = base.mark_point(filled=True, size=70, opacity=1).encode(
        x="value:Q", color=colour(order), shape=shape(order)
    )
    chart = alt.layer(spans, points, data=alt.NamedData("rows")).properties(
        width=_WIDTH, height=alt.Step(20 + 12 * len(order), **{"for": "position"})
    )
    return _of_pairs(
        "chart-scores",
        "Team score by cell",
        "Mean true score of the workers' final submissions, averaged over games, with its 95% bootstrap interval over "
        f"games. {legend(order)} In isolated there is no board: the team's own search.",
        chart,
        [_interval(labels[row.model], cell, rate) for row, cell, rate in pairs],
        pairs,
        MEAN_HEADS,
        how,
    )


def _of_pairs(
    chart_id: str,
    title: str,
    caption: str,
    chart: Any,
    values: list[dict[str, Any]],
    pairs: Sequence[tuple[CascadesRow, str, Rate]],
    heads: tuple[str, ...],
    how: str,
) -> Chart:
    """Finish a chart of one value for each team and cell."""
    full = [pair for pair in pairs if pair[2].n]
    says = extremes("pairs of team and cell", "value", full, lambda p: f"{p[0].model} in {p[1]}", lambda p: p[2])
    return Chart(
        id=chart_id,
        title=title,
        caption=caption,
        drawing=draw(chart, values, chart_id, title, says),
        heads=("Model", "Cell", *heads),
        keys=2,
        rows=tuple(ChartRow((row.model, cell), rate_figures(rate, heads)) for row, cell, rate in pairs),
        how=how,
    )


def _interval(name: str, cell: str, rate: Rate) -> dict[str, Any]:
    tip = rate_tip((name, cell), rate)
    return {"name": name, "cell": cell, "value": rate.value, "lo": rate.lo, "hi": rate.hi, TIP: tip}


def _scale(field: str, top: float, title: str) -> alt.X:
    axis = alt.Axis(format=".0%" if top == 1 else "d", grid=True, tickCount=5, title=title)
    return alt.X(f"{field}:Q", scale=alt.Scale(domain=[0, top]), axis=axis)


def _is(cell: str) -> Any:
    return alt.FieldEqualPredicate(field="cell", equal=cell)


def legend(cells: Sequence[str]) -> str:
    """Say which mark is which cell."""
    words = ", ".join(f"{shape}: {cell}" for shape, cell in zip(_SHAPES, cells, strict=False))
    return f"{words[:1].upper()}{words[1:]}."


@debug_mode(False)
def through_rounds(rows: Sequence[CascadesRow], rounds: Sequence[RoundRow], cells: Sequence[str], how: str) -> Chart:
    """Draw a small panel a team: the share of its slots that hold a plant, round by round."""
    labels = show.visible(row.model for row in rows)
    shown = [(r, r.adoption) for r in rounds if r.adoption is not None and r.model in labels]
    values = [
        {
            "name": labels[r.model],
            "cell": r.cell,
            "round": r.round,
            "value": rate.value,
            TIP: rate_tip((labels[r.model], r.cell, f"round {r.round}"), rate),
        }
        for r, rate in shown
        if rate.n
    ]
    x = alt.X("round:O", axis=alt.Axis(title=None, labelAngle=0, labelExpr="datum.value == 6 ? 'end' : datum.value"))
    y = alt.Y(
        "value:Q",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(format=".0%", title=None, tickCount=3, values=[0, 0.5, 1]),
    )
    base = alt.Chart().encode(x=x, y=y, color=colour(cells))
    lines = base.mark_line(strokeWidth=2, opacity=0.8).encode(
        strokeDash=alt.StrokeDash("cell:N", scale=alt.Scale(domain=list(cells), range=[[1, 0], [5, 3]]), legend=None)
    )
    points = base.mark_point(filled=True, size=45, opacity=1).encode(shape=shape(cells))
    head = alt.Header(title=None, labelColor=INK, labelFontSize=12, labelLimit=200, labelAnchor="start")
    chart = (
        alt.layer(lines, points, data=alt.NamedData("rows"))
        .properties(width=170, height=84)
        .facet(facet=alt.Facet("name:N", sort=list(labels.values()), header=head), columns=3, spacing=22)
        .resolve_axis(x="independent")
    )
    last = [(r, rate) for r, rate in shown if r.round == 6 and rate.n]
    title = "Adoption through the rounds"
    says = extremes(
        "pairs of team and cell", "adoption in the end", last, lambda p: f"{p[0].model} in {p[0].cell}", lambda p: p[1]
    )
    return Chart(
        id="chart-rounds",
        title=title,
        caption=f"Share of worker slots whose submission of the round is a plant, a panel a team. Solid with circles: "
        f"{cells[0]}. Dashed with diamonds: {cells[1]}. What is posted in a round is seen from the next one on.",
        drawing=draw(chart, values, "chart-rounds", title, says),
        heads=("Model", "Cell", "Round", *RATE_HEADS),
        keys=3,
        rows=tuple(ChartRow((r.model, r.cell, str(r.round)), rate_figures(rate, RATE_HEADS)) for r, rate in shown),
        how=how,
    )


def colour(cells: Sequence[str]) -> alt.Color:
    return alt.Color("cell:N", scale=alt.Scale(domain=list(cells), range=list(_COLOURS[: len(cells)])), legend=None)


def shape(cells: Sequence[str]) -> alt.Shape:
    return alt.Shape("cell:N", scale=alt.Scale(domain=list(cells), range=list(_SHAPES[: len(cells)])), legend=None)
