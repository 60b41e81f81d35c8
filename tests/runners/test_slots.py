"""How many calls are on their way at once, and that a reply which is here is never lost."""

from __future__ import annotations

import asyncio

import pytest

from runners.models import slots
from runners.models.slots import Slots, reply_is_here


@pytest.fixture(autouse=True)
def _no_spread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "SPREAD_SECONDS", 0.0)


def test_never_more_calls_at_once_than_slots() -> None:
    under_way, most = 0, 0

    async def call(free: Slots) -> None:
        nonlocal under_way, most
        async with free.one():
            under_way += 1
            most = max(most, under_way)
            await asyncio.sleep(0.001)
            under_way -= 1
            await reply_is_here()

    async def all_calls() -> None:
        free = Slots(7)
        await asyncio.gather(*(call(free) for _ in range(100)))

    asyncio.run(all_calls())
    assert most == 7


def test_a_waiting_request_leaves_before_the_reply_is_worked_on() -> None:
    order: list[str] = []

    async def call(free: Slots, name: str) -> None:
        async with free.one():
            order.append(f"{name} sent")
            await asyncio.sleep(0.001)
            await reply_is_here()
            order.append(f"{name} logged")

    async def both() -> None:
        free = Slots(1)
        await asyncio.gather(call(free, "first"), call(free, "second"))

    asyncio.run(both())
    assert order == ["first sent", "second sent", "first logged", "second logged"]


def test_a_call_that_is_cancelled_when_its_reply_is_here_logs_it_first() -> None:
    logged: list[str] = []
    here = asyncio.Event()

    async def call(free: Slots) -> None:
        async with free.one():
            here.set()
            await reply_is_here()
            logged.append("reply")
        await asyncio.sleep(60)
        logged.append("more")

    async def cancelled() -> bool:
        task = asyncio.create_task(call(Slots(1)))
        await here.wait()  # it lets the others go first now
        assert not logged
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    assert asyncio.run(cancelled())
    assert logged == ["reply"]


def test_a_call_that_is_cancelled_before_it_is_sent_frees_its_slot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "SPREAD_SECONDS", 60)

    async def call(free: Slots) -> None:
        async with free.one():
            pass

    async def cancelled_then_next() -> None:
        free = Slots(1)
        first = asyncio.create_task(call(free))
        await asyncio.sleep(0.01)
        first.cancel()
        await asyncio.wait_for(call(free), 5)

    asyncio.run(cancelled_then_next())


def test_a_call_that_fails_or_says_nothing_of_its_reply_frees_its_slot() -> None:
    async def call(free: Slots, failing: bool) -> None:
        async with free.one():
            if failing:
                raise ValueError

    async def in_turn() -> None:
        free = Slots(1)
        for failing in (True, False, True, False):
            try:
                await call(free, failing)
            except ValueError:
                assert failing

    asyncio.run(asyncio.wait_for(in_turn(), 5))
