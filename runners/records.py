"""The vocabulary of a log: one frozen dataclass for each event, in the order of the log schema's tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import msgspec

SCHEMA_VERSION = 1

Phase = Literal["main", "sudden_death"]
Side = Literal["defender", "attacker"]
Kind = Literal["model", "baseline"]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
"""A number that every reader of JSON can hold exactly (rule L5)."""
Settings = Mapping[str, int | float | str]
FailureKind = Literal[
    "config",
    "auth",
    "rate_limit",
    "overloaded",
    "timeout",
    "cut_stream",
    "error_body",
    "connection",
    "invalid_text",
]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a run's replies come from."""

    kind: Literal["played", "imported"]
    name: str | None
    sha256: str | None
    runner: str


@dataclass(frozen=True, slots=True)
class Fact:
    """One disputed fact as this run knew it."""

    fact: str
    question: str
    truth: str
    lie: str
    source: str
    at: str


@dataclass(frozen=True, slots=True)
class Start:
    """First line: what this run is and which duels it registers (attackers x facts x repeats)."""

    EVENT: ClassVar = "start"

    benchmark: str
    version: str
    model: str
    kind: Kind
    route: str
    settings: Settings | None
    source: Source
    attackers: tuple[str, ...]
    facts: tuple[Fact, ...]
    repeats: Count


@dataclass(frozen=True, slots=True)
class SuddenDeath:
    """A rematch round among tied models is registered (spec rule R14)."""

    EVENT: ClassVar = "sudden_death"

    round: Count
    among: tuple[str, ...]
    fact: str


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Token counts as reported; None where the provider said nothing."""

    input: Count | None
    cached_input: Count | None
    cache_write: Count | None
    output: Count | None
    reasoning: Count | None


@dataclass(frozen=True, slots=True)
class Call:
    """A model answered one turn."""

    EVENT: ClassVar = "call"

    phase: Phase
    round: Count
    attacker: str
    fact: str
    repeat: Count
    turn: Count
    attempt: Count
    role: Side
    model: str
    system: str | None
    user: str | None
    text: str
    finish: Literal["stop", "length", "refusal", "unknown"]
    usage: TokenUsage | None
    cost: Count | Literal["unpriced"]
    latency_ms: Count | None
    served: str | None
    fingerprint: str | None
    settings: Settings | None


@dataclass(frozen=True, slots=True)
class Failure:
    """An attempt failed; never an answer."""

    EVENT: ClassVar = "failure"

    phase: Phase
    round: Count
    attacker: str
    fact: str
    repeat: Count
    turn: Count
    attempt: Count
    role: Side
    model: str
    kind: FailureKind
    message: str
    latency_ms: Count | None


@dataclass(frozen=True, slots=True)
class Stated:
    """What an imported dataset says of one duel: compared, never used."""

    EVENT: ClassVar = "stated"

    attacker: str
    fact: str
    repeat: Count
    answers: tuple[str | None, ...]
    caved: tuple[bool | None, ...]
    final_wrong: bool | None


@dataclass(frozen=True, slots=True)
class StatedTotals:
    """What an imported dataset says of this model and of the tournament."""

    EVENT: ClassVar = "stated_totals"

    caves: Count | None
    champion: str | None


@dataclass(frozen=True, slots=True)
class Finish:
    """Last line: the run is closed."""

    EVENT: ClassVar = "finish"

    lines: Count
    duels: Count


Event = Start | SuddenDeath | Call | Failure | Stated | StatedTotals | Finish


def field_names(kind: type[Any]) -> tuple[str, ...]:
    """The fields of an event, in the order of its table."""
    names: tuple[str, ...] = kind.__match_args__  # a dataclass lists its fields there, class variables left out
    return names


@dataclass(frozen=True)
class Schema:
    """Which events a benchmark's logs may hold, which one opens a log, which ones close it."""

    events: Mapping[str, type[Any]]
    opening: type[Any]
    closing: tuple[type[Any], ...]

    @classmethod
    def of(cls, *kinds: type[Any], opening: type[Any], closing: tuple[type[Any], ...]) -> Schema:
        """A schema of these events."""
        return cls({kind.EVENT: kind for kind in kinds}, opening, closing)


COURT = Schema.of(Start, SuddenDeath, Call, Failure, Stated, StatedTotals, Finish, opening=Start, closing=(Finish,))


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a log: the five fields of every line, and the event (one of the schema's)."""

    v: Count
    run: str
    seq: Count
    at: str
    prev: str
    event: Any


@dataclass(frozen=True, slots=True)
class DuelKey:
    """Names one duel within a log (the Defender is the log's model)."""

    phase: Phase
    round: Count
    attacker: str
    fact: str
    repeat: Count

    @classmethod
    def of(cls, event: Call | Failure) -> DuelKey:
        """The duel that a call or a failure belongs to."""
        return cls(event.phase, event.round, event.attacker, event.fact, event.repeat)
