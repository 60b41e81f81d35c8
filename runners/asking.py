"""Asks models until there is a reply, bounded; pays for it; every attempt is told. One piece serves both benchmarks."""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from runners import secrets
from runners.errors import CallFailed, Stopped
from runners.models.base import Completion, Message, Model, Usage
from runners.models.slots import Slots
from runners.money import Purse, cost_of, reserve_of
from runners.records import Price, TokenUsage
from runners.schema import MAX_COUNT, Cost, FailureKind
from runners.tally import Tally

# A later attempt can only help where the cause can pass; everything else fails at once.
PASSING = frozenset({"rate_limit", "overloaded", "timeout", "connection", "cut_stream"})
# What the whole route suffers from: everybody waits, or each worker's own retries would make it worse.
SHARED = frozenset({"rate_limit", "overloaded"})
STOPPING = frozenset({"config", "auth"})
MAX_ATTEMPTS = 5
BACKOFF_SECONDS = 0.5
_SURROGATE = re.compile("[\ud800-\udfff]")
LOST = "the program ended before the outcome of the request was known"
"""What the log says of an attempt of kind `interrupted`."""
LONGEST_WAIT_SECONDS = 600.0
"""A provider that asks for a longer pause is not waited for: the call fails, and a later session goes on."""


class Record(Protocol):
    """Where the attempts of one call are written: one open log."""

    price: Price | None

    def request(self, attempt: int, reserve: int) -> None:
        """A paid attempt is about to be sent."""
        ...

    def failure(self, attempt: int, failed: Failed) -> None:
        """An attempt failed."""
        ...

    def answer(self, answered: Answered) -> None:
        """The model answered."""
        ...


@dataclass(frozen=True, slots=True)
class Failed:
    """A failed attempt as the log has it."""

    kind: FailureKind
    message: str
    latency_ms: int
    usage: TokenUsage | None
    cost: Cost


@dataclass(frozen=True, slots=True)
class Answered:
    """A reply as the log has it."""

    completion: Completion
    attempt: int
    latency_ms: int
    usage: TokenUsage | None
    cost: Cost


class Limiter:
    """Holds back every call of one route while its provider wants a pause."""

    def __init__(self) -> None:
        self._until = 0.0

    def left(self) -> float:
        """Seconds until the route may be asked again; the calls that wait start spread out, not all at once."""
        left = self._until - time.monotonic()
        return left + random.random() * min(1.0, left / 4) if left > 0 else 0.0

    def pause(self, seconds: float) -> None:
        """Ask nobody of the route for so long."""
        self._until = max(self._until, time.monotonic() + seconds)


@dataclass
class Desk:
    """What all calls of a session share: how many there may be at once, the routes' limiters, who pays, and the count
    for the display."""

    tally: Tally
    progress: Callable[[Tally], None]
    slots: Slots
    purses: dict[str, Purse] = field(default_factory=dict)
    """By model; a model without one may spend what it wants."""
    limiters: defaultdict[str, Limiter] = field(default_factory=lambda: defaultdict(Limiter))
    _stop: asyncio.Event = field(default_factory=asyncio.Event)

    def stop(self) -> None:
        """Make no further call. Calls on their way are paid for already: their replies are still awaited and logged."""
        self._stop.set()

    @property
    def stopped(self) -> bool:
        """Whether no further call is made."""
        return self._stop.is_set()

    async def ask(self, model: Model, sent: Sequence[Message], first_attempt: int, record: Record) -> Answered:
        """The reply, after at most MAX_ATTEMPTS attempts; each is paid for and each failure is in the record.

        Raises:
            CallFailed: the last failure; it is in the record.
            BudgetSpent: the budget does not cover the next attempt; nothing of it was sent.
            Stopped: the session makes no further call.
        """
        limiter = self.limiters[model.name.partition(":")[0]]
        for attempt in range(first_attempt, first_attempt + MAX_ATTEMPTS):
            while (left := limiter.left()) > 0:
                await self._sleep(left)
            async with self.slots.one():
                outcome = await self._attempt(model, sent, attempt, record)
            if isinstance(outcome, Answered):
                return outcome
            tries = attempt - first_attempt + 1
            pause = outcome.retry_after
            if outcome.kind not in PASSING or tries == MAX_ATTEMPTS or (pause or 0) > LONGEST_WAIT_SECONDS:
                raise outcome
            if pause is None:
                pause = BACKOFF_SECONDS * 2 ** (tries - 1) * (1 + random.random())
            if outcome.kind in SHARED:
                limiter.pause(pause)
            else:
                await self._sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    async def _sleep(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stop.wait(), seconds)
        if self.stopped:
            raise Stopped("the session was stopped")

    async def _attempt(
        self, model: Model, sent: Sequence[Message], attempt: int, record: Record
    ) -> Answered | CallFailed:
        if self.stopped:
            raise Stopped("the session was stopped")
        reserve = 0
        purse = self.purses.get(model.name) if record.price else None
        if record.price:
            reserve = reserve_of(record.price, (message.content for message in sent), model.settings)
            if purse:
                await purse.reserve(reserve)
                if self._stop.is_set():
                    purse.settle(reserve, 0)
                    raise Stopped("the session was stopped")
            record.request(attempt, reserve)
        began = time.monotonic()
        # From the reply to its line in the log nothing is awaited: a cancelled session cannot lose what was paid for.
        try:
            completion = await model.complete(sent)
            if problem := _unfit(completion):
                raise CallFailed(*problem, usage=completion.usage)
        except CallFailed as failure:
            outcome: Answered | CallFailed = failure
            usage = _counts(failure.usage)
            cost = cost_of(record.price, usage, failure.kind)
            message = secrets.redact(failure.message)
            kind: FailureKind = failure.kind  # type: ignore[assignment]
            record.failure(attempt, Failed(kind, message, _elapsed_ms(began), usage, cost))
            self.tally.failures += 1
        else:
            usage = _counts(completion.usage)
            cost = cost_of(record.price, usage)
            outcome = answered = Answered(completion, attempt, _elapsed_ms(began), usage, cost)
            record.answer(answered)
            self.tally.calls += 1
        if purse:
            purse.settle(reserve, cost)
        self.tally.count(usage, cost)
        self.progress(self.tally)
        return outcome


def _unfit(completion: Completion) -> tuple[str, str] | None:
    """Why a reply cannot stand in a public log, as kind and message, or None."""
    if "\0" in completion.text:
        return "invalid_text", "the reply holds a NUL character"
    if _SURROGATE.search(completion.text):
        return "invalid_text", "the reply holds a lone surrogate, which is not Unicode text"
    named = {"served": completion.served, "fingerprint": completion.fingerprint, "provider": completion.provider}
    for part, text in {"the reply": completion.text, **named}.items():
        if text and (leak := secrets.find(text)):
            return "withheld", f"{part} holds {leak}; it is not logged"
    return None


def _counts(usage: Usage | None) -> TokenUsage | None:
    """The provider's counts as a log can hold them."""
    if usage is None:
        return None
    counts = (usage.input, usage.cached_input, usage.cache_write, usage.output, usage.reasoning)
    return TokenUsage(*(count if count is not None and 0 <= count <= MAX_COUNT else None for count in counts))


def _elapsed_ms(began: float) -> int:
    return round((time.monotonic() - began) * 1000)
