"""What a model was asked, what it cost and who served it: the key `use` of a row (reference page *Tables*)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from runners.log import Log

TOKENS = ("input", "cached_input", "cache_write", "output", "reasoning")
COLUMNS = {
    **dict.fromkeys(("calls", "failures", *TOKENS, "cost_microusd", "unsettled_microusd"), pl.Int64),
    **dict.fromkeys(("cost_per_run_microusd", "cost_per_1000_calls_microusd"), pl.Float64),
    **dict.fromkeys(("served_differs", "settings_differ"), pl.Boolean),
}
"""The fields of `use` that are flat columns, with their types."""

Tie = Callable[[Any], object]


@dataclass
class Account:
    """The calls, failures and requests of one model."""

    calls: list[Any] = field(default_factory=list)
    failures: list[Any] = field(default_factory=list)
    runs: set[str] = field(default_factory=set)
    open_reserves: dict[object, int] = field(default_factory=dict)
    unsettled: int = 0

    def take(self, run: str, key: object, event: Any) -> None:
        """Add a request, a call or a failure; `key` ties a request to its outcome."""
        if event.EVENT == "request":
            self.open_reserves[key] = event.reserve
            return
        self.runs.add(run)
        reserve = self.open_reserves.pop(key, 0)
        if event.cost == "unsettled":
            self.unsettled += reserve
        if event.EVENT == "call":
            self.calls.append(event)
        else:
            self.failures.append(event)

    def row(self, model: str, settings_differ: bool) -> dict[str, Any]:
        """The value of `use`."""
        attempts = [*self.calls, *self.failures]
        unknown = not attempts or any(event.cost == "unpriced" for event in attempts)
        cost = None if unknown else sum(event.cost for event in attempts if event.cost != "unsettled")
        return {
            "calls": len(self.calls),
            "failures": len(self.failures),
            **{name: self._tokens(name) for name in TOKENS},
            "cost_microusd": cost,
            "unsettled_microusd": None if unknown else self.unsettled + sum(self.open_reserves.values()),
            "cost_per_run_microusd": None if cost is None else cost / len(self.runs),
            "cost_per_1000_calls_microusd": None if cost is None or not self.calls else 1000 * cost / len(self.calls),
            "served": (served := self._names("served")),
            "fingerprints": self._names("fingerprint"),
            "providers": self._names("provider"),
            "served_differs": any(_differs(model, name) for name in served),
            "settings_differ": settings_differ,
        }

    def _tokens(self, name: str) -> int | None:
        """Sum of a count; None unless every call reports it."""
        counts: list[int | None] = [call.usage and getattr(call.usage, name) for call in self.calls]
        if not counts or None in counts:
            return None
        counts += [event.usage and getattr(event.usage, name) for event in self.failures]
        return sum(count for count in counts if count is not None)

    def _names(self, name: str) -> list[str]:
        return sorted({value for call in self.calls if (value := getattr(call, name)) is not None})


def accounts(logs: Iterable[Log], tie: Tie) -> defaultdict[str, Account]:
    """Model -> what it was asked in these logs. `tie(event)` is None for an event that is no attempt."""
    found: defaultdict[str, Account] = defaultdict(Account)
    for log in logs:
        for event in log.events():
            if (key := tie(event)) is not None:
                model = getattr(event, "model", log.start.model)
                found[model].take(log.run, (log.path, key), event)
    return found


def _differs(model: str, served: str) -> bool:
    """Whether something else was served than was asked for; Ollama's tag `:latest` goes without saying."""
    route, _, asked = model.partition(":")
    if route == "ollama":
        asked, served = asked.removesuffix(":latest"), served.removesuffix(":latest")
    return served not in (asked, model)
