"""builder.json, checked.json and leaderboard.json: one value, one row, one key that is not what was computed."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from typing import Any, Final

from checker.selftest.operators.operator import Catalogue, Change, Hand, NoPlace, one_file, replaced, told
from checker.selftest.publish import are_rows, table_bytes
from checker.tables import compact

TABLES: Final = Catalogue("table")
operator = TABLES.operator
NAMES: Final = ("builder.json", "checked.json", "leaderboard.json")
Row = dict[str, Any]


class Table:
    """One table, to be altered."""

    def __init__(self, hand: Hand, names: tuple[str, ...] = NAMES) -> None:
        self.hand = hand
        self.name = hand.pick(names)
        self.path = f"{hand.world.tables}/{self.name}"
        self.before = hand.world.files[self.path]
        self.value: Row = json.loads(self.before)

    def places(self) -> Iterator[tuple[Any, Any]]:
        """(object, key) of every value but objects and lists of objects; (list, place) of the items of other lists."""
        stack: list[Any] = [self.value]
        while stack:
            some = stack.pop()
            for key, value in some.items() if isinstance(some, dict) else enumerate(some):
                if isinstance(value, dict | list):
                    stack.append(value)
                else:
                    yield some, key

    def objects(self) -> Iterator[Row]:
        """Every object."""
        stack: list[Any] = [self.value]
        while stack:
            some = stack.pop()
            if isinstance(some, dict):
                yield some
            stack += [v for v in (some.values() if isinstance(some, dict) else some) if isinstance(v, dict | list)]

    def rates(self) -> list[Row]:
        """Every rate with a value."""
        return [some for some in self.objects() if "lo" in some and some["value"] is not None]

    def place(self, fits: Callable[[Any], bool]) -> tuple[Any, Any]:
        """A place whose value fits."""
        return self.hand.pick([(some, key) for some, key in self.places() if fits(some[key])])

    def rows(self) -> tuple[str, list[Row]]:
        """A list of rows, and its name."""
        lists = {key: value for part in (self.value, self.value.get("slices", {})) for key, value in part.items()}
        return self.hand.pick([pair for pair in lists.items() if are_rows(pair[1])])

    def changed(self, what: str) -> Change:
        """The change; its lines where there are as many as before."""
        data = table_bytes(self.value)
        if data == self.before:
            raise NoPlace
        old, new = self.before.split(b"\n"), data.split(b"\n")
        what = f"{self.name}: {what}"
        if len(old) != len(new):
            return one_file(self.path, data, what)
        first, *more = (n for n, (a, b) in enumerate(zip(old, new, strict=True), 1) if a != b)
        return Change({self.path: data}, self.path, first, what, more=tuple(more))


def _integer(value: Any) -> bool:
    return type(value) is int


@operator("change-a-count", "An integer is another one.")
def _(hand: Hand) -> Change:
    table = Table(hand)
    some, key = table.place(_integer)
    old = some[key]
    some[key] = hand.pick([old + 1, old - 1, old * 10 + 1, 0 if old else 1])
    return table.changed(told(str(key), old, some[key]))


@operator("round-wrongly", "A number is rounded: to two, four or six decimals, or down.")
def _(hand: Hand) -> Change:
    table = Table(hand)
    some, key = table.place(lambda value: type(value) is float)
    old = some[key]
    places = hand.pick([2, 4, 6])
    some[key] = hand.pick([round(old, places), math.floor(old * 10**places) / 10**places])
    if abs(some[key] - old) <= 2e-9:
        raise NoPlace  # rule R20 calls them equal
    return table.changed(told(str(key), old, some[key]))


@operator("change-a-last-digit", "A published number is the next one that a computer can write.")
def _(hand: Hand) -> Change:
    table = Table(hand, ("checked.json", "leaderboard.json"))
    some, key = table.place(lambda value: type(value) is float)
    old = some[key]
    some[key] = math.nextafter(old, hand.pick([math.inf, -math.inf]))
    return table.changed(told(str(key), old, some[key]))


@operator("change-a-denominator", "A rate is of another n, and its value fits.")
def _(hand: Hand) -> Change:
    table = Table(hand)
    rate = hand.pick([rate for rate in table.rates() if rate["k"] is not None])
    old = rate["n"]
    rate["n"] += hand.pick([1, 2, 10])
    rate["value"] = rate["k"] / rate["n"]
    return table.changed(told("n", old, rate["n"]))


@operator("take-a-neighbours-interval", "A rate has the interval of another one, or its own the wrong way round.")
def _(hand: Hand) -> Change:
    table = Table(hand)
    one, other = hand.pick(table.rates()), hand.pick(table.rates())
    bounds = (other["lo"], other["hi"]) if hand.chance.randrange(4) else (one["hi"], one["lo"])
    if max(abs(a - b) for a, b in zip(bounds, (one["lo"], one["hi"]), strict=True)) < 1e-6:
        raise NoPlace
    what = told("lo, hi", (one["lo"], one["hi"]), bounds)
    one["lo"], one["hi"] = bounds
    return table.changed(what)


@operator("write-0-for-nothing", "A null is 0, or a number is null.")
def _(hand: Hand) -> Change:
    table = Table(hand)
    if hand.chance.randrange(2):
        some, key = table.place(lambda value: value is None)
        new: Any = hand.pick([0, 0.0, ""])
    else:
        some, key = table.place(lambda value: type(value) in (int, float))
        new = None
    old, some[key] = some[key], new
    return table.changed(told(str(key), old, new))


@operator("give-a-number-another-type", "A value is of another type: 1.0 or true for 1, a text for a number.")
def _(hand: Hand) -> Change:
    table = Table(hand)
    some, key = table.place(lambda value: value is not None)
    old = some[key]
    types: dict[type, list[Any]] = {
        int: [float(old) if _integer(old) else 0, str(old), bool(old)], float: [str(old), [old]],
        bool: [int(old) if isinstance(old, bool) else 0, str(old).lower()], str: [[old], 7],
    }  # fmt: skip
    some[key] = hand.pick(types[type(old)])
    return table.changed(told(str(key), old, compact(some[key])))


@operator("change-a-text", "A text is another one: a model, a state, an answer, a digest, a reason.")
def _(hand: Hand) -> Change:
    table = Table(hand)
    some, key = table.place(lambda value: isinstance(value, str))
    old = some[key]
    at = hand.chance.randrange(len(old) + 1)
    some[key] = hand.pick([old[:at] + "x" + old[at:], old[:at] + old[at + 1 :], old.upper(), old + " "])
    return table.changed(told(str(key), old, some[key]))


@operator("flip-a-flag", "A true is false, or a false true.")
def _(hand: Hand) -> Change:
    table = Table(hand)
    some, key = table.place(lambda value: isinstance(value, bool))
    return table.changed(replaced(some, key, not some[key]))


@operator("swap-two-models-numbers", "Two models have each other's rates, ledger or use.")
def _(hand: Hand) -> Change:
    table = Table(hand)
    one, other = hand.chance.sample(table.value["rows"], 2)
    key = hand.pick(["metrics", "ledger", "use"])
    one[key], other[key] = other[key], one[key]
    return table.changed(f"{key} of {one['model']} and {other['model']}")


@operator("shift-in-the-ledger", "A duel or slot stands in another column of the ledger, which still adds up.")
def _(hand: Hand) -> Change:
    table = Table(hand)
    ledger = hand.pick([row["ledger"] for row in table.value["rows"]])
    one = hand.pick([name for name, value in ledger.items() if value and name != "attempted"])
    # A state that the version does not have is null, and takes nothing.
    other = hand.pick([name for name, value in ledger.items() if value is not None and name not in (one, "attempted")])
    ledger[one] -= 1
    ledger[other] += 1
    return table.changed(f"one less {one}, one more {other}")


@operator("drop-a-row", "A row is left out, or a whole list of rows.", seldom=True)
def _(hand: Hand) -> Change:
    table = Table(hand)
    key, rows = table.rows()
    if hand.chance.randrange(6) == 0:
        rows.clear()
        return table.changed(f"{key}: no row is left")
    del rows[hand.chance.randrange(len(rows))]
    return table.changed(f"{key}: a row less")


@operator("double-a-row", "A row stands twice, as it is or as another model's.", seldom=True)
def _(hand: Hand) -> Change:
    table = Table(hand)
    key, rows = table.rows()
    row = dict(hand.pick(rows))
    name = hand.pick(["same", *[name for name in ("model", "defender", "attacker", "fact", "run") if name in row]])
    if name != "same":
        row[name] = "zoe"
    rows.insert(hand.chance.randrange(len(rows) + 1), row)
    return table.changed(f"{key}: a row more ({name})")


@operator("swap-two-rows", "Two rows stand in each other's place.")
def _(hand: Hand) -> Change:
    table = Table(hand)
    key, rows = table.rows()
    if len(rows) < 2:
        raise NoPlace
    one, other = hand.chance.sample(range(len(rows)), 2)
    rows[one], rows[other] = rows[other], rows[one]
    return table.changed(f"{key}: rows {one} and {other}")


@operator("drop-a-field", "An object has a key less.")
def _(hand: Hand) -> Change:
    table = Table(hand)
    some = hand.pick(list(table.objects()))
    key = hand.pick(list(some))
    del some[key]
    return table.changed(f"no {key}")


@operator("add-a-field", "An object has a key more.")
def _(hand: Hand) -> Change:
    table = Table(hand)
    hand.pick(list(table.objects()))[hand.pick(["note", "Model", "adjusted"])] = hand.pick([None, 0, "x"])
    return table.changed("a key more")


@operator("swap-two-fields", "Two keys of an object stand in another order.")
def _(hand: Hand) -> Change:
    table = Table(hand)
    some = hand.pick([some for some in table.objects() if len(some) > 1])
    names = list(some)
    one, other = hand.chance.sample(range(len(names)), 2)
    names[one], names[other] = names[other], names[one]
    ordered = {name: some[name] for name in names}
    some.clear()
    some.update(ordered)
    return table.changed(f"{names[one]} and {names[other]}")


@operator("change-a-list", "A list of plain values has an item more, less, or in another place.")
def _(hand: Hand) -> Change:
    table = Table(hand)
    lists = [value for some in table.objects() for value in some.values() if isinstance(value, list) and value]
    some = hand.pick([value for value in lists if not are_rows(value)])
    before, way = list(some), hand.chance.randrange(3)
    if way == 0:
        some.append(some[0])
    elif way == 1:
        some.pop()
    else:
        some.reverse()
    return table.changed(told("list", before, some))


@operator(
    "write-a-table-otherwise",
    "checked.json has the same values in other bytes: a blank, an escape, no last LF.",
    seldom=True,
)
def _(hand: Hand) -> Change:
    table = Table(hand, ("checked.json",))
    text, way = table.before.decode(), hand.chance.randrange(4)
    at = hand.pick([n for n, char in enumerate(text) if char == ","]) + 1
    new = [text[:at] + " " + text[at:], text[:-1], text.replace('"model"', '"mod\\u0065l"', 1), text + "\n"][way]
    return one_file(table.path, new.encode(), "other bytes")
