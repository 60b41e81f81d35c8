"""What nothing in the version can tell: whoever forges a whole log, and makes every table and digest anew, leaves no
trace but another MANIFEST.json.  Only its digest from elsewhere, the anchor, names these."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from checker.cascades.replies import read_reply
from checker.selftest.operators.boards import frozen_of
from checker.selftest.operators.court_ends import last_call
from checker.selftest.operators.court_logs import played
from checker.selftest.operators.money import priced_models
from checker.selftest.operators.operator import (
    BARE,
    CASCADES,
    COURT,
    PUBLISHED,
    SIGNED,
    Catalogue,
    Change,
    Draw,
    Hand,
    NoPlace,
    one_file,
    replaced,
    told,
)  # fmt: skip
from checker.selftest.world import RECORDED, Files, Log, document, sha256
from checker.selftest.worlds.cascades import LIMITS
from checker.selftest.worlds.events import TABLE, cost_of

FORGERIES: Final = Catalogue("log")


def forges(name: str, about: str, *benchmarks: str, mends: str = PUBLISHED, **more: Any) -> Callable[[Draw], Draw]:
    """Register an operator whose alterations need the anchor."""
    return FORGERIES.operator(name, about, *benchmarks, mends=mends, anchor=True, **more)


@forges(
    "forge-a-verdict", "The last reply of a duel is another one; log, tables and MANIFEST.json are made anew.", COURT
)
def _(hand: Hand) -> Change:
    log, place = last_call(hand, lambda line: line["finish"] in ("stop", "unknown"))
    line = log.lines[place]
    fact = next(fact for fact in log.lines[0]["facts"] if fact["fact"] == line["fact"])
    old, line["text"] = line["text"], f"ANSWER: {hand.pick([fact['truth'], fact['lie'], '7'])} ({hand.chance.random()})"
    if hand.chance.randrange(2):
        line["text"] = line["text"].partition(" (")[0]
    if line["text"] == old:
        raise NoPlace
    return hand.rewritten(log, place, told("text", old, line["text"]))


@forges(
    "forge-an-adoption",
    "A reply of the final turn submits something else, and its action fits; all is made anew.",
    CASCADES,
)
def _(hand: Hand) -> Change:
    log = hand.log(lambda log: log.lines[-1]["event"] == "finish")
    place = hand.line(log, lambda line: line["event"] == "call" and line["round"] == 6 and line["agent"] != "agent_5")
    call = log.lines[place]
    action = next(line for line in log.lines[place:] if line["event"] == "action")
    # A configuration that the log has a score for; a landscape gives any other one's to whoever computes it.
    receipt = hand.pick([line for line in log.lines if line["event"] == "receipt"])
    call["text"] = json.dumps({"submission": receipt["config"]})
    reading = read_reply(call["text"], "final", LIMITS)
    assert reading is not None
    action |= {"submission": reading.submission, "score": receipt["score"], "dropped": 0}
    return hand.rewritten(log, place, f"submission: {receipt['config']}")


@forges(
    "forge-what-no-rule-sees",
    "A time, a latency, a served model, a message, a reserve or a budget is another one; all is made anew.",
)
def _(hand: Hand) -> Change:
    log = hand.log()
    place = hand.chance.randrange(len(log.lines))
    line = log.lines[place]
    names = ["latency_ms", "served", "fingerprint", "provider", "message", "reserve", "limit", "at"]
    name = hand.pick([name for name in names if name in line])
    if name == "at":
        if place < len(log.lines) - 1 or log.tail:
            raise NoPlace
        return hand.rewritten(log, place, replaced(line, name, line["at"].replace("2026", "2027")))
    number = name in ("latency_ms", "reserve", "limit")
    value = hand.chance.randrange(1, 90_000) if number else hand.pick(["x", "y", "fp-9"])
    return hand.rewritten(log, place, replaced(line, name, value))


@forges("withdraw-a-log", "A log is gone, and everything is made anew without it.", most=3)
def _(hand: Hand) -> Change:
    log = hand.log(lambda log: log.closing is not None)
    again = log.path.replace("-a1.jsonl", "-a2.jsonl")
    # A game that was redone, and a log that REUSED.json lists, are missed by name.
    redone = again in hand.world.files and again != log.path
    if redone or log.path.removeprefix(hand.world.runs + "/") in _reused(hand):
        raise NoPlace
    return one_file(log.path, None, "deleted")


def _reused(hand: Hand) -> list[str]:
    data = hand.world.files.get(f"{hand.world.runs}/REUSED.json")
    return list(json.loads(data)) if data else []


@forges(
    "forge-the-prices",
    "The price table, the `price` lines and every cost say another price; all is made anew.",
    alone=True,
    changes="price table",
    most=2,
)
def _(hand: Hand) -> Change:
    world, path = hand.world, f"runs/prices/{TABLE}"
    table = json.loads(world.files[path])
    models = priced_models(hand)
    row = hand.pick([row for row in table["rows"] if row["model"] in models])
    name = hand.pick(["input", "output"])
    what = replaced(row, name, row[name] * 2 + hand.chance.randrange(100_000))
    digest = sha256(document(table))
    files: Files = {path: document(table)}
    for other in world.logs:
        files |= _at_prices(world.log(other), row, digest, world.files[other])
    return Change(files, path, None, f"{what} for {row['model']}", (f"{world.runs}/logs/",))


def _at_prices(log: Log, row: dict[str, object], digest: str, before: bytes) -> Files:
    """The log with the price of one model, and what it makes of the costs."""
    model = log.lines[0]["model"]
    for line in log.lines:
        if line["event"] == "price":
            line["table_sha256"] = digest
            line |= {key: row[key] for key in line if key in row} if line["model"] == row["model"] else {}
        elif line.get("usage") and isinstance(line["cost"], int) and line.get("model", model) == row["model"]:
            line["cost"] = cost_of(line["usage"], row)  # type: ignore[arg-type]
    data = log.chained()
    return {} if data == before else {log.path: data}


@forges("forge-a-statement", "A third party's number in an imported log is another one; all is made anew.", COURT)
def _(hand: Hand) -> Change:
    log = hand.log(lambda log: not played(log))
    place = hand.line(log, lambda line: line["event"] == "stated")
    line = log.lines[place]
    name = hand.pick(["answers", "caved", "final_wrong"])
    answers, caved = [*line["answers"][:-1], "77"], [not value for value in line["caved"]]
    values = {"answers": answers, "caved": caved, "final_wrong": None}
    return hand.rewritten(log, place, replaced(line, name, values[name]))


@forges(
    "forge-the-counts-of-a-verdict",
    "crosscheck.json says how many fields were compared, or that no probe ran; MANIFEST.json fits.",
    mends=SIGNED,
    changes="verdict",
    most=2,
)
def _(hand: Hand) -> Change:
    path = f"{hand.world.tables}/crosscheck.json"
    value = json.loads(hand.world.files[path])
    some, name = hand.pick([value["totals"], *value["rows"]]), hand.pick(["compared", "equal"])
    what = replaced(some, name, some[name] + hand.chance.randrange(1, 1000))
    return one_file(path, document(value), what)


@forges(
    "sign-a-file-more",
    "A file more lies beside the tables, and MANIFEST.json lists it.",
    mends=SIGNED,
    changes="any file",
)
def _(hand: Hand) -> Change:
    path = f"{hand.world.tables}/{hand.pick(['notes', 'extra', 'readme', 'old'])}-{hand.chance.randrange(100)}.txt"
    return one_file(path, b"As published.\n", "added")


@forges(
    "take-the-manifest-away", "MANIFEST.json is gone, or has other white space.", mends=BARE, changes="manifest", most=3
)
def _(hand: Hand) -> Change:
    path = f"{hand.world.tables}/MANIFEST.json"
    data = hand.world.files[path]
    spaced = json.dumps(json.loads(data), ensure_ascii=False, indent=hand.chance.randrange(2, 40)).encode()
    longer = data + b"\n" * hand.chance.randrange(1, 9)
    return one_file(path, hand.pick([None, longer, spaced]), "gone, or written otherwise")


@forges(
    "change-the-record-of-a-freeze",
    "A freeze says another time or MANIFEST.json before it, another checker, a file less, or is gone.",
    mends=BARE,
    changes="manifest",
)
def _(hand: Hand) -> Change:
    path, value = frozen_of(hand)
    frozen, way = value["frozen"], hand.pick(["at", "previous", "checker", "more", "less", "gone"])
    beside: dict[str, str] = frozen["beside"]
    other = sha256(str(hand.chance.random()).encode())
    if way == "at":
        what = replaced(frozen, "at", f"2026-12-{hand.chance.randrange(4, 32):02}T00:00:00Z")
    elif way == "previous":
        what = replaced(frozen, "previous", hand.pick([None, other]))
    elif way == "checker":
        what = replaced(beside, hand.pick(list(RECORDED)), other)
    elif way == "more":
        what = "a file of the checker more"
        frozen["beside"] = dict(sorted((beside | {"checker/more.py": other}).items()))
    elif way == "less":
        what = f"without {(name := hand.pick(list(beside)))}"
        del beside[name]
    else:
        what = f"without {value.popitem()[0]}"
    return one_file(path, document(value), what)
