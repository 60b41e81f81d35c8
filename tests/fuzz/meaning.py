"""What may change in a version without a word: nobody vouches for it, or it means what it meant."""

from __future__ import annotations

import csv
import io
import json
import tempfile
from pathlib import Path
from typing import Any, Final

import duckdb

TOLERANCE: Final = 1e-9


def harmless(path: str, before: dict[str, bytes | None], root: Path, version: str) -> bool:
    """Whether a file that changed means what it meant, by the pages: nobody vouches for it, or its values are equal."""
    now = (root / path).read_bytes() if (root / path).is_file() else None
    was, name = before.get(path), Path(path).name
    if name == "MANIFEST.json":
        return now is None or _parsed(now) == _parsed(was)
    if (root / "tables" / version / "MANIFEST.json").exists():
        return not path.startswith((f"runs/{version}/", f"tables/{version}/")) or path.endswith("/")
    if path.startswith(f"runs/{version}/"):
        if name in ("AMENDMENTS.json", "REUSED.json") and was is None:
            return _parsed(now) in ([], {})
        return was is None and not path.startswith(f"runs/{version}/logs/")
    if not path.startswith(f"tables/{version}/") or was is None:
        return True
    if now is None:  # what is published may be absent, builder.json may not
        return name != "builder.json"
    if name == "crosscheck.json":
        return _stable(_parsed(now)) == _stable(_parsed(was))
    if name == "leaderboard.csv":
        return _cells(now) == _cells(was)
    if name == "leaderboard.parquet":
        return _rows(root / path) == _rows(was)
    return name != "checked.json" and _same(_parsed(now), _parsed(was), TOLERANCE if name == "builder.json" else 0.0)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return dict(pairs) if len({key.casefold() for key, _ in pairs}) == len(pairs) else {"(twice)": pairs}


def _parsed(data: bytes | None) -> Any:
    try:
        return json.loads((data or b"").decode(), object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return "not JSON"


def _same(a: Any, b: Any, tolerance: float) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return bool(abs(a - b) <= tolerance)
    if isinstance(a, dict):
        return list(a) == list(b) and all(_same(a[key], b[key], tolerance) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(_same(x, y, tolerance) for x, y in zip(a, b, strict=True))
    return bool(a == b)


def _stable(document: Any) -> Any:
    try:
        rows = [(row["model"], row["status"]) for row in document["rows"]]
        return rows, [document[key] for key in ("benchmark", "version", "digest", "status")]
    except (KeyError, TypeError):
        return document


def _cells(data: bytes | None) -> list[list[Any]]:
    def cell(text: str) -> Any:
        return float(text) if "." in text or "e-" in text else text

    rows = list(csv.reader(io.StringIO((data or b"").decode("utf-8", "replace"), newline="")))
    try:
        return [rows[0], *([*row[:3], *map(cell, row[3:])] for row in rows[1:])]
    except (ValueError, IndexError):
        return rows


def _rows(source: Path | bytes | None) -> Any:
    """The names of a Parquet file's columns, and its rows."""
    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as connection:
        path = source if isinstance(source, Path) else Path(folder, "was.parquet")
        if isinstance(source, bytes):
            path.write_bytes(source)
        found = connection.execute("FROM read_parquet(?)", [str(path)])
        return [column[0] for column in found.description or ()], found.fetchall()
