"""Prices, requests and costs: P4 and B1 to B3, in the logs of both benchmarks; the price table and AMENDMENTS.json."""

from __future__ import annotations

import json
from typing import Any, Final

from checker.selftest.operators.operator import Catalogue, Change, Hand, NoPlace, one_file, replaced, told
from checker.selftest.world import Event, Log, document, sha256
from checker.selftest.worlds.events import TABLE

MONEY: Final = Catalogue("log")
operator, edits = MONEY.operator, MONEY.edits
#: What of a price line stands in the price table too.
#: What a request has in common with its call, header first.
ASKED: Final = (
    "v", "run", "seq", "at", "prev", "event", "phase", "round", "attacker", "fact", "repeat", "turn", "agent", "ask",
    "attempt", "role", "model",
)  # fmt: skip
PRICED: Final = ("input", "cached_input", "cache_write", "output", "reasoning")


@edits(
    "change-a-cost",
    "A cost is another one: a micro-dollar more, 0, `unpriced`, `unsettled`.",
    event="call|failure",
    fits=lambda line: line["v"] == 2,
)
def _(line: Event, hand: Hand) -> str:
    cost = line["cost"]
    more = [cost + 1, max(0, cost - 1), cost * 10] if isinstance(cost, int) else [1]
    return replaced(line, "cost", hand.pick([*more, 0, "unpriced", "unsettled"]))


@edits(
    "change-a-count-of-tokens",
    "A usage says other token counts, and the cost stays.",
    event="call",
    fits=lambda line: isinstance(line["cost"], int) and line["usage"] is not None,
)
def _(line: Event, hand: Hand) -> str:
    usage = line["usage"]
    name = hand.pick(list(usage))
    old = usage[name]
    # Far enough that the cost is another one whatever the price: rounding hides a token of a cheap model, and a part
    # without a price of its own costs what the whole does, so long as it is no more than the whole.
    usage[name] = old + (hand.pick([100, 1000, 10_000]) if name in ("input", "output") else hand.pick([9_999, 99_999]))
    return told(f"usage.{name}", old, usage[name])


@edits(
    "take-a-usage-away",
    "A usage is gone, or a part of it, and the cost stays.",
    event="call",
    fits=lambda line: isinstance(line["cost"], int) and line["usage"] is not None,
)
def _(line: Event, hand: Hand) -> str:
    if hand.chance.randrange(2):
        return replaced(line, "usage", None)
    return replaced(line["usage"], hand.pick(["input", "output"]), None)


@edits(
    "change-why-it-failed",
    "A failure that cost nothing is of a kind that may have cost something, or the other way.",
    event="failure",
    fits=lambda line: line["v"] == 2 and line["cost"] in (0, "unsettled"),
)
def _(line: Event, hand: Hand) -> str:
    free = ["config", "auth", "rate_limit", "overloaded", "connection"]
    costly = ["timeout", "cut_stream", "error_body", "invalid_text", "withheld", "interrupted"]
    return replaced(line, "kind", hand.pick(costly if line["kind"] in free else free))


@edits("change-a-price", "A `price` line says another price, model, day, source, table or digest.", event="price")
def _(line: Event, hand: Hand) -> str:
    name = hand.pick([*PRICED, "model", "date", "source", "table", "table_sha256"])
    old = line[name]
    if name in PRICED:
        least = 7 if name in ("input", "output") else None
        return replaced(line, name, hand.pick([(old or 0) + 1, (old or 1) * 10, 0, least]))
    table = hand.pick(["x.json", "../" + TABLE, "x"])
    others = {"model": old + "x", "date": "2026-12-02", "source": old + " ", "table": table, "table_sha256": "0" * 64}
    return replaced(line, name, others[name])


@operator("drop-a-price", "A `price` line is left out.")
def _(hand: Hand) -> Change:
    log = hand.log(lambda log: any(line["event"] == "price" for line in log.lines))
    line = log.lines.pop(hand.line(log, lambda line: line["event"] == "price"))
    return hand.rewritten(log, 1, f"no price of {line['model']}", recount=True)


@operator("price-too-late", "A `price` line stands behind the first lines that it is about.")
def _(hand: Hand) -> Change:
    log = hand.log(lambda log: any(line["event"] == "price" for line in log.lines))
    place = hand.line(log, lambda line: line["event"] == "price")
    model = log.lines[place]["model"]
    asked = [n for n, line in enumerate(log.lines) if line["event"] == "request" and line.get("model", model) == model]
    line = log.lines.pop(place)
    at = asked[0]
    line["at"] = log.lines[at - 1]["at"]
    log.lines.insert(at, line)
    return hand.rewritten(log, at, f"the price of {model} behind its first request")


@operator("drop-a-request", "A paid attempt was made without a `request`.")
def _(hand: Hand) -> Change:
    log = hand.log(lambda log: any(line["event"] == "request" for line in log.lines))
    place = hand.line(log, lambda line: line["event"] == "request")
    if place == len(log.lines) - 2:
        raise NoPlace  # what an abort or the end of a log left open is a sum, and no fault
    log.lines.pop(place)
    return hand.rewritten(log, place, "the request is gone", recount=True)


@operator("ask-twice", "A `request` stands twice, or behind what it asked for.")
def _(hand: Hand) -> Change:
    log = hand.log(lambda log: any(line["event"] == "request" for line in log.lines))
    place = hand.line(log, lambda line: line["event"] == "request")
    later = place + hand.pick([1, 2])
    if later >= len(log.lines) or log.lines[place + 1]["event"] in ("abort", "finish"):
        raise NoPlace
    log.lines.insert(later, log.lines[place] | {"at": log.lines[later - 1]["at"]})
    return hand.rewritten(log, later, "the request again", recount=True)


@operator("ask-where-nothing-is-paid", "A `request` stands where no price is in force.")
def _(hand: Hand) -> Change:
    log = hand.log(lambda log: _unpriced(log) != [])
    place = hand.pick(_unpriced(log))
    line = log.lines[place]
    asked = {key: line[key] for key in ASKED if key in line} | {"event": "request", "reserve": 5}
    log.lines.insert(place, asked)
    return hand.rewritten(log, place, "a request where there is no price", recount=True)


def _unpriced(log: Log) -> list[int]:
    calls = [(n, line) for n, line in enumerate(log.lines) if line["event"] == "call" and line["v"] == 2]
    return [n for n, line in calls if line["cost"] == "unpriced"]


# --- the price table --------------------------------------------------------------------------------------------------


def priced_models(hand: Hand) -> set[str]:
    """The models of which a log of the version has a price."""
    lines = [line for path in hand.world.logs for line in hand.world.look(path).lines]
    return {line["model"] for line in lines if line["event"] == "price"}


def _table(hand: Hand, name: str) -> tuple[dict[str, Any], str]:
    """The price table with a change of that name, and what was done."""
    table = json.loads(hand.world.files[f"runs/prices/{TABLE}"])
    models = priced_models(hand)
    row = hand.pick([row for row in table["rows"] if row["model"] in models])
    if name == "number":
        key = hand.pick(PRICED)
        return table, replaced(row, key, hand.pick([(row[key] or 0) + 1, (row[key] or 1) * 10, 0]))
    if name == "source":
        return table, replaced(row, "source", row["source"] + "!")
    if name == "row":
        table["rows"].remove(row)
        return table, f"no row of {row['model']}"
    if name == "twice":
        table["rows"].append(dict(row))
        return table, f"{row['model']} twice"
    if name == "key":
        row["note"] = ""
        return table, "a key more"
    return table, replaced(table, *hand.pick([("currency", "EUR"), ("date", "2026-12-02"), ("date", "2 December")]))


@operator(
    "change-the-price-table", "The price table that logs name says something else.", changes="price table", alone=True
)
def _(hand: Hand) -> Change:
    world = hand.world
    table, what = _table(hand, hand.pick(["number", "source", "row", "twice", "key", "head"]))
    return one_file(f"runs/prices/{TABLE}", document(table), what, also=(f"{world.runs}/logs/",))


@operator(
    "delete-the-price-table",
    "The price table is gone, cut, or lies under another name.",
    changes="price table",
    alone=True,
)
def _(hand: Hand) -> Change:
    path, data = f"runs/prices/{TABLE}", hand.world.files[f"runs/prices/{TABLE}"]
    hand.log(lambda log: any(line["event"] == "price" for line in log.lines))
    cut = data[: hand.chance.randrange(len(data) - 2)]
    new = hand.pick([None, b"", cut, data + b" ", data.replace(b"\n", b"\r\n")])
    return one_file(path, new, "deleted or altered", also=(f"{hand.world.runs}/logs/",))


@operator(
    "change-prices-behind-their-digest",
    "The price table says something else, and the `price` lines have its digest.",
    changes="price table",
    alone=True,
)
def _(hand: Hand) -> Change:
    world = hand.world
    table, what = _table(hand, hand.pick(["number", "source", "row", "twice", "key", "head"]))
    path = f"runs/prices/{TABLE}"
    old, new = sha256(world.files[path]), document(table)
    files: dict[str, Any] = {path: new}
    for name in world.logs:
        if any(line.get("table_sha256") == old for line in world.look(name).lines):
            log = world.log(name)
            for line in log.lines:
                if line.get("table_sha256") == old:
                    line["table_sha256"] = sha256(new)
            files[name] = log.chained()
    return Change(files, path, None, what, also=(f"{world.runs}/logs/",))
