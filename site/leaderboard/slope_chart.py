"""Before and after: each model's rate in one version joined with its rate in the next."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Literal

import altair as alt
from altair.utils.schemapi import debug_mode

from leaderboard import labels, show
from leaderboard.charts import NOTHING, TIP, Chart, ChartRow, Figure, Named, draw, rate_figures, rate_tip
from leaderboard.shapes import Rate
from leaderboard.svg import ACCENT, BASELINE, MODEL, MUTED

_ID = "chart-slope"
_WIDTH, _HEIGHT, _LONGEST = 330, 340, 34
_ROSE, _FELL, _SAME, _ALONE = "rose", "fell", "the same", "alone"
_WAYS = {_ROSE: ACCENT, _FELL: MODEL, _SAME: BASELINE, _ALONE: BASELINE}
_NONE = Rate(None, 0, None, None, None)
_Ends = tuple[float | None, float | None]


@dataclass(frozen=True, slots=True)
class Slope:
    """A model's rate in both versions; None where a version does not have the model."""

    model: str
    is_baseline: bool
    old: Rate | None
    new: Rate | None

    @property
    def rates(self) -> tuple[Rate, Rate]:
        return self.old or _NONE, self.new or _NONE

    @property
    def ends(self) -> _Ends:
        return self.rates[0].value, self.rates[1].value

    @property
    def change(self) -> float | None:
        """None where there are no two values to join."""
        old, new = self.ends
        return None if old is None or new is None else new - old

    @property
    def way(self) -> str:
        change = self.change
        return _ALONE if change is None else _ROSE if change > 0 else _FELL if change < 0 else _SAME


# Altair checks every part of a chart against its schema, most of a second each; the tests draw with the check on.
@debug_mode(False)
def slope(slopes: Sequence[Slope], metric: str, versions: tuple[str, str], same: str, how: str) -> Chart | None:
    """Draw it, if there is a line to draw; `same` says whether both versions score the same replies."""
    old, new = versions
    if all(s.change is None for s in slopes):
        return None
    names = show.visible(s.model for s in slopes)
    top = max(0.1, ceil(max(end for s in slopes for end in s.ends if end is not None) * 10) / 10)
    left, right = (_labels(slopes, names, side, top) for side in (0, 1))
    values = [
        {
            "name": names[s.model],
            "kind": "baseline" if s.is_baseline else "model",
            "way": s.way,
            "version": version,
            "value": rate.value,
            "left": left.get(s.model, "") if version == old else "",
            "right": right.get(s.model, "") if version == new else "",
            TIP: rate_tip((names[s.model], version), rate),
        }
        for s in slopes
        for version, rate in zip(versions, s.rates, strict=True)
        if rate.value is not None
    ]
    room = 32 + max((labels.width(text) for text in left.values()), default=0)
    title = f"{metric} in {old} and in {new}"
    return Chart(
        id=_ID,
        title=title,
        caption=f"A line a model, from its rate in {old} to its rate in {new}. Orange: it rose; blue: it fell; grey: "
        f"it is the same. Dashed with diamonds: scripted baselines. A ring: a rate in that version alone. {same} Names "
        "stand where they fit, those that changed most first; the table has all.",
        drawing=draw(_chart(versions, metric, top, room), values, _ID, title, _says(slopes, names, versions)),
        heads=("Model", *(f"{head}, {version}" for version in versions for head in ("k", "n", "rate")), "Change"),
        keys=1,
        rows=tuple(ChartRow((s.model,), (*_end(s.old), *_end(s.new), _change(s))) for s in slopes),
        how=how,
        named=tuple(_missing(slopes, versions)),
    )


def _chart(versions: tuple[str, str], metric: str, top: float, room: float) -> Any:
    base = alt.Chart().encode(
        x=alt.X(
            "version:O",
            scale=alt.Scale(domain=list(versions), padding=0),
            axis=alt.Axis(title=None, orient="top", labelAngle=0, labelFontSize=13, domain=False, grid=True),
        ),
        y=alt.Y(
            "value:Q",
            scale=alt.Scale(domain=[0, top], nice=False),
            axis=alt.Axis(format=".0%", tickCount=5, grid=False, title=metric, offset=room),
        ),
        color=alt.Color("way:N", scale=alt.Scale(domain=list(_WAYS), range=list(_WAYS.values())), legend=None),
    )
    kinds = ["model", "baseline"]
    shape = alt.Shape("kind:N", scale=alt.Scale(domain=kinds, range=["circle", "diamond"]), legend=None)
    lines = base.mark_line(strokeWidth=2).encode(
        detail="name:N",
        strokeDash=alt.StrokeDash("kind:N", scale=alt.Scale(domain=kinds, range=[[1, 0], [5, 3]]), legend=None),
    )
    points = base.mark_point(filled=True, size=70, opacity=1).encode(shape=shape)
    rings = base.mark_point(size=70, strokeWidth=2, opacity=1).encode(shape=shape)
    sides: tuple[tuple[str, Literal["left", "right"], int], ...] = (("left", "right", -12), ("right", "left", 12))
    texts = [
        base.mark_text(align=align, dx=dx, fontSize=12).encode(text=f"{side}:N", color=alt.value(MUTED))
        for side, align, dx in sides
    ]
    ways = [_ROSE, _FELL, _SAME]
    layers = [
        *(layer.transform_filter(alt.FieldOneOfPredicate(field="way", oneOf=ways)) for layer in (lines, points)),
        rings.transform_filter(alt.FieldEqualPredicate(field="way", equal=_ALONE)),
    ]
    return alt.layer(*layers, *texts, data=alt.NamedData("rows")).properties(width=_WIDTH, height=_HEIGHT)


def _labels(slopes: Sequence[Slope], names: dict[str, str], side: int, top: float) -> dict[str, str]:
    """Say what stands beside an end: the rate, and where the line ends the name; equal lines share one label."""
    groups: dict[_Ends, list[Slope]] = {}
    for s in sorted(slopes, key=lambda s: -abs(s.change or 0)):
        if s.ends[side] is not None:
            groups.setdefault(s.ends, []).append(s)
    fits = labels.apart((1 - (ends[side] or 0) / top) * _HEIGHT for ends in groups)
    found = {}
    for (ends, group), fit in zip(groups.items(), fits, strict=True):
        if fit:
            name = show.line(names[group[0].model], _LONGEST)
            name += f" and {len(group) - 1} more" if len(group) > 1 else ""
            rate = show.percent(ends[side])
            found[group[0].model] = f"{rate}  {name}" if side else rate if ends[1] is not None else f"{name}  {rate}"
    return found


def _says(slopes: Sequence[Slope], names: dict[str, str], versions: tuple[str, str]) -> str:
    ways = [s.way for s in slopes if s.change is not None]
    counts = f"{ways.count(_ROSE)} rose, {ways.count(_FELL)} fell, {ways.count(_SAME)} stayed the same"
    said = f"{len(ways)} models with a rate in {versions[0]} and in {versions[1]}: {counts}."
    most = max(slopes, key=lambda s: abs(s.change or 0))
    if not most.change:
        return said
    return f"{said} Largest change: {names[most.model]}, from {' to '.join(show.percent(end) for end in most.ends)}."


def _end(rate: Rate | None) -> tuple[Figure, ...]:
    return (Figure("not there"),) * 3 if rate is None else rate_figures(rate, ("k", "n", "rate"))


def _change(s: Slope) -> Figure:
    return NOTHING if s.change is None else Figure(f"{s.change * 100:+.1f} points", s.change)


def _missing(slopes: Sequence[Slope], versions: tuple[str, str]) -> Iterator[Named]:
    """Name the models without a line by what is missing."""
    whys: dict[str, list[str]] = {}
    for s in slopes:
        pairs = tuple(zip(versions, (s.old, s.new), strict=True))
        if gone := [version for version, rate in pairs if rate is None]:
            whys.setdefault(f"Not there in {gone[0]}", []).append(s.model)
        elif empty := [version for version, rate in pairs if rate and rate.value is None]:
            whys.setdefault(f"Nothing scored in {' and in '.join(empty)}, so no rate", []).append(s.model)
    return (Named(why, tuple(models)) for why, models in whys.items())
