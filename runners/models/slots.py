"""How many calls may be on their way at once, and who goes first when a reply comes in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar

AHEAD = 3
"""Duels or games that are under way for each slot, so that a call always waits for one that comes free."""
SPREAD_SECONDS = 0.002
"""Between the first calls of a session."""
STEPS_TO_SEND = 3
"""Steps of the event loop from a free slot to a request that has left."""

_leave: ContextVar[Callable[[], None] | None] = ContextVar("_leave", default=None)


class Slots:
    """`count` calls at once: a call holds a slot from its request to the last byte of its reply."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._started = 0
        self._free = asyncio.Semaphore(count)

    @asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """Wait for a slot and hold it until the reply is here (`reply_is_here`), at most until the end of the block."""
        await self._free.acquire()
        held = True

        def leave() -> None:
            nonlocal held
            if held:
                held = False
                self._free.release()

        token = _leave.set(leave)
        try:
            # Sent together, the first calls would come back together, and go on as one burst.
            if self._started < self.count:
                self._started += 1
                await asyncio.sleep(self._started * SPREAD_SECONDS)
            yield
        finally:
            _leave.reset(token)
            leave()


async def reply_is_here() -> None:
    """Free the slot of this call and let the requests that wait for one leave, before the reply is read and logged.

    Replies come in bursts. Were each worked on as it comes, the provider would idle while a whole burst is.
    """
    leave = _leave.get()
    if leave is None:
        return
    leave()
    try:
        for _ in range(STEPS_TO_SEND):
            await asyncio.sleep(0)
    except asyncio.CancelledError:
        # The reply is paid for: it goes to the log first, and the cancellation takes effect where next is waited.
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
