"""Writes the published tables: JSON with one row a line, CSV, Parquet (reference page *Tables*)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl

from runners.files import write_whole
from runners.use import COLUMNS as USE_COLUMNS

Row = Mapping[str, Any]
RATE = ("k", "n", "value", "lo", "hi")
LEDGER = ("attempted", "scored", "unparsed", "empty", "refused", "truncated", "failed", "missing")


@dataclass(frozen=True)
class Layout:
    """What a benchmark's leaderboard shows: its metrics, slices, further fields, and how its rows are ordered."""

    metrics: tuple[str, ...]
    slices: tuple[str, ...]
    rank: Callable[[Row], Any]
    before: Mapping[str, Any] = field(default_factory=dict)
    """Flat columns between `runs` and the metrics, with their types."""
    after: Mapping[str, Any] = field(default_factory=dict)
    """Flat columns behind those of `use`, with their types."""
    nested: tuple[str, ...] = ()
    """Fields of the JSON rows that are no flat column."""


def dump(value: object) -> str:
    """Compact JSON; refuses NaN and infinity."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def table_json(table: Row) -> str:
    """A JSON object, each row of a list of objects on a line of its own, so that a finding can name the line."""
    parts = [f"{dump(key)}:{_value(value)}" for key, value in table.items()]
    return "{" + ",\n".join(parts) + "}\n"


def _value(value: object) -> str:
    if isinstance(value, list) and value and isinstance(value[0], Mapping):
        return "[\n" + ",\n".join(dump(row) for row in value) + "\n]"
    if isinstance(value, Mapping) and any(isinstance(part, list) and part for part in value.values()):
        return "{\n" + ",\n".join(f"{dump(key)}:{_value(part)}" for key, part in value.items()) + "\n}"
    return dump(value)


def leaderboard(layout: Layout, checked: Row, crosscheck: Row) -> dict[str, Any]:
    """What readers see: the checker's numbers with the checker's verdicts, in the benchmark's order."""
    status = {row["model"]: row["status"] for row in crosscheck["rows"]}
    rows = [
        {
            "model": row["model"],
            "kind": row["kind"],
            "status": status[row["model"]],
            "runs": row["runs"],
            "metrics": row["metrics"],
            "ledger": row["ledger"],
            "cost_usd": None if (cost := row["use"]["cost_microusd"]) is None else cost / 1_000_000,
            "empty_replies": row["empty_replies"],
            "use": row["use"],
            **{name: row[name] for name in (*layout.before, *layout.after, *layout.nested)},
        }
        for row in checked["rows"]
    ]
    return {
        "benchmark": checked["benchmark"],
        "version": checked["version"],
        "digest": checked["digest"],
        "rows": sorted(rows, key=layout.rank),
        "slices": {name: checked[name] for name in layout.slices},
    }


def exact(rate: Row) -> tuple[bool, Fraction]:
    """A sort key for a rate: exact k/n, and no rate behind every rate."""
    return rate["n"] == 0, Fraction(rate["k"], rate["n"] or 1)


def flat(layout: Layout, rows: Iterable[Row]) -> list[dict[str, Any]]:
    """The leaderboard's rows with one column a number, as CSV and Parquet have them."""
    return [
        {
            **{key: row[key] for key in ("model", "kind", "status", "runs", *layout.before)},
            **{f"{metric}_{part}": row["metrics"][metric][part] for metric in layout.metrics for part in RATE},
            **row["ledger"],
            "cost_usd": row["cost_usd"],
            "empty_replies": row["empty_replies"],
            **{key: row["use"][key] for key in USE_COLUMNS},
            **{key: row[key] for key in layout.after},
        }
        for row in rows
    ]


def columns(layout: Layout) -> dict[str, Any]:
    """Name and type of each flat column, in order."""
    rates = {f"{metric}_{part}": pl.Int64 if part in "kn" else pl.Float64 for metric in layout.metrics for part in RATE}
    return {
        **dict.fromkeys(("model", "kind", "status"), pl.String),
        "runs": pl.Int64,
        **layout.before,
        **rates,
        **dict.fromkeys(LEDGER, pl.Int64),
        "cost_usd": pl.Float64,
        "empty_replies": pl.Int64,
        **USE_COLUMNS,
        **layout.after,
    }


def leaderboard_csv(layout: Layout, rows: Sequence[Row]) -> str:
    """RFC 4180 with LF; None is the empty field, booleans are true and false, floats read back exactly."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(columns(layout)), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({key: dump(value) if isinstance(value, bool) else value for key, value in row.items()})
    return text.getvalue()


def write_leaderboard(layout: Layout, folder: Path, board: Row) -> None:
    """Write leaderboard.json, .csv and .parquet."""
    rows = flat(layout, board["rows"])
    write_whole(folder / "leaderboard.json", table_json(board))
    write_whole(folder / "leaderboard.csv", leaderboard_csv(layout, rows))
    columnar = io.BytesIO()
    pl.DataFrame(rows, schema=columns(layout), orient="row").write_parquet(columnar)
    write_whole(folder / "leaderboard.parquet", columnar.getvalue())
