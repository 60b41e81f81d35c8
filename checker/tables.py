"""checked.json: the document that the relations make (tables.md), and its bytes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from checker.amendments import NAME as AMENDMENTS
from checker.strictjson import Path

if TYPE_CHECKING:
    from checker.inputs import Inputs


@dataclass(frozen=True)
class Shape:
    """How the lists of a benchmark's tables are read, by key."""

    #: The keys that name an element in a field path, such as rows[gemma2].
    names: dict[str, tuple[str, ...]]
    #: The key whose model an element belongs to; an element of a list that is not here belongs to no single model.
    owners: dict[str, str]
    #: The lists of many flat rows, which are taken apart only where they differ.
    many: tuple[str, ...]
    #: The lists that leaderboard.json has as slices.
    slices: tuple[str, ...]


@dataclass(frozen=True)
class Many:
    """A list of many rows: the text of each, and whose it is."""

    texts: list[str]
    owners: list[str | None]


@dataclass(frozen=True)
class Checked:
    """checked.json, list by list in the order of the document."""

    shape: Shape
    head: dict[str, str]
    many: dict[str, Many]
    lists: dict[str, list[dict[str, Any]]]
    totals: dict[str, Any]

    @property
    def digest(self) -> str:
        """The digest of the inputs."""
        return self.head["digest"]

    @cached_property
    def text(self) -> str:
        """The bytes of checked.json as text: compact, rows on lines of their own, one final LF."""
        parts = [f"{compact(key)}:{compact(value)}" for key, value in self.head.items()]
        parts += [f"{compact(key)}:{_rows(many.texts)}" for key, many in self.many.items()]
        parts += [f"{compact(key)}:{_rows([compact(row) for row in rows])}" for key, rows in self.lists.items()]
        parts.append(f'"totals":{compact(self.totals)}')
        return "{\n" + ",\n".join(parts) + "\n}\n"


def _rows(texts: list[str]) -> str:
    return "[\n" + ",\n".join(texts) + "\n]" if texts else "[]"


def compact(value: object) -> str:
    """JSON text without spaces.  Raises ValueError for NaN and infinities, which no table may hold."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def is_next(path: Path, text: str, want: Checked) -> bool:
    """Whether the line `text`, at this place of its list, is the row that is wanted there."""
    key, place = path
    return isinstance(key, str) and isinstance(place, int) and want.many[key].texts[place : place + 1] == [text]


def input_digest(inputs: Inputs) -> str:
    """The digest over spec.json, the files that it names, REUSED.json, AMENDMENTS.json and every file in logs/
    (tables.md)."""
    assert inputs.spec is not None
    named = {"spec.json", "REUSED.json", AMENDMENTS, *inputs.spec.files}
    prefix = inputs.runs + "/"
    paths = [path.removeprefix(prefix) for path in inputs.digests if path.startswith(prefix)]
    lines = [
        f"{inputs.digests[prefix + path]}  {path}\n"
        for path in sorted(paths)
        if path in named or path.startswith("logs/")
    ]
    return sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def checked(inputs: Inputs, document: dict[str, Any]) -> Checked:
    """What was derived, as the document of the benchmark's page on tables."""
    assert inputs.spec is not None
    head = {
        "benchmark": inputs.benchmark, "version": inputs.version, "spec_sha256": inputs.spec.sha256,
        "digest": input_digest(inputs),
    }  # fmt: skip
    shape = inputs.game.shape
    lists = {key: rows for key, rows in document.items() if key != "totals" and key not in shape.many}
    return Checked(shape, head, {key: document[key] for key in shape.many}, lists, document["totals"])
