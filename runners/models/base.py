"""The seam between the games and whatever answers: messages in, one completion out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Role = Literal["system", "user", "assistant"]
Finish = Literal["stop", "length", "refusal", "unknown"]
Setting = int | float | str


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts as the provider reports them; None where it says nothing.

    `input` is all input, `cached_input` and `cache_write` the parts of it that were read from or written to a cache;
    `output` is all output, `reasoning` the part of it that was reasoning. A provider that counts the parts apart (as
    Anthropic counts cached input) has them added here.
    """

    input: int | None = None
    cached_input: int | None = None
    cache_write: int | None = None
    output: int | None = None
    reasoning: int | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model said. `text` is its answer to the byte; reasoning returned apart is not in it."""

    text: str
    finish: Finish
    usage: Usage | None = None
    served: str | None = None
    fingerprint: str | None = None
    provider: str | None = None
    """Who served it, where the one that was asked passes calls on."""


class Model(Protocol):
    """Anything that answers.

    `name` is ROUTE:ID; `settings` are the request settings of its route, as the spec has them.
    """

    @property
    def name(self) -> str: ...

    @property
    def settings(self) -> Mapping[str, Setting]: ...

    async def complete(self, messages: Sequence[Message]) -> Completion:
        """Answer the conversation once, without any retry.

        Raises:
            CallFailed: the attempt failed, with the kind of the failure.
        """
        ...

    async def close(self) -> None:
        """Release what the model holds (connections, a server)."""
        ...
