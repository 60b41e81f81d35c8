"""C10, C12 and C13: what an agent's reply asks for, read from its text without repair."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from checker.loglines import canonical

#: C10: the object itself is the first level.
MAX_LEVELS: Final = 32
#: C12: the keys that are read; the rest is dropped.
KEYS: Final = ("experiments", "claims", "note", "submission")
#: C12: in the final turn and without a board fewer keys are read.
SCOPES: Final = {"board": KEYS, "isolated": ("experiments", "submission"), "final": ("submission",)}

_TAG: Final = re.compile(r"(?ai)<(/?)think(?:ing)?>")
# C12, note: white space and control characters.
_BLANKS: Final = re.compile("[\x00-\x20\x7f-\xa0\u2028\u2029]+")
#: `-Infinity`, or an escape pair such as `\ud83d\ude00`: what the end of a window may have cut in two.
_LONGEST_WORD: Final = 16
_NUMBER: Final = re.compile(r"-?([0-9]+)(?:\.([0-9]{1,2}))?")


class Number:
    """A JSON number as it was written: 3.0 is no integer, and no digit is lost."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def digit(self) -> int | None:
        """The integer from 0 to 9 that it is, if it is one (-0 is 0)."""
        text = self.text.removeprefix("-") if self.text == "-0" else self.text
        return int(text) if len(text) == 1 else None

    def score(self) -> int | None:
        """Hundredths of a point of a number from 0 to 100 with at most two decimals and no exponent."""
        match = _NUMBER.fullmatch(self.text)
        if match is None or len(match[1]) > 3:
            return None
        hundredths = int(match[1]) * 100 + int((match[2] or "0").ljust(2, "0"))
        if hundredths > 10000 or (hundredths and self.text.startswith("-")):
            return None
        return hundredths


@dataclass(frozen=True)
class Limits:
    """How much of a reply counts: `play` of the spec."""

    experiments: int
    claims: int
    note_length: int


@dataclass
class Reading:
    """The action of a reply that parsed; lists as the log holds them."""

    experiments: list[list[int]]
    claims: list[dict[str, Any]]
    note: str
    submission: list[int] | None
    dropped: int

    def columns(self) -> tuple[str, str, str, str | None, int]:
        """The fields as canonical JSON texts, but the note, which is plain."""
        submission = None if self.submission is None else canonical(self.submission)
        return canonical(self.experiments), canonical(self.claims), self.note, submission, self.dropped


class _NotStrict(ValueError):
    """Not an object that a strict decoder reads."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _NotStrict
    return found


def _constant(_: str) -> Any:
    raise _NotStrict


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_pairs, parse_int=Number, parse_float=Number, parse_constant=_constant, strict=True
)


def cut_thoughts(text: str) -> str:
    """C10: think blocks (rule A1 of Court of Facts, v3, in its three steps), then one leading U+FEFF, are cut."""
    if "<" in text and ">" in text:
        kept, at, begin = [], 0, -1
        for tag in _TAG.finditer(text):
            if tag[1] and begin >= 0:
                kept.append(text[at:begin])
                at, begin = tag.end(), -1
            elif not tag[1] and begin < 0:
                begin = tag.start()
        text = "".join(kept) + text[at:]
        closed = [tag.end() for tag in _TAG.finditer(text) if tag[1]]
        text = text[closed[-1] :] if closed else text
        left = _TAG.search(text)
        text = text[: left.start()] if left else text
    return text.removeprefix("\ufeff")


def one_object(text: str) -> dict[str, Any] | None:
    """C10: the one complete JSON object of a text, or None."""
    text = cut_thoughts(text)
    begin = text.find("{")
    if begin < 0:
        return None
    first = _object(text, begin)
    if first is None:
        return None
    value, end = first
    while (end := text.find("{", end)) >= 0:
        if _object(text, end) is not None:
            return None
        end += 1
    return value


def _object(text: str, begin: int) -> tuple[dict[str, Any], int] | None:
    """The complete object that begins there, and its end.  Looked for in windows that grow: an error of the decoder
    costs as much as stands before it, and a hostile reply can hold a million of them."""
    size = 1 << 10
    while True:
        window = text[begin : begin + size]
        try:
            value, end = _DECODER.raw_decode(window)
            _look(value, 1)
        except json.JSONDecodeError as fault:
            cut = fault.msg.startswith("Unterminated string") or fault.pos >= len(window) - _LONGEST_WORD
            if not cut or begin + size >= len(text):
                return None
            size *= 32
        except (_NotStrict, RecursionError):
            return None
        else:
            return value, begin + end


def _look(value: Any, level: int) -> None:
    """The levels and the strings of a value.  Raises _NotStrict."""
    if isinstance(value, str):
        if "\0" in value or (not value.isascii() and any("\ud800" <= char <= "\udfff" for char in value)):
            raise _NotStrict
    elif isinstance(value, dict | list):
        if level > MAX_LEVELS:
            raise _NotStrict
        for item in value:
            _look(item, level + 1)
        if isinstance(value, dict):
            for item in value.values():
                _look(item, level + 1)


def read_reply(text: str, scope: str, limits: Limits) -> Reading | None:
    """The action of a reply that stopped by itself, or None where it does not parse."""
    value = one_object(text)
    if value is None:
        return None
    reading = Reading([], [], "", None, 0)
    for key, found in value.items():
        if key in SCOPES[scope]:
            _READERS[key](reading, found, limits)
        else:
            reading.dropped += 1
    return reading


def config(value: Any) -> list[int] | None:
    """C12: a valid configuration, or None."""
    if not isinstance(value, list) or len(value) != 6:
        return None
    digits = [item.digit() if isinstance(item, Number) else None for item in value]
    return None if None in digits else [digit for digit in digits if digit is not None]


def _experiments(reading: Reading, value: Any, limits: Limits) -> None:
    if not isinstance(value, list):
        reading.dropped += 1
        return
    good = [config(item) for item in value[: limits.experiments]]
    reading.experiments = [item for item in good if item is not None]
    reading.dropped += len(value) - len(reading.experiments)


def _claims(reading: Reading, value: Any, limits: Limits) -> None:
    if not isinstance(value, list):
        reading.dropped += 1
        return
    good = [_claim(item) for item in value[: limits.claims]]
    reading.claims = [item for item in good if item is not None]
    reading.dropped += len(value) - len(reading.claims)


def _claim(value: Any) -> dict[str, Any] | None:
    if not isinstance(value, dict):
        return None
    where, number, receipt = config(value.get("config")), value.get("score"), value.get("receipt")
    score = number.score() if isinstance(number, Number) else None
    known = receipt is None or (isinstance(receipt, str) and 1 <= len(receipt) <= 40)
    return {"config": where, "score": score, "receipt": receipt} if where and score is not None and known else None


def _note(reading: Reading, value: Any, limits: Limits) -> None:
    if isinstance(value, str):
        reading.note = _BLANKS.sub(" ", value).strip(" ")[: limits.note_length]
    else:
        reading.dropped += 1


def _submission(reading: Reading, value: Any, _: Limits) -> None:
    reading.submission = config(value)
    reading.dropped += reading.submission is None and value is not None


_READERS: Final[dict[str, Callable[[Reading, Any, Limits], None]]] = {
    "experiments": _experiments, "claims": _claims, "note": _note, "submission": _submission,
}  # fmt: skip
