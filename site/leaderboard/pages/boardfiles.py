"""A board as files: exactly the rows and numbers that its table shows, as CSV, JSON and Parquet."""

import io
import json
from collections.abc import Iterator
from typing import Any

import polars as pl

from leaderboard import urls
from leaderboard.pages.board import BoardPage
from leaderboard.shapes import Rate

KINDS = ("csv", "json", "parquet")
_TEXT = ("model", "kind", "status", "withdrawn")
_RATE = {"k": pl.Int64, "n": pl.Int64, "value": pl.Float64, "lo": pl.Float64, "hi": pl.Float64}


def board_files(benchmark: str, page: BoardPage) -> Iterator[tuple[str, bytes]]:
    """Yield the three files of a board that has rows; an empty value is empty or null, never 0."""
    schema = _schema(page)
    rows = [dict(zip(schema, values, strict=True)) for values in _rows(page)]
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    parquet = io.BytesIO()
    frame.write_parquet(parquet)
    says = {"benchmark": benchmark, "order": page.latest, "rows": rows}
    yield urls.board_file(benchmark, "csv"), frame.with_columns(_inert(name) for name in _TEXT).write_csv().encode()
    yield urls.board_file(benchmark, "json"), (json.dumps(says, ensure_ascii=False, indent=1) + "\n").encode()
    yield urls.board_file(benchmark, "parquet"), parquet.getvalue()


def _inert(name: str) -> pl.Expr:
    """Put an apostrophe before what a spreadsheet would take for a formula; JSON and Parquet have it as it is."""
    column = pl.col(name)
    return pl.when(column.str.contains(r"^[=+@\t\r-]")).then("'" + column).otherwise(column).alias(name)


def _schema(page: BoardPage) -> dict[str, Any]:
    columns = {f"{c.version}_{c.metric}": c for c in page.columns}
    rates = {f"{name}_{part}": kind for name in columns for part, kind in _RATE.items()}
    costs = dict.fromkeys(("cost_per_run_microusd", "cost_per_1000_calls_microusd"), pl.Float64)
    return {"rank": pl.Int64, **dict.fromkeys(_TEXT, pl.String), **rates, **(costs if page.has_costs else {})}


def _rows(page: BoardPage) -> Iterator[list[Any]]:
    for line in page.lines:
        row = line.row
        use = row.use if line.is_latest else None
        yield [
            line.rank,
            row.model,
            row.kind,
            row.status if line.is_latest else None,
            row.withdrawn.at if line.is_latest and row.withdrawn else None,
            *(value for cell in line.cells for value in _parts(cell.rate if cell else None)),
            *(
                (use.cost_per_run_microusd, use.cost_per_1000_calls_microusd)
                if page.has_costs and use
                else (None, None)
                if page.has_costs
                else ()
            ),
        ]


def _parts(rate: Rate | None) -> tuple[int | float | None, ...]:
    return (rate.k, rate.n, rate.value, rate.lo, rate.hi) if rate else (None,) * len(_RATE)
