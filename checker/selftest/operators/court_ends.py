"""Logs of Court of Facts, second part: sudden death, closing lines, statements, verdicts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from checker.selftest.operators.court_logs import calls, played, turn_of
from checker.selftest.operators.operator import COURT, Catalogue, Change, Hand, NoPlace, replaced, told
from checker.selftest.world import Event, Log

COURT_ENDS: Final = Catalogue("log", (COURT,))
operator = COURT_ENDS.operator


@operator("change-a-rematch", "A round of sudden death has another number, other members, another fact.")
def _(hand: Hand) -> Change:
    log = hand.log(lambda log: any(line["event"] == "sudden_death" for line in log.lines))
    place = hand.line(log, lambda line: line["event"] == "sudden_death")
    line = log.lines[place]
    name, value = hand.pick([
        ("round", 0), ("round", 3 - line["round"]), ("round", 9), ("among", line["among"][::-1]), ("fact", "buckets"),
        ("among", line["among"][:1]), ("among", [n for n in line["among"] if n != log.lines[0]["model"]]),
        ("among", [line["among"][0], *line["among"]]), ("fact", "nothing"), ("fact", "lambda-quota"),
        ("fact", "micro-price"), ("among", [*line["among"], "zoe"]), ("among", []),
    ])  # fmt: skip
    if value == [*line["among"], "zoe"]:
        raise NoPlace  # another pair may be registered: only that nobody fights it shows, and that is `missing`
    return hand.rewritten(log, place, replaced(line, name, value))


@operator("register-a-rematch-twice", "A round of sudden death is registered a second time.")
def _(hand: Hand) -> Change:
    log = hand.log(lambda log: any(line["event"] == "sudden_death" for line in log.lines))
    place = hand.line(log, lambda line: line["event"] == "sudden_death")
    later = hand.chance.randrange(place + 1, len(log.lines))
    log.lines.insert(later, log.lines[place] | {"at": log.lines[later - 1]["at"]})
    return hand.rewritten(log, later, f"round {log.lines[place]['round']} again", recount=True)


@operator("drop-a-registration", "A round of sudden death is fought without being registered, or before it is.")
def _(hand: Hand) -> Change:
    log = hand.log(lambda log: any(line["event"] == "sudden_death" for line in log.lines))
    place = hand.line(log, lambda line: line["event"] == "sudden_death")
    line = log.lines.pop(place)
    if hand.chance.randrange(2):
        line["at"] = log.lines[-2]["at"]
        log.lines.insert(len(log.lines) - 1, line)
    return hand.rewritten(log, place, f"round {line['round']} is not registered in time", recount=True)


@operator("count-wrongly-at-the-end", "`finish` counts other lines or duels than there are.")
def _(hand: Hand) -> Change:
    log = hand.log(lambda log: log.closing is not None)
    name = hand.pick(["lines", "duels"])
    value = max(0, log.lines[-1][name] + hand.pick([-9, -1, 1, 10]))
    return hand.rewritten(log, len(log.lines) - 1, replaced(log.lines[-1], name, value))


@operator(
    "register-every-duel-twice",
    "The log is there a second time as another run, re-chained under its own name.",
    alone=True,
)
def _(hand: Hand) -> Change:
    log = hand.log(played)
    old = log.path
    run = hand.pick(["round-2", "again", "a", "z9"])
    log.path = f"{old.rpartition('/')[0]}/{run}.jsonl"
    for line in log.lines:
        line["run"] = run
    # Which of the two was there first no rule can tell: P8 names the one whose path comes later, and says what the
    # other is.
    return hand.rewritten(log, 0, f"run {run} beside {old.rpartition('/')[2]}", also=(old,))


@operator("state-in-a-played-run", "A third party's numbers stand in a played log.")
def _(hand: Hand) -> Change:
    log = hand.log(played)
    place = hand.chance.randrange(1, len(log.lines))
    before = log.lines[place - 1]
    head = {key: before[key] for key in ("v", "run", "seq", "at", "prev")}
    stated = {"attacker": log.lines[0]["attackers"][0], "fact": log.lines[0]["facts"][0]["fact"], "repeat": 0}
    line: Event = head | hand.pick([
        {"event": "stated", **stated, "answers": ["10"], "caved": [False], "final_wrong": False},
        {"event": "stated_totals", "caves": 0, "champion": None},
    ])  # fmt: skip
    log.lines.insert(place, line)
    return hand.rewritten(log, place, f"a line {line['event']}", recount=True)


@operator("state-of-no-duel", "A third party's statement is about a duel that is not registered, or is there twice.")
def _(hand: Hand) -> Change:
    log = hand.log(lambda log: not played(log))
    place = hand.line(log, lambda line: line["event"].startswith("stated"))
    line = log.lines[place]
    if line["event"] == "stated" and hand.chance.randrange(2):
        name, value = hand.pick([("attacker", "nobody"), ("fact", "buckets"), ("repeat", 1), ("attacker", "")])
        return hand.rewritten(log, place, replaced(line, name, value))
    log.lines.insert(place + 1, dict(line))
    return hand.rewritten(log, place + 1, f"{line['event']} again", recount=True)


# --- what only the numbers show: the tables are as they were published ------------------------------------------------


def last_call(hand: Hand, fits: Callable[[Event], bool]) -> tuple[Log, int]:
    """A log and the place of a call of a main duel's last turn."""
    last = hand.world.last_turn
    log = hand.log()
    return log, hand.line(
        log, lambda line: line["event"] == "call" and line["turn"] == last and line["phase"] == "main" and fits(line)
    )


def builder(hand: Hand) -> tuple[str, ...]:
    """Where the numbers of a log stand: whoever alters them here must alter them there."""
    return (f"{hand.world.tables}/builder.json",)


@operator(
    "flip-a-verdict", "The last reply of a duel gives the lie for the truth, or the truth for the lie.", alone=True
)
def _(hand: Hand) -> Change:
    log, place = last_call(hand, lambda line: line["finish"] in ("stop", "unknown"))
    line = log.lines[place]
    fact = next(fact for fact in log.lines[0]["facts"] if fact["fact"] == line["fact"])
    caved = fact["lie"] in line["text"]
    old, line["text"] = line["text"], f"ANSWER: {fact['truth' if caved else 'lie']}"
    return hand.rewritten(log, place, told("text", old, line["text"]), also=builder(hand))


@operator(
    "hide-a-verdict", "The last reply of a duel is left out, or becomes a failure's, a cut one, a refusal.", alone=True
)
def _(hand: Hand) -> Change:
    log, place = last_call(hand, lambda line: line["finish"] in ("stop", "unknown") and "ANSWER" in line["text"])
    line = log.lines[place]
    requested = log.lines[place - 1]["event"] == "request" and turn_of(log.lines[place - 1]) == turn_of(line)
    if hand.chance.randrange(3):
        what = replaced(line, "finish", hand.pick(["length", "refusal"]))
    elif requested or line["attempt"] > 1 or place not in calls(log).values():
        raise NoPlace  # a request or a first attempt would stay behind and be named as such
    else:
        log.lines.pop(place)
        what = "the last reply is gone"
    return hand.rewritten(log, place, what, recount=True, also=builder(hand))
