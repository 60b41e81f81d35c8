"""DuckDB as the checker uses it: opened with everything optional off, fed from SQL files, then locked down."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

import duckdb

HERE: Final = Path(__file__).resolve().parent
#: Memory that DuckDB may use; with Python's own the whole check stays below 1 GiB.
MEMORY: Final = "600MB"
THREADS: Final = min(2, os.cpu_count() or 1)
_SETTINGS: Final[dict[str, str | int | bool]] = {
    "memory_limit": MEMORY,
    "threads": THREADS,
    "python_enable_replacements": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "temp_directory": "",
    "preserve_insertion_order": False,
}


class Engine:
    """One in-memory database.  `folder/name.sql` always makes the relation `name`."""

    def __init__(self) -> None:
        self.connection = duckdb.connect(":memory:", config=dict(_SETTINGS))
        self.run("SET TimeZone = 'UTC'")

    def lock(self) -> None:
        """Close the way to files, network and settings: what follows computes on what was read, and on nothing else."""
        self.run("SET enable_external_access = false")
        self.run("SET lock_configuration = true")

    def run(self, sql: str, values: Sequence[Any] = ()) -> None:
        """Execute one statement that gives no rows."""
        self.connection.execute(sql, list(values))

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        return self.connection.execute(sql, list(values)).fetchall()

    def records(self, sql: str) -> list[dict[str, Any]]:
        """All rows of a query as dicts in the order of its columns."""
        cursor = self.connection.execute(sql)
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def insert(self, table: str, rows: Iterable[Sequence[Any]]) -> None:
        """Insert rows of plain values into a table that exists."""
        for some in batched(rows, 100):  # one statement for many rows: a statement a row costs a millisecond each
            row = "(" + ", ".join("?" * len(some[0])) + ")"
            self.run(f"INSERT INTO {table} VALUES " + ", ".join([row] * len(some)), [v for r in some for v in r])  # noqa: S608

    def load(self, table: str, rows: Sequence[Sequence[Any]], types: Sequence[str]) -> None:
        """Insert many rows of plain values, column by column: one statement whatever their number."""
        columns = ", ".join(f"unnest(?::{kind}[])" for kind in types)
        for some in batched(rows, 50_000):
            self.run(f"INSERT INTO {table} SELECT {columns}", [list(column) for column in zip(*some, strict=True)])

    def script(self, name: str, folder: str = "sql") -> None:
        """Execute every statement of `folder/name.sql` (tables and macros)."""
        self.connection.execute(sql_text(f"{folder}/{name}.sql"))

    def relation(self, name: str, folder: str = "sql", kind: str = "TABLE") -> None:
        """Make the relation `name` from `folder/name.sql`."""
        self.run(f"CREATE OR REPLACE TEMP {kind} {name} AS\n" + sql_text(f"{folder}/{name}.sql"))

    def result(self, name: str, folder: str = "sql") -> list[dict[str, Any]]:
        """The rows of `folder/name.sql` in its own order; read from a table, rows have no order."""
        return self.records(sql_text(f"{folder}/{name}.sql"))

    def offenders(self, rule: str, folder: str = "must_be_empty") -> list[dict[str, Any]]:
        """The rows of `folder/rule.sql`."""
        return self.records(sql_text(f"{folder}/{rule}.sql"))


def batched(rows: Iterable[Sequence[Any]], size: int) -> Iterator[list[Sequence[Any]]]:
    """The rows in lists of at most `size`."""
    source = iter(rows)
    while some := list(islice(source, size)):
        yield some


@cache
def sql_text(name: str) -> str:
    """The text of one of the checker's SQL files."""
    return (HERE / name).read_text(encoding="utf-8")
