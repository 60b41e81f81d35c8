"""The three charts of a version, drawn by Altair at build time; names are data, never titles or expressions."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import altair as alt
import vl_convert
from altair.utils import schemapi
from altair.utils.schemapi import debug_mode
from markupsafe import Markup

from leaderboard import show
from leaderboard.shapes import Cell, Rate, Row
from leaderboard.svg import BASELINE, HEAT, INK, MODEL, MUTED, RULE, themed

_LABEL_WIDTH = 190


@dataclass(frozen=True, slots=True)
class ChartRow:
    """One line of the table beside a chart."""

    keys: tuple[str, ...]
    rate: Rate


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing with everything that says the same without it."""

    id: str
    title: str
    caption: str
    svg: Markup
    heads: tuple[str, ...]
    keys: int
    rows: tuple[ChartRow, ...]
    how: str


_RATE_HEADS = ("k", "n", "Rate", "95% from", "to")


# Altair checks every part of a chart against its schema, most of a second each; the tests draw with the check on.
@debug_mode(False)
def rates(rows: Sequence[Row], how: str) -> Chart:
    """Draw each Defender's cave rate with its interval."""
    labels = show.visible(row.model for row in rows)
    values = [
        {
            "name": labels[row.model],
            "kind": row.kind,
            "value": row.cave.value,
            "lo": row.cave.lo,
            "hi": row.cave.hi,
            "says": f"{row.cave.k}/{row.cave.n}" if row.cave.n else "no scored duel",
        }
        for row in rows
    ]
    names = list(labels.values())
    base = alt.Chart().encode(y=_names_axis(alt.Y, names))
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
    scored = [row for row in rows if row.cave.n]
    title = "Cave rate with its 95% interval"
    return Chart(
        id="chart-rates",
        title=title,
        caption="Dot: share of scored duels in which the Defender took over the lie. Line: 95% Wilson interval. "
        "Diamonds are scripted baselines. Where two lines overlap, the order is not settled by these data.",
        svg=_draw(
            chart, values, "chart-rates", title, _extremes("Defenders", scored, lambda r: r.model, lambda r: r.cave)
        ),
        heads=("Model", *_RATE_HEADS),
        keys=1,
        rows=tuple(ChartRow((row.model,), row.cave) for row in rows),
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
        }
        for cell in cells
        if cell.keys[0] in rows and cell.keys[1] in columns
    ]
    base = alt.Chart().encode(
        y=_names_axis(alt.Y, list(rows.values()), heads[0]),
        x=_names_axis(alt.X, list(columns.values()), heads[1], orient="top", labelAngle=-32, labelAlign="left"),
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
        svg=_draw(
            chart,
            values,
            chart_id,
            title,
            _extremes("pairs", full, lambda c: " with ".join(c.keys), lambda c: c.rate)
            + f" Rows: {heads[0]}. Columns: {heads[1]}. Darker is a higher cave rate; each cell states it.",
        ),
        heads=(*heads, *_RATE_HEADS),
        keys=2,
        rows=tuple(ChartRow(cell.keys, cell.rate) for cell in cells),
        how=how,
    )


def _names_axis(channel: Any, names: Sequence[str], title: str | None = None, **axis: Any) -> Any:
    field = "name" if title is None else "down" if channel is alt.Y else "across"
    return channel(
        f"{field}:N",
        sort=list(names),
        scale=alt.Scale(domain=list(names)),
        axis=alt.Axis(title=title, labelLimit=_LABEL_WIDTH, ticks=False, domain=False, labelPadding=8, **axis),
    )


def _by_kind() -> alt.Color:
    return alt.Color("kind:N", scale=alt.Scale(domain=["model", "baseline"], range=[MODEL, BASELINE]), legend=None)


def _extremes(what: str, items: Sequence[Any], name: Callable[[Any], str], rate: Callable[[Any], Rate]) -> str:
    """Say in words what the drawing shows first: how many, the lowest, the highest."""
    if not items:
        return f"No {what} with a scored duel."
    least = min(items, key=lambda i: rate(i).value or 0.0)
    most = max(items, key=lambda i: rate(i).value or 0.0)

    def one(item: Any) -> str:
        found = rate(item)
        return f"{name(item)}, {show.percent(found.value)} ({found.k} of {found.n})"

    return f"{len(items)} {what}. Lowest cave rate: {one(least)}. Highest: {one(most)}."


def _draw(chart: Any, values: list[dict[str, Any]], chart_id: str, title: str, description: str) -> Markup:
    chart = (
        chart.configure(background="transparent", padding={"left": 34, "right": 78, "top": 4, "bottom": 4})
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=INK,
            titleColor=MUTED,
            gridColor=RULE,
            labelFontSize=12,
            titleFontSize=12,
            titleFontWeight="normal",
            titlePadding=10,
            domainColor=RULE,
            tickColor=RULE,
        )
    )
    spec = chart.to_dict(validate=schemapi.DEBUG_MODE)
    # The rows join the finished chart: no name passes through anything that could read it as more than a value.
    spec["datasets"] = {"rows": values}
    return themed(_svg(json.dumps(spec, allow_nan=False, sort_keys=True)), chart_id, title, description)


@lru_cache(maxsize=256)
def _svg(spec: str) -> str:
    """Draw without any access to a network or to files."""
    return vl_convert.vegalite_to_svg(json.loads(spec), allowed_base_urls=[])
