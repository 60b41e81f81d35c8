"""What the logs of every benchmark share: lines that may be damaged, replies to the byte, and attempts that failed."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

KINDS = {
    "config": "The provider refuses the request as it is: an unknown model, or a setting that the model rejects.",
    "auth": "The key is missing, wrong or may not do this, or no credit is left.",
    "rate_limit": "Too many requests.",
    "overloaded": "The provider answered with an error of its own.",
    "connection": "No connection could be made: nothing was sent.",
    "timeout": "No complete reply in time.",
    "cut_stream": "The connection broke after the request was sent.",
    "error_body": "An answer of success that holds an error, or no reply at all.",
    "invalid_text": "A reply that is not Unicode text, or holds a NUL.",
    "withheld": "A reply that holds what looks like a key or another secret: it is not logged, so it is not shown.",
    "interrupted": "The program ended after the request was sent and before its outcome was logged.",
}
_FINISHES = {"stop": "ended by itself", "length": "cut by the token limit", "refusal": "refused"}
_BLANK = "\t\n\x0b\x0c\r "


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said, to the byte, and how the call went."""

    text: str
    system: str | None
    user: str | None
    finish: str
    at: str
    latency_ms: int | None
    output_tokens: int | None
    served: str | None
    provider: str | None
    cost: int | str

    @property
    def is_empty(self) -> bool:
        """Whether the model said nothing, though nothing stopped it (as `empty_replies` counts them)."""
        return self.finish in ("stop", "unknown") and not self.text.strip(_BLANK)

    @property
    def ended(self) -> str:
        return _FINISHES.get(self.finish, "how it ended is not recorded")


@dataclass(frozen=True, slots=True)
class Failure:
    """One attempt that got no reply."""

    attempt: int
    kind: str
    message: str
    at: str
    output_tokens: int | None
    cost: int | str

    @property
    def means(self) -> str:
        return KINDS.get(self.kind, "A kind of failure that the log schema does not name.")


def records(raw: bytes) -> Iterator[dict[str, Any] | None]:
    """Yield each whole line, None for one that is no JSON object; a torn tail is not a line."""
    for line in raw.split(b"\n")[:-1]:
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        yield record if isinstance(record, dict) else None


def reply(record: Any) -> Reply:
    """Read a `call`.

    Raises:
        KeyError, TypeError, ValueError: it is not one.
    """
    usage = record.get("usage") or {}
    return Reply(
        text=str(record["text"]),
        system=record.get("system"),
        user=record.get("user"),
        finish=str(record["finish"]),
        at=str(record["at"]),
        latency_ms=record.get("latency_ms"),
        output_tokens=usage.get("output"),
        served=record.get("served"),
        provider=record.get("provider"),
        cost=_cost(record),
    )


def failure(record: Any) -> Failure:
    """Read a `failure`.

    Raises:
        KeyError, TypeError, ValueError: it is not one.
    """
    usage = record.get("usage") or {}
    return Failure(
        attempt=int(record["attempt"]),
        kind=str(record["kind"]),
        message=str(record["message"]),
        at=str(record["at"]),
        output_tokens=usage.get("output"),
        cost=_cost(record),
    )


def _cost(record: Any) -> int | str:
    """Give micro-dollars, or the word for there being none; a failure of schema version 1 has no cost."""
    cost = record.get("cost", "unpriced")
    return cost if type(cost) is int else str(cost)
