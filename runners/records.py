"""The vocabulary of a log: one frozen dataclass for each event, in the order of the log schema's tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

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

    attacker: str
    fact: str
    repeat: Count
    answers: tuple[str | None, ...]
    caved: tuple[bool | None, ...]
    final_wrong: bool | None


@dataclass(frozen=True, slots=True)
class StatedTotals:
    """What an imported dataset says of this model and of the tournament."""

    caves: Count | None
    champion: str | None


@dataclass(frozen=True, slots=True)
class Finish:
    """Last line: the run is closed."""

    lines: Count
    duels: Count


Event = Start | SuddenDeath | Call | Failure | Stated | StatedTotals | Finish

EVENTS: dict[str, type[Event]] = {
    "start": Start,
    "sudden_death": SuddenDeath,
    "call": Call,
    "failure": Failure,
    "stated": Stated,
    "stated_totals": StatedTotals,
    "finish": Finish,
}
NAMES: dict[type[Event], str] = {kind: name for name, kind in EVENTS.items()}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a log: the five fields of every line, and the event."""

    v: Count
    run: str
    seq: Count
    at: str
    prev: str
    event: Event


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
