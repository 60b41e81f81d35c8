"""Published tables that say something else in another dress: JSON, CSV and Parquet, cell by cell and type by type."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from checker_world import B, World, check, code
from hostile_world import about, is_whole

Change = Callable[[str], str]


def swapped(old: str, new: str) -> Change:
    def change(text: str) -> str:
        assert old in text, old
        return text.replace(old, new, 1)

    return change


def columns(*order: int) -> Change:
    """The CSV with its columns in another order."""

    def change(text: str) -> str:
        rows = [line.split(",") for line in text.splitlines()]
        places = [*order, *(i for i in range(len(rows[0])) if i not in order)]
        return "".join(",".join(row[i] for i in places) + "\n" for row in rows)

    return change


CSV: dict[str, Change] = {
    "mark": lambda text: "\ufeff" + text,
    "crlf": lambda text: text.replace("\n", "\r\n"),
    "cr": lambda text: text.replace("\n", "\r"),
    "no-last-line-end": lambda text: text.rstrip("\n"),
    "empty": lambda text: "",
    "header-only": lambda text: text.splitlines()[0] + "\n",
    "no-header": lambda text: text.partition("\n")[2],
    "header-twice": lambda text: text.splitlines()[0] + "\n" + text,
    "row-twice": lambda text: text + text.splitlines()[-1] + "\n",
    "row-less": lambda text: "\n".join(text.splitlines()[:-1]) + "\n",
    "empty-row": lambda text: text + "\n",
    "column-order": columns(1, 0),
    "column-twice": lambda text: "".join(line + "," + line.split(",")[-1] + "\n" for line in text.splitlines()),
    "column-less": lambda text: "".join(line.rpartition(",")[0] + "\n" for line in text.splitlines()),
    "column-case": swapped("model,", "Model,"),
    "semicolons": lambda text: text.replace(",", ";"),
    "locale-comma": swapped(",0.5,", ',"0,5",'),
    "percent": swapped(",0.5,", ",50%,"),
    "grouped": swapped(",7000.0,", ',"7,000.0",'),
    "nan": swapped(",0.5,", ",nan,"),
    "infinity": swapped(",0.5,", ",inf,"),
    "hex": swapped(",0.5,", ",0x1p-1,"),
    "next-double": swapped(",0.5,", ",0.5000000000000001,"),
    "rounded": lambda text: re.sub(r"(0\.[0-9]{4})[0-9]{8,}", r"\1", text, count=1),
    "integer-as-float": swapped("baseline,CROSS-CHECKED,1,", "baseline,CROSS-CHECKED,1.0,"),
    "leading-0": swapped("baseline,CROSS-CHECKED,1,", "baseline,CROSS-CHECKED,01,"),
    "plus": swapped("baseline,CROSS-CHECKED,1,", "baseline,CROSS-CHECKED,+1,"),
    "arabic-digit": swapped("baseline,CROSS-CHECKED,1,", "baseline,CROSS-CHECKED,١,"),
    "null-as-0": swapped(",54,,,18,,", ",54,0,,18,,"),
    "null-as-text": swapped(",54,,,18,,", ",54,null,,18,,"),
    "true-for-false": swapped(",false,false,", ",true,false,"),
    "False": swapped(",false,false,", ",False,false,"),
    "space": swapped("baseline,", " baseline,"),
    "formula": swapped(B, "=" + B),
    "formula-quoted": swapped(B, f'"=HYPERLINK(""http://x"",""{B}"")"'),
    "quote-inside": swapped(B, B + '"x'),
    "open-quote": swapped(B, '"' + B),
    "look-alike": swapped(B, B.replace("o", "о")),
    "nul": swapped(B, B + "\0"),
    "zero-width": swapped(B, B + "\u200b"),
    "line-in-cell": swapped(B, f'"{B}\n"'),
    "better": swapped(f"{B},baseline,CROSS-CHECKED,1,1,2,0.5", f"{B},baseline,CROSS-CHECKED,1,0,2,0.0"),
}


#: SELECT lists and clauses that make another table of the board `b`.
PARQUET: dict[str, str] = {
    "double-for-integer": "SELECT * REPLACE (runs::DOUBLE AS runs) FROM b",
    "decimal-for-double": "SELECT * REPLACE (cave_rate_value::DECIMAL(18, 6) AS cave_rate_value) FROM b",
    "float-for-double": "SELECT * REPLACE (cave_rate_lo::FLOAT AS cave_rate_lo) FROM b",
    "hugeint": "SELECT * REPLACE (runs::HUGEINT AS runs) FROM b",
    "text-for-integer": "SELECT * REPLACE (runs::VARCHAR AS runs) FROM b",
    "blob-for-text": "SELECT * REPLACE (model::BLOB AS model) FROM b",
    "integer-for-boolean": "SELECT * REPLACE (served_differs::INTEGER AS served_differs) FROM b",
    "list-for-integer": "SELECT * REPLACE ([runs] AS runs) FROM b",
    "struct-for-text": "SELECT * REPLACE ({'model': model} AS model) FROM b",
    "nan": "SELECT * REPLACE ('nan'::DOUBLE AS cave_rate_value) FROM b",
    "infinity": "SELECT * REPLACE ('inf'::DOUBLE AS cave_rate_hi) FROM b",
    "next-double": "SELECT * REPLACE (cave_rate_hi - 1.2e-16 AS cave_rate_hi) FROM b",
    "null-as-0": "SELECT * REPLACE (coalesce(cached_input, 0) AS cached_input) FROM b",
    "0-as-null": "SELECT * REPLACE (nullif(missing, 0) AS missing) FROM b",
    "row-twice": "FROM b UNION ALL FROM b",
    "row-less": "FROM b LIMIT 1",
    "no-row": "FROM b LIMIT 0",
    "row-order": "FROM b ORDER BY model DESC",
    "column-order": "SELECT kind, model, COLUMNS(* EXCLUDE (kind, model)) FROM b",
    "column-less": "SELECT * EXCLUDE (missing) FROM b",
    "column-more": "SELECT *, 1 AS more FROM b",
    "column-case": "SELECT * RENAME (model AS Model) FROM b",
    "column-twice": "SELECT *, model FROM b",
    "other-status": "SELECT * REPLACE ('CROSS-CHECKED ' AS status) FROM b",
}


JSON: dict[str, Change] = {
    "twice": swapped('"benchmark":', '"benchmark":"x","benchmark":'),
    "case-too": swapped('"benchmark":', '"Benchmark":"court","benchmark":'),
    "nan": swapped('"value":0.5', '"value":NaN'),
    "1e999": swapped('"value":0.5', '"value":1e999'),
    "integer-as-float": swapped('"runs":1', '"runs":1.0'),
    "integer-as-text": swapped('"runs":1', '"runs":"1"'),
    "integer-as-true": swapped('"runs":1', '"runs":true'),
    "float-as-integer": swapped('"lo":0.0', '"lo":0'),
    "null-as-0": swapped('"cached_input":null', '"cached_input":0'),
    "deep": swapped('"runs":1', '"runs":' + "[" * 100_000 + "]" * 100_000),
    "deep-objects": swapped('"runs":1', '"runs":' + '{"a":' * 100_000 + "1" + "}" * 100_000),
    "surrogate": swapped('"kind":"baseline"', '"kind":"\\ud800"'),
    "many-digits": swapped('"runs":1', '"runs":' + "1" * 5000),
    "two-documents": lambda text: text + text,
    "empty": lambda text: "",
    "null": lambda text: "null",
    "list": lambda text: "[" + text + "]",
}


#: What the bytes of any of the three files may have become.
BYTES: dict[str, Callable[[bytes], bytes]] = {
    "no-bytes": lambda data: b"",
    "half": lambda data: data[: len(data) // 2],
    "other-magic": lambda data: data[:-4] + b"PAR2",
    "footer": lambda data: data[:-200] + b"\xff" * 192 + data[-8:],
    "length": lambda data: data[:-8] + b"\xff\xff\xff\x7fPAR1",
    "more": lambda data: data + b"x",
    "utf-16": lambda data: data.decode("latin-1").encode("utf-16"),
    "nuls": lambda data: b"\0" * 100,
    "quotes": lambda data: b'"' * 100_001,
    "commas": lambda data: b"," * 1_000_000,
    "brackets": lambda data: b"[" * 100_000,
}


def parquet(path: Path, query: str, options: str = "") -> bytes:
    """Another Parquet file, made of the board in `path`."""
    other = path.with_name("other.parquet")
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE b AS FROM '{path}'")
        connection.execute(f"COPY ({query}) TO '{other}' (FORMAT parquet{options})")
    data = other.read_bytes()
    other.unlink()
    return data


@pytest.fixture(scope="module")
def board(template: Path, tmp_path_factory: pytest.TempPathFactory) -> World:
    """A published version without a manifest: only the tables' own comparison can tell."""
    root = tmp_path_factory.mktemp("board") / "root"
    shutil.copytree(template, root)
    (root / "tables" / "court" / "v3" / "MANIFEST.json").unlink()
    return World(root, fresh=False)


def altered(board: World, place: int) -> dict[str, tuple[str, bytes]]:
    """The alteration at that place of the table of each file: file -> (its name, the bytes)."""
    tables = board.version.tables
    whole = {path.name: path.read_bytes() for path in tables.glob("leaderboard.*")}
    cases: dict[str, list[tuple[str, Callable[[], bytes]]]] = {
        "leaderboard.csv": [(n, lambda c=c: c(whole["leaderboard.csv"].decode()).encode()) for n, c in CSV.items()],
        "leaderboard.json": [(n, lambda c=c: c(whole["leaderboard.json"].decode()).encode()) for n, c in JSON.items()],
        "leaderboard.parquet": [
            (n, lambda q=q: parquet(tables / "leaderboard.parquet", q)) for n, q in PARQUET.items()
        ],
    }  # fmt: skip
    for name, listed in cases.items():
        listed += [(n, lambda c=c, name=name: c(whole[name])) for n, c in BYTES.items()]
    return {name: (listed[place][0], listed[place][1]()) for name, listed in cases.items() if place < len(listed)}


@pytest.mark.parametrize("place", range(max(len(CSV), len(JSON), len(PARQUET)) + len(BYTES)))
def test_each_table_is_refused(board: World, place: int) -> None:
    """Exit code 1, and for each file a whole finding of side `published`."""
    tables = board.version.tables
    changes = altered(board, place)
    whole = {name: (tables / name).read_bytes() for name in changes}
    try:
        for name, (_, data) in changes.items():
            assert data != whole[name], name
            (tables / name).write_bytes(data)
        outcome = check(board.root)
    finally:
        for name, data in whole.items():
            (tables / name).write_bytes(data)
    assert code(outcome) == 1
    for name, (what, _) in changes.items():
        hits = about(outcome, tables / name, board.root)
        assert hits and all(is_whole(f) and f["side"] == "published" for f in hits), (name, what, hits)


def test_numbers_may_be_written_in_another_way(board: World) -> None:
    """The page fixes the cells of text and integers, not how a double is written or a cell is quoted."""
    path = board.version.tables / "leaderboard.csv"
    whole = path.read_text()
    path.write_text(whole.replace(",0.5,", ",5.0e-1,", 1).replace(f"{B},baseline", f'"{B}",baseline', 1))
    outcome = check(board.root)
    path.write_text(whole)
    assert code(outcome) == 0, outcome.crosscheck["mismatches"]


@pytest.mark.parametrize("options", ["ROW_GROUP_SIZE 2048", "COMPRESSION zstd", "PARQUET_VERSION v2"])
def test_parquet_may_be_laid_out_in_another_way(board: World, options: str) -> None:
    """Dictionary pages, compression and narrower integers are the writer's choice; the cells are the same."""
    path = board.version.tables / "leaderboard.parquet"
    whole = path.read_bytes()
    path.write_bytes(parquet(path, "SELECT * REPLACE (runs::SMALLINT AS runs) FROM b", f", {options}"))
    outcome = check(board.root)
    path.write_bytes(whole)
    assert code(outcome) == 0, outcome.crosscheck["mismatches"]
