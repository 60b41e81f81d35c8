"""The board: the rows of leaderboard.json, flat for leaderboard.csv and .parquet, and the comparison of their cells."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from checker.compare import Difference, differences
from checker.findings import show
from checker.money import FLAT_USE
from checker.strictjson import decode
from checker.tables import Checked

LEDGER: Final = ("attempted", "scored", "unparsed", "empty", "refused", "truncated", "failed", "missing")
PARTS: Final = ("k", "n", "value", "lo", "hi")
#: How a finding shows a cell of a CSV file that is empty, which says null there.
EMPTY: Final = "the empty field"
_NUMBER: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?")


#: A difference: (field, expected, found, line or None).
Cell = tuple[str, str, str, int | None]


@dataclass(frozen=True)
class Board:
    """How a benchmark's rows become leaderboard.json, .csv and .parquet."""

    metrics: tuple[str, ...]
    #: The order of the rows, best first; ties by name.
    order: Callable[[dict[str, Any]], tuple[Any, ...]]
    #: Fields of `rows` that stand behind `use` in leaderboard.json.
    more: tuple[str, ...]
    #: Those that stand in the flat files too: behind `runs`, and at the end.
    flat_first: tuple[str, ...] = ()
    flat_last: tuple[str, ...] = ()
    booleans: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of leaderboard.csv and leaderboard.parquet."""
        metrics = (f"{metric}_{part}" for metric in self.metrics for part in PARTS)
        cost = ("cost_usd", "empty_replies", *FLAT_USE)
        return ("model", "kind", "status", "runs", *self.flat_first, *metrics, *LEDGER, *cost, *self.flat_last)

    def rows(self, want: Checked, statuses: dict[str, str]) -> list[dict[str, Any]]:
        """The rows of leaderboard.json."""
        rows = []
        for row in want.lists["rows"]:
            cost = row["use"]["cost_microusd"]
            rows.append(
                {
                    "model": row["model"], "kind": row["kind"], "status": statuses[row["model"]], "runs": row["runs"],
                    "metrics": row["metrics"], "ledger": row["ledger"],
                    "cost_usd": None if cost is None else cost / 10**6, "empty_replies": row["empty_replies"],
                    "use": row["use"], **{name: row[name] for name in self.more},
                }
            )  # fmt: skip
        return sorted(rows, key=lambda row: (*self.order(row), row["model"]))

    def flat(self, row: dict[str, Any]) -> dict[str, Any]:
        """One row of leaderboard.csv and leaderboard.parquet."""
        metrics = {f"{metric}_{part}": row["metrics"][metric][part] for metric in self.metrics for part in PARTS}
        cells = row | metrics | {name: row["ledger"][name] for name in LEDGER}
        cells |= {name: row["use"][name] for name in FLAT_USE}
        return {column: cells[column] for column in self.columns}

    def nested(self, cells: dict[str, Any]) -> dict[str, Any]:
        """A row of leaderboard.csv or leaderboard.parquet in the shape of leaderboard.json: the inverse of `flat`."""
        metrics = {metric: {part: cells[f"{metric}_{part}"] for part in PARTS} for metric in self.metrics}
        plain = {name: cells[name] for name in ("model", "kind", "status", "runs", "cost_usd", "empty_replies")}
        plain |= {name: cells[name] for name in (*self.flat_first, *self.flat_last)}
        ledger, use = ({name: cells[name] for name in names} for names in (LEDGER, FLAT_USE))
        return plain | {"metrics": metrics, "ledger": ledger, "use": use}

    def column_type(self, name: str) -> str:
        """DuckDB's type of a column of leaderboard.parquet."""
        if name in ("model", "kind", "status"):
            return "VARCHAR"
        if name in (*self.booleans, "served_differs", "settings_differ"):
            return "BOOLEAN"
        floats = name == "cost_usd" or name.startswith("cost_per_") or name.endswith(("_value", "_lo", "_hi"))
        return "DOUBLE" if floats else "BIGINT"


def lowest_first(rate: dict[str, Any]) -> tuple[bool, Fraction]:
    """Sort key of a rate: exact k/n, lowest first, an empty rate last."""
    return rate["n"] == 0, Fraction(rate["k"] or 0, rate["n"] or 1)


def read_csv(data: bytes) -> list[list[str]]:
    """The records of a CSV file, its header included.  Raises ValueError where it is not RFC 4180 in UTF-8."""
    try:
        return list(csv.reader(io.StringIO(decode(data), newline=""), strict=True))
    except csv.Error as fault:
        raise ValueError(str(fault)) from None


def csv_differences(board: Board, data: bytes, want: list[dict[str, Any]]) -> Iterator[Cell | str]:
    """leaderboard.csv, cell by cell: the cell's name where it is equal, else what differs; numbers by value, since
    RFC 4180 says nothing of how they are written."""
    columns = list(board.columns)
    try:
        rows = read_csv(data)
    except ValueError as fault:
        yield "(file)", "RFC 4180 in UTF-8", str(fault), None
        return
    if b"\r" in data or not data.endswith(b"\n"):
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
            field = f"rows[{want[place]['model']}].{name}"
            same = _same_cell(value, cell)
            yield field if same else (field, _cell(value) or EMPTY, cell or EMPTY, place + 2)


def parquet_differences(
    board: Board, types: list[tuple[str, str]], rows: list[dict[str, Any]], want: list[dict[str, Any]]
) -> Iterator[Cell | str]:
    """leaderboard.parquet: its columns and their types, then cell by cell: the cell's name where it is equal, else
    what differs."""
    found = [name for name, _ in types]
    if found != list(board.columns):
        yield "(columns)", ",".join(board.columns), ",".join(found), None
        return
    for name, kind in types:
        wanted = board.column_type(name)
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
                path = result.path if isinstance(result, Difference) else result
                field = f"rows[{want[place]['model']}]." + ".".join(str(part) for part in path)
                yield (field, result.expected, result.found, None) if isinstance(result, Difference) else field


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def _same_cell(value: object, cell: str) -> bool:
    """Text and integers to the character; a float by its value, which may be written in several ways."""
    if isinstance(value, float):
        return _NUMBER.fullmatch(cell.lower()) is not None and float(cell) == value
    return _cell(value) == cell
