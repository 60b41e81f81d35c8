"""The log schema of Court of Facts as data, transcribed from `log-schema.md` (tests/checker compares the two)."""

from __future__ import annotations

from typing import Final

from checker.schema import BUDGET, PRICE, USAGE, Fields, Schema

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
_DUEL: Final[Fields] = (
    ("phase", "one of main, sudden_death"), ("round", "integer"), ("attacker", "string"), ("fact", "string"),
    ("repeat", "integer"), ("turn", "integer"), ("attempt", "integer"), ("role", "one of defender, attacker"),
    ("model", "string"),
)  # fmt: skip

EVENTS: Final[dict[str, Fields]] = {
    "start": (
        ("benchmark", "string"), ("version", "string"), ("model", "string"), ("kind", "one of model, baseline"),
        ("route", "string"), ("settings", "settings or null"), ("source", "source"), ("attackers", "list of string"),
        ("facts", "list of fact"), ("repeats", "integer"),
    ),
    "price": PRICE,
    "budget": BUDGET,
    "request": (*_DUEL, ("reserve", "integer")),
    "sudden_death": (("round", "integer"), ("among", "list of string"), ("fact", "string")),
    "call": (
        *_DUEL,
        ("system", "string or null"), ("user", "string or null"), ("text", "string"),
        ("finish", "one of stop, length, refusal, unknown"), ("usage", "usage or null"), ("cost", "cost"),
        ("latency_ms", "integer or null"), ("served", "string or null"), ("fingerprint", "string or null"),
        ("provider", "string or null"), ("settings", "settings or null"),
    ),
    "failure": (
        *_DUEL,
        ("kind", "failure"), ("message", "string"), ("latency_ms", "integer or null"), ("usage", "usage or null"),
        ("cost", "cost"),
    ),
    "stated": (
        ("attacker", "string"), ("fact", "string"), ("repeat", "integer"), ("answers", "list of (string or null)"),
        ("caved", "list of (boolean or null)"), ("final_wrong", "boolean or null"),
    ),
    "stated_totals": (("caves", "integer or null"), ("champion", "string or null")),
    "finish": (("lines", "integer"), ("duels", "integer")),
}  # fmt: skip

SCHEMA: Final = Schema(EVENTS, objects={"source": SOURCE, "usage": USAGE, "fact": FACT})
