"""The published side: builder.json, checked.json, leaderboard.* and crosscheck.json against what was computed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import duckdb

from checker.batches import escape_glob
from checker.board import Cell, csv_differences, parquet_differences
from checker.compare import Counts, Difference, TableComparison, differences
from checker.engine import Engine
from checker.errors import JsonFault
from checker.findings import Findings, Side, show
from checker.inputs import Inputs
from checker.strictjson import Path, decode, loads_with_lines
from checker.tables import Checked, is_next

FIX: Final = "publish again; published numbers are taken from checked.json alone"
BUILDER_FIX: Final = (
    "publish again, or mend the builder's metrics; the SQL behind the expected value is in checker/sql/"
)
#: The files of tables/ that are read, but for leaderboard.parquet, which DuckDB reads before it is locked.
DOCUMENTS: Final = (
    "builder.json", "checked.json", "crosscheck.json", "leaderboard.json", "leaderboard.csv", "MANIFEST.json",
)  # fmt: skip


@dataclass(frozen=True)
class Document:
    """A JSON object and the lines on which its parts stand."""

    value: dict[str, Any]
    lines: dict[Path, int]

    def line(self, path: Path) -> int | None:
        """The line of the nearest part of a path that has one."""
        while path:
            if path in self.lines:
                return self.lines[path]
            path = path[:-1]
        return None


class Published:
    """What stands in tables/<benchmark>/<version>/, read before the database is locked.

    `counts` says of each file how many fields were compared and how many agreed.
    """

    def __init__(self, inputs: Inputs, engine: Engine) -> None:
        self.inputs = inputs
        self.findings: Findings = inputs.findings
        self.counts: dict[str, Counts] = defaultdict(Counts)
        self.data = {name: inputs.read(f"{inputs.tables}/{name}") for name in DOCUMENTS}
        self.documents: dict[str, Document | None] = {}
        self.parquet: list[dict[str, Any]] | None = None
        self.parquet_types: list[tuple[str, str]] = []
        data = inputs.read(self.path("leaderboard.parquet"))
        if data is not None and not data.startswith(b"PAR1"):  # DuckDB looks at the end of the file only
            self.report(
                "leaderboard.parquet", "(file)", "a Parquet file, which begins with PAR1", "another beginning", None
            )
        elif data is not None:
            self.read_parquet(engine)

    def names(self) -> list[str]:
        """The names of the files that stand there."""
        there = [name for name, data in self.data.items() if data is not None]
        parquet = "leaderboard.parquet"
        return [*there, parquet] if self.path(parquet) in self.inputs.digests else there

    def path(self, name: str) -> str:
        """The path of a file of tables/, from the root."""
        return f"{self.inputs.tables}/{name}"

    def read_parquet(self, engine: Engine) -> None:
        name = "leaderboard.parquet"
        place = escape_glob(str(self.inputs.root / self.path(name))).replace("'", "''")
        query = f"FROM read_parquet(['{place}'], hive_partitioning = false, union_by_name = false)"
        try:
            self.parquet_types = [(row[0], row[1]) for row in engine.rows(f"DESCRIBE {query}")]
            self.parquet = engine.records(query)
        except (duckdb.Error, UnicodeDecodeError) as error:
            self.report(name, "(file)", "a Parquet file that can be read", str(error).splitlines()[0], None)

    def document(self, name: str, want: Checked | None = None) -> Document | None:
        """A JSON file, parsed once; None where there is none, or (a finding) no JSON object.

        Of the lists of many rows, those whose text is the wanted one are taken unread (None).
        """

        def known(path: Path, text: str) -> bool:
            return want is not None and len(path) == 2 and path[0] in want.many and is_next(path, text, want)

        data = self.data[name]
        if data is None or name in self.documents:
            return self.documents.get(name)
        self.documents[name] = None
        try:
            value, lines = loads_with_lines(decode(data), known)
        except JsonFault as fault:
            self.report(name, "(file)", "strict JSON", str(fault), fault.line)
            return None
        if not isinstance(value, dict):
            self.report(name, "(file)", "one JSON object", show(value), 1)
            return None
        self.documents[name] = Document(value, lines)
        return self.documents[name]

    def report(self, name: str, field: str, expected: str, found: str, line: int | None) -> None:
        """Record one difference of a file of tables/."""
        side: Side = "builder" if name == "builder.json" else "published"
        fix = BUILDER_FIX if side == "builder" else FIX
        self.counts[name].add(None, False)
        self.findings.add(self.path(name), "R20", side, field, expected, found, fix, line=line)

    # --- comparisons -------------------------------------------------------------------------------------------------

    def compare_builder(self, want: Checked) -> bool:
        """builder.json, field by field; False, and a trouble, where there is none."""
        name = "builder.json"
        if self.data[name] is None:
            self.inputs.troubles.append(
                f"{self.path(name)}: there is no such file, so there is nothing to compare; publish first"
            )
            return False
        self.table(name, "builder", want, BUILDER_FIX)
        return True

    def table(self, name: str, side: Side, want: Checked, fix: str, **tolerance: float) -> None:
        document = self.document(name, want)
        if document is not None:
            comparison = TableComparison(self.path(name), side, self.findings, fix, **tolerance)
            self.counts[name] = comparison.run(document.value, document.lines, want)

    def compare(self, want: Checked, statuses: dict[str, str], status: str) -> None:
        """Every other published file that stands there, against what was computed."""
        self.checked(want)
        board = self.inputs.game.board
        rows = board.rows(want, statuses)
        document = {
            "benchmark": want.head["benchmark"], "version": want.head["version"], "digest": want.digest, "rows": rows,
            "slices": {name: want.lists[name] for name in want.shape.slices},
        }  # fmt: skip
        found = self.document("leaderboard.json")
        if found is not None:
            self.walk("leaderboard.json", document, found.value, found.line)
        flat = [board.flat(row) for row in rows]
        data = self.data["leaderboard.csv"]
        if data is not None:
            self.cells("leaderboard.csv", csv_differences(board, data, flat))
        if self.parquet is not None:
            self.cells("leaderboard.parquet", parquet_differences(board, self.parquet_types, self.parquet, flat))
        self.crosscheck(want, statuses, status)

    def is_checked(self, want: Checked | None) -> bool:
        """Whether checked.json has the very bytes that the checker writes."""
        return want is not None and self.data["checked.json"] == want.text.encode("utf-8", "backslashreplace")

    def checked(self, want: Checked) -> None:
        name, data = "checked.json", self.data["checked.json"]
        if data is None:
            return
        if self.is_checked(want):
            self.counts[name].add(None, True)  # its bytes, which are all of its fields at once
            return
        self.table(name, "published", want, FIX, tolerance=0.0)
        counts = self.counts[name]
        if counts.equal == counts.compared and not any(f.file == self.path(name) for f in self.findings.all()):
            wanted = want.text.encode("utf-8", "backslashreplace")
            lines = zip(wanted.split(b"\n"), data.split(b"\n"), strict=False)
            line = next((i for i, (a, b) in enumerate(lines, 1) if a != b), wanted.count(b"\n"))
            self.report(name, "(bytes)", "the bytes that the checker writes", "other bytes for the same values", line)

    def cells(self, name: str, found: Iterator[Cell | str]) -> None:
        for cell in found:
            if isinstance(cell, str):
                self.counts[name].add(None, True)
            else:
                self.report(name, *cell)

    def walk(self, name: str, want: Any, found: Any, line: Callable[[Path], int | None], at: Path = ()) -> None:
        """Objects by key, lists of objects by place, all else exactly."""
        if isinstance(want, dict) and isinstance(found, dict) and any(_nests(value) for value in want.values()):
            for key in [*want, *(key for key in found if key not in want)]:
                if key in want and key in found:
                    self.walk(name, want[key], found[key], line, (*at, key))
                else:
                    there = show(found[key]) if key in found else "the key is missing"
                    wanted = "the key stands" if key in want else "no such key"
                    self.report(name, dotted((*at, key)), wanted, there, line((*at, key)))
            if list(want) != list(found) and set(want) == set(found):
                self.report(name, dotted((*at, "(keys)")), ", ".join(want), ", ".join(found), line(at))
        elif _is_rows(want) and isinstance(found, list):
            for place in range(max(len(want), len(found))):
                here = (*at, place)
                if place >= len(found):
                    self.report(name, dotted(here), show(want[place]), "the row is missing", line(at))
                elif place >= len(want):
                    self.report(name, dotted(here), "no such row", show(found[place]), line(here))
                else:
                    self.walk(name, want[place], found[place], line, here)
        else:
            for result in differences(want, found, at, 0.0):
                if isinstance(result, Difference):
                    self.report(name, dotted(result.path), result.expected, result.found, line(result.path))
                else:
                    self.counts[name].add(None, True)

    def crosscheck(self, want: Checked, statuses: dict[str, str], status: str) -> None:
        """The stable parts of a crosscheck.json that stands there; findings and counts may belong to another day."""
        found = self.document("crosscheck.json")
        if found is None:
            return
        stable = {
            "benchmark": want.head["benchmark"], "version": want.head["version"], "digest": want.digest,
            "status": status, "rows": [{"model": model, "status": name} for model, name in statuses.items()],
        }  # fmt: skip
        there = {key: found.value[key] for key in stable if key in found.value}
        if isinstance(there.get("rows"), list):
            there["rows"] = [
                {key: row[key] for key in ("model", "status") if key in row} if isinstance(row, dict) else row
                for row in there["rows"]
            ]
        self.walk("crosscheck.json", stable, there, found.line)


def _is_rows(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _nests(value: object) -> bool:
    return isinstance(value, dict) or _is_rows(value)


def dotted(path: Path) -> str:
    """A path as findings name it."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".") or "(file)"
