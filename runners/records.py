"""The vocabulary of a log: one frozen dataclass for each event, in the order of the log schema's tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from runners.schema import Cost, Count, FailureKind, Schema

Phase = Literal["main", "sudden_death"]
Side = Literal["defender", "attacker"]
Kind = Literal["model", "baseline"]
Settings = Mapping[str, int | float | str]


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
class Price:
    """What a million tokens of a model cost, in micro-dollars, from a dated table (both benchmarks; rule B1)."""

    EVENT: ClassVar = "price"
    FIRST: ClassVar = 2

    model: str
    table: str
    table_sha256: str
    date: str
    source: str
    input: Count
    cached_input: Count | None
    cache_write: Count | None
    output: Count
    reasoning: Count | None


@dataclass(frozen=True, slots=True)
class Budget:
    """What the run may cost, in micro-dollars (both benchmarks)."""

    EVENT: ClassVar = "budget"
    FIRST: ClassVar = 2

    limit: Count


@dataclass(frozen=True, slots=True)
class Request:
    """A paid call is about to be made: written before it is sent (rule B2)."""

    EVENT: ClassVar = "request"
    FIRST: ClassVar = 2

    phase: Phase
    round: Count
    attacker: str
    fact: str
    repeat: Count
    turn: Count
    attempt: Count
    role: Side
    model: str
    reserve: Count


@dataclass(frozen=True, slots=True)
class SuddenDeath:
    """A rematch round among tied models is registered (spec rule R14)."""

    EVENT: ClassVar = "sudden_death"

    round: Count
    among: tuple[str, ...]
    fact: str


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Token counts; None where the provider said nothing. The parts are counted in `input` and `output` too."""

    input: Count | None
    cached_input: Count | None
    cache_write: Count | None
    output: Count | None
    reasoning: Count | None


@dataclass(frozen=True, slots=True)
class Call:
    """A model answered one turn."""

    EVENT: ClassVar = "call"
    SINCE_2: ClassVar = {"provider": None}

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
    cost: Cost
    latency_ms: Count | None
    served: str | None
    fingerprint: str | None
    provider: str | None
    settings: Settings | None


@dataclass(frozen=True, slots=True)
class Failure:
    """An attempt failed; never an answer."""

    EVENT: ClassVar = "failure"
    SINCE_2: ClassVar = {"usage": None, "cost": "unpriced"}

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
    usage: TokenUsage | None
    cost: Cost


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


COURT = Schema.of(
    Start,
    Price,
    Budget,
    Request,
    SuddenDeath,
    Call,
    Failure,
    Stated,
    StatedTotals,
    Finish,
    opening=Start,
    closing=(Finish,),
)


@dataclass(frozen=True, slots=True)
class DuelKey:
    """Names one duel within a log (the Defender is the log's model)."""

    phase: Phase
    round: Count
    attacker: str
    fact: str
    repeat: Count

    @classmethod
    def of(cls, event: Call | Failure | Request) -> DuelKey:
        """The duel that a call, a failure or a request belongs to."""
        return cls(event.phase, event.round, event.attacker, event.fact, event.repeat)


def attempt_key(event: Any) -> object:
    """What ties a request to its outcome within a log; None for an event that is neither."""
    if isinstance(event, Request | Call | Failure):
        return DuelKey.of(event), event.turn, event.attempt
    return None


WHITE_SPACE = "\t\n\v\f\r "


def is_empty(call: Any) -> bool:
    """Whether the model ended by itself and said nothing."""
    return call.finish in ("stop", "unknown") and not call.text.strip(WHITE_SPACE)
