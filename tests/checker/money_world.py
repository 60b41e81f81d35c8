"""A paid log of Court of Facts, written from the pages on prices and the log schema, with costs that are worked out by
hand."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from checker_logs import Log, Version
from checker_world import FACTS

TABLE = "2026-11-30.json"
DATE = "2026-11-30"
#: The Attacker of every paid log; the Defenders are `openai:…` too, and all have ANN's prices.
EVE = "openai:eve"
ANN_PRICE = {"input": 2500001, "cached_input": 250000, "cache_write": 3125000, "output": 10000000, "reasoning": None}
EVE_PRICE = {"input": 100000, "cached_input": None, "cache_write": None, "output": 400000, "reasoning": 1600000}
#: 320 tokens at 2.500001, 58000 at 0.25, 20000 at 3.125 and 1234 at 10 micro-dollars are
#: 800.00032 + 14500 + 62500 + 12340 = 90140.00032: a whole micro-dollar more for the last part of one.
USAGE = {"input": 78320, "cached_input": 58000, "cache_write": 20000, "output": 1234, "reasoning": 1000}
ANN_COST = 90141
#: Of eve all 78320 cost 0.1, 234 cost 0.4 and 1000 of reasoning 1.6: 7832 + 93.6 + 1600 = 9525.6.
EVE_COST = 9526


def row(model: str, **changes: Any) -> dict[str, Any]:
    """The row of a model in a price table."""
    return {"model": model, "source": f"a page about {model}", **(EVE_PRICE if model == EVE else ANN_PRICE)} | changes


def table(rows: list[dict[str, Any]]) -> bytes:
    """The bytes of a price table."""
    document = {"currency": "USD", "date": DATE, "rows": rows}
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()


def put_table(root: Path, data: bytes, name: str = TABLE) -> Path:
    """A file in runs/prices/."""
    path = root / "runs" / "prices" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def price(model: str, data: bytes, name: str = TABLE, **changes: Any) -> dict[str, Any]:
    """The `price` line of a model with the row that it has in every table here."""
    head = {"event": "price", "model": model, "table": name, "table_sha256": hashlib.sha256(data).hexdigest()}
    numbers = row(model)
    return head | {"date": DATE, "source": numbers["source"], **{key: numbers[key] for key in ANN_PRICE}} | changes


def of_version_2(event: dict[str, Any]) -> dict[str, Any]:
    """A line as version 2 has it."""
    event = {"v": 2} | event
    if event["event"] == "call":
        settings = event.pop("settings")
        event |= {"provider": None, "settings": settings}
    if event["event"] == "failure":
        event |= {"usage": None, "cost": "unpriced"}
    return event


def request(event: dict[str, Any], reserve: int = 200_000) -> dict[str, Any]:
    """The request that stands before a call or failure."""
    keys = ("phase", "round", "attacker", "fact", "repeat", "turn", "attempt", "role", "model")
    return {"v": 2, "event": "request", **{key: event[key] for key in keys}, "reserve": reserve}


def paid_log(version: Version, model: str, data: bytes) -> Log:
    """One duel, whose second turn is answered at the second attempt.  Its lines:

    1 start, 2 price, 3 price of eve, 4 budget, 5 request, 6 call, 7 request, 8 failure, 9 request, 10 call, 11 request,
    12 call, 13 finish.
    """
    log = Log(version, model, [EVE], facts=FACTS[:1])
    log.duel(EVE, FACTS[0], ["ANSWER: 10", "It is 20.", "ANSWER: 10"])
    log.failure(EVE, FACTS[0], 1, kind="rate_limit")
    start, first, second, third, failed = log.events
    second["attempt"] = 2
    log.events = [start, price(model, data), price(EVE, data), {"event": "budget", "limit": 1_000_000}]
    for event in (first, failed, second, third):
        event = of_version_2(event)
        cost = EVE_COST if event["model"] == EVE else ANN_COST
        event |= {"cost": 0} if event["event"] == "failure" else {"usage": dict(USAGE), "cost": cost}
        log.events += [request(event), event]
    log.events = [{"v": 2} | event for event in log.events]
    log.finish()
    log.events[-1] |= {"v": 2}
    return log
