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
from leaderboard.svg import INK, MUTED, RULE, themed, with_variables

_LABEL_WIDTH = 190
RATE_HEADS = ("k", "n", "Rate", "95% from", "to")
MEAN_HEADS = ("n", "Points", "95% from", "to")
TIP = "tip"
"""The field of a row that says it in words, for a reader who points at its mark."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number as the table shows it and as it sorts; what has no number has words, or nothing, and sorts last."""

    text: str
    sort: float | None = None


NOTHING = Figure("")


@dataclass(frozen=True, slots=True)
class ChartRow:
    """One line of the table beside a chart."""

    keys: tuple[str, ...]
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """Models that the caption names: foremost those not drawn, since what is not known is not drawn at 0."""

    says: str
    names: tuple[str, ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Drawing:
    """A chart as a picture for the page, and as a spec that lies beside it, for whoever wants to explore it."""

    svg: Markup
    spec: bytes


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing with everything that says the same without it."""

    id: str
    title: str
    caption: str
    drawing: Drawing
    heads: tuple[str, ...]
    keys: int
    rows: tuple[ChartRow, ...]
    how: str
    named: tuple[Named, ...] = ()

    @property
    def svg(self) -> Markup:
        return self.drawing.svg


def rate_figures(rate: Rate, heads: Sequence[str]) -> tuple[Figure, ...]:
    """Give k where there is one, n, the value and its interval, as many as there are heads."""
    counts = [Figure(show.whole(count), count) for count in (rate.k, rate.n) if count is not None]
    ends = [NOTHING if end is None else Figure(show.amount(end, rate), end) for end in (rate.value, rate.lo, rate.hi)]
    return (*counts, *ends)[: len(heads)]


def rate_tip(keys: Sequence[str], rate: Rate) -> str:
    """Say a value, what it is of and its interval, below what it is the value of."""
    if rate.value is None:
        return "\n".join((*keys, "no value"))
    of = f"n = {rate.n}" if rate.k is None else f"{rate.k} of {rate.n}"
    lines = [*keys, f"{show.amount(rate.value, rate)} ({of})"]
    if rate.lo is not None and rate.hi is not None:
        lines.append(f"95% interval: {show.amount(rate.lo, rate)} to {show.amount(rate.hi, rate)}")
    return "\n".join(lines)


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


def draw(chart: Any, values: Sequence[dict[str, Any]], chart_id: str, title: str, description: str) -> Drawing:
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
    live = _live(spec)
    # The rows join the finished chart: no name passes through anything that could read it as more than a value.
    spec["datasets"] = {"rows": [{key: value[key] for key in value if key != TIP} for value in values]}
    live["datasets"] = {"rows": list(values)}
    svg = themed(_svg(_json(spec)), chart_id, title, description)
    return Drawing(svg, _json(live).encode())


def _live(spec: dict[str, Any]) -> dict[str, Any]:
    """Give the spec that a browser draws: in the page's colours, each mark with what its row says."""
    made: dict[str, Any] = json.loads(with_variables(_json(spec)))
    # The page names the whole drawing; the names of single marks would be read out one by one.
    made["config"] |= {"aria": False, "mark": {"tooltip": {"content": "data"}}}
    return made


def _json(value: Any) -> str:
    return json.dumps(value, allow_nan=False, sort_keys=True, separators=(",", ":"))


@lru_cache(maxsize=256)
def _svg(spec: str) -> str:
    """Draw without any access to a network or to files."""
    return vl_convert.vegalite_to_svg(json.loads(spec), allowed_base_urls=[])
