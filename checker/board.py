"""The board: the rows of leaderboard.json, flat for leaderboard.csv and .parquet, and the comparison of their cells."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from checker.compare import Difference, differences
from checker.errors import JsonFault
from checker.findings import show
from checker.strictjson import decode
from checker.tables import Checked

LEDGER: Final = ("attempted", "scored", "unparsed", "refused", "truncated", "failed", "missing")
METRICS: Final = ("cave_rate", "attack_rate", "format_rate")
COUNTS: Final = ("third_answers", "fallback_caves", "opening_caves")
_NUMBER: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?")


#: A difference: (field, expected, found, line or None).
Cell = tuple[str, str, str, int | None]


def board_rows(want: Checked, statuses: dict[str, str]) -> list[dict[str, Any]]:
    """The rows of leaderboard.json: by cave_rate (exact k/n), an empty rate last, ties by name."""
    rows = []
    for row in want.lists["rows"]:
        cost = row["cost_microusd"]
        rows.append(
            {
                "model": row["model"], "kind": row["kind"], "status": statuses[row["model"]], "runs": row["runs"],
                "metrics": row["metrics"], "ledger": row["ledger"],
                "cost_usd": None if cost is None else cost / 10**6, **{name: row[name] for name in COUNTS},
            }
        )  # fmt: skip

    def order(row: dict[str, Any]) -> tuple[bool, Fraction, str]:
        rate = row["metrics"]["cave_rate"]
        return rate["n"] == 0, Fraction(rate["k"], rate["n"] or 1), row["model"]

    return sorted(rows, key=order)


def flat_row(row: dict[str, Any]) -> dict[str, Any]:
    """One row of leaderboard.csv and leaderboard.parquet."""
    flat = {name: row[name] for name in ("model", "kind", "status", "runs")}
    for metric in METRICS:
        flat |= {f"{metric}_{part}": row["metrics"][metric][part] for part in ("k", "n", "value", "lo", "hi")}
    flat |= {name: row["ledger"][name] for name in LEDGER} | {"cost_usd": row["cost_usd"]}
    return flat | {name: row[name] for name in COUNTS}


COLUMNS: Final = (
    "model", "kind", "status", "runs",
    *(f"{metric}_{part}" for metric in METRICS for part in ("k", "n", "value", "lo", "hi")),
    *LEDGER, "cost_usd", *COUNTS,
)  # fmt: skip


def csv_differences(data: bytes, want: list[dict[str, Any]]) -> Iterator[Cell]:
    """leaderboard.csv, cell by cell; numbers by value, since RFC 4180 says nothing of how they are written."""
    columns = list(COLUMNS)
    try:
        text = decode(data)
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except (JsonFault, csv.Error) as fault:
        yield "(file)", "RFC 4180 in UTF-8", str(fault), None
        return
    if "\r" in text or not text.endswith("\n"):
        yield "(bytes)", "lines that end in LF", "another line end", None
    if not rows or rows[0] != columns:
        yield "(header)", ",".join(columns), ",".join(rows[0]) if rows else "nothing", 1
        return
    for place in range(max(len(rows) - 1, len(want))):
        found = rows[place + 1] if place + 1 < len(rows) else None
        if found is None or place >= len(want) or len(found) != len(columns):
            wanted = show(list(want[place].values())) if place < len(want) else "no such row"
            yield f"rows[{place}]", wanted, show(found), place + 2
            continue
        for (name, value), cell in zip(want[place].items(), found, strict=True):
            if not _same_cell(value, cell):
                yield f"rows[{want[place]['model']}].{name}", _cell(value), cell, place + 2


def parquet_differences(
    types: list[tuple[str, str]], rows: list[dict[str, Any]], want: list[dict[str, Any]]
) -> Iterator[Cell]:
    """leaderboard.parquet: its columns and their types, then cell by cell."""
    found = [name for name, _ in types]
    if found != list(COLUMNS):
        yield "(columns)", ",".join(COLUMNS), ",".join(found), None
        return
    for name, kind in types:
        wanted = _column_type(name)
        narrow = wanted == "BIGINT" and re.fullmatch(r"U?(TINYINT|SMALLINT|INTEGER|BIGINT)", kind)
        if kind != wanted and not narrow:
            yield f"(type of {name})", wanted, kind, None
    for place in range(max(len(rows), len(want))):
        if place >= len(rows):
            yield f"rows[{place}]", show(want[place]), "the row is missing", None
        elif place >= len(want):
            yield f"rows[{place}]", "no such row", "a row", None
        else:
            for result in differences(want[place], rows[place], (), 0.0):
                if isinstance(result, Difference):
                    field = ".".join(str(part) for part in result.path)
                    yield f"rows[{want[place]['model']}].{field}", result.expected, result.found, None


def _column_type(name: str) -> str:
    if name in ("model", "kind", "status"):
        return "VARCHAR"
    return "DOUBLE" if name == "cost_usd" or name.endswith(("_value", "_lo", "_hi")) else "BIGINT"


def _cell(value: object) -> str:
    return "" if value is None else str(value)


def _same_cell(value: object, cell: str) -> bool:
    """Text and integers to the character; a float by its value, which may be written in several ways."""
    if isinstance(value, float):
        return _NUMBER.fullmatch(cell.lower()) is not None and float(cell) == value
    return _cell(value) == cell
