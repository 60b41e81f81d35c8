"""Where names may stand in a drawing: only as many as fit, since two that overlap say less than one."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

Box = tuple[float, float, float, float]
"""Left, top, right and bottom in pixels from the top left."""
_LETTER, _WIDE, _HEIGHT = 6.8, 13.0, 14.0
_GAP, _MARK = 9.0, 6.0


@dataclass(frozen=True, slots=True)
class Spot:
    """A mark at a place in pixels, and the text that it would like beside it."""

    x: float
    y: float
    text: str
    short: str = ""
    """What it would rather have than nothing; then it also takes a place above or below its mark."""


@dataclass(frozen=True, slots=True)
class Label:
    """A text, and where it begins (`left`), ends (`right`) or has its middle (`center`)."""

    text: str
    x: float
    y: float
    align: str


def width(text: str) -> float:
    """Guess the width of a text of 12 px: rather too wide, since readers have other fonts than ours."""
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return wide * _WIDE + (len(text) - wide) * _LETTER


def beside(spots: Sequence[Spot], frame: tuple[float, float], lines: Sequence[Box] = ()) -> list[Label | None]:
    """Place the texts; the first spots choose first. On `lines`, as on any mark, no text may stand."""
    taken = [*lines, *((s.x - _MARK, s.y - _MARK, s.x + _MARK, s.y + _MARK) for s in spots)]
    placed: list[Label | None] = []
    for spot in spots:
        free = (
            (label, box)
            for label, box in _places(spot)
            if box[0] >= 0 and box[1] >= 0 and box[2] <= frame[0] and box[3] <= frame[1]
            if not any(box[0] < o[2] and o[0] < box[2] and box[1] < o[3] and o[1] < box[3] for o in taken)
        )
        label, box = next(free, (None, None))
        placed.append(label)
        if box:
            taken.append(box)
    return placed


def apart(places: Iterable[float], least: float = _HEIGHT + 2) -> list[bool]:
    """Tell which of these may have a label on one line above the other; the first choose first."""
    chosen: list[float] = []
    said: list[bool] = []
    for place in places:
        fits = all(abs(place - other) >= least for other in chosen)
        said.append(fits)
        if fits:
            chosen.append(place)
    return said


def _places(spot: Spot) -> Iterator[tuple[Label, Box]]:
    """Yield the places of a label with the boxes that they take, the best first."""
    yield from _around(spot, spot.text)
    if spot.short:
        yield from _around(spot, spot.short)


def _around(spot: Spot, text: str) -> Iterator[tuple[Label, Box]]:
    steps = [("left", _GAP, 0.0), ("right", -_GAP, 0.0)]
    if spot.short:
        for dy in (15.0, -15.0):
            steps += [("left", 2.0, dy), ("right", -2.0, dy), ("center", 0.0, dy + (1 if dy > 0 else -1))]
    wide = width(text)
    for align, dx, dy in steps:
        x, y = spot.x + dx, spot.y + dy
        left = x - {"left": 0.0, "center": wide / 2, "right": wide}[align]
        yield Label(text, x, y, align), (left, y - _HEIGHT / 2, left + wide, y + _HEIGHT / 2)
