"""The open logs of a session and their money: prices that are stated, and one budget for the whole run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from runners.court.game import Book
from runners.court.logs import read_logs
from runners.court.version import Court
from runners.money import Purse, in_force, last_limit, spent_at_most
from runners.records import Budget, Price, Start, attempt_key


@dataclass
class Seat(Book):
    """An open log and the Defender that sits at it."""

    start: Start = field(kw_only=True)

    def events(self) -> list[Any]:
        """What the log holds."""
        return [line.event for line in self.log.lines]

    def state_prices(self, models: Iterable[str], today: Mapping[str, Price]) -> None:
        """A `price` line for each model whose price the log does not have yet, or has another one of."""
        for model in models:
            logged, listed = in_force(self.events(), model), today.get(model)
            if listed and listed != logged:
                self.log.append(listed)
            if price := listed or logged:
                self.prices[model] = price


def fill_purse(spec: Court, seats: Mapping[tuple[str, str], Seat], given: int | None) -> Purse | None:
    """One budget for the run of these seats, by (Defender, run); None for no limit.

    The limit is the one that is `given`, in micro-dollars, or what the logs say. What the run's logs, closed ones too,
    account for is spent already.
    """
    runs = {_tournament(run) for _, run in seats}
    logs = [list(log.events()) for log in read_logs(spec) if _tournament(log.run) in runs]
    limits = [limit for events in logs if (limit := last_limit(events)) is not None]
    limit = given if given is not None else min(limits, default=None)
    if limit is None:
        return None
    for seat in seats.values():
        if last_limit(seat.events()) != limit:
            seat.log.append(Budget(limit))
    return Purse(limit, sum(spent_at_most(events, attempt_key) for events in logs))


def _tournament(run: str) -> str:
    """A run's id without the number of its group (`missing_runs`)."""
    return "-".join(run.split("-")[:2])
