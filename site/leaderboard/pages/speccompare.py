"""What differs between two frozen specs: every text and setting by its place, word by word."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from leaderboard.shapes import Version

# What names or dates a version, and digests of files whose texts are compared themselves.
_LEFT_OUT = frozenset({"title", "summary", "frozen_at", "version", "files"})
_TOKEN = re.compile(r"\s+|[^\s]+")
Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text: `same`, only in the `old` one, or only in the `new` one."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class TextChange:
    """One text that differs, and where it stands in the spec."""

    place: str
    pieces: tuple[Piece, ...]

    @property
    def is_vector(self) -> bool:
        """Whether it is what a grammar reads in one of its test vectors: there are many, and they follow from rules."""
        return self.place.startswith("answer › vectors › ")


def changed_texts(old: Version, new: Version) -> tuple[TextChange, ...]:
    """List every leaf of the spec and every prompt that differs, in the order of the newer spec."""
    before, after = dict(_texts(old)), dict(_texts(new))
    places = [*after, *(place for place in before if place not in after)]
    return tuple(
        TextChange(" › ".join(place), pieces(before.get(place, ""), after.get(place, "")))
        for place in places
        if before.get(place) != after.get(place)
    )


def _texts(version: Version) -> Iterator[tuple[Path, str]]:
    for key, value in version.spec.items():
        if key not in _LEFT_OUT:
            yield from _leaves(value, (key,))
    for key, text in version.prompts.items():
        yield ("prompt", key), text


def _leaves(value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, (*path, str(key)))
    elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        for place, item in enumerate(value):
            # A rule is known by its id and a test vector by its reply; both may move within their list.
            name = next((str(item[key]) for key in ("id", "text") if key in item), str(place))
            known = "id" if "id" in item else "text"
            yield from _leaves({k: v for k, v in item.items() if k != known}, (*path, name))
    else:
        yield path, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def pieces(old: str, new: str) -> tuple[Piece, ...]:
    """Compare two texts word by word."""
    a, b = _TOKEN.findall(old), _TOKEN.findall(new)
    found: list[Piece] = []
    for kind, a1, a2, b1, b2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind == "equal":
            found.append(Piece("same", "".join(a[a1:a2])))
            continue
        if a2 > a1:
            found.append(Piece("old", "".join(a[a1:a2])))
        if b2 > b1:
            found.append(Piece("new", "".join(b[b1:b2])))
    return tuple(found)
