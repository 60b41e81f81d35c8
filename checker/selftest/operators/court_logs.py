"""Logs of Court of Facts, re-chained, re-counted and re-signed: only the rules of the game can name these."""

from __future__ import annotations

import re
from typing import Final

from checker.court.lies import LIE_RULES, lie
from checker.selftest.operators.operator import COURT, Catalogue, Change, Hand, NoPlace, replaced, told
from checker.selftest.world import Event, Log
from checker.selftest.worlds.court import ITEMS

COURT_LOGS: Final = Catalogue("log", (COURT,))
operator = COURT_LOGS.operator


def played(log: Log) -> bool:
    """Whether the log was played here, and is not one that REUSED.json vouches for by its digest."""
    return bool(log.lines[0]["source"]["kind"] == "played")


def turn_of(line: Event) -> tuple[object, ...]:
    """The duel and turn of a call, failure or request."""
    return tuple(line[key] for key in ("phase", "round", "attacker", "fact", "repeat", "turn"))


def after(line: Event, turns: int) -> tuple[object, ...]:
    """A later turn of the same duel."""
    return (*turn_of(line)[:-1], line["turn"] + turns)


def calls(log: Log) -> dict[tuple[object, ...], int]:
    """The place of the call of each turn."""
    return {turn_of(line): place for place, line in enumerate(log.lines) if line["event"] == "call"}


def call_with(hand: Hand, log: Log, turns: int) -> int:
    """The place of a call that a later turn's call follows."""
    known = calls(log)
    return hand.line(log, lambda line: line["event"] == "call" and after(line, turns) in known)


# --- what was said, and what was asked --------------------------------------------------------------------------------


@operator("edit-an-earlier-reply", "A reply that a later prompt quotes is another one.")
def _(hand: Hand) -> Change:
    log = hand.log(played)
    place = call_with(hand, log, 1)
    line = log.lines[place]
    old = line["text"]
    at = hand.chance.randrange(len(old) + 1)
    line["text"] = old[:at] + hand.pick([" ", "0", "é", "\n", "not "]) + old[at:]
    return hand.rewritten(log, place, told("text", old, line["text"]))


@operator("edit-a-prompt-by-a-blank", "A prompt in a call has one blank more or less, or another letter.")
def _(hand: Hand) -> Change:
    log = hand.log(played)
    place = hand.line(log, lambda line: line["event"] == "call")
    line, name = log.lines[place], hand.pick(["system", "user"])
    old = line[name]
    at = hand.chance.randrange(len(old))
    line[name] = hand.pick([old[:at] + " " + old[at:], old[:at] + old[at + 1 :], old[:at] + "x" + old[at + 1 :]])
    if line[name] == old:
        raise NoPlace
    return hand.rewritten(log, place, f"{name}, character {at + 1}")


@operator("drop-a-prompt", "A call of a played log has no prompt; one of an imported log has one.")
def _(hand: Hand) -> Change:
    log = hand.log()
    place = hand.line(log, lambda line: line["event"] == "call")
    name = hand.pick(["system", "user"])
    return hand.rewritten(log, place, replaced(log.lines[place], name, None if played(log) else "Question"))


@operator("change-the-settings-of-a-call", "A call was made with other settings than the spec's or the amendment's.")
def _(hand: Hand) -> Change:
    log = hand.log()
    place = hand.line(log, lambda line: line["event"] == "call")
    settings = hand.pick([{}, {"temperature": 0.0}, {"max_tokens": 600}, {"temperature": 0.5, "max_tokens": 601},
                          {"max_tokens": 600, "temperature": 0.5}, None])  # fmt: skip
    return hand.rewritten(log, place, replaced(log.lines[place], "settings", settings))


# --- turns ------------------------------------------------------------------------------------------------------------


@operator("swap-two-turns", "Two calls of a duel change places, with all that belongs to them.")
def _(hand: Hand) -> Change:
    log = hand.log()
    place = call_with(hand, log, 1)
    other = calls(log)[after(log.lines[place], 1)]
    one, two = log.lines[place], log.lines[other]
    one["at"], two["at"] = two["at"], one["at"]
    log.lines[place], log.lines[other] = two, one
    return hand.rewritten(log, place, f"turns {one['turn']} and {two['turn']} change places")


@operator("drop-an-earlier-turn", "A call that a later turn stands on is left out; everything is counted anew.")
def _(hand: Hand) -> Change:
    log = hand.log()
    place = call_with(hand, log, 1)
    line = log.lines.pop(place)
    return hand.rewritten(log, place, f"turn {line['turn']} is gone", recount=True)


@operator("repeat-a-turn", "A call stands twice, and the second time it says something else.")
def _(hand: Hand) -> Change:
    log = hand.log()
    place = hand.line(log, lambda line: line["event"] == "call")
    line = log.lines[place]
    again = hand.pick([line, line | {"text": "ANSWER: 7"}, line | {"attempt": line["attempt"] + 1}])
    log.lines.insert(place + 1, dict(again))
    return hand.rewritten(log, place + 1, f"turn {line['turn']} again", recount=True)


@operator("number-a-turn-otherwise", "A call, failure or request says that it is of another turn.")
def _(hand: Hand) -> Change:
    log = hand.log()
    place = hand.line(log, lambda line: "turn" in line)
    line = log.lines[place]
    turn = hand.pick([line["turn"] + 1, line["turn"] + 2, abs(line["turn"] - 2), 5, 99])
    return hand.rewritten(log, place, replaced(line, "turn", turn), recount=True)


@operator("swap-the-parts", "A call, failure or request names the other part, or another model.")
def _(hand: Hand) -> Change:
    log = hand.log()
    place = hand.line(log, lambda line: "role" in line)
    line, way = log.lines[place], hand.chance.randrange(3)
    other = line["attacker"] if line["role"] == "defender" else log.lines[0]["model"]
    if way == 0:
        role = "attacker" if line["role"] == "defender" else "defender"
        return hand.rewritten(log, place, replaced(line, "role", role))
    return hand.rewritten(log, place, replaced(line, "model", other if way == 1 else hand.pick(["", other + " "])))


@operator("name-another-duel", "A call, failure or request is of a duel that the log has not registered.")
def _(hand: Hand) -> Change:
    log = hand.log()
    place = hand.line(log, lambda line: "turn" in line)
    line = log.lines[place]
    name, value = hand.pick([
        ("attacker", "nobody"), ("attacker", log.lines[0]["model"]), ("fact", "buckets"), ("fact", ""), ("repeat", 1),
        ("round", line["round"] + 3), ("phase", "main" if line["phase"] != "main" else "sudden_death"),
    ])  # fmt: skip
    what = replaced(line, name, value)
    if name == "attacker" and line["role"] == "attacker":
        line["model"] = value
    return hand.rewritten(log, place, what, recount=True)


@operator("move-a-turn-to-another-duel", "A call is laid into another duel of the log.")
def _(hand: Hand) -> Change:
    log = hand.log()
    place = call_with(hand, log, 1)
    line = log.lines[place]
    other = hand.pick([o for o in log.lines if o["event"] == "call" and turn_of(o)[:-1] != turn_of(line)[:-1]])
    for key in ("phase", "round", "attacker", "fact", "repeat"):
        line[key] = other[key]
    return hand.rewritten(log, place, f"moved to {other['attacker']}, {other['fact']}", recount=True)


@operator("take-a-line-from-another-log", "A call of another Defender's log stands in this one.")
def _(hand: Hand) -> Change:
    log, other = hand.log(), hand.log()
    if log.path == other.path:
        raise NoPlace
    place = hand.chance.randrange(1, len(log.lines))
    line = hand.pick([line for line in other.lines if line["event"] == "call" and line["role"] == "defender"])
    line |= {key: log.lines[place - 1][key] for key in ("run", "at")}
    log.lines.insert(place, line)
    return hand.rewritten(log, place, f"a call of {line['model']}", recount=True)


@operator("count-attempts-otherwise", "An attempt has another number.")
def _(hand: Hand) -> Change:
    log = hand.log()
    place = hand.line(log, lambda line: "attempt" in line)
    line = log.lines[place]
    attempt = hand.pick([0, line["attempt"] + 1, 3 - line["attempt"]])
    return hand.rewritten(log, place, replaced(line, "attempt", attempt))


@operator("fail-after-the-reply", "A failure stands behind the call of its turn.")
def _(hand: Hand) -> Change:
    log = hand.log(lambda log: any(line["event"] == "failure" for line in log.lines))
    failure = dict(log.lines[hand.line(log, lambda line: line["event"] == "failure")])
    place = hand.line(log, lambda line: line["event"] == "call" and line["v"] == failure["v"])
    call = log.lines[place]
    keys = ("run", "at", "phase", "round", "attacker", "fact", "repeat", "turn", "role", "model", "attempt")
    failure |= {key: call[key] for key in keys} | {"attempt": call["attempt"] + 1}
    log.lines.insert(place + 1, failure)
    return hand.rewritten(log, place + 1, f"a {failure['kind']} behind the call", recount=True)


# --- the first line ---------------------------------------------------------------------------------------------------


@operator("change-a-truth", "The first line says another truth, and in half of the cases the lie that belongs to it.")
def _(hand: Hand) -> Change:
    log = hand.log(played)
    fact = hand.pick(log.lines[0]["facts"])
    old = fact["truth"]
    fact["truth"] = re.sub("[0-9]", lambda digit: hand.digit(digit[0]), old, count=1)
    if hand.chance.randrange(2):
        rule = next(rule for name, _, _, rule in ITEMS if name == fact["fact"])
        fact["lie"] = lie(rule, fact["truth"])
    return hand.rewritten(log, 0, told(f"truth of {fact['fact']}", old, fact["truth"]))


@operator("change-a-lie", "The first line says another lie than the rule gives.")
def _(hand: Hand) -> Change:
    log = hand.log()
    fact = hand.pick(log.lines[0]["facts"])
    others = [lie(rule, fact["truth"]) for rule in LIE_RULES] + [fact["lie"] + "0", fact["truth"], fact["lie"] + ".0"]
    return hand.rewritten(log, 0, replaced(fact, "lie", hand.pick(others)))


@operator("change-a-question", "The first line asks another question than items.jsonl.")
def _(hand: Hand) -> Change:
    log = hand.log(played)
    fact = hand.pick(log.lines[0]["facts"])
    at = hand.chance.randrange(len(fact["question"]))
    new = fact["question"][:at] + hand.pick(["", " ", "x"]) + fact["question"][at + 1 :]
    return hand.rewritten(log, 0, replaced(fact, "question", new))


@operator("change-the-facts", "The first line has its facts in another order, one twice, or one that there is not.")
def _(hand: Hand) -> Change:
    log = hand.log()
    facts = log.lines[0]["facts"]
    way = hand.pick(["order", "twice", "other"])
    if way == "order":
        facts.reverse()
    elif way == "twice":
        facts.append(dict(hand.pick(facts)))
    else:
        hand.pick(facts)["fact"] = hand.pick(["bucket", "Buckets", ""])
    return hand.rewritten(log, 0, f"facts: {way}")


@operator("change-the-attackers", "The first line registers an Attacker twice, or the Defender itself.")
def _(hand: Hand) -> Change:
    log = hand.log()
    start = log.lines[0]
    new = hand.pick([start["model"], *start["attackers"]])
    start["attackers"].insert(hand.chance.randrange(len(start["attackers"]) + 1), new)
    return hand.rewritten(log, 0, f"attackers: {new} more")


@operator(
    "change-the-first-line", "The first line says another benchmark, version, kind, route, settings, source or repeats."
)
def _(hand: Hand) -> Change:
    log = hand.log()
    start = log.lines[0]
    name, value = hand.pick([
        ("benchmark", "cascades"), ("version", "v9"), ("kind", "model"), ("kind", "baseline"), ("route", "openai"),
        ("route", "imported"), ("settings", {"temperature": 1.0}), ("settings", None), ("repeats", 2), ("repeats", 0),
        ("model", start["model"] + "2"), ("source", start["source"] | {"kind": "imported"}),
        ("source", start["source"] | {"kind": "played"}),
    ])  # fmt: skip
    return hand.rewritten(log, 0, replaced(start, name, value))
