"""Who answers for the agents: a model, a log, or a log first and then a model (to resume)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runners import asking
from runners.cascades.game import Asked
from runners.cascades.records import AgentCall, AgentFailure
from runners.errors import CallFailed, ReplayMismatch
from runners.models.base import Message, Model, Usage
from runners.records import TokenUsage


class Live:
    """A model answers. The prompts of `scripted:` teams are logged by their digest: replay proves them."""

    def __init__(self, model: Model, emit: Callable[[Any], None]) -> None:
        self._model = model
        self._emit = emit
        self.attempts: dict[tuple[int, str, int], int] = {}

    async def answer(self, asked: Asked) -> AgentCall:
        """Ask the model; failed attempts are emitted on the way.

        Raises:
            CallFailed: no reply after the bounded attempts.
        """

        def failed(attempt: int, failure: CallFailed, latency_ms: int) -> None:
            kind: Any = failure.kind
            self._emit(
                AgentFailure(asked.round, asked.agent, asked.ask, attempt, kind, failure.message[:2000], latency_ms)
            )

        sent = [Message("system", asked.system), Message("user", asked.user)]
        first = self.attempts.pop((asked.round, asked.agent, asked.ask), 0) + 1
        completion, attempt, latency_ms = await asking.ask(self._model, sent, first, failed)
        kept = not self._model.name.startswith("scripted:")
        return AgentCall(
            round=asked.round,
            agent=asked.agent,
            ask=asked.ask,
            attempt=attempt,
            posts=asked.posts,
            system=asked.system if kept else None,
            user=asked.user if kept else None,
            prompt_sha256=asked.prompt_sha256,
            text=completion.text,
            finish=completion.finish,
            usage=_usage(completion.usage),
            cost="unpriced" if completion.cost_microusd is None else completion.cost_microusd,
            latency_ms=latency_ms,
            served=completion.served,
            fingerprint=completion.fingerprint,
        )


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
            return AgentCall(
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
            )
        if self._then is None:
            raise ReplayMismatch(f"round {asked.round}, {asked.agent}: the log has no call here")
        if failures:
            self._then.attempts[asked.round, asked.agent, asked.ask] = failures
        return await self._then.answer(asked)


def _usage(usage: Usage | None) -> TokenUsage | None:
    if usage is None:
        return None
    return TokenUsage(usage.input, usage.cached_input, usage.cache_write, usage.output, usage.reasoning)
