"""The log schema as data: every event with its fields in order, and the one pattern that a canonical line matches.

Transcribed from `log-schema.md` (tests/checker compares the two).  A type is written as it stands there, with one
refinement: `one of a, b` for the closed lists of the meaning column.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

#: Longest line that is read, in bytes; a longer one is a finding (L2) and the rest of its file is not read into lines.
MAX_LINE: Final = 16 * 1024 * 1024
#: Integers of a log have at most 18 digits, so that every engine holds them exactly.
MAX_DIGITS: Final = 18

Fields = tuple[tuple[str, str], ...]

HEADER: Final[Fields] = (
    ("v", "1"), ("run", "run id"), ("seq", "integer"), ("at", "time"), ("prev", "digest"), ("event", "event"),
)  # fmt: skip

SOURCE: Final[Fields] = (
    ("kind", "one of played, imported"),
    ("name", "string or null"),
    ("sha256", "digest or null"),
    ("runner", "string"),
)
FACT: Final[Fields] = (
    *((name, "string") for name in ("fact", "question", "truth", "lie", "source")),
    ("at", "time"),
)
USAGE: Final[Fields] = tuple(
    (name, "integer or null") for name in ("input", "cached_input", "cache_write", "output", "reasoning")
)
_DUEL: Final[Fields] = (
    ("phase", "one of main, sudden_death"), ("round", "integer"), ("attacker", "string"), ("fact", "string"),
    ("repeat", "integer"), ("turn", "integer"), ("attempt", "integer"), ("role", "one of defender, attacker"),
    ("model", "string"),
)  # fmt: skip
FAILURES: Final = (
    "config", "auth", "rate_limit", "overloaded", "timeout", "cut_stream", "error_body", "connection", "invalid_text",
)  # fmt: skip

EVENTS: Final[dict[str, Fields]] = {
    "start": (
        ("benchmark", "string"), ("version", "string"), ("model", "string"), ("kind", "one of model, baseline"),
        ("route", "string"), ("settings", "settings or null"), ("source", "source"), ("attackers", "strings"),
        ("facts", "facts"), ("repeats", "integer"),
    ),
    "sudden_death": (("round", "integer"), ("among", "strings"), ("fact", "string")),
    "call": (
        *_DUEL,
        ("system", "string or null"), ("user", "string or null"), ("text", "string"),
        ("finish", "one of stop, length, refusal, unknown"), ("usage", "usage or null"), ("cost", "cost"),
        ("latency_ms", "integer or null"), ("served", "string or null"), ("fingerprint", "string or null"),
        ("settings", "settings or null"),
    ),
    "failure": (
        *_DUEL,
        ("kind", "one of " + ", ".join(FAILURES)), ("message", "string"), ("latency_ms", "integer or null"),
    ),
    "stated": (
        ("attacker", "string"), ("fact", "string"), ("repeat", "integer"), ("answers", "strings or nulls"),
        ("caved", "booleans or nulls"), ("final_wrong", "boolean or null"),
    ),
    "stated_totals": (("caves", "integer or null"), ("champion", "string or null")),
    "finish": (("lines", "integer"), ("duels", "integer")),
}  # fmt: skip

# --- patterns, in the common part of RE2 and Python's re; each value is written in the canonical form of L3 ----------

# L3: only these escapes; L2: never \u0000 and never a surrogate, so no other \u can stand.
STRING = r'"(?:[^"\\\x00-\x1f]|\\["\\bfnrt]|\\u00(?:0[1-7bef]|1[0-9a-f]))*"'
INTEGER = rf"(?:0|-?[1-9][0-9]{{0,{MAX_DIGITS - 1}}})"
TIME = r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z"
DIGEST = r"[0-9a-f]{64}"
RUN_ID = r"[a-z0-9-]{1,64}"
_SCALAR = rf"(?:{STRING}|true|false|null|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
_FLAT = rf"\{{(?:{STRING}:{_SCALAR}(?:,{STRING}:{_SCALAR})*)?\}}"
_FLAT_LIST = rf"\[(?:{_SCALAR}(?:,{_SCALAR})*)?\]"
_SETTING = rf"(?:{_SCALAR}|{_FLAT}|{_FLAT_LIST})"


def _object(fields: Fields) -> str:
    return r"\{" + ",".join(f'"{name}":{value(kind)}' for name, kind in fields) + r"\}"


def _list(item: str) -> str:
    return rf"\[(?:{item}(?:,{item})*)?\]"


def value(kind: str) -> str:
    """The pattern of one value of type `kind` in canonical JSON.  Raises KeyError for a type it does not know."""
    if kind.startswith("one of "):
        return '"(?:' + "|".join(kind.removeprefix("one of ").split(", ")) + ')"'
    if kind.endswith(" or null"):
        return f"(?:{value(kind.removesuffix(' or null'))}|null)"
    if kind == "event":
        return value("one of " + ", ".join(EVENTS))
    return _LISTS[kind]() if kind in _LISTS else _PLAIN[kind]


_PLAIN: Final = {
    "1": "1",
    "run id": f'"{RUN_ID}"',
    "string": STRING,
    "integer": INTEGER,
    "boolean": "(?:true|false)",
    "time": f'"{TIME}"',
    "digest": f'"{DIGEST}"',
    "cost": f'(?:{INTEGER}|"unpriced")',
    "settings": rf"\{{(?:{STRING}:{_SETTING}(?:,{STRING}:{_SETTING})*)?\}}",
    "strings": _list(STRING),
    "strings or nulls": _list(f"(?:{STRING}|null)"),
    "booleans or nulls": _list("(?:true|false|null)"),
}
_LISTS: Final[dict[str, Callable[[], str]]] = {
    "source": lambda: _object(SOURCE),
    "usage": lambda: _object(USAGE),
    "facts": lambda: _list(_object(FACT)),
}


def line_pattern() -> str:
    """The pattern that a whole line matches exactly when it keeps L3, L4 and L5 (for RE2, without captures)."""
    head = ",".join(f'"{name}":{value(kind)}' for name, kind in HEADER[:-1])
    bodies = (
        f'"{event}",' + ",".join(f'"{name}":{value(kind)}' for name, kind in fields) for event, fields in EVENTS.items()
    )
    return r"\{" + head + ',"event":(?:' + "|".join(bodies) + r")\}"


def matches(kind: str, text: str) -> bool:
    """Whether the canonical JSON `text` is a value of type `kind`."""
    return re.fullmatch(value(kind), text) is not None
