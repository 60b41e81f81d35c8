"""Reads the committed answer out of a reply, by the three answer grammars of the specs (rules A1 to A9)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Literal

from runners.thinking import without_thinking


@dataclass(frozen=True, slots=True)
class Answer:
    """What a reply commits to: the normalised number, where it came from, and the fallback's number if it ran."""

    value: str | None
    how: Literal["line", "fallback"] | None
    fallback: str | None


@dataclass(frozen=True, slots=True)
class Grammar:
    """How a version reads a reply and normalises a number (truth and lie included)."""

    read: Callable[[str], Answer]
    normalise: Callable[[str], str | None]


# --- v1 and v2: the patterns of the seed (methodology, "Extraction and normalisation") -------------------------------


def _seed_normalise(number: str) -> str:
    return f"{float(number):.4f}".rstrip("0").rstrip(".")


def _seed_grammar(number: str, label_without_number_is_none: bool) -> Grammar:
    line = re.compile(rf"ANSWER:\s*\$?({number})", re.IGNORECASE)
    label = re.compile("ANSWER:", re.IGNORECASE)
    token = re.compile(number)

    def read(text: str) -> Answer:
        if match := line.search(text):
            return Answer(_seed_normalise(match[1].replace(",", "")), "line", None)
        if label_without_number_is_none and label.search(text):
            return Answer(None, None, None)
        tokens = token.findall(text)
        if not tokens:
            return Answer(None, None, None)
        value = _seed_normalise(tokens[-1].replace(",", ""))
        return Answer(value, "fallback", value)

    return Grammar(read, _seed_normalise)


# --- v3: a committed ANSWER line or nothing --------------------------------------------------------------------------

_SPACES = {ord(c): " " for c in "\t\v\f\r\u00a0\u1680\u202f\u205f\u3000"} | dict.fromkeys(range(8192, 8203), " ")
_CLEAN = _SPACES | {0x200B: None, 0x2060: None, 0xFEFF: None, 0x2212: "-"}
# Greedy: group 1 is all that stands before the last label of the line. No re.IGNORECASE: it would admit U+017F for S.
_LABEL = re.compile(r"(.*[^0-9A-Za-z]|)[Aa][Nn][Ss][Ww][Ee][Rr][ *_`]*:(.*)", re.ASCII)
_NEGATION = re.compile(
    r"(?<![0-9A-Za-z_])(?:not|never|no|cannot|nor|neither|wrong|incorrect|instead)(?![0-9A-Za-z_])"
    r"|n['\u2019]t(?![0-9A-Za-z_])",
    re.IGNORECASE | re.ASCII,
)
_NUMBER = r"(?:(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?"
_GLUED_UNIT = r"vCPUs?|GB|GiB|MB|MiB|TB|KB|ms|USD"
_UNIT = (
    rf"%|[€£¥]|/hour|/hr|(?<! )(?:{_GLUED_UNIT})|(?<= )(?:{_GLUED_UNIT}|percent|dollars?(?: per hour)?"
    r"|USD(?: per hour|/hour)|CPUs?|cores?|(?:availability )?zones?|AZs?|(?:AWS )?regions?|buckets?"
    r"|(?:concurrent )?executions?|s|per hour)"
)
# Possessive throughout: a hostile line of many blanks must not cost more than one pass.
_VALUE = re.compile(
    r"[ *_`\"'(\[]*+"
    r"(?P<sign1>[+-]?+) *+(?:\$|€|£|¥|US\$|USD)?+ *+(?P<sign2>[+-]?+) *+"
    rf"(?P<number>{_NUMBER}) *+(?:(?i:{_UNIT}))?"
    r"[ *_`\"')\].!,;?$]*+",
    re.ASCII,
)
_TOKEN_BREAK = re.compile(r"[^0-9A-Za-z.,$€£%+_-]+", re.ASCII)
_TOKEN = re.compile(rf"([+-]?)({_NUMBER})", re.ASCII)
_PLACES = Decimal("0.0001")
_ROUNDING = Context(prec=50)  # 34 integer digits and 4 decimals fit


def _v3_normalise(number: str) -> str | None:
    """Rule A7: decimal text to canonical decimal text; None beyond 34 integer digits."""
    value = Decimal(number.replace(",", ""))  # exact: the constructor knows no precision
    if value.adjusted() >= 34 and value != 0:
        return None
    rounded = value.quantize(_PLACES, rounding=ROUND_HALF_UP, context=_ROUNDING)
    text = f"{rounded:f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _v3_read(text: str) -> Answer:
    text = without_thinking(text).translate(_CLEAN)
    labels = [match for line in text.split("\n") if (match := _LABEL.fullmatch(line))]
    value = _v3_value(labels[-1][1], labels[-1][2]) if labels else None
    if value is not None:
        return Answer(value, "line", None)
    return Answer(None, None, _v3_fallback(text))


def _v3_value(before: str, value: str) -> str | None:
    """Rules A4 to A7 on the last ANSWER line: what stands before its label, and its value."""
    if _NEGATION.search(before):
        return None
    value = value.strip(" *_`")
    if value.startswith("<") and value.endswith(">"):
        value = value[1:-1].strip(" *_`")
    match = _VALUE.fullmatch(value)
    if not match or (match["sign1"] and match["sign2"]):
        return None
    return _v3_normalise(match["sign1"] + match["sign2"] + match["number"])


def _v3_fallback(text: str) -> str | None:
    """Rule A8: the last number of the reply, reported apart and never scored."""
    for piece in reversed(_TOKEN_BREAK.split(text)):
        match = _TOKEN.fullmatch(piece.lstrip("$€£").rstrip(".,%$€£"))
        if match and (value := _v3_normalise(match[0])) is not None:
            return value
    return None


GRAMMARS: dict[str, Grammar] = {
    "v1": _seed_grammar(r"[0-9]+(?:\.[0-9]+)?", label_without_number_is_none=False),
    "v2": _seed_grammar(r"[0-9][0-9,]*(?:\.[0-9]+)?", label_without_number_is_none=True),
    "v3": Grammar(_v3_read, _v3_normalise),
}
