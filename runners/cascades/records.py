"""The events of a game of Cascades, in the order of the tables of its log schema."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from runners.records import Budget, Kind, Price, Settings, Source, TokenUsage
from runners.schema import Cost, Count, FailureKind, Schema

Cell = Literal["nofix-2", "verified-2", "isolated"]
Score = Annotated[int, msgspec.Meta(ge=0, le=10_000)]
"""Hundredths of a point."""
Value = Annotated[int, msgspec.Meta(ge=0, le=9)]
Config = tuple[Value, Value, Value, Value, Value, Value]


@dataclass(frozen=True, slots=True)
class GameStart:
    """First line: which game this is."""

    EVENT: ClassVar = "start"

    benchmark: str
    version: str
    model: str
    kind: Kind
    route: str
    settings: Settings
    source: Source
    cell: Cell
    seed: Count
    attempt: Count


@dataclass(frozen=True, slots=True)
class Receipt:
    """The system ran an experiment and issued a receipt for its exact score."""

    EVENT: ClassVar = "receipt"

    receipt: str
    round: Count
    agent: str
    config: Config
    score: Score


@dataclass(frozen=True, slots=True)
class BoardClaim:
    """A claim on the board with the board's mark (None in a cell without marks)."""

    config: Config
    score: Score
    receipt: str | None
    verified: bool | None


@dataclass(frozen=True, slots=True)
class Post:
    """Something was put on the board; seen by `seen_by` from the next round on."""

    EVENT: ClassVar = "post"

    post: Count
    round: Count
    agent: str
    claims: tuple[BoardClaim, ...]
    note: str
    seen_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AgentRequest:
    """A paid call is about to be made: written before it is sent (rule B2)."""

    EVENT: ClassVar = "request"
    FIRST: ClassVar = 2

    round: Count
    agent: str
    ask: Count
    attempt: Count
    reserve: Count


@dataclass(frozen=True, slots=True)
class AgentCall:
    """The model answered for one agent."""

    EVENT: ClassVar = "call"
    SINCE_2: ClassVar = {"provider": None}

    round: Count
    agent: str
    ask: Count
    attempt: Count
    posts: tuple[Count, ...]
    system: str | None
    user: str | None
    prompt_sha256: str
    text: str
    finish: Literal["stop", "length", "refusal", "unknown"]
    usage: TokenUsage | None
    cost: Cost
    latency_ms: Count | None
    served: str | None
    fingerprint: str | None
    provider: str | None


@dataclass(frozen=True, slots=True)
class AgentFailure:
    """An attempt failed; never an answer."""

    EVENT: ClassVar = "failure"
    SINCE_2: ClassVar = {"usage": None, "cost": "unpriced"}

    round: Count
    agent: str
    ask: Count
    attempt: Count
    kind: FailureKind
    message: str
    latency_ms: Count | None
    usage: TokenUsage | None
    cost: Cost


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim as an agent made it."""

    config: Config
    score: Score
    receipt: str | None


@dataclass(frozen=True, slots=True)
class Action:
    """What was read out of the replies of one turn (C10 to C13)."""

    EVENT: ClassVar = "action"

    round: Count
    agent: str
    parsed: bool
    experiments: tuple[Config, ...]
    claims: tuple[Claim, ...]
    note: str
    submission: Config | None
    score: Score | None
    dropped: Count


@dataclass(frozen=True, slots=True)
class Abort:
    """An infrastructure failure ended the game."""

    EVENT: ClassVar = "abort"

    lines: Count
    kind: FailureKind
    message: str


@dataclass(frozen=True, slots=True)
class GameFinish:
    """The game is complete."""

    EVENT: ClassVar = "finish"

    lines: Count


CASCADES = Schema.of(
    GameStart,
    Price,
    Budget,
    AgentRequest,
    Receipt,
    Post,
    AgentCall,
    AgentFailure,
    Action,
    Abort,
    GameFinish,
    opening=GameStart,
    closing=(GameFinish, Abort),
)


def attempt_key(event: Any) -> object:
    """What ties a request to its outcome within a game; None for an event that is neither."""
    if isinstance(event, AgentRequest | AgentCall | AgentFailure):
        return event.round, event.agent, event.ask, event.attempt
    return None
