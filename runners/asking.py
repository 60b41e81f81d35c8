"""Asks a model until there is a reply, bounded, with every failed attempt told; one piece serves both benchmarks."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Sequence

from runners.errors import CallFailed
from runners.models.base import Completion, Message, Model

# A later attempt can only help where the cause can pass; everything else fails at once.
PASSING: frozenset[str] = frozenset({"rate_limit", "overloaded", "timeout", "connection", "cut_stream"})
STOPPING: frozenset[str] = frozenset({"config", "auth"})
MAX_ATTEMPTS = 4
BACKOFF_SECONDS = 0.5

Failed = Callable[[int, CallFailed, int], None]
"""Called with the attempt's number, the failure and the milliseconds that it took."""


async def ask(model: Model, sent: Sequence[Message], first_attempt: int, failed: Failed) -> tuple[Completion, int, int]:
    """The completion, the number of the attempt that gave it, and its milliseconds.

    Tries at most MAX_ATTEMPTS times, with growing, jittered pauses.

    Raises:
        CallFailed: the last failure, after `failed` was told of it.
    """
    attempt = first_attempt
    while True:
        began = time.monotonic()
        try:
            completion = await model.complete(sent)
            if problem := _not_text(completion.text):
                raise CallFailed("invalid_text", problem)
        except CallFailed as failure:
            failed(attempt, failure, _elapsed_ms(began))
            tries = attempt - first_attempt + 1
            if failure.kind not in PASSING or tries == MAX_ATTEMPTS:
                raise
            await asyncio.sleep(BACKOFF_SECONDS * 2 ** (tries - 1) * (1 + random.random()))
            attempt += 1
        else:
            return completion, attempt, _elapsed_ms(began)


def _not_text(text: str) -> str | None:
    """Why a reply cannot stand in a log (rule L2 of the log schema), or None."""
    if "\0" in text:
        return "the reply holds a NUL character"
    if any("\ud800" <= character <= "\udfff" for character in text):
        return "the reply holds a lone surrogate, which is not Unicode text"
    return None


def _elapsed_ms(began: float) -> int:
    return round((time.monotonic() - began) * 1000)
