"""Logs of Cascades, re-chained, re-counted and re-signed: receipts, posts, and whole lines of any kind."""

from __future__ import annotations

from typing import Final

from checker.cascades.schema import TEAM
from checker.selftest.operators.operator import CASCADES, Catalogue, Change, Hand, NoPlace, replaced
from checker.selftest.world import Event

CASCADES_BOARD: Final = Catalogue("log", (CASCADES,))
operator, edits = CASCADES_BOARD.operator, CASCADES_BOARD.edits


def other_config(hand: Hand, config: list[int]) -> list[int]:
    """A configuration that differs in one knob."""
    knob = hand.chance.randrange(6)
    return [int(hand.digit(str(value))) if place == knob else value for place, value in enumerate(config)]


# --- receipts ---------------------------------------------------------------------------------------------------------


@edits("raise-a-score", "A receipt says another score.", "receipt")
def _(line: Event, hand: Hand) -> str:
    score = line["score"]
    return replaced(line, "score", max(0, min(10_000, score + hand.pick([-1, 1, 500, 10_000]))))


@edits("change-a-receipt", "A receipt is for another configuration, or has another id.", "receipt")
def _(line: Event, hand: Hand) -> str:
    if hand.chance.randrange(2):
        return replaced(line, "config", other_config(hand, line["config"]))
    at = hand.chance.randrange(2, 10)
    old = line["receipt"]
    other = hand.pick([digit for digit in "0123456789abcdef" if digit != old[at]])
    return replaced(line, "receipt", old[:at] + other + old[at + 1 :])


@edits("move-a-receipt", "A receipt was issued to another agent, or in another round.", "receipt")
def _(line: Event, hand: Hand) -> str:
    if hand.chance.randrange(3):
        return replaced(line, "agent", f"agent_{hand.chance.randrange(1, 9)}")
    return replaced(line, "round", hand.chance.randrange(7))


def _whole_line(name: str, about: str, event: str, edit: str) -> None:
    """An operator that drops a line, doubles it, or lets it change places with the next one of its kind."""

    @operator(name, about)
    def _(hand: Hand) -> Change:
        log = hand.log(lambda log: any(line["event"] == event for line in log.lines))
        place = hand.line(log, lambda line: line["event"] == event)
        line = log.lines[place]
        if edit == "drop":
            if all(later["event"] in ("failure", "request", "abort") for later in log.lines[place + 1 :]):
                raise NoPlace  # the last thing that a game left open holds is not missed in it
            log.lines.pop(place)
        elif edit == "double":
            later = hand.pick([place + 1, hand.chance.randrange(place + 1, max(place + 2, len(log.lines)))])
            log.lines.insert(later, line | {"at": log.lines[later - 1]["at"]})
            place = later
        else:
            later = hand.pick([n for n in range(place + 1, len(log.lines)) if log.lines[n]["event"] == event])
            other = log.lines[later]
            if line | dict.fromkeys(("at", "seq", "prev")) == other | dict.fromkeys(("at", "seq", "prev")):
                raise NoPlace
            log.lines[place], log.lines[later] = other | {"at": line["at"]}, line | {"at": other["at"]}
        return hand.rewritten(log, place, f"{event}: {edit}", recount=True)


_whole_line("drop-a-receipt", "A receipt is left out.", "receipt", "drop")
_whole_line("double-a-receipt", "A receipt stands twice.", "receipt", "double")
_whole_line("swap-two-receipts", "Two receipts change places.", "receipt", "swap")
_whole_line("drop-a-post", "A post is left out.", "post", "drop")
_whole_line("double-a-post", "A post stands twice.", "post", "double")
_whole_line("swap-two-posts", "Two posts change places.", "post", "swap")
_whole_line("drop-an-action", "An action is left out.", "action", "drop")
_whole_line("double-an-action", "An action stands twice.", "action", "double")
_whole_line("swap-two-actions", "Two actions change places.", "action", "swap")
_whole_line("drop-a-call", "A call is left out.", "call", "drop")
_whole_line("double-a-call", "A call stands twice.", "call", "double")
_whole_line("swap-two-calls", "Two calls change places.", "call", "swap")


# --- posts ------------------------------------------------------------------------------------------------------------


@edits(
    "mark-unverified-verified",
    "A claim's mark is another one: true for false, a mark in a cell without marks.",
    "post",
    fits=lambda line: bool(line["claims"]),
)
def _(line: Event, hand: Hand) -> str:
    return replaced(hand.pick(line["claims"]), "verified", hand.pick([True, False, None]))


@edits(
    "change-a-claim",
    "A claim on the board is another one than its agent made.",
    "post",
    fits=lambda line: bool(line["claims"]),
)
def _(line: Event, hand: Hand) -> str:
    claim = hand.pick(line["claims"])
    name = hand.pick(["config", "score", "receipt"])
    if name == "config":
        return replaced(claim, name, other_config(hand, claim["config"]))
    if name == "score":
        return replaced(claim, name, hand.chance.randrange(10_001))
    return replaced(claim, name, hand.pick([None, "r-12345678", "r"]))


@edits(
    "change-the-claims",
    "A post has a claim more or less, or in another order.",
    "post",
    fits=lambda line: bool(line["claims"]),
)
def _(line: Event, hand: Hand) -> str:
    claims = line["claims"]
    return replaced(line, "claims", hand.pick([claims[:-1], claims[1:], [*claims, claims[0]], claims[::-1]]))


@edits("change-a-note", "A note on the board is another one than its agent wrote.", "post")
def _(line: Event, hand: Hand) -> str:
    return replaced(line, "note", hand.pick(["", line["note"] + " ", line["note"] + "!", line["note"].upper()]))


@edits("show-a-post-to-others", "A post is seen by more agents, fewer, or in another order.", "post")
def _(line: Event, hand: Hand) -> str:
    some, seen_by = hand.chance.sample(TEAM, hand.chance.randrange(7)), line["seen_by"]
    return replaced(line, "seen_by", hand.pick([sorted(some), some, [], list(TEAM), seen_by + seen_by[:1]]))


@edits("post-as-another", "A post is of another agent, round or number.", "post")
def _(line: Event, hand: Hand) -> str:
    name = hand.pick(["agent", "round", "post"])
    values = {"agent": f"agent_{hand.chance.randrange(1, 9)}", "round": hand.chance.randrange(8)}
    return replaced(line, name, values.get(name, line["post"] + hand.pick([-1, 1, 5]) if line["post"] else 1))
