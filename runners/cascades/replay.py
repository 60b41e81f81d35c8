"""Drives a logged game through the harness again: every prompt, post, receipt and action must come out the same."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from runners.cascades.game import play_game
from runners.cascades.records import Abort, AgentRequest, GameFinish
from runners.cascades.version import Cascades
from runners.cascades.voices import Recorded
from runners.errors import ReplayMismatch
from runners.log import Log
from runners.records import Budget, Price

MONEY = (Price, Budget, AgentRequest)


class Comparing:
    """Takes the harness's events and holds each against the log's next line.

    With `append`, what comes after the log's last line is appended: that is how a game goes on after a crash.
    """

    def __init__(self, where: str, events: Sequence[Any], append: Any = None) -> None:
        self._where = where
        self._events = events
        self._append = append
        self.place = 0

    def __call__(self, event: Any) -> None:
        """Compare or append one event.

        Raises:
            ReplayMismatch: it is not the log's; names the line and the first field that differs.
        """
        self._pass_money()
        if self.place < len(self._events):
            logged = self._events[self.place]
            if logged != event:
                raise ReplayMismatch(f"{self._where}:{self.place + 1}: {_difference(logged, event)}")
        elif self._append is not None:
            self._append(event)
        else:
            raise ReplayMismatch(f"{self._where}:{self.place + 1}: the log ends, the game goes on with {event.EVENT}")
        self.place += 1

    def lines(self) -> int:
        """How many lines there are so far."""
        self._pass_money()
        return self.place

    def _pass_money(self) -> None:
        """Lines about prices, the budget and requests are not the game's: the checker holds them to their own rules."""
        while self.place < len(self._events) and isinstance(self._events[self.place], MONEY):
            self.place += 1


def replay(spec: Cascades, log: Log) -> int:
    """Replay a log exactly; returns the number of lines that were compared.

    A finished game must come out whole, an aborted or open one up to where it stopped.

    Raises:
        ReplayMismatch: names the first line and field that differ.
    """
    events = [line.event for line in log.lines]
    compare = Comparing(str(log.path), events)
    try:
        asyncio.run(play_game(spec, log.start, Recorded(events, compare), compare, compare.lines))
    except ReplayMismatch:
        left = events[compare.lines() :]
        stopped = left == [] or (len(left) == 1 and isinstance(left[0], Abort) and left[0].lines == compare.place)
        if isinstance(events[-1], GameFinish) or not stopped:
            raise
    if compare.lines() < len(events) and not isinstance(events[-1], Abort):
        raise ReplayMismatch(f"{log.path}:{compare.place + 1}: lines after the end of the game")
    return compare.place


def _difference(logged: Any, event: Any) -> str:
    if type(logged) is not type(event):
        return f"the log has {logged.EVENT}, the game gives {event.EVENT}"
    for name in type(event).__match_args__:
        ours, theirs = getattr(event, name), getattr(logged, name)
        if ours != theirs:
            return f"{event.EVENT}.{name}: the game gives {str(ours)[:200]!r}, the log has {str(theirs)[:200]!r}"
    return "no difference"
