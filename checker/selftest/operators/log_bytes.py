"""Logs as bytes and as a chain: L1 to L10.  What is not re-chained must be named by the chain itself."""

from __future__ import annotations

import re
from typing import Final

from checker.loglines import canonical
from checker.selftest.operators.operator import Catalogue, Change, Hand, one_file, told
from checker.selftest.world import Event, Log

LOG_BYTES: Final = Catalogue("log")
operator = LOG_BYTES.operator


def raw(hand: Hand, log: Log, place: int, edit: bytes, what: str) -> Change:
    """One line's bytes replaced, and nothing else."""
    lines = hand.world.files[log.path].split(b"\n")
    lines[place] = edit
    return one_file(log.path, b"\n".join(lines), what, place + 1)


def text_of(line: Event) -> bytes:
    """The bytes of a line without its LF."""
    return canonical(line).encode()


@operator("change-a-byte-of-a-line", "One byte of a line but the last becomes another one; the chain is left as it is.")
def _(hand: Hand) -> Change:
    log = hand.log()
    place = hand.chance.randrange(len(log.lines) - 1)
    data = text_of(log.lines[place])
    at = hand.chance.randrange(len(data))
    new = hand.pick([byte for byte in range(256) if byte not in (data[at], 10)])
    return raw(hand, log, place, data[:at] + bytes([new]) + data[at + 1 :], f"byte {at}: {data[at]} → {new}")


@operator("change-a-digit-of-a-reply", "A digit of a reply becomes another one; the chain is left as it is.")
def _(hand: Hand) -> Change:
    log = hand.log(lambda log: any("text" in line and re.search("[0-9]", line["text"]) for line in log.lines))
    place = hand.line(log, lambda line: "text" in line and re.search("[0-9]", line["text"]) is not None)
    line = log.lines[place]
    at = hand.pick([match.start() for match in re.finditer("[0-9]", line["text"])])
    old = line["text"]
    line["text"] = old[:at] + hand.digit(old[at]) + old[at + 1 :]
    return raw(hand, log, place, text_of(line), told("text", old[at:], line["text"][at:]))


@operator("change-a-link", "A hexadecimal digit of a line's `prev` becomes another one.")
def _(hand: Hand) -> Change:
    log = hand.log()
    place = hand.chance.randrange(len(log.lines))
    line = log.lines[place]
    at, old = hand.chance.randrange(64), line["prev"]
    line["prev"] = old[:at] + hand.pick([d for d in "0123456789abcdef" if d != old[at]]) + old[at + 1 :]
    return raw(hand, log, place, text_of(line), told("prev", old[at:], line["prev"][at:]))


def _lines(name: str, about: str, edit: str) -> None:
    """An operator on whole lines, the chain left as it is."""

    @operator(name, about)
    def _(hand: Hand) -> Change:
        log = hand.log(lambda log: len(log.lines) > 3)
        lines = hand.world.files[log.path].split(b"\n")
        place = hand.chance.randrange(1, len(log.lines) - 2)
        if edit == "drop":
            del lines[place]
        elif edit == "double":
            lines.insert(place, lines[place])
        elif edit == "swap":
            lines[place : place + 2] = lines[place + 1], lines[place]
        elif edit == "empty":
            lines.insert(place, b"")
        else:
            lines[place : place + 2] = [lines[place] + lines[place + 1]]
        return one_file(log.path, b"\n".join(lines), f"line {place + 1}: {edit}", place + 1)


_lines("drop-a-line", "A line is left out; the chain is left as it is.", "drop")
_lines("double-a-line", "A line stands twice.", "double")
_lines("swap-two-lines", "Two neighbouring lines change places.", "swap")
_lines("insert-an-empty-line", "An empty line stands between two lines.", "empty")
_lines("join-two-lines", "The LF between two lines is left out.", "join")


@operator("write-crlf", "One line, or every line, ends in CR LF.")
def _(hand: Hand) -> Change:
    log = hand.log()
    lines = hand.world.files[log.path].split(b"\n")
    place = hand.chance.randrange(len(log.lines))
    some = range(len(log.lines)) if hand.chance.randrange(4) == 0 else [place]
    for number in some:
        lines[number] += b"\r"
    return one_file(log.path, b"\n".join(lines), f"{len(some)} lines end in CR LF", some[0] + 1)


@operator("write-a-byte-order-mark", "A byte order mark stands before the first line, or before another one.")
def _(hand: Hand) -> Change:
    log = hand.log()
    place = hand.pick([0, hand.chance.randrange(len(log.lines))])
    return raw(hand, log, place, b"\xef\xbb\xbf" + text_of(log.lines[place]), "U+FEFF before the line")


# --- headers, with the whole chain made anew ------------------------------------------------------------------------


@operator("skip-a-number", "From one line on `seq` is one more, and the chain is made anew.")
def _(hand: Hand) -> Change:
    log = hand.log()
    place = hand.chance.randrange(len(log.lines))
    for line in log.lines[place:]:
        line["seq"] += 1
    return hand.rewritten(log, place, "seq from here on is one more", renumber=False)


@operator("turn-back-the-clock", "A line was written before the one before it.")
def _(hand: Hand) -> Change:
    log = hand.log()
    place = hand.chance.randrange(1, len(log.lines))
    line = log.lines[place]
    old = line["at"]
    line["at"] = "2025" + old[4:]
    return hand.rewritten(log, place, told("at", old, line["at"]))


@operator("write-no-time", "A line's time is no time: a day or an hour that there is not.")
def _(hand: Hand) -> Change:
    log = hand.log()
    place = hand.chance.randrange(len(log.lines))
    at = log.lines[place]["at"]
    new = hand.pick([at[:5] + "13" + at[7:], at[:5] + "02-30" + at[10:], at[:11] + "24" + at[13:], at[:-1], at + "+0"])
    log.lines[place]["at"] = new
    return hand.rewritten(log, place, told("at", at, new))


@operator("name-another-run", "A line says that it is of another run.")
def _(hand: Hand) -> Change:
    log = hand.log()
    place = hand.chance.randrange(len(log.lines))
    line = log.lines[place]
    old, line["run"] = line["run"], hand.pick([line["run"][:-1] + "7", "run-9", line["run"].upper(), ""])
    return hand.rewritten(log, place, told("run", old, line["run"]))


@operator(
    "name-another-version-of-the-schema", "A line says that it is of another schema version than it is written in."
)
def _(hand: Hand) -> Change:
    log = hand.log()
    place = hand.chance.randrange(len(log.lines))
    line = log.lines[place]
    later = any(other["v"] == 1 for other in log.lines[place + 1 :])
    same = line["event"] not in ("call", "failure", "price", "request", "budget")
    downs = line["v"] == 2 and (place == 0 or log.lines[place - 1]["v"] == 1)
    # A line without anything that version 2 brought may be of either, so long as `v` never goes down.
    new = hand.pick([3, 0] if same and (downs or (line["v"] == 1 and not later)) else [3, 0, 3 - line["v"]])
    old, line["v"] = line["v"], new
    return hand.rewritten(log, place, told("v", old, new))


@operator("begin-twice", "A second first line, or a second closing line, and the chain made anew.")
def _(hand: Hand) -> Change:
    log = hand.log(lambda log: log.closing is not None)
    line = hand.pick([log.lines[0], log.lines[-1]])
    place = hand.chance.randrange(1, len(log.lines))
    log.lines.insert(place, dict(line))
    return hand.rewritten(log, place, f"a second {line['event']}", recount=True)


@operator("write-behind-the-end", "Something follows the closing line: bytes without LF, or a line.")
def _(hand: Hand) -> Change:
    log = hand.log(lambda log: log.closing is not None and log.closing["event"] == "finish")
    if hand.chance.randrange(2):
        log.tail = text_of(log.lines[-1])[: hand.chance.randrange(1, 60)]
        return hand.rewritten(log, len(log.lines), f"{len(log.tail)} bytes behind the last LF")
    log.lines.append(dict(hand.pick(log.lines[1:-1]), at=log.lines[-1]["at"]))
    return hand.rewritten(log, len(log.lines) - 2, f"a {log.lines[-1]['event']} behind the closing line")
