"""The published side: leaderboard.*, checked.json, crosscheck.json and MANIFEST.json against what was computed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import duckdb

from checker import files
from checker.batches import escape_glob
from checker.board import Cell, csv_differences, parquet_differences
from checker.compare import Difference, TableComparison, differences
from checker.engine import Engine
from checker.errors import CouldNotCheck, JsonFault
from checker.findings import Findings, clip, show
from checker.inputs import Inputs
from checker.logs import Logs
from checker.strictjson import Path, decode, loads_with_lines
from checker.tables import Checked

FIX: Final = "publish again; published numbers are taken from checked.json alone"
#: The files of tables/ that are read, but for leaderboard.parquet, which DuckDB reads before it is locked.
DOCUMENTS: Final = (
    "builder.json",
    "checked.json",
    "crosscheck.json",
    "leaderboard.json",
    "leaderboard.csv",
    "MANIFEST.json",
)


class Published:
    """What stands in tables/<benchmark>/<version>/, read before the database is locked."""

    def __init__(self, inputs: Inputs, engine: Engine) -> None:
        self.inputs = inputs
        self.findings: Findings = inputs.findings
        self.documents = {name: inputs.read(f"{inputs.tables}/{name}") for name in DOCUMENTS}
        self.parquet: list[dict[str, Any]] | None = None
        self.parquet_types: list[tuple[str, str]] = []
        self.manifest_digests: dict[str, str] = {}
        if inputs.read(f"{inputs.tables}/leaderboard.parquet") is not None:
            self.read_parquet(engine)
        if self.documents["MANIFEST.json"] is not None:
            self.digest_all()

    def read_parquet(self, engine: Engine) -> None:
        path = f"{self.inputs.tables}/leaderboard.parquet"
        name = escape_glob(str(self.inputs.root / path)).replace("'", "''")
        query = f"FROM read_parquet(['{name}'], hive_partitioning = false, union_by_name = false)"
        try:
            self.parquet_types = [(row[0], row[1]) for row in engine.rows(f"DESCRIBE {query}")]
            self.parquet = engine.records(query)
        except (duckdb.Error, UnicodeDecodeError) as error:
            self.report(path, "(file)", "a Parquet file that can be read", str(error).splitlines()[0], None)

    def digest_all(self) -> None:
        """The digest of every file below both folders of the version but MANIFEST.json."""
        inputs = self.inputs
        for folder in (inputs.runs, inputs.tables):
            if files.kind_of(inputs.root / folder) != "folder":
                continue
            for name in files.below(inputs.root / folder):
                path = f"{folder}/{name}"
                if path == f"{inputs.tables}/MANIFEST.json":
                    continue
                try:
                    self.manifest_digests[path] = inputs.digests.get(path) or files.sha256(inputs.root / path)
                except files.NotRegular as fault:
                    self.manifest_digests[path] = f"a {fault}"
                except CouldNotCheck as error:
                    inputs.troubles.append(str(error))

    def report(
        self, path: str, field: str, expected: str, found: str, line: int | None, model: str | None = None
    ) -> None:
        """Record one finding of side `published`."""
        self.findings.add(path, "R20", "published", field, expected, found, FIX, line=line, model=model)

    # --- comparisons -------------------------------------------------------------------------------------------------

    def compare(self, want: Checked, statuses: dict[str, str], status: str) -> None:
        """Every published file that stands there, against what was computed."""
        self.checked(want)
        board = self.inputs.game.board
        rows = board.rows(want, statuses)
        document = {
            "benchmark": want.head["benchmark"], "version": want.head["version"], "digest": want.digest, "rows": rows,
            "slices": {name: want.lists[name] for name in want.shape.slices},
        }  # fmt: skip
        self.json("leaderboard.json", document)
        flat = [board.flat(row) for row in rows]
        data = self.documents["leaderboard.csv"]
        if data is not None:
            self.cells("leaderboard.csv", csv_differences(board, data, flat))
        if self.parquet is not None:
            self.cells("leaderboard.parquet", parquet_differences(board, self.parquet_types, self.parquet, flat))
        self.crosscheck(want, statuses, status)

    def checked(self, want: Checked) -> None:
        path, data = f"{self.inputs.tables}/checked.json", self.documents["checked.json"]
        if data is None or data == want.text().encode("utf-8", "backslashreplace"):
            return
        before = len(self.findings.all())
        TableComparison(path, "published", self.findings, FIX, tolerance=0.0).run(data, want)
        if len(self.findings.all()) == before:
            wanted, found = want.text().encode().split(b"\n"), data.split(b"\n")
            line = next(
                (i for i, (a, b) in enumerate(zip(wanted, found, strict=False), 1) if a != b),
                min(len(wanted), len(found)),
            )
            self.report(path, "(bytes)", "the bytes that the checker writes", "other bytes for the same values", line)

    def cells(self, name: str, found: Iterator[Cell]) -> None:
        for field, wanted, there, line in found:
            self.report(f"{self.inputs.tables}/{name}", field, wanted, there, line)

    def json(self, name: str, want: dict[str, Any]) -> None:
        path, data = f"{self.inputs.tables}/{name}", self.documents[name]
        if data is None:
            return
        try:
            found, lines = loads_with_lines(decode(data))
        except JsonFault as fault:
            self.report(path, "(file)", "strict JSON", str(fault), fault.line)
            return
        self.walk(path, want, found, lines)

    def walk(self, path: str, want: Any, found: Any, lines: dict[Path, int], at: Path = ()) -> None:
        """Objects by key, lists of objects by place, all else exactly."""
        if (
            isinstance(want, dict)
            and isinstance(found, dict)
            and any(_is_rows(v) or isinstance(v, dict) for v in want.values())
        ):
            for key in [*want, *(key for key in found if key not in want)]:
                if key in want and key in found:
                    self.walk(path, want[key], found[key], lines, (*at, key))
                else:
                    there = show(found[key]) if key in found else "the key is missing"
                    wanted = "the key stands" if key in want else "no such key"
                    self.report(path, _dotted((*at, key)), wanted, there, _line(lines, (*at, key)))
            if list(want) != list(found) and set(want) == set(found):
                self.report(path, _dotted((*at, "(keys)")), ", ".join(want), ", ".join(found), _line(lines, at))
        elif _is_rows(want) and isinstance(found, list):
            for place in range(max(len(want), len(found))):
                here = (*at, place)
                if place >= len(found):
                    self.report(path, _dotted(here), show(want[place]), "the row is missing", _line(lines, at))
                elif place >= len(want):
                    self.report(path, _dotted(here), "no such row", show(found[place]), _line(lines, here))
                else:
                    self.walk(path, want[place], found[place], lines, here)
        else:
            for result in differences(want, found, at, 0.0):
                if isinstance(result, Difference):
                    self.report(path, _dotted(result.path), result.expected, result.found, _line(lines, result.path))

    def crosscheck(self, want: Checked, statuses: dict[str, str], status: str) -> None:
        """The stable parts of a crosscheck.json that stands there; findings and counts may belong to another day."""
        path, data = f"{self.inputs.tables}/crosscheck.json", self.documents["crosscheck.json"]
        if data is None:
            return
        try:
            found, lines = loads_with_lines(decode(data))
        except JsonFault as fault:
            self.report(path, "(file)", "strict JSON", str(fault), fault.line)
            return
        stable = {
            "benchmark": want.head["benchmark"], "version": want.head["version"], "digest": want.digest,
            "status": status, "rows": [{"model": model, "status": name} for model, name in statuses.items()],
        }  # fmt: skip
        if not isinstance(found, dict):
            self.report(path, "(file)", "one JSON object", show(found), 1)
            return
        there = {key: found[key] for key in stable if key in found}
        if isinstance(there.get("rows"), list):
            there["rows"] = [
                {key: row[key] for key in ("model", "status") if key in row} if isinstance(row, dict) else row
                for row in there["rows"]
            ]
        self.walk(path, stable, there, lines)

    def manifest(self, digest: str | None, logs: Logs) -> None:
        """MANIFEST.json: its head, its list of files, and the digest of each."""
        inputs = self.inputs
        path, data = f"{inputs.tables}/MANIFEST.json", self.documents["MANIFEST.json"]
        if data is None:
            return
        try:
            found, lines = loads_with_lines(decode(data))
        except JsonFault as fault:
            self.report(path, "(file)", "strict JSON", str(fault), fault.line)
            return
        listed = found.get("files") if isinstance(found, dict) else None
        if not isinstance(listed, dict):
            self.report(path, "files", "an object of paths and digests", show(listed), 1)
            return
        head = {"benchmark": inputs.benchmark, "version": inputs.version, "files": None}
        head |= {"digest": digest} if digest is not None else {"digest": found.get("digest")}
        order = ("benchmark", "version", "digest", "files")
        self.walk(path, {key: head[key] for key in order}, found | {"files": None}, lines)
        if list(listed) != sorted(listed):
            self.report(path, "files", "sorted by path", "another order", _line(lines, ("files",)))
        # Where builder.json too was made from other inputs, the file changed; else it is the manifest that is wrong.
        for name in sorted({*listed, *self.manifest_digests}):
            line = _line(lines, ("files", name))
            real = self.manifest_digests.get(name)
            if real is None:
                self.report(path, f"files[{clip(name)}]", "no such file is there", show(listed[name]), line)
            elif name not in listed:
                self.report(path, f"files[{clip(name)}]", real, "the file is not listed", _line(lines, ("files",)))
            elif listed[name] != real:
                self.report(path, f"files[{clip(name)}]", real, show(listed[name]), line)
                self.altered(name, listed[name], real, logs)

    def altered(self, name: str, listed: object, real: str, logs: Logs) -> None:
        """A file that is not the one that was published: named too, with its line where that is known."""
        log = next((log for log in logs.all if log.path == name), None)
        line = None
        if log is not None and not log.broken:
            # The chain holds, so only what nothing vouches for can have changed: the last line, or what follows it.
            line = log.lines + (1 if log.tail else 0)
        self.findings.add(
            name, "L7" if log else "R20", "published", "(bytes)", f"{show(listed)}, as MANIFEST.json has it", real,
            "restore the published file, or publish again", line=line,
        )  # fmt: skip


def _is_rows(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _dotted(path: Path) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".") or "(file)"


def _line(lines: dict[Path, int], path: Path) -> int | None:
    while path:
        if path in lines:
            return lines[path]
        path = path[:-1]
    return None
