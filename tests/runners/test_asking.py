"""Retries: only for what can pass, bounded, with the provider's own pause, and one limiter for a whole route."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from runners import asking
from runners.asking import MAX_ATTEMPTS, Answered, Desk, Failed
from runners.errors import CallFailed, Stopped
from runners.models.base import Completion, Message, Setting
from runners.models.slots import Slots
from runners.records import Price
from runners.tally import Tally

ASKED = [Message("user", "?")]


@dataclass
class Says:
    """A model that gives these outcomes, one after the other, then the last for ever; when it was asked."""

    outcomes: list[Completion | CallFailed]
    name: str = "compatible:x"
    settings: Mapping[str, Setting] = field(default_factory=dict)
    asked: list[float] = field(default_factory=list)

    async def complete(self, messages: Sequence[Message]) -> Completion:
        self.asked.append(time.monotonic())
        outcome = self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]
        await asyncio.sleep(0)
        if isinstance(outcome, CallFailed):
            raise outcome
        return outcome

    async def close(self) -> None:
        pass


@dataclass
class Kept:
    """A record in memory."""

    price: Price | None = None
    failures: list[Failed] = field(default_factory=list)
    answers: list[Answered] = field(default_factory=list)

    def request(self, attempt: int, reserve: int) -> None:
        pass

    def failure(self, attempt: int, failed: Failed) -> None:
        self.failures.append(failed)

    def answer(self, answered: Answered) -> None:
        self.answers.append(answered)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "BACKOFF_SECONDS", 0.001)


def desk() -> Desk:
    return Desk(Tally(), lambda tally: None, Slots(64))


@pytest.mark.parametrize("kind", ["rate_limit", "overloaded", "timeout", "connection", "cut_stream"])
def test_what_can_pass_is_asked_again_a_bounded_number_of_times(kind: str) -> None:
    record, model = Kept(), Says([CallFailed(kind, "later")])
    with pytest.raises(CallFailed):
        asyncio.run(desk().ask(model, ASKED, 1, record))
    assert [failed.kind for failed in record.failures] == [kind] * MAX_ATTEMPTS


@pytest.mark.parametrize("kind", ["config", "auth", "error_body", "invalid_text"])
def test_what_cannot_pass_fails_at_once(kind: str) -> None:
    record = Kept()
    with pytest.raises(CallFailed):
        asyncio.run(desk().ask(Says([CallFailed(kind, "no")]), ASKED, 1, record))
    assert len(record.failures) == 1


@pytest.mark.parametrize(
    "completion", [Completion("no", "refusal"), Completion("cut", "length"), Completion("", "stop")]
)
def test_a_refused_cut_or_empty_reply_is_kept_and_not_asked_for_again(completion: Completion) -> None:
    record, model = Kept(), Says([completion])
    asyncio.run(desk().ask(model, ASKED, 1, record))
    assert (len(record.answers), len(record.failures), len(model.asked)) == (1, 0, 1)


def test_a_pause_that_the_provider_asks_for_holds_the_whole_route_and_no_other() -> None:
    async def session() -> tuple[list[float], list[float], float]:
        board = desk()
        limited = Says([CallFailed("rate_limit", "429", retry_after=0.3), Completion("ok", "stop")])
        beside = Says([Completion("ok", "stop")], name="compatible:y")
        elsewhere = Says([Completion("ok", "stop")], name="openai:z")
        began = time.monotonic()
        first = asyncio.create_task(board.ask(limited, ASKED, 1, Kept()))
        await asyncio.sleep(0.05)
        await asyncio.gather(first, board.ask(beside, ASKED, 1, Kept()), board.ask(elsewhere, ASKED, 1, Kept()))
        return limited.asked[1:] + beside.asked, elsewhere.asked, began

    held, free, began = asyncio.run(session())
    assert all(0.29 < at - began < 1.0 for at in held)
    assert free[0] - began < 0.2


def test_a_pause_beyond_reason_is_not_waited_for() -> None:
    record = Kept()
    with pytest.raises(CallFailed):
        asyncio.run(desk().ask(Says([CallFailed("rate_limit", "429", retry_after=86_400)]), ASKED, 1, record))
    assert len(record.failures) == 1


def test_a_stopped_session_asks_nobody_even_out_of_a_pause() -> None:
    async def session() -> int:
        board, model = desk(), Says([CallFailed("rate_limit", "429", retry_after=60)])
        asked = asyncio.create_task(board.ask(model, ASKED, 1, Kept()))
        await asyncio.sleep(0.05)
        board.stop()
        with pytest.raises(Stopped):
            await asked
        with pytest.raises(Stopped):
            await board.ask(model, ASKED, 2, Kept())
        return len(model.asked)

    assert asyncio.run(session()) == 1


def test_a_reply_with_a_key_is_withheld_and_said_so() -> None:
    record, key = Kept(), "sk-" + "ant-api03-" + "aB3dE6gH9" * 11
    with pytest.raises(CallFailed) as caught:
        asyncio.run(desk().ask(Says([Completion(f"it is {key}", "stop")]), ASKED, 1, record))
    assert caught.value.kind == "withheld"
    assert key not in record.failures[0].message
    assert not record.answers
