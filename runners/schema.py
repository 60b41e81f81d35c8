"""What a log schema is: its events by name, the lines they stand on, and what older schema versions lacked."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_type_hints

import msgspec

SCHEMA_VERSION = 2
"""What is written today; version 1 is read for ever."""

MAX_COUNT = 2**53 - 1
Count = Annotated[int, msgspec.Meta(ge=0, le=MAX_COUNT)]
"""A number that every reader of JSON can hold exactly (rule L5)."""
Cost = Count | Literal["unpriced", "unsettled"]
"""Micro-dollars, or why there is no number (rule B3)."""
_FailureKind1 = Literal[
    "config",
    "auth",
    "rate_limit",
    "overloaded",
    "connection",
    "timeout",
    "cut_stream",
    "error_body",
    "invalid_text",
]
FailureKind = Literal[_FailureKind1, "withheld", "interrupted"]
# A line of version 1 may not hold what version 2 brought: its types, then and now.
_TYPES_OF_1: Mapping[Any, Any] = {FailureKind: _FailureKind1, Cost: Count | Literal["unpriced"]}


def field_names(kind: type[Any]) -> tuple[str, ...]:
    """The fields of an event, in the order of its table."""
    names: tuple[str, ...] = kind.__match_args__  # a dataclass lists its fields there, class variables left out
    return names


def written_fields(kind: type[Any], version: int) -> tuple[str, ...]:
    """The fields that a line of that schema version has."""
    since_2: Mapping[str, Any] = getattr(kind, "SINCE_2", {})
    return tuple(name for name in field_names(kind) if version > 1 or name not in since_2)


@dataclass(frozen=True)
class Schema:
    """Which events a benchmark's logs may hold, which one opens a log, which ones close it.

    An event that came with version 2 says `FIRST = 2`; one that gained fields has them in `SINCE_2`, with what they are
    for a line of version 1.
    """

    events: Mapping[str, type[Any]]
    opening: type[Any]
    closing: tuple[type[Any], ...]

    @classmethod
    def of(cls, *kinds: type[Any], opening: type[Any], closing: tuple[type[Any], ...]) -> Schema:
        """A schema of these events."""
        return cls({kind.EVENT: kind for kind in kinds}, opening, closing)

    def kind(self, event: str, version: int) -> type[Any]:
        """The record of an event.

        Raises:
            KeyError: that schema version has no such event.
        """
        kind = self.events[event]
        if not 1 <= version <= SCHEMA_VERSION or version < getattr(kind, "FIRST", 1):
            raise KeyError(event)
        return kind


def as_of_1(kind: type[Any]) -> type[Any]:
    """The record of an event as version 1 had it: fewer fields, fewer values."""
    hints = get_type_hints(kind, include_extras=True)
    names = written_fields(kind, 1)
    return dataclasses.make_dataclass(
        kind.__name__, [(name, _TYPES_OF_1.get(hints[name], hints[name])) for name in names], frozen=True
    )


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a log: the five fields of every line, and the event (one of the schema's)."""

    v: Count
    run: str
    seq: Count
    at: str
    prev: str
    event: Any
