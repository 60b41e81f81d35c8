"""Lines of logs written otherwise: L2 to L5.  The chain of the lines after them is made anew."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from checker.loglines import canonical
from checker.selftest.operators.log_bytes import text_of
from checker.selftest.operators.operator import Catalogue, Change, Hand, one_file, told
from checker.selftest.world import Event

LOG_SPELLING: Final = Catalogue("log")

Write = Callable[[Event, Hand], tuple[bytes, str]]


def written(name: str, about: str) -> Callable[[Write], Write]:
    """An operator that writes one line in another way."""

    def register(write: Write) -> Write:
        @LOG_SPELLING.operator(name, about)
        def _(hand: Hand) -> Change:
            log = hand.log()
            place = hand.chance.randrange(len(log.lines))
            first = log.lines[0]["prev"]  # which may be what is altered
            text, what = write(log.lines[place], hand)
            return one_file(log.path, log.chained(first, written={place: text}), what, place + 1)

        return write

    return register


def objects(line: Event) -> list[dict[str, Any]]:
    """The line and the objects in it whose keys the schema names, but settings, which are the model's own."""
    found = [line]
    for name, value in line.items():
        items = value if isinstance(value, list) else [value]
        found += [item for item in items if isinstance(item, dict) and name != "settings"]
    return found


@written("add-a-key", "An object of a line has a key more.")
def _(line: Event, hand: Hand) -> tuple[bytes, str]:
    hand.pick(objects(line))["note_to_self"] = None
    return text_of(line), "the key note_to_self is there"


@written("lose-a-key", "An object of a line has a key less.")
def _(line: Event, hand: Hand) -> tuple[bytes, str]:
    some = hand.pick(objects(line))
    name = hand.pick(list(some))
    del some[name]
    return text_of(line), f"the key {name} is missing"


@written("write-a-key-in-capitals", "A key is written in capitals.")
def _(line: Event, hand: Hand) -> tuple[bytes, str]:
    name = hand.pick(list(hand.pick(objects(line))))
    return text_of(line).replace(f'"{name}":'.encode(), f'"{name.upper()}":'.encode(), 1), f"{name} → {name.upper()}"


@written("write-a-key-twice", "A key stands twice in one object.")
def _(line: Event, hand: Hand) -> tuple[bytes, str]:
    some = hand.pick(objects(line))
    name = hand.pick(list(some))
    pair = text_of({name: some[name]})[1:-1]
    return text_of(line).replace(pair, pair + b"," + pair, 1), f"the key {name} stands twice"


@written("swap-two-keys", "Two keys of an object stand in another order.")
def _(line: Event, hand: Hand) -> tuple[bytes, str]:
    some = hand.pick(objects(line))
    names = list(some)
    one, other = hand.chance.sample(range(len(names)), 2)
    names[one], names[other] = names[other], names[one]
    ordered = {name: some[name] for name in names}
    some.clear()
    some.update(ordered)
    return text_of(line), f"{names[one]} and {names[other]} change places"


@written(
    "write-json-otherwise", "The same values in a spelling that is not canonical: a blank, an escape, an exponent."
)
def _(line: Event, hand: Hand) -> tuple[bytes, str]:
    text = text_of(line).decode()
    places = [match.start() for match in re.finditer('[":,]', canonical(line)) if _outside(text, match.start())]
    letters = [match.start() for match in re.finditer(r"(?<![\\u0-9a-f])[a-z]", text)]
    way = hand.chance.randrange(3)
    if way == 0:
        at = hand.pick(places)
        return (text[: at + 1] + " " + text[at + 1 :]).encode(), f"a blank behind character {at + 1}"
    if way == 1:
        at = hand.pick([at for at in letters if not _outside(text, at)])
        return (text[:at] + f"\\u{ord(text[at]):04x}" + text[at + 1 :]).encode(), f"character {at + 1} as an escape"
    return re.sub(r'"seq":([0-9]+)', r'"seq":\1e0', text, count=1).encode(), "seq with an exponent"


def _outside(text: str, at: int) -> bool:
    """Whether a place stands outside of strings."""
    return len(re.findall(r'(?<!\\)(?:\\\\)*"', text[: at + 1])) % 2 == 0


@written(
    "write-what-no-text-holds", "A NUL, its escape, a lone surrogate's escape or a byte that is not UTF-8 in a text."
)
def _(line: Event, hand: Hand) -> tuple[bytes, str]:
    bad = hand.pick([b"\0", b"\\u0000", b"\\ud800", b"\xff", b"\xed\xa0\x80", b"\x0b"])
    name = hand.pick([name for name, value in line.items() if isinstance(value, str) and name != "event"])
    head = f'"{name}":"'.encode()
    return text_of(line).replace(head, head + bad, 1), f"{bad!r} in {name}"


@written("give-a-value-another-type", "A value is of another type: a text for a number, 1.0 for 1, a number below 0.")
def _(line: Event, hand: Hand) -> tuple[bytes, str]:
    some = hand.pick(objects(line))
    name = hand.pick([name for name in some if name not in ("event", "v", "seq")])
    old = some[name]
    # A cost is a text or an integer, and no rule of money is about lines of version 1.
    new: Any = {str: 1.5 if name == "cost" else 7, bool: 1, dict: "none", list: {}, type(None): 1.5}.get(type(old))
    some[name] = new if new is not None else hand.pick([float(old), -1 - old, str(old), 2**53, True])
    return text_of(line), told(name, old, some[name])
