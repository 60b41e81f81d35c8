"""A second, slow and independent reading of log lines: the tables of the two log schema pages, and Python's json.

Nothing of the checker is used here, so that what both get wrong would have to be got wrong twice.
"""

from __future__ import annotations

import calendar
import copy
import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PAGES = Path(__file__).resolve().parents[2] / "site" / "docs" / "reference"
MOST = 2**53 - 1
_HEADING = re.compile(r"#+ (.*)")
_ROW = re.compile(r"\| `(\w+)` \| ([^|]+) \| (.*) \|")
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
_TIME = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})\.[0-9]{3}Z")

Test = Callable[[Any], bool]


@dataclass(frozen=True)
class Field:
    """One row of a page's table."""

    name: str
    kind: str
    since: int


def sections(page: str) -> dict[str, list[Field]]:
    """The tables of fields of a page, by the names in their headings."""
    found: dict[str, list[Field]] = {}
    names: list[str] = []
    since = 1
    for line in (PAGES / page).read_text(encoding="utf-8").splitlines():
        if heading := _HEADING.fullmatch(line):
            names = re.findall(r"`(\w+)`", heading[1]) or [heading[1]]
            since = 2 if "(since 2)" in heading[1] else 1
        elif row := _ROW.fullmatch(line):
            fresh = 2 if since == 2 or row[3].startswith("Since 2.") else 1
            for name in names:
                found.setdefault(name, []).append(Field(row[1], row[2], fresh))
    return found


# --- types, in the words of the pages ---------------------------------------------------------------------------------


def integer(value: Any) -> bool:
    return type(value) is int and 0 <= value <= MOST


def string(value: Any) -> bool:
    return isinstance(value, str)


def matching(pattern: str) -> Test:
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def one_of(*texts: str) -> Test:
    return lambda value: isinstance(value, str) and value in texts


def maybe(test: Test) -> Test:
    return lambda value: value is None or test(value)


def list_of(test: Test) -> Test:
    return lambda value: isinstance(value, list) and all(test(item) for item in value)


def record(**fields: Test) -> Test:
    """An object with exactly these keys in this order."""
    return lambda value: (
        isinstance(value, dict) and list(value) == list(fields) and all(fields[key](value[key]) for key in fields)
    )


def time(value: Any) -> bool:
    found = _TIME.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return False
    year, month, day, hour, minute, second = map(int, found.groups())
    if not (year and 1 <= month <= 12 and hour < 24 and minute < 60 and second < 60):
        return False
    return 1 <= day <= calendar.monthrange(year, month)[1]


def integers(length: int, most: int) -> Test:
    return lambda value: (
        isinstance(value, list) and len(value) == length and all(integer(x) and x <= most for x in value)
    )


digest = matching("[0-9a-f]{64}")
settings: Test = lambda value: isinstance(value, dict)  # noqa: E731
usage = record(**dict.fromkeys(("input", "cached_input", "cache_write", "output", "reasoning"), maybe(integer)))
config = integers(6, 9)
score: Test = lambda value: integer(value) and value <= 10_000  # noqa: E731
team = one_of(*(f"agent_{n}" for n in range(1, 7)))
agent = one_of(*(f"agent_{n}" for n in range(1, 9)))

PLAIN: dict[str, Test] = {
    "integer": integer, "string": string, "boolean": lambda value: isinstance(value, bool),
    "list of strings": list_of(string), "list of integers": list_of(integer),
}  # fmt: skip
KINDS = ("config", "auth", "rate_limit", "overloaded", "connection", "timeout", "cut_stream", "error_body",
         "invalid_text")  # fmt: skip

#: What the prose says beyond the type column: by `event.field`, or by the field alone.
COMMON: dict[str, Test] = {
    "prev": digest, "table_sha256": digest, "prompt_sha256": digest, "at": time, "run": matching("[a-z0-9-]{1,64}"),
    "call.finish": one_of("stop", "length", "refusal", "unknown"), "start.kind": one_of("model", "baseline"),
    "usage": maybe(usage),
}  # fmt: skip
MORE: dict[str, dict[str, Test]] = {
    "court": {
        "phase": one_of("main", "sudden_death"), "role": one_of("defender", "attacker"), "settings": maybe(settings),
        "start.source": record(kind=one_of("played", "imported"), name=maybe(string), sha256=maybe(digest),
                               runner=string),
        "start.facts": list_of(record(fact=string, question=string, truth=string, lie=string, source=string, at=time)),
        "stated.answers": list_of(maybe(string)),
        "stated.caved": list_of(lambda value: value is None or isinstance(value, bool)),
    },
    "cascades": {
        "settings": settings, "agent": team, "receipt.agent": agent, "post.agent": agent, "score": score,
        "action.score": maybe(score),
        "start.source": record(kind=one_of("played"), name=maybe(string), sha256=maybe(digest), runner=string),
        "receipt.config": config, "post.seen_by": list_of(team), "action.submission": maybe(config),
        "post.claims": list_of(record(config=config, score=score, receipt=maybe(string),
                                      verified=lambda value: value is None or isinstance(value, bool))),
        "action.experiments": list_of(config),
        "action.claims": list_of(record(config=config, score=score, receipt=maybe(string))),
    },
}  # fmt: skip
PAGE = {"court": "log-schema.md", "cascades": "log-schema-cascades.md"}
EVENTS = {
    "court": ("start", "price", "budget", "request", "sudden_death", "call", "failure", "stated", "stated_totals",
              "finish"),
    "cascades": ("start", "price", "budget", "request", "receipt", "post", "call", "failure", "action", "abort",
                 "finish"),
}  # fmt: skip


class Rules:
    """The log schema of one benchmark, as its page has it."""

    def __init__(self, benchmark: str) -> None:
        court = sections(PAGE["court"])
        own = sections(PAGE[benchmark])
        self.benchmark = benchmark
        self.header = court["Fields of every line"]
        self.events = {name: own.get(name) or court[name] for name in EVENTS[benchmark]}
        # What may stand in each place of a sound line.
        self.values = {
            (event, field.name, version): [value for value in VALUES if self.test(event, field, version)(value)]
            for event in self.events
            for version in (1, 2)
            for field in (self.fields(event, version) or [])[len(self.header) :]
        }

    def fields(self, event: str, version: int) -> list[Field] | None:
        """The fields of a line, header first; None where that version has no such event."""
        there = [row for row in self.events.get(event, []) if row.since <= version]
        return [*self.header, *there] if there else None

    def test(self, event: str, field: Field, version: int) -> Test:
        """The test of one value."""
        if field.name == "kind" and event in ("failure", "abort"):
            return one_of(*KINDS, *(("withheld", "interrupted") if version == 2 else ()))
        if field.name == "cost":
            words = one_of("unpriced", *(("unsettled",) if version == 2 else ()))
            return lambda value: integer(value) or words(value)
        for table in (MORE[self.benchmark], COMMON):
            for key in (f"{event}.{field.name}", field.name):
                if key in table:
                    return table[key]
        base = PLAIN[field.kind.removesuffix(" or null")]
        return maybe(base) if field.kind.endswith(" or null") else base

    def look(self, line: bytes, run: str) -> tuple[str | None, dict[str, Any] | None]:
        """(None, event) for a line (without LF) that keeps L2 to L5 and L1's run; else what is wrong with it."""
        try:
            text = line.decode("utf-8")
            event = json.loads(text, object_pairs_hook=_once, parse_constant=_refused)
            same = json.dumps(event, ensure_ascii=False, separators=(",", ":"), allow_nan=False) == text
        except (ValueError, RecursionError) as fault:
            return f"L2/L3 {type(fault).__name__} {str(fault)[:60]}", None
        # Of a surrogate's escape json writes no escape again, so here only NUL is left to be looked for.
        if not isinstance(event, dict) or not same or _NUL.search(text):
            return "L2/L3 not canonical", None
        version = event.get("v")
        fields = self.fields(str(event.get("event")), version) if type(version) is int and version in (1, 2) else None
        if fields is None or [field.name for field in fields] != list(event):
            return "L4 keys", None
        for field in fields[1:]:
            if field.name != "event" and not self.test(event["event"], field, version)(event[field.name]):
                return f"L5 {event['event']}.{field.name}", None
        return (None, event) if event["run"] == run else ("L1 run", None)

    def sample(self, chance: random.Random) -> dict[str, Any]:
        """A random event that keeps L4 and L5, without its header but for `v`."""
        version = chance.choice((1, 2))
        event = chance.choice([name for name in self.events if self.fields(name, version) is not None])
        names = [field.name for field in (self.fields(event, version) or [])[len(self.header) :]]
        return {"v": version, "event": event} | {
            name: copy.deepcopy(chance.choice(self.values[event, name, version])) for name in names
        }


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key.casefold() for key, _ in pairs}) != len(pairs):
        raise ValueError("a key twice")
    return dict(pairs)


def _refused(name: str) -> Any:
    raise ValueError(name)


#: Strings that tempt a reader: separators of lines cut in pieces, escapes, look-alikes, glob and SQL characters.
STRINGS = (
    "", " ", "a", "ANSWER: 10", ',"', ',"usage":null', '"', "\\", "\\u0000", "\\ud800", "a,", '","settings":{}}',
    "\x7f", "\x01\x1f", "\u2028\u2029\x85", "\ufeff", "\U0001f600é", "\uffff\ufffe", "e\u0301", "ſK", "'; --",
    "%s{reply}*?[", "null", "0", "\n\r\t\b\f", "ANSWER: 20\n", "{LINE_1}", "x" * 300, "unpriced",
)  # fmt: skip
_DIGEST = "0123456789abcdef" * 4


_CLAIM = {"config": [0, 1, 2, 3, 4, 9], "score": 10_000, "receipt": None}
#: Values of every type: at least one fits each field.
VALUES: list[Any] = [
    *STRINGS, 0, 1, 2, 9, MOST, None, True, False, _DIGEST, "2026-12-01T00:00:00.000Z", "unpriced", "unsettled", {},
    {"temperature": 0.5, "seed": 0}, [], ["a", ""], [0, MOST], [None, "a"], [True, None], [[0] * 6], [0] * 6,
    dict.fromkeys(("input", "cached_input", "cache_write", "output", "reasoning"), None),
    dict(zip(("input", "cached_input", "cache_write", "output", "reasoning"), (9, None, 0, MOST, 1), strict=True)),
    {"kind": "played", "name": None, "sha256": None, "runner": ""},
    {"kind": "imported", "name": "x", "sha256": _DIGEST, "runner": "y"},
    [{"fact": "a", "question": "", "truth": "1", "lie": "2", "source": "", "at": "2024-02-29T23:59:59.999Z"}],
    [_CLAIM], [_CLAIM | {"verified": True}, _CLAIM | {"receipt": "r", "verified": None}], [], "main",
    "sudden_death", "defender", "attacker", *KINDS, "withheld", "interrupted", "stop", "length", "refusal",
    "unknown", "model", "baseline", "agent_1", "agent_6", "agent_8", ["agent_1", "agent_2"],
]  # fmt: skip
