"""What a score costs: the models whose cost is known, and the edge that none of them betters on both counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import floor, log10
from typing import Any

import altair as alt
from altair.utils.schemapi import debug_mode

from leaderboard import labels, show
from leaderboard.charts import TIP, Chart, ChartRow, Figure, Named, draw, rate_figures, rate_tip
from leaderboard.pages.common import Metric
from leaderboard.pareto import Priced, edge, priced
from leaderboard.shapes import Row
from leaderboard.svg import ACCENT, INK, MODEL, RULE

COST = "chart-cost"
_WIDTH, _HEIGHT, _LONGEST = 620, 340, 34
_DECADE = 10.0


@debug_mode(False)
def cost(rows: Sequence[Row], metric: Metric, run: str, how: str) -> Chart | None:
    """Draw a score against dollars a run, if any row has both; `run` says what a run is."""
    found, absent = priced(rows, metric.key)
    if not found:
        return None
    lower = metric.better == "lower"
    found.sort(key=lambda p: (p.cost, p.score if lower else -p.score))
    best = edge(found, lower)
    on_edge = {model: number for number, model in enumerate((p.model for p in found if p.model in best), 1)}
    names = show.visible(p.model for p in found)
    scale = _Scale.of([p.cost / 1e6 for p in found], [p.most / 1e6 for p in found if p.most])
    top = found[0].rate.top
    texts = _labels(found, on_edge, names, scale)
    values = [
        {
            "name": names[p.model],
            "cost": p.cost / 1e6,
            "most": p.most / 1e6 if p.most and p.most > p.cost else None,
            "value": p.rate.value,
            "lo": p.rate.lo,
            "hi": p.rate.hi,
            "edge": "yes" if p.model in on_edge else "no",
            **texts[p.model],
            TIP: f"{rate_tip((names[p.model],), p.rate)}\n{p.says} a run",
        }
        for p in found
    ]
    word = f"{metric.title}, {metric.direction}"
    head = f"{metric.title} against cost"
    step = (
        "The line is the Pareto edge: no model drawn betters one on it in cost or score "
        "without being worse in the other. Names stand where they fit, those of the edge first; the table has all."
    )
    log = " The scale of dollars is logarithmic." if scale.is_log else ""
    opened = (
        " A line to the right reaches to what it costs at most; the edge goes by what is certain."
        if any(value["most"] for value in values)
        else ""
    )
    return Chart(
        id=COST,
        title=head,
        caption=f"A dot a model whose cost is known: {metric.title.lower()} with its 95% interval against US dollars a "
        f"run. {run} Better is {'lower' if lower else 'higher'}, cheaper is further left. {step}{log}{opened}",
        drawing=draw(_chart(scale, top, word), values, COST, head, _says(found, on_edge, names)),
        heads=("Model", "US dollars a run", *(("k", "n", "Rate") if top == 1 else ("n", "Points")), "On the edge"),
        keys=1,
        rows=tuple(
            ChartRow(
                (p.model,),
                (
                    Figure(p.says, p.cost),
                    *rate_figures(p.rate, ("k", "n", "Rate") if top == 1 else ("n", "Points")),
                    Figure(str(on_edge[p.model]), on_edge[p.model]) if p.model in on_edge else Figure("no"),
                ),
            )
            for p in found
        ),
        how=how,
        named=(
            Named("On the edge, numbered from the cheapest", tuple(on_edge), True),
            *absent,
        ),
    )


@dataclass(frozen=True, slots=True)
class _Scale:
    """The axis of dollars: from the least to the most, in decades when there is more than one."""

    low: float
    high: float
    is_log: bool

    @classmethod
    def of(cls, costs: Sequence[float], most: Sequence[float]) -> "_Scale":
        low, high = min(costs), max((*costs, *most))
        return cls(low / 2, high * 1.5, True) if high > _DECADE * low else cls(0.0, high * 1.1, False)

    def pixel(self, dollars: float) -> float:
        if self.is_log:
            return _WIDTH * log10(dollars / self.low) / log10(self.high / self.low)
        return _WIDTH * dollars / self.high

    def dollars(self, pixel: float) -> float:
        if self.is_log:
            return float(self.low * (self.high / self.low) ** (pixel / _WIDTH))
        return self.high * pixel / _WIDTH

    @property
    def ticks(self) -> list[float] | None:
        """1, 2 and 5 of each decade, or 1 alone when there are many; a scale that is no logarithm finds its own."""
        if not self.is_log:
            return None
        decades = range(floor(log10(self.low)), floor(log10(self.high)) + 1)
        steps = (1, 2, 5) if len(decades) <= 3 else (1,)
        return [tick for d in decades for s in steps if self.low <= (tick := float(f"{s}e{d}")) <= self.high]


def _chart(scale: _Scale, top: float, word: str) -> Any:
    axis = alt.Axis(title="US dollars a run", format="$,~r", grid=True, tickCount=5)
    if scale.ticks:
        axis = alt.Axis(title="US dollars a run, logarithmic", format="$,~r", grid=True, values=scale.ticks)
    x = alt.X(
        "cost:Q",
        scale=alt.Scale(type="log" if scale.is_log else "linear", domain=[scale.low, scale.high], nice=False),
        axis=axis,
    )
    y = alt.Y(
        "value:Q",
        scale=alt.Scale(domain=[0, top], nice=False),
        axis=alt.Axis(format=".0%" if top == 1 else "d", grid=True, tickCount=5, title=word),
    )
    base = alt.Chart().encode(x=x, y=y)
    spans = base.mark_rule(strokeWidth=2, opacity=0.45, color=MODEL).encode(y=alt.Y("lo:Q"), y2="hi:Q")
    opened = base.mark_rule(strokeWidth=2, opacity=0.45, color=MODEL).encode(x2="most:Q")
    opened = opened.transform_filter("isValid(datum.most)")
    line = base.mark_line(interpolate="step-after", color=ACCENT, strokeWidth=2).encode(order="cost:Q")
    rings = base.mark_point(size=80, filled=True, opacity=1, fill=RULE, stroke=MODEL, strokeWidth=2)
    dots = base.mark_point(size=95, filled=True, opacity=1, shape="diamond", color=ACCENT)
    texts = [
        base.mark_text(align=align, fontSize=12, color=INK)
        .encode(x="text_x:Q", y="text_y:Q", text="says:N")
        .transform_filter(alt.FieldEqualPredicate(field="align", equal=align))
        for align in ("left", "right", "center")
    ]
    on = alt.FieldEqualPredicate(field="edge", equal="yes")
    off = alt.FieldEqualPredicate(field="edge", equal="no")
    layers = [spans, opened, line.transform_filter(on), rings.transform_filter(off), dots.transform_filter(on)]
    return alt.layer(*layers, *texts, data=alt.NamedData("rows")).properties(width=_WIDTH, height=_HEIGHT)


def _labels(
    found: Sequence[Priced], on_edge: dict[str, int], names: dict[str, str], scale: _Scale
) -> dict[str, dict[str, Any]]:
    """Choose where each name stands, those of the edge first; none stands on the edge or on a line of costs."""
    top = found[0].rate.top

    def place(p: Priced) -> tuple[float, float]:
        return scale.pixel(p.cost / 1e6), (1 - (p.rate.value or 0) / top) * _HEIGHT

    def across(p: Priced, to: float) -> labels.Box:
        x, y = place(p)
        return (x, y - 2, to, y + 2)

    lines = [across(p, scale.pixel(p.most / 1e6)) for p in found if p.most and p.most > p.cost]
    for one, then in pairwise(p for p in found if p.model in on_edge):
        (_, high), (x, low) = place(one), place(then)
        lines += [across(one, x), (x - 2, min(high, low), x + 2, max(high, low))]
    chosen = sorted(found, key=lambda p: p.model not in on_edge)
    spots = [
        labels.Spot(*place(p), f"{number} {show.line(names[p.model], _LONGEST)}".strip(), number)
        for p in chosen
        for number in [str(on_edge.get(p.model, ""))]
    ]
    return {
        p.model: {
            "says": label.text if label else "",
            "align": label.align if label else "",
            "text_x": scale.dollars(label.x) if label else None,
            "text_y": (1 - label.y / _HEIGHT) * top if label else None,
        }
        for p, label in zip(chosen, labels.beside(spots, (_WIDTH + 60.0, _HEIGHT), lines), strict=True)
    }


def _says(found: Sequence[Priced], on_edge: dict[str, int], names: dict[str, str]) -> str:
    def one(p: Priced) -> str:
        return f"{names[p.model]}, {show.amount(p.rate.value, p.rate)} for {p.says}"

    lines = "; ".join(one(p) for p in found if p.model in on_edge)
    return f"{len(found)} models with a known cost. On the Pareto edge, from the cheapest: {lines}."
