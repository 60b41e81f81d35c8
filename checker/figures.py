"""What tables state, element by element: the rows of the relation `elements`, on which the invariants are asserted."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from checker.board import Board, read_csv
from checker.compare import name_of, owner_of
from checker.published import Document, Published
from checker.spec import TOLERANCE
from checker.tables import Checked, Shape, compact

#: What the relations call the checker's own numbers, which are in no file yet.
DERIVED: Final = "(derived)"

#: (file, board, tolerance, list, place, line, label, model, element as JSON): a row of `elements`.
Element = tuple[str, bool, float, str, int, int | None, str, str | None, str]


@dataclass(frozen=True)
class Stated:
    """The lists of rows that one file states, by their key; of `totals` there is one."""

    file: str
    lists: dict[str, list[Any]]
    line: Callable[[str, int], int | None]
    board: bool = False
    tolerance: float = 0.0

    def elements(self, shape: Shape) -> Iterator[Element]:
        """Every element that is an object."""
        for key, elements in self.lists.items():
            for place, element in enumerate(elements):
                if isinstance(element, dict):
                    names = ", ".join(str(part) for part in name_of(element, key, shape)) if key in shape.names else ""
                    yield (
                        self.file, self.board, self.tolerance, key, place, self.line(key, place),
                        f"{key}[{names}]" if names else key, owner_of(element, key, shape), _json(element),
                    )  # fmt: skip


def derived(want: Checked) -> Stated:
    """The checker's own numbers but for its many rows, which the relations have already."""
    return Stated(DERIVED, want.lists | {"totals": [want.totals]}, lambda key, place: None)


def of_table(path: str, document: Document, shape: Shape, tolerance: float) -> Stated:
    """What builder.json or checked.json states; a list of which rows were taken unread is left out: they are equal."""
    value, lists = document.value, {}
    for key in shape.names:
        elements = value.get(key)
        if isinstance(elements, list) and None not in elements:
            lists[key] = elements
    lists["totals"] = [value.get("totals")]
    lines = {("totals", 0): document.line(("totals",))}
    return Stated(
        path, lists, lambda key, place: lines.get((key, place), document.line((key, place))), tolerance=tolerance
    )


def of_board(path: str, document: Document, shape: Shape) -> Stated:
    """What leaderboard.json states."""
    slices = document.value.get("slices")
    lists = {"rows": document.value.get("rows")}
    if isinstance(slices, dict):
        lists |= {key: slices.get(key) for key in shape.slices}
    stated = {key: elements for key, elements in lists.items() if isinstance(elements, list)}
    return Stated(
        path, stated, lambda key, place: document.line((key, place) if key == "rows" else ("slices", key, place)), True
    )


def of_csv(path: str, data: bytes, board: Board) -> Stated:
    """What leaderboard.csv states; a file of another shape states nothing, and is a finding of the comparison."""
    try:
        header, *rows = read_csv(data) or [[]]
    except ValueError:
        header, rows = [], []
    if header != list(board.columns):
        rows = []
    cells = [dict(zip(header, [cell or None for cell in row], strict=True)) for row in rows if len(row) == len(header)]
    return Stated(path, {"rows": [board.nested(row) for row in cells]}, lambda key, place: place + 2, True)


def of_parquet(path: str, rows: list[dict[str, Any]], board: Board) -> Stated:
    """What leaderboard.parquet states."""
    fits = bool(rows) and set(board.columns) <= set(rows[0])
    return Stated(path, {"rows": [board.nested(row) for row in rows] if fits else []}, lambda key, place: None, True)


def of_published(published: Published, want: Checked | None) -> Iterator[Stated]:
    """What each file of tables/ states; a checked.json that is what the checker writes states nothing of its own."""
    game = published.inputs.game
    for name, tolerance in (("builder.json", TOLERANCE), ("checked.json", 0.0)):
        document = None if name == "checked.json" and published.is_checked(want) else published.document(name, want)
        if document is not None:
            yield of_table(published.path(name), document, game.shape, tolerance)
    board = published.document("leaderboard.json")
    if board is not None:
        yield of_board(published.path("leaderboard.json"), board, game.shape)
    data = published.data["leaderboard.csv"]
    if data is not None:
        yield of_csv(published.path("leaderboard.csv"), data, game.board)
    if published.parquet is not None:
        yield of_parquet(published.path("leaderboard.parquet"), published.parquet, game.board)


def _json(element: dict[str, Any]) -> str:
    try:
        return compact(element)
    except RecursionError:
        return "{}"
    except (ValueError, TypeError):
        return compact(_plain(element))


def _plain(value: Any) -> Any:
    """An infinity, or a date in a Parquet file, is no number of a table."""
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    plain = isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value))
    return value if plain else None
