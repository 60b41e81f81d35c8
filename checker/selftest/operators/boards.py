"""leaderboard.csv, leaderboard.parquet, crosscheck.json and MANIFEST.json, and the order of the board."""

from __future__ import annotations

import csv
import io
import json
import math
from typing import Any, Final

from checker.benchmarks import BENCHMARKS
from checker.selftest.operators.operator import BARE, Catalogue, Change, Hand, NoPlace, one_file, replaced, told
from checker.selftest.operators.tables import Table
from checker.selftest.publish import parquet_bytes, parquet_rows
from checker.selftest.world import document
from checker.verdict import STATUSES

BOARDS: Final = Catalogue("table")
operator = BOARDS.operator
Row = dict[str, Any]


@operator("promote-a-status", "leaderboard.json gives a row another status.")
def _(hand: Hand) -> Change:
    table = Table(hand, ("leaderboard.json",))
    row = hand.pick(table.value["rows"])
    return table.changed(replaced(row, "status", hand.pick([*STATUSES, "cross-checked", ""])))


@operator(
    "change-the-verdict",
    "crosscheck.json says another status, version or digest, or has other rows.",
    changes="verdict",
    seldom=True,
)
def _(hand: Hand) -> Change:
    path = f"{hand.world.tables}/crosscheck.json"
    value = json.loads(hand.world.files[path])
    way = hand.pick(["head", "row", "row", "drop", "order", "more"])
    if way == "head":
        name = hand.pick(["benchmark", "version", "digest", "status"])
        what = replaced(value, name, hand.pick([*STATUSES[:5], "0" * 64]) if name in ("status", "digest") else "x")
    elif way == "row":
        row, name = hand.pick(value["rows"]), hand.pick(["status", "model"])
        what = replaced(row, name, hand.pick([*STATUSES, row[name] + "x"]) if name == "status" else row[name] + "x")
    elif way == "drop":
        what = f"no row of {value['rows'].pop(hand.chance.randrange(len(value['rows'])))['model']}"
    elif way == "more":
        what = "a row more"
        value["rows"].append(value["rows"][0] | {"model": "zoe"})
    else:
        what = "rows in another order"
        value["rows"].reverse()
    return one_file(path, document(value), what)


# --- leaderboard.csv --------------------------------------------------------------------------------------------------


def csv_of(hand: Hand) -> tuple[str, list[list[str]]]:
    """The path and the records of leaderboard.csv."""
    path = f"{hand.world.tables}/leaderboard.csv"
    return path, list(csv.reader(io.StringIO(hand.world.files[path].decode(), newline="")))


def csv_text(records: list[list[str]]) -> bytes:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(records)
    return stream.getvalue().encode()


@operator("change-a-cell", "A cell of leaderboard.csv is another one.")
def _(hand: Hand) -> Change:
    path, records = csv_of(hand)
    row = hand.chance.randrange(1, len(records))
    column = hand.chance.randrange(len(records[0]))
    old = records[row][column]
    number = old.replace(".", "").isdigit()
    others = ["0", "", old + "1", "true", old + " ", old.upper(), "NaN", "x"]
    new = hand.pick([*others, str(float(old) + 1)] if number else others)
    # A float may be written in several ways (RFC 4180 says nothing of numbers).
    same = number and "." in old and new.replace(".", "").isdigit() and float(new) == float(old)
    if new == old or same:
        raise NoPlace
    records[row][column] = new
    return one_file(path, csv_text(records), told(records[0][column], old, new), row + 1)


@operator(
    "change-the-rows-of-the-csv",
    "leaderboard.csv has a row or column more or less, or two of them swapped.",
    seldom=True,
)
def _(hand: Hand) -> Change:
    path, records = csv_of(hand)
    way = hand.pick(["drop", "double", "swap", "columns", "column", "header", "no header", "values"])
    row, column = hand.chance.randrange(1, len(records)), hand.chance.randrange(len(records[0]))
    other = hand.chance.randrange(len(records[0]))
    if way == "drop":
        del records[row]
    elif way == "double":
        records.insert(row, records[row])
    elif way == "swap":
        records[row], records[row - 1] = records[row - 1], records[row]
    elif way == "columns":
        for record in records:
            record[column], record[other] = record[other], record[column]
    elif way == "column":
        for record in records:
            del record[column]
    elif way == "header":
        records[0][column] += hand.pick(["2", " ", "_"])
    elif way == "no header":
        del records[0]
    else:
        records[row][column], records[row][other] = records[row][other], records[row][column]
    data = csv_text(records)
    if data == hand.world.files[path]:
        raise NoPlace
    return one_file(path, data, way)


@operator(
    "write-the-csv-otherwise",
    "leaderboard.csv has CR LF, no last LF, a mark in front, or a quote that stays open.",
    seldom=True,
)
def _(hand: Hand) -> Change:
    path = f"{hand.world.tables}/leaderboard.csv"
    data = hand.world.files[path]
    ways = {"CR LF": data.replace(b"\n", b"\r\n"), "no last LF": data[:-1], "a mark": b"\xef\xbb\xbf" + data,
            "a quote": data.replace(b",", b',"', 1), "a line": data + b"\n",
            "a byte": data[:-2] + b"\xff\n"}  # fmt: skip
    way = hand.pick(list(ways))
    return one_file(path, ways[way], way)


# --- leaderboard.parquet ----------------------------------------------------------------------------------------------


@operator("change-a-parquet-cell", "A cell of leaderboard.parquet is another one.", seldom=True)
def _(hand: Hand) -> Change:
    path = f"{hand.world.tables}/leaderboard.parquet"
    rows = parquet_rows(hand.world.files[path])
    row = hand.pick(rows)
    name = hand.pick(list(row))
    old = row[name]
    board = BENCHMARKS[hand.world.benchmark].board
    kind = board.column_type(name)
    if kind == "VARCHAR":
        values: list[Any] = [f"{old}x", "", None]
    elif kind == "BOOLEAN":
        values = [not old, None]
    else:
        values = [None, 0, (old or 0) + 1] if kind == "BIGINT" else [None, 0.0, math.nextafter(old or 0.0, 9e9)]
    what = replaced(row, name, hand.pick(values))
    return one_file(path, parquet_bytes(rows, board), f"{what}, of {row['model']}")


@operator("change-the-rows-of-the-parquet", "leaderboard.parquet has other rows, columns or types.", seldom=True)
def _(hand: Hand) -> Change:
    path = f"{hand.world.tables}/leaderboard.parquet"
    rows = parquet_rows(hand.world.files[path])
    way = hand.pick(["drop", "double", "swap", "column", "order", "name", "type", "type"])
    place, kinds = hand.chance.randrange(len(rows)), dict[str, str]()
    board = BENCHMARKS[hand.world.benchmark].board
    column = hand.pick(list(rows[0]))
    if way == "drop":
        del rows[place]
    elif way == "double":
        rows.insert(place, rows[place])
    elif way == "swap":
        rows[place], rows[place - 1] = rows[place - 1], rows[place]
    elif way == "column":
        rows = [{name: value for name, value in row.items() if name != column} for row in rows]
    elif way == "order":
        rows = [{column: row[column]} | row for row in rows]
    elif way == "name":
        rows = [{name + ("_" if name == column else ""): value for name, value in row.items()} for row in rows]
        kinds[column + "_"] = board.column_type(column)
    else:
        # Narrower integers are the same numbers (and allowed); a text or a float in their place is not.
        kinds[column] = hand.pick(["VARCHAR", "DOUBLE"] if isinstance(rows[0][column], int) else ["VARCHAR"])
    data = parquet_bytes(rows, board, kinds)
    if data == hand.world.files[path] or (way == "type" and isinstance(rows[0][column], str)):
        raise NoPlace
    return one_file(path, data, f"{way}: {column}")


# --- MANIFEST.json ----------------------------------------------------------------------------------------------------


@operator(
    "change-the-manifest",
    "MANIFEST.json lists another digest, a file more or less, another order or head.",
    changes="manifest",
    mends=BARE,
    alone=True,
)
def _(hand: Hand) -> Change:
    path = f"{hand.world.tables}/MANIFEST.json"
    value = json.loads(hand.world.files[path])
    files = value["files"]
    name, way = hand.pick(list(files)), hand.pick(["digest", "drop", "more", "order", "head", "keys", "type"])
    if way == "digest":
        files[name] = hand.pick([files[name][::-1], files[name].upper(), files[name] + "0", None])
    elif way == "drop":
        del files[name]
    elif way == "more":
        files[hand.pick([name + "x", "runs/zzz", "README.md", f"{hand.world.tables}/MANIFEST.json"])] = files[name]
        value["files"] = dict(sorted(files.items()))
    elif way == "order":
        value["files"] = {name: files[name]} | files
    elif way == "head":
        replaced(value, hand.pick(["benchmark", "version", "digest"]), hand.pick(["x", "0" * 64, None]))
    elif way == "keys":
        backwards = {key: value[key] for key in reversed(value)}
        value = hand.pick([value | {"note": ""}, backwards, value | {"signed": True}])
    else:
        value = hand.pick([value | {"files": list(files)}, [value], value | {"files": {}}])
    if document(value) == hand.world.files[path]:
        raise NoPlace
    return one_file(path, document(value), f"{way}: {name}")


def frozen_of(hand: Hand) -> tuple[str, dict[str, Any]]:
    """MANIFEST.json of a frozen version: its path and what it says."""
    path = f"{hand.world.tables}/MANIFEST.json"
    value = json.loads(hand.world.files[path])
    if "frozen" not in value:
        raise NoPlace
    return path, value


@operator(
    "change-the-freeze",
    "What a freeze says has another shape, order or path, or another digest of a price table.",
    changes="manifest",
    mends=BARE,
    alone=True,
)
def _(hand: Hand) -> Change:
    path, value = frozen_of(hand)
    frozen, way = value["frozen"], hand.pick(["at", "previous", "digest", "path", "order", "keys", "place", "type"])
    beside: Row = frozen["beside"]
    name, table = hand.pick(list(beside)), next(name for name in beside if name.startswith("runs/prices/"))
    if way == "at":
        what = replaced(frozen, "at", hand.pick([
            "2026-02-29T00:00:00Z", "2026-12-03T24:00:00Z", "2026-12-03T00:00:00.000Z", "2026-12-03T00:00:00+00:00",
            "2026-12-03 00:00:00Z", "2026-12-03", "0000-12-03T00:00:00Z", None, 1796256000,
        ]))  # fmt: skip
    elif way == "previous":
        old = frozen["previous"]
        what = replaced(frozen, "previous", hand.pick([old.upper(), old[1:], old + "0", "", "none", 0, [old]]))
    elif way == "digest":
        old = beside[table]
        what = replaced(beside, *hand.pick([(table, old[::-1]), (table, "0" * 64), (name, beside[name].upper()),
                                            (name, beside[name][1:]), (name, None)]))  # fmt: skip
    elif way == "path":
        what = hand.pick([
            "runs/prices/2020-01-01.json", "runs/prices/../prices/" + table.rpartition("/")[2], f"./{name}", f"/{name}",
            name.replace("/", "\\") + "\\x", name + "/", f"{hand.world.runs}/spec.json", "README.md", "",
            f"{hand.world.tables}/MANIFEST.json",
        ])  # fmt: skip
        frozen["beside"] = dict(sorted((beside | {what: beside[table]}).items()))
    elif way == "order":
        what = "another order"
        value["frozen"] = hand.pick([dict(reversed(frozen.items())), frozen | {"beside": {table: ""} | beside}])
    elif way == "keys":
        what = hand.pick(list(frozen))
        less = {key: frozen[key] for key in frozen if key != what}
        value["frozen"] = hand.pick([less, frozen | {f"{what}s": None}, less | {what.upper(): frozen[what]}])
    elif way == "place":
        what = "before files"
        value = {"frozen": frozen} | value
    else:
        what = "another type"
        strange: list[Any] = [None, {}, [frozen], "2026-12-03T00:00:00Z", *(
            frozen | {"beside": some} for some in (None, list(beside), [beside], ""))]  # fmt: skip
        value["frozen"] = hand.pick(strange)
    return one_file(path, document(value), f"{way}: {what}")
