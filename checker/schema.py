"""What a log schema is: events with their fields in order, and the patterns that only canonical values match.

A type is written as it stands in the schema's page, with two refinements: `one of a, b` for the closed lists of a
meaning column, and `list of T`.  Events are written as the newest version has them; `SINCE` and `GROWN` say what a
line of an older version has not.
"""

from __future__ import annotations

import re
from typing import Final

#: Longest line that is read, in bytes; a longer one is a finding (L2) and the rest of its file is not read into lines.
MAX_LINE: Final = 16 * 1024 * 1024
#: L5: the greatest integer, which every reader of JSON holds exactly.
MAX_INTEGER: Final = 2**53 - 1

Fields = tuple[tuple[str, str], ...]

# --- what both benchmarks' pages say ----------------------------------------------------------------------------------

#: The versions of the schema that this checker knows, oldest first.
VERSIONS: Final = (1, 2)
NEWEST: Final = VERSIONS[-1]

HEADER: Final[Fields] = (
    ("v", "version"), ("run", "run id"), ("seq", "integer"), ("at", "time"), ("prev", "digest"), ("event", "event"),
)  # fmt: skip
USAGE: Final[Fields] = tuple(
    (name, "integer or null") for name in ("input", "cached_input", "cache_write", "output", "reasoning")
)
#: `price` and `budget` are the same in both benchmarks.
PRICE: Final[Fields] = (
    ("model", "string"), ("table", "string"), ("table_sha256", "digest"), ("date", "string"), ("source", "string"),
    ("input", "integer"), ("cached_input", "integer or null"), ("cache_write", "integer or null"),
    ("output", "integer"), ("reasoning", "integer or null"),
)  # fmt: skip
BUDGET: Final[Fields] = (("limit", "integer"),)

#: The version that brought an event, or a field of one (`event.field`); what is not here was there from the first.
SINCE: Final = {"price": 2, "budget": 2, "request": 2, "call.provider": 2, "failure.usage": 2, "failure.cost": 2}

_FIRST_FAILURES: Final = (
    "config", "auth", "rate_limit", "overloaded", "timeout", "cut_stream", "error_body", "connection", "invalid_text",
)  # fmt: skip
#: The kinds of failure in each version.
FAILURES: Final = {1: _FIRST_FAILURES, 2: (*_FIRST_FAILURES, "withheld", "interrupted")}


def _one_of(names: tuple[str, ...]) -> str:
    return "one of " + ", ".join(names)


#: Types whose values a version added to: what they are in each.
GROWN: Final[dict[str, dict[int, str]]] = {
    "version": {version: str(version) for version in VERSIONS},
    "cost": {1: "integer or unpriced", 2: "integer, unpriced or unsettled"},
    "failure": {version: _one_of(FAILURES[version]) for version in VERSIONS},
}

# --- patterns, in the common part of RE2 and Python's re; each value is written in the canonical form of L3 ----------

# L3: only these escapes; L2: never \u0000 and never a surrogate, so no other \u can stand.
STRING = r'"(?:[^"\\\x00-\x1f]|\\["\\bfnrt]|\\u00(?:0[1-7bef]|1[0-9a-f]))*"'


# L5, as far as a pattern is worth it: what is longer is for checker/loglines.py, which knows the greatest integer.
INTEGER = "(?:0|[1-9][0-9]{0,14})"
TIME = r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z"
DIGEST = r"[0-9a-f]{64}"
RUN_ID = r"[a-z0-9-]{1,64}"
_SCALAR = rf"(?:{STRING}|true|false|null|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
_FLAT = rf"\{{(?:{STRING}:{_SCALAR}(?:,{STRING}:{_SCALAR})*)?\}}"
_FLAT_LIST = rf"\[(?:{_SCALAR}(?:,{_SCALAR})*)?\]"
_SETTING = rf"(?:{_SCALAR}|{_FLAT}|{_FLAT_LIST})"

_PLAIN: Final = {
    "1": "1",
    "2": "2",
    "run id": f'"{RUN_ID}"',
    "string": STRING,
    "integer": INTEGER,
    "boolean": "(?:true|false)",
    "time": f'"{TIME}"',
    "digest": f'"{DIGEST}"',
    "integer or unpriced": f'(?:{INTEGER}|"unpriced")',
    "integer, unpriced or unsettled": f'(?:{INTEGER}|"unpriced"|"unsettled")',
    "settings": rf"\{{(?:{STRING}:{_SETTING}(?:,{STRING}:{_SETTING})*)?\}}",
}


class Schema:
    """The log schema of one benchmark: `events` by name, `objects` by the type's name, `patterns` of its own types."""

    def __init__(
        self, events: dict[str, Fields], objects: dict[str, Fields], patterns: dict[str, str] | None = None
    ) -> None:
        self.events, self.objects = events, objects
        self._patterns = _PLAIN | (patterns or {})
        self._compiled: dict[str, re.Pattern[str]] = {}

    def names(self, version: int) -> list[str]:
        """The events of a version."""
        return [event for event in self.events if SINCE.get(event, 1) <= version]

    def fields(self, event: str, version: int) -> Fields:
        """The fields of a line of that event and version, header first, with the types that they have there."""
        there = [field for field in self.events[event] if SINCE.get(f"{event}.{field[0]}", 1) <= version]
        return tuple((name, GROWN[kind][version] if kind in GROWN else kind) for name, kind in (*HEADER, *there))

    def value(self, kind: str) -> str:
        """The pattern of one value of type `kind` in canonical JSON.  Raises KeyError for a type it does not know."""
        if kind.endswith(" or null"):
            return f"(?:{self.value(kind.removesuffix(' or null'))}|null)"
        if kind.startswith("one of "):
            return '"(?:' + "|".join(kind.removeprefix("one of ").split(", ")) + ')"'
        if kind.startswith("list of "):
            item = self.value(item_of(kind))
            return rf"\[(?:{item}(?:,{item})*)?\]"
        if kind in self.objects:
            return r"\{" + ",".join(f'"{name}":{self.value(of)}' for name, of in self.objects[kind]) + r"\}"
        return self._patterns[kind]

    def line_pattern(self, version: int, but: tuple[str, ...] = ()) -> str:
        """A pattern, for RE2, that a whole line matches only if it keeps L3, L4 and L5 (of a time, only its form).

        It knows nothing of `start`, which is always examined by itself, and of the events `but`.
        """
        head, bodies = "", []
        for event in self.names(version):
            fields = [f'"{name}":{self.value(kind)}' for name, kind in self.fields(event, version) if name != "event"]
            head = ",".join(fields[: len(HEADER) - 1])
            if event not in ("start", *but):
                bodies.append(f'"{event}",' + ",".join(fields[len(HEADER) - 1 :]))
        return r"\{" + head + ',"event":(?:' + "|".join(bodies) + r")\}"

    def matches(self, kind: str, text: str) -> bool:
        """Whether the canonical JSON `text` is a value of type `kind`."""
        if kind not in self._compiled:
            self._compiled[kind] = re.compile(self.value(kind))
        return self._compiled[kind].fullmatch(text) is not None


def item_of(kind: str) -> str:
    """The type of the items of `list of T`; an alternative with null stands in brackets: `list of (T or null)`."""
    return kind.removeprefix("list of ").removeprefix("(").removesuffix(")")
