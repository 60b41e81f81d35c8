"""Prices, costs and the budget: whole micro-dollars, never floats (rules B1 to B3; reference page *Price tables*)."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from runners import strict
from runners.errors import BudgetSpent, UsageError
from runners.records import Budget, Price, TokenUsage
from runners.schema import MAX_COUNT, Cost, Count

MILLION = 1_000_000
FREE_KINDS = frozenset({"config", "auth", "rate_limit", "overloaded", "connection"})
"""Failures that bring no bill: the provider refused before it worked, or was never reached."""
MESSAGE_OVERHEAD = 64
"""Tokens that a provider may add for each message (roles, separators): far more than any chat template needs."""
UNBOUNDED_OUTPUT = 32_000
"""Output tokens that are reserved for a route without a token limit in its settings."""


class PriceRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One model of a price table; micro-dollars for a million tokens."""

    model: str
    source: str
    input: Count
    cached_input: Count | None
    cache_write: Count | None
    output: Count
    reasoning: Count | None


class PriceTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of `runs/prices/`."""

    currency: Literal["USD"]
    date: Annotated[str, msgspec.Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
    rows: list[PriceRow]


def load_prices(root: Path) -> dict[str, Price]:
    """Model -> its price, from the newest table below `runs/prices/` that has a price for it.

    A row whose input or output is 0 is no price: the model is `unpriced`.

    Raises:
        UsageError: a table is not what the page *Price tables* says; names the file and what is wrong.
    """
    found: dict[str, Price] = {}
    tables = [(read_table(path), path) for path in sorted((root / "runs" / "prices").glob("*.json"))]
    for table, path in sorted(tables, key=lambda pair: (pair[0].date, pair[1].name)):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        for row in table.rows:
            if row.input and row.output:
                found[row.model] = Price(
                    model=row.model,
                    table=path.name,
                    table_sha256=digest,
                    date=table.date,
                    source=row.source,
                    input=row.input,
                    cached_input=row.cached_input,
                    cache_write=row.cache_write,
                    output=row.output,
                    reasoning=row.reasoning,
                )
    return found


def read_table(path: Path) -> PriceTable:
    """One price table.

    Raises:
        UsageError: it cannot be read, or breaks the shape.
    """
    try:
        table = msgspec.convert(strict.loads(path.read_bytes()), type=PriceTable, strict=True)
    except (OSError, ValueError, msgspec.MsgspecError) as error:
        raise UsageError(f"{path}: not a price table: {error}. See the page Price tables.") from error
    models = [row.model for row in table.rows]
    if doubled := sorted({model for model in models if models.count(model) > 1}):
        raise UsageError(f"{path}: a model stands twice: {', '.join(doubled)}. Keep one row.")
    return table


def cost_of(price: Price | None, usage: TokenUsage | None, failed: str | None = None) -> Cost:
    """What an attempt cost (rule B3); `failed` is the kind of its failure, None for a reply."""
    if price is None:
        return "unpriced"
    if usage is None and failed in FREE_KINDS:
        return 0
    if usage is None or usage.input is None or usage.output is None:
        return "unsettled"
    cached, written, reasoning = usage.cached_input or 0, usage.cache_write or 0, usage.reasoning or 0
    if cached + written > usage.input or reasoning > usage.output:
        return "unsettled"  # numbers that contradict each other say nothing
    cost = _microusd(
        (usage.input - cached - written, price.input),
        (cached, _or(price.cached_input, price.input)),
        (written, _or(price.cache_write, price.input)),
        (usage.output - reasoning, price.output),
        (reasoning, _or(price.reasoning, price.output)),
    )
    return cost if cost <= MAX_COUNT else "unsettled"


def reserve_of(price: Price, texts: Iterable[str], settings: Mapping[str, Any]) -> int:
    """What an attempt may cost at most, in micro-dollars: every byte of the request a token, every part at its dearest,
    and the output as long as the settings let it be. A tokenizer makes no more tokens than there are bytes."""
    sent = [*texts, *(value for value in settings.values() if isinstance(value, str))]
    most_input = sum(len(text.encode("utf-8", "replace")) + MESSAGE_OVERHEAD for text in sent)
    most_output = int(settings.get("max_tokens", UNBOUNDED_OUTPUT))
    return _microusd(
        (most_input, max(price.input, price.cached_input or 0, price.cache_write or 0)),
        (most_output, max(price.output, price.reasoning or 0)),
    )


def in_force(events: Iterable[Any], model: str) -> Price | None:
    """The price of a model at the end of a log's events: its last `price` line."""
    found = None
    for event in events:
        if isinstance(event, Price) and event.model == model:
            found = event
    return found


def spent_at_most(events: Iterable[Any], tie: Callable[[Any], object]) -> int:
    """Micro-dollars that a log's events account for: known costs, and the reserves of the others.

    `tie(event)` is what a request and its outcome share; None for an event that is neither.
    """
    open_reserves: dict[object, int] = {}
    spent = 0
    for event in events:
        if (key := tie(event)) is None:
            continue
        if event.EVENT == "request":
            open_reserves[key] = event.reserve
        else:
            reserve = open_reserves.pop(key, 0)
            spent += reserve if event.cost == "unsettled" else 0 if event.cost == "unpriced" else event.cost
    return spent + sum(open_reserves.values())


def last_limit(events: Iterable[Any]) -> int | None:
    """The budget that a log's last `budget` line gives, in micro-dollars."""
    limits = [event.limit for event in events if isinstance(event, Budget)]
    return limits[-1] if limits else None


class Purse:
    """A hard budget: reserves before each call, settles after; what may still be spent is never promised twice.

    `limit` and `spent` in micro-dollars; no limit: everything is covered.
    """

    def __init__(self, limit: int | None, spent: int = 0) -> None:
        self.limit = limit
        self.spent = spent
        self.reserved = 0
        self._waiting: list[asyncio.Future[None]] = []

    async def reserve(self, amount: int) -> None:
        """Keep `amount` free for a call; waits while calls on their way may still give something back.

        Raises:
            BudgetSpent: the limit does not cover it.
        """
        while self.limit is not None and self.spent + self.reserved + amount > self.limit:
            if not self.reserved:
                raise BudgetSpent(
                    f"the budget of {dollars(self.limit)} does not cover a call that may cost {dollars(amount)}: "
                    f"{dollars(self.spent)} are spent"
                )
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            await turn
        self.reserved += amount

    def settle(self, reserve: int, cost: Cost) -> None:
        """The call is over: what it cost is spent; where nobody can know, all of its reserve is."""
        self.reserved -= reserve
        self.spent += cost if isinstance(cost, int) else reserve
        waiting, self._waiting = self._waiting, []
        for turn in waiting:
            if not turn.done():
                turn.set_result(None)


def dollars(microusd: int) -> str:
    """An amount for a reader."""
    return f"${microusd / MILLION:.6f}"


def _or(price: int | None, otherwise: int) -> int:
    return otherwise if price is None else price


def _microusd(*parts: tuple[int, int]) -> int:
    """Tokens at micro-dollars a million, rounded up."""
    return -(-sum(tokens * price for tokens, price in parts) // MILLION)
