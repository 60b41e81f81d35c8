"""Lines of logs in the making: fields in the schema's order, costs by rule B3."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final

from checker.schema import HEADER, Schema
from checker.selftest.world import Event, Log, document, sha256
from checker.starts import slug

TABLE: Final = "2026-12-01.json"
DATE: Final = "2026-12-01"
#: Micro-dollars for a million tokens; what is null is priced as input or output.
PRICES: Final[dict[str, dict[str, int | None]]] = {
    "openai:ann": {
        "input": 2500001, "cached_input": 250000, "cache_write": 3125000, "output": 10000000, "reasoning": None,
    },
    "openai:cat": {
        "input": 100000, "cached_input": None, "cache_write": None, "output": 400000, "reasoning": 1600000,
    },
    **{
        f"openai:{name}": {
            "input": 900001, "cached_input": 90000, "cache_write": 990000, "output": 3000000, "reasoning": 4000000,
        }
        for name in ("joe", "kim", "lea", "mia", "ned", "ron", "sue", "vic", "xia", "yve")
    },
    **{
        f"openai:{name}": {
            "input": 700000, "cached_input": 70001, "cache_write": None, "output": 1900000, "reasoning": None,
        }
        for name in ("team", "teem", "term")
    },
}  # fmt: skip
PRICE_TABLE: Final = document(
    {
        "currency": "USD", "date": DATE,
        "rows": [{"model": name, "source": f"a page about {name}", **row} for name, row in PRICES.items()],
    }
)  # fmt: skip
#: B3: a failure of these kinds without usage costs nothing.
FREE: Final = ("config", "auth", "rate_limit", "overloaded", "connection")


def clock(n: int) -> str:
    """n milliseconds after the day on which everything was played."""
    moment = datetime(2026, 12, 2, tzinfo=UTC) + timedelta(milliseconds=n)
    return moment.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


class Writer:
    """One log; `v` is the version of the lines that are written next."""

    def __init__(self, schema: Schema, runs: str, model: str, run: str, chance: Random, v: int = 2) -> None:
        self.schema, self.chance, self.v, self.run = schema, chance, v, run
        self.log = Log(f"{runs}/logs/{slug(model)}/{run}.jsonl", [])
        self.priced: set[str] = set()
        self.now = 0

    def add(self, event: str, **values: Any) -> Event:
        """A line; of `values` those that its version does not have are left out."""
        self.now += self.chance.randrange(40)
        header = {"v": self.v, "run": self.run, "seq": 0, "at": clock(self.now), "prev": "0" * 64, "event": event}
        names = [name for name, _ in self.schema.fields(event, self.v)]
        line: Event = {name: (header | values)[name] for name in names}
        assert list(line)[: len(HEADER)] == [name for name, _ in HEADER]
        self.log.lines.append(line)
        return line

    def prices(self, *models: str) -> None:
        """The prices of the models that have one, and a budget."""
        for model in models:
            if model in PRICES:
                self.priced.add(model)
                row = PRICES[model]
                self.add("price", model=model, table=TABLE, table_sha256=sha256(PRICE_TABLE), date=DATE,
                         source=f"a page about {model}", **row)  # fmt: skip
        if self.priced:
            self.add("budget", limit=50_000_000)

    def usage(self, model: str) -> dict[str, int | None] | None:
        """Token counts, as far as this provider tells them."""
        draw = self.chance.randrange
        read, written, thought = draw(400), draw(300), draw(20)
        usage: dict[str, int | None] = {
            "input": 700 + draw(900),
            "cached_input": read,
            "cache_write": written,
            "output": 30 + draw(90),
        }
        usage["reasoning"] = thought
        return usage if model in PRICES else usage | dict.fromkeys(("cached_input", "cache_write", "reasoning"))

    def cost(self, model: str, usage: dict[str, int | None] | None, free: bool = False) -> int | str:
        """Rule B3; `free` says that a failure without usage is one that costs nothing."""
        if model not in self.priced:
            return "unpriced"
        if usage is None:
            return 0 if free else "unsettled"
        return cost_of(usage, PRICES[model])


def cost_of(usage: dict[str, int | None], price: dict[str, int | None]) -> int:
    """Whole micro-dollars of a usage whose parts are known, rounded up (B3)."""
    read, written, thought = (usage[name] or 0 for name in ("cached_input", "cache_write", "reasoning"))
    plain_in, plain_out = price["input"] or 0, price["output"] or 0
    parts = (
        ((usage["input"] or 0) - read - written, plain_in),
        (read, price["cached_input"] if price["cached_input"] is not None else plain_in),
        (written, price["cache_write"] if price["cache_write"] is not None else plain_in),
        ((usage["output"] or 0) - thought, plain_out),
        (thought, price["reasoning"] if price["reasoning"] is not None else plain_out),
    )
    return -(-sum(tokens * rate for tokens, rate in parts) // 1_000_000)
