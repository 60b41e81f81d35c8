"""Who answers for the agents: a model, a log, or a log first and then a model (to resume)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runners.asking import Answered, Desk, Failed
from runners.cascades.game import Asked
from runners.cascades.records import AgentCall, AgentFailure, AgentRequest
from runners.errors import ReplayMismatch
from runners.models.base import Message, Model
from runners.records import Price


class Live:
    """A model answers. The prompts of `scripted:` teams are logged by their digest: replay proves them."""

    def __init__(self, model: Model, emit: Callable[[Any], None], desk: Desk, price: Price | None) -> None:
        self._model = model
        self._emit = emit
        self._desk = desk
        self._price = price
        self.attempts: dict[tuple[int, str, int], int] = {}

    async def answer(self, asked: Asked) -> AgentCall:
        """Ask the model; failed attempts are emitted on the way.

        Raises:
            CallFailed: no reply after the bounded attempts.
            Stopped: the budget is spent, or the session was stopped.
        """
        sent = [Message("system", asked.system), Message("user", asked.user)]
        first = self.attempts.pop((asked.round, asked.agent, asked.ask), 0) + 1
        entry = Entry(self._emit, asked, self._price, kept=not self._model.name.startswith("scripted:"))
        await self._desk.ask(self._model, sent, first, entry)
        assert entry.call is not None
        return entry.call


class Entry:
    """One ask's lines in the log of its game (`runners.asking.Record`)."""

    def __init__(self, emit: Callable[[Any], None], asked: Asked, price: Price | None, kept: bool) -> None:
        self._emit, self._asked, self._kept = emit, asked, kept
        self.price = price
        self.call: AgentCall | None = None

    def request(self, attempt: int, reserve: int) -> None:
        """A paid attempt is about to be sent."""
        self._emit(AgentRequest(*self._place(attempt), reserve))

    def failure(self, attempt: int, failed: Failed) -> None:
        """An attempt failed."""
        self._emit(
            AgentFailure(
                *self._place(attempt), failed.kind, failed.message[:2000], failed.latency_ms, failed.usage, failed.cost
            )
        )

    def answer(self, answered: Answered) -> None:
        """The model answered."""
        asked, completion = self._asked, answered.completion
        self.call = AgentCall(
            round=asked.round,
            agent=asked.agent,
            ask=asked.ask,
            attempt=answered.attempt,
            posts=asked.posts,
            system=asked.system if self._kept else None,
            user=asked.user if self._kept else None,
            prompt_sha256=asked.prompt_sha256,
            text=completion.text,
            finish=completion.finish,
            usage=answered.usage,
            cost=answered.cost,
            latency_ms=answered.latency_ms,
            served=completion.served,
            fingerprint=completion.fingerprint,
            provider=completion.provider,
        )
        self._emit(self.call)

    def _place(self, attempt: int) -> tuple[int, str, int, int]:
        return self._asked.round, self._asked.agent, self._asked.ask, attempt


class Recorded:
    """A log answers; when it has no more calls, `then` does. Failures of the log are emitted where they stood."""

    def __init__(self, events: Sequence[Any], emit: Callable[[Any], None], then: Live | None = None) -> None:
        self._events = [event for event in events if isinstance(event, AgentCall | AgentFailure)]
        self._emit = emit
        self._then = then
        self._place = 0

    async def answer(self, asked: Asked) -> AgentCall:
        """The logged call, with the prompt that the harness gives now: a difference shows when it is compared.

        Raises:
            ReplayMismatch: the log has no call here, and nobody else answers.
        """
        failures = 0
        while self._place < len(self._events):
            event = self._events[self._place]
            self._place += 1
            if isinstance(event, AgentFailure):
                failures = event.attempt
                self._emit(event)
                continue
            kept = event.system is not None or event.user is not None
            call = AgentCall(
                round=asked.round,
                agent=asked.agent,
                ask=asked.ask,
                attempt=failures + 1,
                posts=asked.posts,
                system=asked.system if kept else None,
                user=asked.user if kept else None,
                prompt_sha256=asked.prompt_sha256,
                text=event.text,
                finish=event.finish,
                usage=event.usage,
                cost=event.cost,
                latency_ms=event.latency_ms,
                served=event.served,
                fingerprint=event.fingerprint,
                provider=event.provider,
            )
            self._emit(call)
            return call
        if self._then is None:
            raise ReplayMismatch(f"round {asked.round}, {asked.agent}: the log has no call here")
        if failures:
            self._then.attempts[asked.round, asked.agent, asked.ask] = failures
        return await self._then.answer(asked)
