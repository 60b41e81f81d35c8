"""Compare a table with what was computed, field by field: each difference named by path and line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from checker.findings import Findings, Side, show
from checker.spec import TOLERANCE
from checker.strictjson import Path
from checker.tables import Checked, Many, Shape

Name = tuple[object, ...]


@dataclass
class Counts:
    """How many fields were compared and how many agreed, by model (None: of no single model)."""

    compared: Counter[str | None] = field(default_factory=Counter)
    equal: Counter[str | None] = field(default_factory=Counter)

    def add(self, model: str | None, same: bool, number: int = 1) -> None:
        """Count `number` fields of `model`."""
        self.compared[model] += number
        self.equal[model] += number if same else 0


@dataclass(frozen=True)
class Difference:
    """One field that differs: its path, and both values as JSON text."""

    path: Path
    expected: str
    found: str


def differences(
    expected: Any, found: Any, path: Path = (), tolerance: float = TOLERANCE
) -> Iterator[Difference | Path]:
    """Each leaf: its path where equal, a Difference where not (R20).  Types are strict: 1, 1.0 and true all differ.

    A list of plain values is one leaf; a list of objects is walked by index.
    """
    if isinstance(expected, dict) and isinstance(found, dict):
        for key, value in expected.items():
            if key in found:
                yield from differences(value, found[key], (*path, key), tolerance)
            else:
                yield Difference((*path, key), show(value), "the key is missing")
        for key in found:
            if key not in expected:
                yield Difference((*path, key), "no such key", show(found[key]))
        if list(expected) != list(found) and set(expected) == set(found):
            yield Difference((*path, "(keys)"), "the order " + ", ".join(expected), ", ".join(found))
    elif _same(expected, found, tolerance):
        yield path
    else:
        yield Difference(path, show(expected), show(found))


def _same(expected: Any, found: Any, tolerance: float) -> bool:
    if type(expected) is not type(found):
        return False
    if isinstance(expected, float):
        return bool(abs(expected - found) <= tolerance)
    if isinstance(expected, list):
        return len(expected) == len(found) and all(_same(a, b, tolerance) for a, b in zip(expected, found, strict=True))
    return bool(expected == found)


class TableComparison:
    """builder.json (or checked.json) against what was computed."""

    def __init__(self, file: str, side: Side, findings: Findings, fix: str, tolerance: float = TOLERANCE) -> None:
        self.file, self.findings, self.fix, self.tolerance = file, findings, fix, tolerance
        self.side: Side = side
        self.counts = Counts()
        self.lines: dict[Path, int] = {}

    def run(self, found: dict[str, Any], lines: dict[Path, int], want: Checked) -> Counts:
        """Compare the document of a file, `lines` of which say where its parts stand."""
        self.lines = lines
        keys = [*want.head, *want.many, *want.lists, "totals"]
        for key in keys:
            if key not in found:
                self.report((key,), "the key stands", "it is missing", None, None)
                self.counts.add(None, False)
        for key in found:
            if key not in keys:
                self.report((key,), "no such key", show(found[key]), self.line((key,)), None)
        if set(found) == set(keys) and list(found) != keys:
            self.report(("(keys)",), "the order " + ", ".join(keys), ", ".join(found), None, None)
        for key in want.head:
            self.leaf(want.head[key], found, key)
        self.leaf(want.totals, found, "totals")
        for key, rows in want.lists.items():
            self.rows(key, rows, found.get(key, []), want.shape)
        for key, many in want.many.items():
            self.many(key, many, found.get(key, []), want.shape)
        return self.counts

    def line(self, path: Path) -> int | None:
        """The line of the nearest part of a path that has one."""
        while path:
            if path in self.lines:
                return self.lines[path]
            path = path[:-1]
        return None

    def report(
        self, path: Path, expected: str, found: str, line: int | None, model: str | None, label: str | None = None,
        run: str | None = None,
    ) -> None:  # fmt: skip
        text = label if label is not None else ".".join(str(part) for part in path) or "(file)"
        self.findings.add(self.file, "R20", self.side, text, expected, found, self.fix, line=line, model=model, run=run)

    def leaf(self, want: Any, found: dict[str, Any], key: str) -> None:
        if key in found:
            self.walk(want, found[key], (key,), (key,), None, key)

    def walk(self, want: Any, found: Any, where: Path, path: Path, model: str | None, label: str,
             run: str | None = None) -> None:  # fmt: skip
        """Compare one element; `where` finds its line, `label` names it."""
        for result in differences(want, found, path, self.tolerance):
            same = not isinstance(result, Difference)
            self.counts.add(model, same)
            if isinstance(result, Difference):
                rest = "".join(f".{part}" for part in result.path[len(path) :])
                self.report(path, result.expected, result.found, self.line((*where, *result.path[len(path) :])), model,
                            label + rest, run)  # fmt: skip

    def rows(self, key: str, want: list[dict[str, Any]], found: Any, shape: Shape) -> None:
        """Rows are matched by their name; a row more, a row less and another order are findings."""
        if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
            self.report((key,), "a list of objects", show(found), self.line((key,)), None)
            return
        wanted, order = [name_of(row, key, shape) for row in want], [name_of(row, key, shape) for row in found]
        known, places = set(wanted), dict[Name, int]()
        for place, (row, name) in enumerate(zip(found, order, strict=True)):
            if name in places or name not in known:
                self.report((key, place), "no such row", show(row), self.line((key, place)), owner_of(row, key, shape),
                            _label(key, name))  # fmt: skip
            places.setdefault(name, place)
        for row, name in zip(want, wanted, strict=True):
            model = owner_of(row, key, shape)
            if name not in places:
                self.counts.add(model, False)
                self.report((key,), show(row), "the row is missing", self.line((key,)), model, _label(key, name))
                continue
            place = places[name]
            self.walk(row, found[place], (key, place), (key, place), model, _label(key, name))
        if order != wanted and sorted(order, key=str) == sorted(wanted, key=str):
            self.report((key,), f"the order {show(wanted)}", show(order), self.line((key,)), None, f"{key}(order)")

    def many(self, key: str, want: Many, found: Any, shape: Shape) -> None:
        """Many rows, nearly always equal to the byte: one that was taken unread (None) is equal; the others are matched
        by their names."""
        if not isinstance(found, list) or not all(row is None or isinstance(row, dict) for row in found):
            self.report((key,), "a list of objects", "another value", self.line((key,)), None)
            return
        fields = len(json.loads(want.texts[0])) if want.texts else 0
        open_rows: dict[Name, int] = {}
        for place, text in enumerate(want.texts):
            if place < len(found) and found[place] is None:
                self.counts.add(want.owners[place], True, fields)
            else:
                open_rows[name_of(json.loads(text), key, shape)] = place
        for place, row in enumerate(found):
            if row is None:
                continue
            name = name_of(row, key, shape)
            wanted = open_rows.pop(name, None)
            model = owner_of(row, key, shape)
            run = row.get("run") if isinstance(row.get("run"), str) else None
            if wanted is None:
                self.report((key, place), "no such row", show(row), self.line((key, place)), model,
                            _label(key, name), run)  # fmt: skip
                continue
            self.walk(json.loads(want.texts[wanted]), row, (key, place), (key, place), model, _label(key, name), run)
            if wanted != place and len(found) == len(want.texts):
                self.report((key, place), f"this row at place {wanted}", f"place {place}", self.line((key, place)),
                            model, f"{key}(order)", run)  # fmt: skip
        for name, place in open_rows.items():
            self.counts.add(want.owners[place], False)
            self.report((key,), want.texts[place], "the row is missing", self.line((key,)), want.owners[place],
                        _label(key, name))  # fmt: skip


def name_of(row: dict[str, Any], key: str, shape: Shape) -> Name:
    """What names a row of the list `key`."""
    return tuple(_plain(row.get(part)) for part in shape.names[key])


def owner_of(row: dict[str, Any], key: str, shape: Shape) -> str | None:
    """The model that a row of the list `key` belongs to."""
    owner = row.get(shape.owners.get(key, ""))
    return owner if isinstance(owner, str) else None


def _plain(value: object) -> object:
    return value if isinstance(value, str | int | float | bool) or value is None else show(value)


def _label(key: str, name: tuple[object, ...]) -> str:
    return f"{key}[{', '.join(str(part) for part in name)}]"
