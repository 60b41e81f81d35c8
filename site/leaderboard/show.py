"""How values look: exact values stay in the records, this is only their display."""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from leaderboard.shapes import Rate

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
_HALVES = re.compile("[\ud800-\udfff]")
_PARTS = re.compile(r"`(?! )([^`]+)(?<! )`|\b([RACM]\d{1,2})\b")
# Characters that a reader cannot see, that turn the text around, or that XML, and with it a chart, cannot hold: named
# beside the text, never taken out of it.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\ufffe\uffff\U000e0000-\U000e01ef]"
)


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a rule's text: plain, code, or a reference to another rule."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Unseen:
    """A character that does not show, and how often it stands in a text."""

    code: str
    name: str
    count: int


def percent(value: float | None) -> str:
    """Show a share in per cent; what rounds to nothing or to all, but is not, says so."""
    if value is None:
        raise ValueError("an empty rate has no display; test for n first")
    if 0 < value < 0.0005:
        return "<0.1%"
    if 0.9995 <= value < 1:
        return ">99.9%"
    return f"{value * 100:.1f}%"


def points(value: float | None) -> str:
    """Show a mean in points."""
    if value is None:
        raise ValueError("an empty mean has no display; test for n first")
    return f"{value:.1f}"


def amount(value: float | None, rate: Rate) -> str:
    """Show the value, or an end of the interval, of a rate or a mean."""
    return points(value) if rate.k is None else percent(value)


def score(hundredths: int) -> str:
    """Show an exact score, as the agents of Cascades see it."""
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def dollars(microusd: float) -> str:
    """Show a cost to a hundredth of a cent, so that a column of them lines up; what is not nothing never reads so."""
    return "<$0.0001" if 0 < microusd < 100 else f"${microusd / 1e6:,.4f}"


def exact_dollars(microusd: int) -> str:
    """Show a whole number of micro-dollars with nothing rounded away; no trailing zeros beyond cents."""
    dollars, rest = f"{microusd // 10**6:,}", f"{microusd % 10**6:06d}"
    return f"${dollars}.{rest[:2]}{rest[2:].rstrip('0')}"


def whole(value: int) -> str:
    """Show a count with thin groups."""
    return f"{value:,}"


def coordinate(value: float, top: float = 1.0) -> str:
    """Show a part of `top` as a length of 100, for drawing."""
    return f"{value / top * 100:.2f}"


def day(moment: str) -> str:
    """Show the date of a UTC time."""
    return moment[:10]


def is_moment(text: str) -> bool:
    """Tell whether a text is a UTC time as logs write it."""
    return _MOMENT.fullmatch(text) is not None


def minute(moment: str) -> str:
    """Show a UTC time to the minute; what is no such time stays as it is."""
    return f"{moment[:10]} {moment[11:16]} UTC" if is_moment(moment) else moment


def short(digest: str) -> str:
    return digest[:12]


def size(count: int) -> str:
    """Show a file's size."""
    return (
        f"{count:,} B" if count < 10_000 else f"{count / 1000:,.0f} kB" if count < 10**7 else f"{count / 1e6:,.0f} MB"
    )


def rule_parts(text: str) -> tuple[Part, ...]:
    """Split a rule's text into plain text, code and references, for a template to mark up."""
    parts: list[Part] = []
    end = 0
    for match in _PARTS.finditer(text):
        if match.start() > end:
            parts.append(Part("text", text[end : match.start()]))
        parts.append(Part("code", match[1]) if match[1] is not None else Part("rule", match[2]))
        end = match.end()
    if end < len(text):
        parts.append(Part("text", text[end:]))
    return tuple(parts)


def visible(names: Iterable[str]) -> dict[str, str]:
    """Give each name a label in which nothing hides, and no label to two names."""
    labels: dict[str, str] = {}
    for name in names:
        label = _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", name)
        while label in labels.values():
            label += "\N{REPLACEMENT CHARACTER}"
        labels[name] = label
    return labels


def json_text(value: Any) -> str:
    """Give the text of a JSON document that can be written as UTF-8, also where a name holds half of a character."""
    text = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
    return text if text.isascii() or not _HALVES.search(text) else json.dumps(value, indent=1) + "\n"


def line(text: str, longest: int) -> str:
    """Give a text as one line for XML or a picture: nothing hides in it, and a longer one ends in an ellipsis."""
    said = " ".join(_UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text).split())
    return said if len(said) <= longest else said[: longest - 1] + "\N{HORIZONTAL ELLIPSIS}"


def unseen(text: str) -> tuple[Unseen, ...]:
    """Name the characters of a text that do not show."""
    if text.isascii() and text.isprintable():
        return ()
    counts = Counter(_UNSEEN.findall(text))
    return tuple(
        Unseen(f"U+{ord(c):04X}", unicodedata.name(c, "CONTROL").title(), n) for c, n in sorted(counts.items())
    )
