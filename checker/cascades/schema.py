"""The log schema of Cascades as data: every event with its fields in order.

Transcribed from `log-schema-cascades.md` (tests/checker compares the two), with the closed lists of its prose: an agent
is `agent_1` … `agent_8`, a configuration six integers from 0 to 9, a score 0 to 10000.
"""

from __future__ import annotations

from typing import Final

from checker.schema import BUDGET, PRICE, USAGE, Fields, Schema

TEAM: Final = tuple(f"agent_{number}" for number in range(1, 7))
_MEMBER: Final = "one of " + ", ".join(TEAM)

SOURCE: Final[Fields] = (
    ("kind", "one of played"), ("name", "string or null"), ("sha256", "digest or null"), ("runner", "string"),
)  # fmt: skip
#: A claim as an agent made it, and as it stands on the board with its mark.
CLAIM: Final[Fields] = (("config", "config"), ("score", "score"), ("receipt", "string or null"))
POSTED: Final[Fields] = (*CLAIM, ("verified", "boolean or null"))

_TURN: Final[Fields] = (("round", "integer"), ("agent", _MEMBER))
_ATTEMPT: Final[Fields] = (*_TURN, ("ask", "integer"), ("attempt", "integer"))

EVENTS: Final[dict[str, Fields]] = {
    "start": (
        ("benchmark", "string"), ("version", "string"), ("model", "string"), ("kind", "one of model, baseline"),
        ("route", "string"), ("settings", "settings"), ("source", "source"), ("cell", "string"), ("seed", "integer"),
        ("attempt", "integer"),
    ),
    "price": PRICE,
    "budget": BUDGET,
    "request": (*_ATTEMPT, ("reserve", "integer")),
    "receipt": (
        ("receipt", "string"), ("round", "integer"), ("agent", "agent"), ("config", "config"), ("score", "score"),
    ),
    "post": (
        ("post", "integer"), ("round", "integer"), ("agent", "agent"), ("claims", "list of posted"),
        ("note", "string"), ("seen_by", "list of member"),
    ),
    "call": (
        *_ATTEMPT,
        ("posts", "list of integer"), ("system", "string or null"), ("user", "string or null"),
        ("prompt_sha256", "digest"), ("text", "string"), ("finish", "one of stop, length, refusal, unknown"),
        ("usage", "usage or null"), ("cost", "cost"), ("latency_ms", "integer or null"), ("served", "string or null"),
        ("fingerprint", "string or null"), ("provider", "string or null"),
    ),
    "failure": (
        *_ATTEMPT,
        ("kind", "failure"), ("message", "string"), ("latency_ms", "integer or null"), ("usage", "usage or null"),
        ("cost", "cost"),
    ),
    "action": (
        *_TURN,
        ("parsed", "boolean"), ("experiments", "list of config"), ("claims", "list of claim"), ("note", "string"),
        ("submission", "config or null"), ("score", "score or null"), ("dropped", "integer"),
    ),
    "abort": (("lines", "integer"), ("kind", "failure"), ("message", "string")),
    "finish": (("lines", "integer"),),
}  # fmt: skip

SCHEMA: Final = Schema(
    EVENTS,
    objects={"source": SOURCE, "usage": USAGE, "claim": CLAIM, "posted": POSTED},
    patterns={
        "config": r"\[[0-9](?:,[0-9]){5}\]",
        "score": r"(?:0|[1-9][0-9]{0,3}|10000)",
        "agent": '"agent_[1-8]"',
        "member": '"agent_[1-6]"',
    },
)
