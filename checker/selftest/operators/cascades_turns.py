"""Logs of Cascades, second part: calls, actions, and the game as a whole."""

from __future__ import annotations

import re
from typing import Any, Final

from checker.cascades.replies import read_reply
from checker.selftest.operators.operator import CASCADES, Catalogue, Change, Hand, NoPlace, replaced, told
from checker.selftest.world import Event, Log
from checker.selftest.worlds.cascades import LIMITS

CASCADES_TURNS: Final = Catalogue("log", (CASCADES,))
operator, edits = CASCADES_TURNS.operator, CASCADES_TURNS.edits


# --- calls ------------------------------------------------------------------------------------------------------------


@edits("show-other-posts", "A prompt shows other posts than its agent can see.", "call")
def _(line: Event, hand: Hand) -> str:
    posts = line["posts"]
    more = [*posts, (posts[-1] if posts else -1) + 1]
    return replaced(line, "posts", hand.pick([more, posts[1:], posts[:-1], posts[::-1], [*posts, *posts[:1]]]))


@operator("change-a-reply", "A reply says something else, and the action that was read from it stays.")
def _(hand: Hand) -> Change:
    log = hand.log()
    place = hand.line(log, lambda line: line["event"] == "call" and line["finish"] == "stop")
    line = log.lines[place]
    old = line["text"]
    places = [match.start() for match in re.finditer("[0-9]", old)]
    at = hand.pick(places or [0])
    other = old[:at] + hand.digit(old[at : at + 1]) + old[at + 1 :]
    line["text"] = hand.pick([other, other, old[: len(old) // 2], old + "{}", "{}"])
    cell = log.lines[0]["cell"]
    scope = "final" if line["round"] > 5 else "isolated" if cell == "isolated" else "board"
    if read_reply(old, scope, LIMITS) == read_reply(line["text"], scope, LIMITS):
        raise NoPlace  # read as before: only the replay of the game, or an anchor, tells it from the true reply
    return hand.rewritten(log, place, told("text", old[at:], line["text"][at:]))


@edits("change-how-a-reply-ended", "A reply that stopped by itself was cut or refused, or the other way.", "call")
def _(line: Event, hand: Hand) -> str:
    read = read_reply(line["text"], "final" if line["round"] > 5 else "board", LIMITS)
    if read is None:
        raise NoPlace
    return replaced(line, "finish", hand.pick(["length", "refusal", "stop"]))


@edits(
    "give-a-turn-to-another",
    "A call, failure, request or action is of another agent or round.",
    "call|failure|request|action",
)
def _(line: Event, hand: Hand) -> str:
    if hand.chance.randrange(2):
        return replaced(line, "agent", f"agent_{hand.chance.randrange(1, 7)}")
    return replaced(line, "round", hand.pick([line["round"] - 1, line["round"] + 1, 0, 7]))


@edits("count-asks-otherwise", "A call, failure or request has another ask or attempt.", "call|failure|request")
def _(line: Event, hand: Hand) -> str:
    name = hand.pick(["ask", "attempt"])
    return replaced(line, name, hand.pick([0, 3 - line[name], line[name] + 1]))


@edits(
    "change-a-prompts-digest",
    "`prompt_sha256` is another one, or the prompt that it is of.",
    "call",
    fits=lambda line: line["system"] is not None,
)
def _(line: Event, hand: Hand) -> str:
    name = hand.pick(["prompt_sha256", "system", "user"])
    if name == "prompt_sha256":
        return replaced(line, name, line[name][::-1])
    at = hand.chance.randrange(len(line[name]) + 1)
    return replaced(line, name, line[name][:at] + " " + line[name][at:])


@edits("drop-a-prompt-of-a-game", "A prompt is missing where a model was asked, or stands where a script was.", "call")
def _(line: Event, hand: Hand) -> str:
    name = hand.pick(["system", "user"])
    return replaced(line, name, None if line[name] is not None else hand.pick(["", "You are agent_1."]))


# --- actions ----------------------------------------------------------------------------------------------------------


@edits("change-an-action", "An action says something else than its turn's reply.", "action")
def _(line: Event, hand: Hand) -> str:
    name = hand.pick(["parsed", "experiments", "claims", "note", "submission", "dropped"])
    config = [hand.chance.randrange(10) for _ in range(6)]
    experiments, claims = line["experiments"], line["claims"]
    value: Any = {
        "parsed": not line["parsed"], "experiments": hand.pick([experiments[:-1], [*experiments, config]]),
        "claims": hand.pick([claims[:-1], [*claims, {"config": config, "score": 5, "receipt": None}]]),
        "note": line["note"] + "!", "submission": hand.pick([config, None]), "dropped": line["dropped"] + 1,
    }[name]  # fmt: skip
    return replaced(line, name, value)


@edits("raise-the-score-of-a-submission", "An action says another score for what it submits.", "action")
def _(line: Event, hand: Hand) -> str:
    score = line["score"]
    return replaced(line, "score", hand.pick([None if score is not None else 0, (score or 9_000) + 1, 10_000]))


@operator("change-what-is-told-to-the-board", "An action and its post both say something else than the reply.")
def _(hand: Hand) -> Change:
    log = hand.log()
    place = hand.line(log, lambda line: line["event"] == "action" and line["note"] != "" and line["round"] < 6)
    action = log.lines[place]
    key = (action["round"], action["agent"])
    for line in log.lines[place:]:
        if line["event"] == "post" and (line["round"], line["agent"]) == key:
            line["note"] = action["note"] + "!"
    action["note"] += "!"
    return hand.rewritten(log, place, told("note", action["note"][:-1], action["note"]))


# --- the game as a whole ----------------------------------------------------------------------------------------------


@edits(
    "change-which-game-it-is",
    "The first line says another cell, seed, attempt, model, kind, route or settings.",
    "start",
    alone=True,
)
def _(line: Event, hand: Hand) -> str:
    name, value = hand.pick([
        ("cell", "nofix-2"), ("cell", "verified-2"), ("cell", "isolated"), ("cell", "nofix-3"),
        ("seed", 1 - line["seed"]), ("seed", 7), ("attempt", line["attempt"] + 1), ("attempt", 0),
        ("model", line["model"] + "2"), ("kind", "model"), ("kind", "baseline"), ("route", "local"),
        ("settings", {"temperature": 0}), ("version", "v1"), ("benchmark", "court"),
    ])  # fmt: skip
    return replaced(line, name, value)


@edits("count-wrongly-at-the-close", "`finish` or `abort` counts other lines than there are.", "finish|abort")
def _(line: Event, hand: Hand) -> str:
    return replaced(line, "lines", line["lines"] + hand.pick([-10, -1, 1, 10]))


def as_attempt(log: Log, attempt: int) -> Log:
    """The game as another attempt, under its own name."""
    run = f"{log.lines[0]['cell']}-s{log.lines[0]['seed']:02}-a{attempt}"
    for line in log.lines:
        line["run"] = run
    log.lines[0]["attempt"] = attempt
    log.path = f"{log.path.rpartition('/')[0]}/{run}.jsonl"
    return log


@operator("play-a-game-again", "A finished game is there a second time, as its next attempt.", alone=True)
def _(hand: Hand) -> Change:
    log = hand.log(lambda log: log.lines[-1]["event"] == "finish")
    log = as_attempt(log, log.lines[0]["attempt"] + hand.pick([1, 2, 3]))
    if log.path in hand.world.files:
        raise NoPlace
    return hand.rewritten(log, 0, "played again")


@operator("hide-an-aborted-game", "The aborted attempt before a game is gone, or is said to be finished.", alone=True)
def _(hand: Hand) -> Change:
    def redone_as(path: str) -> str:
        return path.replace("-a1.jsonl", "-a2.jsonl")

    log = hand.log(lambda log: log.lines[-1]["event"] == "abort" and redone_as(log.path) in hand.world.files)
    redone = redone_as(log.path)
    if hand.chance.randrange(3) == 0:
        return Change({log.path: None}, log.path, None, "deleted", also=(redone,))
    last = log.lines[-1]
    keys = ("v", "run", "seq", "at", "prev")
    log.lines[-1] = {key: last[key] for key in keys} | {"event": "finish", "lines": last["lines"]}
    if hand.chance.randrange(2):
        log.lines.pop()
        return hand.rewritten(log, len(log.lines) - 1, "the abort is gone", also=(redone,))
    return hand.rewritten(log, len(log.lines) - 1, "abort → finish", also=(redone,))


@operator("call-a-finished-game-aborted", "A finished game ends with `abort`: its numbers are gone.", alone=True)
def _(hand: Hand) -> Change:
    log = hand.log(lambda log: log.lines[-1]["event"] == "finish")
    keys = ("v", "run", "seq", "at", "prev")
    aborted = {"event": "abort", "lines": 0, "kind": "timeout", "message": "no reply"}
    log.lines[-1] = {key: log.lines[-1][key] for key in keys} | aborted
    where = (f"{hand.world.tables}/builder.json",)
    return hand.rewritten(log, len(log.lines) - 1, "finish → abort", recount=True, also=where)
