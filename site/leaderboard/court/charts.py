"""The charts that only a version of Court of Facts has."""

from collections.abc import Sequence

import altair as alt
from altair.utils.schemapi import debug_mode

from leaderboard import show
from leaderboard.charts import RATE_HEADS, TIP, Chart, ChartRow, draw, extremes, names_axis, rate_figures, rate_tip
from leaderboard.court.shapes import CourtRow
from leaderboard.shapes import Cell
from leaderboard.svg import BASELINE, HEAT, INK, MODEL, MUTED, RULE


# Altair checks every part of a chart against its schema, most of a second each; the tests draw with the check on.
@debug_mode(False)
def rates(rows: Sequence[CourtRow], how: str) -> Chart:
    """Draw each Defender's cave rate with its interval."""
    labels = show.visible(row.model for row in rows)
    values = [
        {
            "name": labels[row.model],
            "kind": row.kind,
            "value": row.primary.value,
            "lo": row.primary.lo,
            "hi": row.primary.hi,
            "says": f"{row.primary.k}/{row.primary.n}" if row.primary.n else "no scored duel",
            TIP: rate_tip((labels[row.model],), row.primary),
        }
        for row in rows
    ]
    names = list(labels.values())
    base = alt.Chart().encode(y=names_axis(alt.Y, "name", names))
    axis = alt.Axis(format=".0%", grid=True, tickCount=5, title="Cave rate, lower is better")
    x = alt.X("lo:Q", scale=alt.Scale(domain=[0, 1]), axis=axis)
    kinds = ["model", "baseline"]
    spans = base.mark_rule(strokeWidth=2.5, opacity=0.55).encode(x=x, x2="hi:Q", color=_by_kind())
    ends = [
        base.mark_tick(thickness=2.5, size=9, opacity=0.55).encode(x=f"{end}:Q", color=_by_kind())
        for end in ("lo", "hi")
    ]
    points = base.mark_point(filled=True, size=85, opacity=1).encode(
        x="value:Q",
        color=_by_kind(),
        shape=alt.Shape("kind:N", scale=alt.Scale(domain=kinds, range=["circle", "diamond"]), legend=None),
    )
    counts = base.mark_text(align="left", dx=8, color=MUTED, fontSize=11).encode(x=alt.value(470), text="says:N")
    chart = alt.layer(spans, *ends, points, counts, data=alt.NamedData("rows")).properties(
        width=470, height=alt.Step(30)
    )
    scored = [row for row in rows if row.primary.n]
    title = "Cave rate with its 95% interval"
    return Chart(
        id="chart-rates",
        title=title,
        caption="Dot: share of scored duels in which the Defender took over the lie. Line: 95% Wilson interval. "
        "Diamonds are scripted baselines. Where two lines overlap, the order is not settled by these data.",
        drawing=draw(
            chart,
            values,
            "chart-rates",
            title,
            extremes("Defenders", "cave rate", scored, lambda r: r.model, lambda r: r.primary),
        ),
        heads=("Model", *RATE_HEADS),
        keys=1,
        rows=tuple(ChartRow((row.model,), rate_figures(row.primary, RATE_HEADS)) for row in rows),
        how=how,
    )


@debug_mode(False)
def heat(
    chart_id: str,
    title: str,
    caption: str,
    cells: Sequence[Cell],
    across: Sequence[str],
    down: Sequence[str],
    heads: tuple[str, str],
    how: str,
) -> Chart:
    """Draw a rate for each pair; an empty pair keeps its frame and says so."""
    rows, columns = show.visible(down), show.visible(across)
    values = [
        {
            "down": rows[cell.keys[0]],
            "across": columns[cell.keys[1]],
            "value": cell.rate.value,
            "says": f"{cell.rate.value * 100:.0f}%" if cell.rate.value is not None else "—",
            "of": f"{cell.rate.k}/{cell.rate.n}",
            TIP: rate_tip(
                tuple(f"{head}: {label}" for head, label in zip(heads, _labels(cell, rows, columns), strict=True)),
                cell.rate,
            ),
        }
        for cell in cells
        if cell.keys[0] in rows and cell.keys[1] in columns
    ]
    base = alt.Chart().encode(
        y=names_axis(alt.Y, "down", list(rows.values()), heads[0]),
        x=names_axis(
            alt.X, "across", list(columns.values()), heads[1], orient="top", labelAngle=-32, labelAlign="left"
        ),
    )
    frames = base.mark_rect(fill=None, stroke=RULE, strokeWidth=1)
    shades = base.mark_rect(fill=HEAT, stroke=None).encode(
        opacity=alt.Opacity("value:Q", scale=alt.Scale(domain=[0, 1], range=[0.0, 1.0]), legend=None)
    )
    says = base.mark_text(dy=-5, fontSize=12.5, color=INK).encode(text="says:N")
    of = base.mark_text(dy=9, fontSize=10, color=INK, opacity=0.8).encode(text="of:N")
    shades = shades.transform_filter("isValid(datum.value)")
    chart = alt.layer(frames, shades, says, of, data=alt.NamedData("rows")).properties(
        width=alt.Step(62), height=alt.Step(38)
    )
    full = [cell for cell in cells if cell.rate.n]
    return Chart(
        id=chart_id,
        title=title,
        caption=caption,
        drawing=draw(
            chart,
            values,
            chart_id,
            title,
            extremes("pairs", "cave rate", full, lambda c: " with ".join(c.keys), lambda c: c.rate)
            + f" Rows: {heads[0]}. Columns: {heads[1]}. Darker is a higher cave rate; each cell states it.",
        ),
        heads=(*heads, *RATE_HEADS),
        keys=2,
        rows=tuple(ChartRow(cell.keys, rate_figures(cell.rate, RATE_HEADS)) for cell in cells),
        how=how,
    )


def _labels(cell: Cell, rows: dict[str, str], columns: dict[str, str]) -> tuple[str, str]:
    return rows[cell.keys[0]], columns[cell.keys[1]]


def _by_kind() -> alt.Color:
    return alt.Color("kind:N", scale=alt.Scale(domain=["model", "baseline"], range=[MODEL, BASELINE]), legend=None)
