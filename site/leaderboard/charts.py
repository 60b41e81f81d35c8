"""How every chart is drawn: by Altair at build time, with names as data, never as titles or expressions."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import altair as alt
import vl_convert
from altair.utils import schemapi
from markupsafe import Markup

from leaderboard import show
from leaderboard.shapes import Rate
from leaderboard.svg import INK, MUTED, RULE, themed

_LABEL_WIDTH = 190
RATE_HEADS = ("k", "n", "Rate", "95% from", "to")
MEAN_HEADS = ("n", "Points", "95% from", "to")


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


def names_axis(channel: Any, field: str, names: Sequence[str], title: str | None = None, **axis: Any) -> Any:
    """Put names on an axis in the given order."""
    return channel(
        f"{field}:N",
        sort=list(names),
        scale=alt.Scale(domain=list(names)),
        axis=alt.Axis(title=title, labelLimit=_LABEL_WIDTH, ticks=False, domain=False, labelPadding=12, **axis),
    )


def extremes(what: str, of: str, items: Sequence[Any], name: Callable[[Any], str], rate: Callable[[Any], Rate]) -> str:
    """Say in words what the drawing shows first: how many, the lowest, the highest."""
    if not items:
        return f"No {what} with a value."
    least = min(items, key=lambda i: rate(i).value or 0.0)
    most = max(items, key=lambda i: rate(i).value or 0.0)

    def one(item: Any) -> str:
        found = rate(item)
        counted = f"n = {found.n}" if found.k is None else f"{found.k} of {found.n}"
        return f"{name(item)}, {show.amount(found.value, found)} ({counted})"

    return f"{len(items)} {what}. Lowest {of}: {one(least)}. Highest: {one(most)}."


def draw(chart: Any, values: list[dict[str, Any]], chart_id: str, title: str, description: str) -> Markup:
    """Draw a chart of the rows `values`, which it names as `rows`."""
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
