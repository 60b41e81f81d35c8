"""The price tables that logs name (prices.md): each is read once, strictly, before the database is locked (B1)."""

from __future__ import annotations

import hashlib
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from checker import files
from checker.engine import Engine
from checker.errors import CouldNotCheck, JsonFault
from checker.findings import show
from checker.schema import MAX_INTEGER, PRICE
from checker.strictjson import decode, loads_with_lines

if TYPE_CHECKING:
    from checker.inputs import Inputs

FOLDER: Final = "runs/prices"
#: Largest price table that is read, in bytes; a row has a few hundred.
MAX_TABLE: Final = 16 * 1024 * 1024
#: Longest name of a file that common systems keep, in bytes.
_LONGEST: Final = 255
_KEYS: Final = ("currency", "date", "rows")
#: The prices of a row and their types, and all its keys.
_NUMBERS: Final = {name: kind for name, kind in PRICE if kind.startswith("integer")}
ROW: Final = ("model", "source", *_NUMBERS)


class TableFault(ValueError):
    """A price table cannot be trusted; the text says why, with its line where there is one."""


def read_tables(engine: Engine, inputs: Inputs) -> None:
    """The tables `price_tables` and `price_rows`: every table that a `price` line names, and no other file."""
    tables: list[tuple[Any, ...]] = []
    rows: list[tuple[Any, ...]] = []
    for (name,) in engine.rows("SELECT DISTINCT table_name FROM prices ORDER BY table_name"):
        fault = day = None
        try:
            data = _bytes(inputs, name)
            day, found = read_table(data)
            rows += [(name, *(row[key] for key in ROW)) for row in found]
        except TableFault as wrong:
            fault = str(wrong)
        except CouldNotCheck as error:  # which keeps no other table, and no log, from being looked at
            fault = str(error)
            inputs.troubles.append(f"{FOLDER}/{name}: {error}")
        tables.append((name, inputs.digests.get(f"{FOLDER}/{name}"), fault, day))
    engine.load("price_tables", tables, ["VARCHAR"] * 4)
    engine.load("price_rows", rows, ["VARCHAR"] * 3 + ["BIGINT"] * len(_NUMBERS))


def _bytes(inputs: Inputs, name: str) -> bytes:
    """The bytes of a table, its digest noted.  Raises TableFault; CouldNotCheck where it cannot be read."""
    if not is_name(name):
        raise TableFault("this is no name of a file in it: one name that ends in .json, without / or ..")
    kind = files.kind_of(inputs.root / FOLDER)
    if kind not in ("folder", "absent"):
        raise TableFault(f"{FOLDER} is a {kind}, not a folder")
    path: Path = inputs.root / FOLDER / name
    if files.kind_of(path) == "absent":
        raise TableFault("there is no such file")
    try:
        data = files.read(path, MAX_TABLE)
    except files.NotRegular as fault:
        raise TableFault(f"not a regular file: {fault}") from None
    except files.TooLarge as fault:
        raise TableFault(str(fault)) from None
    inputs.digests[f"{FOLDER}/{name}"] = hashlib.sha256(data).hexdigest()
    return data


def is_name(name: str) -> bool:
    """Whether the name is that of a file directly below runs/prices/, whatever the system."""
    plain = name.isprintable() and not set(name) & set("/\\:") and ".." not in name and not name.startswith(".")
    return plain and name.endswith(".json") and len(name.encode()) <= _LONGEST


def read_table(data: bytes) -> tuple[str, list[dict[str, Any]]]:
    """The date and the rows of a price table.  Raises TableFault."""
    try:
        value, lines = loads_with_lines(decode(data))
    except JsonFault as fault:
        raise TableFault(f"line {fault.line}: {fault}") from None
    if not isinstance(value, dict) or set(value) != set(_KEYS):
        raise TableFault(f"an object of {', '.join(_KEYS)} is wanted, not {show(value)}")
    if value["currency"] != "USD":
        raise TableFault(f"currency: USD is wanted, not {show(value['currency'])}")
    if not isinstance(value["date"], str) or not _is_date(value["date"]):
        raise TableFault(f"date: a day as YYYY-MM-DD is wanted, not {show(value['date'])}")
    if not isinstance(value["rows"], list):
        raise TableFault(f"rows: a list is wanted, not {show(value['rows'])}")
    known: set[str] = set()
    for number, row in enumerate(value["rows"]):
        where = f"line {lines.get(('rows', number), 1)}, rows[{number}]"
        _look_at_row(where, row)
        if row["model"] in known:
            raise TableFault(f"{where}: a second row of {show(row['model'])}")
        known.add(row["model"])
    return value["date"], value["rows"]


def _look_at_row(where: str, row: Any) -> None:
    if not isinstance(row, dict) or set(row) != set(ROW):
        raise TableFault(f"{where}: an object of {', '.join(ROW)} is wanted, not {show(row)}")
    for name in ("model", "source"):
        if not isinstance(row[name], str):
            raise TableFault(f"{where}: {name}: a text is wanted, not {show(row[name])}")
    route, colon, model = row["model"].partition(":")
    if not (route and colon and model):
        raise TableFault(f"{where}: model: ROUTE:ID is wanted, not {show(row['model'])}")
    for name, kind in _NUMBERS.items():
        value = row[name]
        null = value is None and kind.endswith("or null")
        if not null and (type(value) is not int or not 0 <= value <= MAX_INTEGER):
            raise TableFault(f"{where}: {name}: {kind} is wanted, not {show(value)}")


def _is_date(text: str) -> bool:
    if len(text) != len("YYYY-MM-DD") or not text.isascii():
        return False
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
