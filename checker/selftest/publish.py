"""The tables of a version, from the checker's own numbers: what is tested is whether a change to them is seen."""

from __future__ import annotations

import csv
import io
import json
import tempfile
from pathlib import Path
from typing import Any, Final

import duckdb

from checker.benchmarks import BENCHMARKS
from checker.board import Board
from checker.check import Outcome, check_version, ingest, numbers
from checker.engine import Engine
from checker.findings import Findings
from checker.inputs import read_inputs
from checker.selftest.world import Disk, World, document
from checker.tables import Checked, compact

Row = dict[str, Any]
#: The copies are checked in this process, thousands of them; what a status would say with a sandbox is pretended.
SANDBOX: Final = {
    "name": "bubblewrap", "why": None,
    "probes": [{"probe": "pretended", "expected": "refused", "found": "refused", "ok": True}],
}  # fmt: skip


def check(root: Path, world: World) -> Outcome:
    """The check of a version, in this process and without a sandbox."""
    return check_version(root, world.benchmark, world.version, SANDBOX, {})


def computed(root: Path, world: World) -> str:
    """checked.json of what stands in runs/.  Raises ValueError where there is none."""
    inputs = read_inputs(root, world.benchmark, world.version, Findings())
    engine = Engine()
    checked = numbers(engine, ingest(engine, inputs))
    if checked is None:
        raise ValueError(f"{world.name}: nothing could be computed")
    return checked.text


def publish(disk: Disk, world: World) -> dict[str, bytes]:
    """The files of the version's tables, made from its runs/ as they stand on `disk`; they are left there.

    Raises ValueError where the runs cannot be published.
    """
    old = [path for path in disk.files if path.startswith(world.tables + "/")]
    disk.put(dict.fromkeys(old))
    made: dict[str, bytes] = {}

    def write(name: str, data: bytes) -> None:
        made[f"{world.tables}/{name}"] = data
        disk.put({f"{world.tables}/{name}": data})

    checked = computed(disk.root, world)
    write("builder.json", checked.encode())
    crosscheck = check(disk.root, world).crosscheck
    if any(finding["side"] != "imported" for finding in crosscheck["mismatches"]):
        raise ValueError(f"{world.name}: {crosscheck['mismatches'][0]}")
    write("checked.json", checked.encode())
    write("crosscheck.json", document(crosscheck))
    for name, data in boards(world.benchmark, json.loads(checked), crosscheck).items():
        write(name, data)
    files = {p.relative_to(disk.root).as_posix(): p.read_bytes() for p in disk.root.rglob("*") if p.is_file()}
    write("MANIFEST.json", world.manifest(dict(files), crosscheck["digest"]))
    return made


def boards(benchmark: str, checked: Row, crosscheck: Row) -> dict[str, bytes]:
    """leaderboard.json, .csv and .parquet of a checked.json."""
    game = BENCHMARKS[benchmark]
    lists = {key: value for key, value in checked.items() if isinstance(value, list)}
    head = {key: checked[key] for key in ("benchmark", "version", "digest")}
    statuses = {row["model"]: row["status"] for row in crosscheck["rows"]}
    rows = game.board.rows(Checked(game.shape, head, {}, lists, checked["totals"]), statuses)
    slices = {name: checked[name] for name in game.shape.slices}
    flat = [game.board.flat(row) for row in rows]
    return {
        "leaderboard.json": table_bytes(head | {"rows": rows, "slices": slices}),
        "leaderboard.csv": csv_bytes(flat),
        "leaderboard.parquet": parquet_bytes(flat, game.board),
    }


def are_rows(value: object) -> bool:
    """Whether it is a list of objects, and not an empty one."""
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def table_bytes(table: Row) -> bytes:
    """A table's JSON: compact, each element of its lists of rows on a line of its own."""

    def text(value: Any) -> str:
        if are_rows(value):
            return "[\n" + ",\n".join(map(compact, value)) + "\n]"
        if isinstance(value, dict) and any(map(are_rows, value.values())):
            return "{" + ",\n".join(f"{compact(key)}:{text(item)}" for key, item in value.items()) + "}"
        return compact(value)

    return ("{\n" + ",\n".join(f"{compact(key)}:{text(value)}" for key, value in table.items()) + "\n}\n").encode()


def csv_bytes(flat: list[Row]) -> bytes:
    """The rows as tables.md writes CSV."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(flat[0])
    writer.writerows([[_cell(value) for value in row.values()] for row in flat])
    return stream.getvalue().encode()


def _cell(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value


def parquet_bytes(flat: list[Row], board: Board, kinds: dict[str, str] | None = None) -> bytes:
    """The rows as Parquet; `kinds` are the types of columns that are not the board's."""
    columns = {name: (kinds or {}).get(name) or board.column_type(name) for name in flat[0]}
    with tempfile.TemporaryDirectory() as folder, duckdb.connect(":memory:", config={"threads": 1}) as connection:
        path = Path(folder, "board.parquet")
        connection.execute("CREATE TABLE board (" + ", ".join(f'"{n}" {kind}' for n, kind in columns.items()) + ")")
        row = "(" + ", ".join("?" * len(columns)) + ")"
        values = [value for some in flat for value in some.values()]
        connection.execute("INSERT INTO board VALUES " + ", ".join([row] * len(flat)), values)  # noqa: S608
        connection.execute(f"COPY board TO '{path}' (FORMAT parquet)")
        return path.read_bytes()


def parquet_rows(data: bytes) -> list[Row]:
    """The rows of a sound Parquet file."""
    with tempfile.TemporaryDirectory() as folder, duckdb.connect(":memory:", config={"threads": 1}) as connection:
        path = Path(folder, "board.parquet")
        path.write_bytes(data)
        cursor = connection.execute(f"FROM read_parquet('{path}')")
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
