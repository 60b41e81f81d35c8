"""Which published cells a change of the runs changes: the leaderboards before and after, cell by cell."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RATE = ("k", "n", "value", "lo", "hi")


@dataclass(frozen=True)
class Cell:
    """One cell before and after; None where it is not in that leaderboard."""

    place: str
    """The row or the keys of a slice's row."""
    field: str
    old: Any
    new: Any

    @property
    def is_rate(self) -> bool:
        """Whether k and n stand behind it."""
        return any(isinstance(value, Mapping) and "value" in value for value in (self.old, self.new))


def changed_cells(before: Path, after: Path) -> list[Cell]:
    """Every cell that differs between two leaderboard.json; `before` may be missing: then every cell is new."""
    old = dict(_cells(json.loads(before.read_bytes()))) if before.is_file() else {}
    new = dict(_cells(json.loads(after.read_bytes())))
    places = dict.fromkeys([*old, *new])
    return [Cell(*place, old.get(place), new.get(place)) for place in places if old.get(place) != new.get(place)]


def shown(value: Any) -> str:
    """A cell as a reader sees it: a rate with its k/n, a mean with its n, nothing as a dash."""
    if value is None:
        return "–"
    if not isinstance(value, Mapping):
        return str(value)
    if "value" not in value:
        return ", ".join(f"{key} {part}" for key, part in value.items())
    if value["value"] is None:
        return "– (n = 0)"
    behind = f"n = {value['n']}" if value.get("k") is None else f"{value['k']}/{value['n']}"
    return f"{value['value']:.4f} ({behind})"


def _cells(board: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], Any]]:
    for row in board["rows"]:
        for field in ("status", "ledger", "cost_usd"):
            yield (row["model"], field), row[field]
        for metric, value in row["metrics"].items():
            yield (row["model"], metric), value
    for name, rows in board["slices"].items():
        for row in rows:
            keys = [str(value) for key, value in row.items() if isinstance(value, str) and key not in RATE]
            values = {key: value for key, value in row.items() if key in RATE}
            yield (" / ".join(keys), name), values or {k: v for k, v in row.items() if not isinstance(v, str)}
