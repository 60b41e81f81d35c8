"""A column of bars for each thing that is counted of each model; what is not known has words, and no bar."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
from altair.utils.schemapi import debug_mode

from leaderboard import show
from leaderboard.charts import TIP, Chart, ChartRow, Figure, draw, names_axis
from leaderboard.shapes import Row
from leaderboard.svg import BASELINE, INK, MODEL, RULE

_ROOM = 1.75
"""A column is this many times as wide as its longest bar, so that its number stands beside it."""


@dataclass(frozen=True, slots=True)
class Column:
    """One count of each row, None where it is not known."""

    title: str
    counts: tuple[int | None, ...]

    @property
    def top(self) -> int:
        return max((count for count in self.counts if count), default=0)


@debug_mode(False)
def bars(
    chart_id: str,
    title: str,
    caption: str,
    rows: Sequence[Row],
    columns: Sequence[Column],
    how: str,
    unknown: str = "not known",
    whole: Sequence[int] | None = None,
    own_scales: bool = False,
    width: int = 110,
) -> Chart:
    """Draw counts by model; `whole` is what each row's counts are parts of, drawn pale behind them."""
    names = show.visible(row.model for row in rows)
    most = max((*(column.top for column in columns), *(whole or ())), default=0)
    values = [
        {
            "name": names[row.model],
            "kind": row.kind,
            "what": column.title,
            "count": count,
            "length": None if count is None else count / ((column.top if own_scales else most) or 1),
            "whole": whole[place] / (most or 1) if whole else None,
            "says": unknown if count is None else show.whole(count),
            TIP: f"{names[row.model]}\n{column.title}: {unknown if count is None else show.whole(count)}"
            + (f" of {show.whole(whole[place])}" if whole and count is not None else ""),
        }
        for column in columns
        for place, (row, count) in enumerate(zip(rows, column.counts, strict=True))
    ]
    scale = alt.Scale(domain=[0, _ROOM], nice=False)
    base = alt.Chart().encode(y=names_axis(alt.Y, "name", list(names.values())))
    behind = base.mark_bar(height=11, color=RULE, opacity=0.6).encode(x=alt.X("whole:Q", scale=scale, axis=None))
    kinds = alt.Scale(domain=["model", "baseline"], range=[MODEL, BASELINE])
    drawn = base.mark_bar(height=11).encode(
        x=alt.X("length:Q", scale=scale, axis=None), color=alt.Color("kind:N", scale=kinds, legend=None)
    )
    # The number stands beyond both bars; where neither is, where they would begin.
    says = (
        base.mark_text(align="left", dx=5, fontSize=11)
        .transform_calculate(end="max(datum.length || 0, datum.whole || 0)")
        .encode(x=alt.X("end:Q", scale=scale, axis=None), text="says:N", color=_unless_zero())
    )
    layers = ([behind] if whole else []) + [drawn, says]
    chart = (
        alt.layer(*layers, data=alt.NamedData("rows"))
        .properties(width=width, height=alt.Step(24))
        .facet(
            column=alt.Column(
                "what:N",
                sort=[column.title for column in columns],
                header=alt.Header(
                    title=None, labelColor=INK, labelFontSize=12, labelAnchor="start", labelAlign="left", labelPadding=6
                ),
            ),
            spacing=10,
        )
    )
    return Chart(
        id=chart_id,
        title=title,
        caption=caption,
        drawing=draw(chart, values, chart_id, title, _says(rows, columns)),
        heads=("Model", *(("All",) if whole else ()), *(column.title for column in columns)),
        keys=1,
        rows=tuple(
            ChartRow(
                (row.model,),
                (
                    *((Figure(show.whole(whole[place]), whole[place]),) if whole else ()),
                    *(
                        Figure(unknown) if count is None else Figure(show.whole(count), count)
                        for count in (column.counts[place] for column in columns)
                    ),
                ),
            )
            for place, row in enumerate(rows)
        ),
        how=how,
    )


def _unless_zero() -> Any:
    """Let a zero step back: most counts of what went wrong are."""
    return alt.condition(alt.FieldEqualPredicate(field="count", equal=0), alt.value(BASELINE), alt.value(INK))


def _says(rows: Sequence[Row], columns: Sequence[Column]) -> str:
    """Say the sum of each column and who has most of it."""
    said = []
    for column in columns:
        known = [(row.model, count) for row, count in zip(rows, column.counts, strict=True) if count is not None]
        if not known:
            said.append(f"{column.title}: not known of any model.")
            continue
        model, most = max(known, key=lambda pair: pair[1])
        total = sum(count for _, count in known)
        said.append(
            f"{column.title}: {show.whole(total)} in all"
            + (f", most of them {model}, {show.whole(most)}." if most else ".")
        )
    return " ".join(said)
