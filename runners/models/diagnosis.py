"""What a program's complaint means: the kind of the failure, and when a limit that was reached ends."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

# The first that fits. Programs promise no wording; these are the forms that were seen, and error_body is the rest.
KINDS = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (
            "rate_limit",
            r"quota|rate.?limit|usage limit|hit your [\w -]*limit|limit reached|resource_exhausted|too many requests"
            r"|exhausted your capacity|\b429\b",
        ),
        (
            "config",
            r"unknown (?:option|flag|argument|command)|flag (?:provided|needs)|invalid (?:model|value|option|argument)"
            r"|invalid --|requires --|selected model|model_not_found"
            r"|model[^\n]{0,80}\bnot (?:found|recognized|available|supported)",
        ),
        (
            "auth",
            r"not (?:logged|signed) in|/login\b|\blog ?in\b|\bsign[ -]?in\b|authenticat|unauthori[sz]ed|invalid api key"
            r"|\boauth|credit balance|permission.denied|ineligible|\b40[13]\b",
        ),
        ("timeout", r"timed?[ -]?out|deadline exceeded"),
        (
            "connection",
            r"connection (?:error|refused|reset)|unable to connect|no such host|enotfound|econn|fetch failed|network",
        ),
        ("overloaded", r"overloaded|unavailable|internal (?:server )?error|try again|\b5\d\d\b"),
    )
)

_EPOCH = re.compile(r"\|(\d{10})\b")
_DELAY = re.compile(r"resets? (?:in|after) ((?:\d+(?:\.\d+)?\s*[a-z]+\s*)+)", re.IGNORECASE)
_PART = re.compile(r"(\d+(?:\.\d+)?)\s*([hms])", re.IGNORECASE)
_CLOCK = re.compile(
    r"resets? (?:at )?(?:(?P<month>[a-z]{3}) (?P<day>\d{1,2}),? (?:at )?)?"
    r"(?P<hour>1[0-2]|0?[1-9])(?::(?P<minute>\d\d))? ?(?P<half>[ap])m(?: \((?P<zone>[^)\n]{1,40})\))?",
    re.IGNORECASE,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def kind_of(complaint: str) -> str:
    """The log schema's kind of failure for what a program said; `error_body` where its words tell nothing."""
    return next((kind for kind, pattern in KINDS if pattern.search(complaint)), "error_body")


def seconds_until_reset(text: str, now: datetime) -> float | None:
    """Seconds until the time that `text` names as the end of a limit; None where it names none that can be read.

    Reads `…|1790472600` (a Unix time), `Resets in 71h15m27s`, `resets 4:50pm (America/Denver)` and
    `resets Oct 9, 5pm (UTC)`; a clock without a zone is that of `now`.
    """
    if match := _EPOCH.search(text):
        return max(0.0, int(match[1]) - now.timestamp())
    if match := _DELAY.search(text):
        parts = _PART.findall(match[1])
        units = {"h": 3600, "m": 60, "s": 1}
        return sum(float(number) * units[unit.lower()] for number, unit in parts) if parts else None
    if match := _CLOCK.search(text):
        return _until_clock(match, now)
    return None


def _until_clock(match: re.Match[str], now: datetime) -> float | None:
    zone: tzinfo | None = now.tzinfo
    try:
        if match["zone"]:
            zone = ZoneInfo(match["zone"])
        here = now.astimezone(zone)
        hour = int(match["hour"]) % 12 + (12 if match["half"].lower() == "p" else 0)
        then = here.replace(hour=hour, minute=int(match["minute"] or 0), second=0, microsecond=0)
        if match["month"]:
            then = then.replace(month=_MONTHS.index(match["month"].lower()) + 1, day=int(match["day"]))
            if then < here - timedelta(days=1):
                then = then.replace(year=then.year + 1)
        elif then <= here:
            then += timedelta(days=1)
    except (ValueError, OSError, ZoneInfoNotFoundError):  # no such time, day or zone, or a folder of zones
        return None
    return max(0.0, then.timestamp() - here.timestamp())  # not by the wall clock, which leaps
