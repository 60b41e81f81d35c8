"""What the logs of every benchmark share: lines that may be damaged, replies to the byte, and attempts that failed."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


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


@dataclass(frozen=True, slots=True)
class Failure:
    """One attempt that got no reply."""

    attempt: int
    kind: str
    message: str
    at: str


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
    )


def failure(record: Any) -> Failure:
    """Read a `failure`.

    Raises:
        KeyError, TypeError, ValueError: it is not one.
    """
    return Failure(int(record["attempt"]), str(record["kind"]), str(record["message"]), str(record["at"]))
