"""What a model was asked and what it cost: `use` of the tables, and what only the logs say of prices and attempts."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

SQL = ("sql/money", "must_be_empty/money")
"""Folders of the checker that every benchmark shares: they say how a cost is found."""

_WANTED = re.compile(rb'"event":"(?:start|price|request|failure)"')
_REQUEST = b'"event":"request"'
_ATTEMPT = ("model", "phase", "round", "attacker", "fact", "repeat", "turn", "agent", "ask", "attempt")


@dataclass(frozen=True, slots=True)
class Use:
    """The `use` of a row, with what follows from it."""

    calls: int
    failures: int
    input: int | None
    cached_input: int | None
    cache_write: int | None
    output: int | None
    reasoning: int | None
    cost_microusd: int | None
    unsettled_microusd: int | None
    cost_per_run_microusd: float | None
    cost_per_1000_calls_microusd: float | None
    served: tuple[str, ...]
    fingerprints: tuple[str, ...]
    providers: tuple[str, ...]
    served_differs: bool
    settings_differ: bool

    @property
    def most_microusd(self) -> int | None:
        return None if self.cost_microusd is None else self.cost_microusd + (self.unsettled_microusd or 0)

    @property
    def most_per_run_microusd(self) -> float | None:
        """None also where nothing is certain: what is certain of a run says among how many runs it was shared."""
        return self._most(self.cost_per_run_microusd)

    @property
    def most_per_1000_calls_microusd(self) -> float | None:
        if self.most_microusd is None or not self.calls:
            return None
        return 1000 * self.most_microusd / self.calls

    def _most(self, certain: float | None) -> float | None:
        if certain is None or self.most_microusd is None or not self.cost_microusd:
            return None
        return certain * (self.most_microusd / self.cost_microusd)

    def others(self, model: str) -> tuple[str, ...]:
        """Give what was served under another name, where the tables say that there is such a name.

        Scripted policies say their whole name, with the route: that is no other name, and no reader needs to be warned.
        """
        if not self.served_differs:
            return ()
        asked = _bare(model, asked_for(model))
        found = tuple(name for name in self.served if _bare(model, name) != asked)
        return tuple(name for name in found or self.served if name != model)


def asked_for(model: str) -> str:
    """Give the part of a model's name that its provider knows."""
    return model.partition(":")[2] or model


def _bare(model: str, name: str) -> str:
    return name.removesuffix(":latest") if model.startswith("ollama:") else name


@dataclass(frozen=True, slots=True)
class Price:
    """A price that a log names: micro-dollars for a million tokens; None: as `input`, or for reasoning as `output`."""

    model: str
    table: str
    table_sha256: str
    date: str
    source: str
    input: int
    cached_input: int | None
    cache_write: int | None
    output: int
    reasoning: int | None


@dataclass(slots=True)
class Account:
    """What the logs of a version say of one model: prices with the number of logs that name each, and attempts."""

    prices: Counter[Price] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    unsettled: int = 0


def accounts(logs: Iterable[bytes]) -> dict[str, Account]:
    """Read the accounts of all models, one log at a time."""
    found: dict[str, Account] = {}
    for raw in logs:
        _add(found, raw)
    return found


def _add(found: dict[str, Account], raw: bytes) -> None:
    owner = ""
    prices: set[Price] = set()
    # Attempts that were begun and have no outcome yet.
    begun: dict[tuple[Any, ...], str] = {}
    for record in _lines(raw):
        try:
            event = record["event"]
            if event == "start":
                owner = str(record["model"])
                continue
            model = str(record.get("model", owner))
            account = found.setdefault(model, Account())
            attempt = tuple(record.get(key) for key in _ATTEMPT)
            if event == "price":
                prices.add(Price(**{key: record[key] for key in Price.__slots__}))
            elif event == "request":
                begun[attempt] = model
            else:
                begun.pop(attempt, None)
                account.unsettled += record.get("cost") == "unsettled"
                if event == "failure":
                    account.failures[str(record["kind"])] += 1
        except (KeyError, TypeError):
            # A damaged line: the check report names it, and the page of its log says so.
            continue
    for model in begun.values():
        found[model].unsettled += 1
    for price in prices:
        found.setdefault(str(price.model), Account()).prices[price] += 1


def _lines(raw: bytes) -> Iterator[dict[str, Any]]:
    """Yield the lines that speak of money or of failed attempts; calls only where they settle a request."""
    settles = _REQUEST in raw
    for line in raw.split(b"\n")[:-1]:
        if settles or _WANTED.search(line):
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if isinstance(record, dict) and record.get("event") in ("start", "price", "request", "failure", "call"):
                yield record
