"""What is done to a line: each mutation takes (chance, line, another line) and gives bytes, which may hold LFs."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from typing import Any, Final

from tests.fuzz.alphabet import BYTES, CLOCKS, ESCAPES, LOOK_ALIKES, SPACES, TIMES, VALUES

Mutation = Callable[[random.Random, bytes, bytes], bytes]

_TOKEN: Final = re.compile(rb'"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|[a-z]+|[\[\]{}:,]|.', re.DOTALL)


def tokens(line: bytes) -> list[bytes]:
    """JSON's tokens, and every other byte alone; joined they are the line."""
    return _TOKEN.findall(line)


def _at(chance: random.Random, line: bytes) -> int:
    return chance.randrange(len(line) + 1)


def flip(chance: random.Random, line: bytes, other: bytes) -> bytes:
    at = chance.randrange(len(line))
    return line[:at] + bytes([line[at] ^ (1 << chance.randrange(8))]) + line[at + 1 :]


def hostile_bytes(chance: random.Random, line: bytes, other: bytes) -> bytes:
    at = chance.choice((0, len(line), _at(chance, line), _at(chance, line)))
    return line[:at] + chance.choice(BYTES) + line[at + chance.randrange(2) :]


def cut(chance: random.Random, line: bytes, other: bytes) -> bytes:
    start, end = sorted((_at(chance, line), _at(chance, line)))
    return line[:start] + line[min(end, start + chance.choice((1, 2, 9, 400))) :]


def double(chance: random.Random, line: bytes, other: bytes) -> bytes:
    start = _at(chance, line)
    end = start + chance.choice((1, 5, 40))
    return line[:end] + line[start:]


def _some(chance: random.Random, parts: list[bytes], test: Callable[[bytes], bool]) -> int:
    places = [place for place, part in enumerate(parts) if test(part)]
    return chance.choice(places) if places else chance.randrange(len(parts))


def drop_token(chance: random.Random, line: bytes, other: bytes) -> bytes:
    parts = tokens(line)
    del parts[chance.randrange(len(parts))]
    return b"".join(parts)


def double_token(chance: random.Random, line: bytes, other: bytes) -> bytes:
    parts = tokens(line)
    at = chance.randrange(len(parts))
    return b"".join(parts[: at + 1] + parts[at:])


def swap_tokens(chance: random.Random, line: bytes, other: bytes) -> bytes:
    parts = tokens(line)
    a, b = chance.randrange(len(parts)), chance.randrange(len(parts))
    parts[a], parts[b] = parts[b], parts[a]
    return b"".join(parts)


def foreign_token(chance: random.Random, line: bytes, other: bytes) -> bytes:
    parts = tokens(line)
    parts[chance.randrange(len(parts))] = chance.choice(tokens(other))
    return b"".join(parts)


def value(chance: random.Random, line: bytes, other: bytes) -> bytes:
    """One value, of any place, becomes another thing."""
    parts = tokens(line)
    places = [i for i, part in enumerate(parts) if i and parts[i - 1] in (b":", b"[") and part not in (b"{", b"[")]
    parts[chance.choice(places) if places else 0] = chance.choice(VALUES)
    return b"".join(parts)


def number(chance: random.Random, line: bytes, other: bytes) -> bytes:
    parts = tokens(line)
    at = _some(chance, parts, lambda part: part[:1].isdigit())
    more = (b"0", b"-", b"+", b"0" * 20, b"1")
    parts[at] = chance.choice([*(m + parts[at] for m in more), *(parts[at] + m for m in (b".0", b"e0", b"E0", b"0"))])
    return b"".join(parts)


def key(chance: random.Random, line: bytes, other: bytes) -> bytes:
    """A key in another case, with a look-alike, an escape or a space."""
    parts = tokens(line)
    keys = [i for i in range(len(parts) - 1) if parts[i + 1] == b":"]
    at = chance.choice(keys) if keys else 0
    name = parts[at][1:-1]
    letter = chance.choice(name.decode("latin-1") or "x").encode("latin-1")
    changed = chance.choice(
        (name.upper(), name.title(), name.replace(letter, LOOK_ALIKES.get(letter, "x").encode()),
         name.replace(letter, b"\\u%04x" % letter[0]), name + b" ", b" " + name, name[:-1], b"", name + b"\\u0000",
         name + b"\xe2\x80\x8b")
    )  # fmt: skip
    parts[at] = b'"' + changed + b'"'
    return b"".join(parts)


def key_twice(chance: random.Random, line: bytes, other: bytes) -> bytes:
    parts = tokens(line)
    keys = [i for i in range(len(parts) - 1) if parts[i + 1] == b":"]
    at = chance.choice(keys) if keys else 0
    again = chance.choice((parts[at], parts[at].upper(), parts[at].title(), parts[at].swapcase()))
    pair = again + b":" + chance.choice((*VALUES, *parts[at + 2 : at + 3]))
    parts.insert(at, pair + b",")
    return b"".join(parts)


class Pairs(list[tuple[str, Any]]):
    """An object with its keys in their order, each as often as it stands."""


def _pairs(line: bytes) -> Pairs:
    try:
        found = json.loads(line, object_pairs_hook=Pairs)
    except (ValueError, RecursionError):
        return Pairs()
    return found if isinstance(found, Pairs) else Pairs()


def _object(pairs: Pairs) -> bytes:
    def text(item: Any) -> str:
        if isinstance(item, Pairs):
            return "{" + ",".join(f"{text(key)}:{text(one)}" for key, one in item) + "}"
        if isinstance(item, list):
            return "[" + ",".join(map(text, item)) + "]"
        return json.dumps(item, ensure_ascii=False)

    try:
        return text(pairs).encode("utf-8", "surrogatepass")
    except (RecursionError, ValueError):  # another mutation went deep, or made a number too long to be written
        return b"{}"


def order(chance: random.Random, line: bytes, other: bytes) -> bytes:
    pairs = _pairs(line)
    if len(pairs) < 2:
        return line[::-1]
    at = chance.randrange(len(pairs) - 1)
    pairs[at], pairs[at + 1] = pairs[at + 1], pairs[at]
    return _object(pairs)


def fewer_keys(chance: random.Random, line: bytes, other: bytes) -> bytes:
    pairs = _pairs(line)
    if pairs:
        del pairs[chance.randrange(len(pairs))]
    return _object(pairs) if pairs else b"{}"


def more_keys(chance: random.Random, line: bytes, other: bytes) -> bytes:
    pairs = _pairs(line)
    more = chance.choice((("note", 1), ("", None), ("provider", None), ("usage", None), ("cost", 0), ("v", 1)))
    pairs.insert(chance.randrange(len(pairs) + 1), more)
    return _object(pairs)


def foreign_value(chance: random.Random, line: bytes, other: bytes) -> bytes:
    """The value that another line has at the same key: mostly sound, and another meaning."""
    pairs, theirs = _pairs(line), dict(_pairs(other))
    shared = [i for i, (name, _) in enumerate(pairs) if name in theirs]
    if not shared:
        return other
    at = chance.choice(shared)
    pairs[at] = (pairs[at][0], theirs[pairs[at][0]])
    return _object(pairs)


def escape(chance: random.Random, line: bytes, other: bytes) -> bytes:
    """An escape or a raw byte inside a string."""
    parts = tokens(line)
    at = _some(chance, parts, lambda part: part[:1] == b'"' and len(part) > 1)
    inside = chance.randrange(1, max(2, len(parts[at])))
    parts[at] = parts[at][:inside] + chance.choice((*ESCAPES, *ESCAPES, *BYTES)) + parts[at][inside:]
    return b"".join(parts)


def space(chance: random.Random, line: bytes, other: bytes) -> bytes:
    parts = tokens(line)
    at = chance.choice((0, len(parts), chance.randrange(len(parts)), chance.randrange(len(parts))))
    parts.insert(at, chance.choice(SPACES))
    return b"".join(parts)


def header(chance: random.Random, line: bytes, other: bytes) -> bytes:
    """The fields that every line has."""
    day, clock = chance.choice(TIMES), chance.choice(CLOCKS)
    edits: list[tuple[bytes, bytes]] = [
        (rb'"v":[0-9]+', b'"v":' + chance.choice((b"0", b"1", b"2", b"3", b"02", b"1.0", b'"1"', b"true", b"1e0"))),
        (rb'"run":"[^"]*"', b'"run":' + chance.choice((b'""', b'"Run-1"', b'"run-2"', b"1", b'"run-1 "', b"null"))),
        (rb'"seq":[0-9]+', b'"seq":' + chance.choice(VALUES)),
        (rb'"at":"[^T"]*', b'"at":"' + day),
        (rb'T[^"]{13}"', b"T" + clock + b'"'),
        (rb'"prev":"[0-9a-f]', b'"prev":"' + chance.choice((b"", b"g", b"A", b"00", b"0", b"f"))),
        (rb'"event":"', b'"event":"' + chance.choice((b"", b" ", b"C", b"\\u0063"))),
    ]
    pattern, new = chance.choice(edits)
    return re.sub(pattern, lambda _: new, line, count=1)


def other_version(chance: random.Random, line: bytes, other: bytes) -> bytes:
    """A line of one version that says it is of the other, with or without what makes it so."""
    new = line.replace(b'"v":1', b'"v":2', 1) if b'"v":1' in line else line.replace(b'"v":2', b'"v":1', 1)
    if chance.random() < 0.4:
        provider = b',"provider":null'
        old = (provider, b"") if provider in new else (b',"settings":', provider + b',"settings":')
        new = new.replace(*old)
    return new


def splice(chance: random.Random, line: bytes, other: bytes) -> bytes:
    """Two writers, one line: a head with another's tail, one inside the other, both, or a lost line end."""
    mine, theirs = _at(chance, line), _at(chance, other)
    return chance.choice(
        (line[:mine] + other[theirs:], line[:mine] + other + line[mine:], line + other, line[:mine] + other,
         line + b"," + other, line + b" " + other, line[:mine] + other[mine:])
    )  # fmt: skip


def line_ends(chance: random.Random, line: bytes, other: bytes) -> bytes:
    at = _at(chance, line)
    return chance.choice(
        (line + b"\r", line + b"\n", b"\n" + line, line[:at] + b"\n" + line[at:], line + b"\n\n", b"\r\n" + line,
         line + b"\n" + line, b"", b" ", b"null", b"[]", line[:at] + b"\r" + line[at:], line + b"\n" + line[:at])
    )  # fmt: skip


def depth(chance: random.Random, line: bytes, other: bytes) -> bytes:
    many = chance.choice((2, 3, 31, 33, 34, 500, 3000, 100_000 if chance.random() < 0.02 else 1000))
    opened, closed = chance.choice(((b"[", b"]"), (b'{"a":', b"}"), (b"[", b""), (b'[{"a":', b"}]")))
    parts = tokens(line)
    places = [i for i, _ in enumerate(parts) if i and parts[i - 1] in (b":", b"[")]
    parts[chance.choice(places) if places else 0] = opened * many + b"1" + closed * many
    return b"".join(parts)


def several(chance: random.Random, line: bytes, other: bytes) -> bytes:
    """Two or three of the others, one after the other."""
    for _ in range(chance.randint(2, 3)):
        if line:
            line = chance.choice(SINGLE)(chance, line, other)
    return line


SINGLE: Final[tuple[Mutation, ...]] = (
    flip, hostile_bytes, cut, double, drop_token, double_token, swap_tokens, foreign_token, value, number, key,
    key_twice, order, fewer_keys, more_keys, foreign_value, escape, space, header, other_version, splice, line_ends,
    depth,
)  # fmt: skip
MUTATIONS: Final[dict[str, Mutation]] = {mutation.__name__: mutation for mutation in (*SINGLE, several)}
