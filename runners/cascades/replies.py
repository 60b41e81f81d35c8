"""Reads one JSON object out of a reply and an action out of the object; nothing is ever repaired (C10 to C13)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from runners.cascades.records import Claim, Config
from runners.thinking import without_thinking

MAX_DEPTH = 32
_BLANKS = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]+")
_NO_TEXT = re.compile("[\x00\ud800-\udfff]")
_PLAIN_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]{1,2})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Number:
    """A JSON number that is not a plain integer, as it was written."""

    text: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What a turn's object asks for; `dropped` counts what was not valid or beyond a limit."""

    experiments: tuple[Config, ...] = ()
    claims: tuple[Claim, ...] = ()
    note: str = ""
    submission: Config | None = None
    dropped: int = 0


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise ValueError("a key stands twice")
    return record


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _integer(text: str) -> int | Number:
    return int(text) if len(text) <= 18 else Number(text)


_decoder = json.JSONDecoder(
    object_pairs_hook=_unique, parse_int=_integer, parse_float=Number, parse_constant=_refuse, strict=True
)


def find_object(text: str) -> dict[str, Any] | None:
    """The one JSON object of a reply, or None if the reply does not parse (C10)."""
    text = without_thinking(text).removeprefix("\ufeff")
    start = text.find("{")
    if start < 0:
        return None
    found = _decode(text, start)
    if found is None:
        return None
    record, end = found
    while (end := text.find("{", end)) >= 0:
        if _decode(text, end) is not None:
            return None
        end += 1
    return record


def _decode(text: str, start: int) -> tuple[dict[str, Any], int] | None:
    try:
        record, end = _decoder.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return (record, end) if _sound(record) else None


def _sound(value: object) -> bool:
    """At most 32 levels, and no string (key or value) with a NUL or a lone surrogate; without recursion."""
    here: list[object] = [value]
    for _ in range(MAX_DEPTH + 1):
        if any(isinstance(part, str) and _NO_TEXT.search(part) for part in here):
            return False
        containers = [part for part in here if isinstance(part, dict | list)]
        if not containers:
            return True
        here = []
        for part in containers:
            here += [*part, *part.values()] if isinstance(part, dict) else part
    return False


def read_action(record: dict[str, Any], *, board: bool, final: bool) -> Reading:
    """The action of an object (C12); `board` is false in the isolated cell, `final` true in turn 6."""
    wanted = {"submission"} if final else {"experiments", "submission", *(("claims", "note") if board else ())}
    dropped = sum(key not in wanted for key in record)
    record = {key: value for key, value in record.items() if key in wanted}
    experiments, lost = _entries(record.get("experiments"), 2, read_config)
    claims, lost_claims = _entries(record.get("claims"), 3, _claim)
    note, lost_note = _note(record.get("note"))
    submission = read_config(record.get("submission"))
    lost_submission = submission is None and record.get("submission") is not None
    return Reading(
        experiments=experiments,
        claims=claims,
        note=note,
        submission=submission,
        dropped=dropped + lost + lost_claims + lost_note + lost_submission,
    )


def read_config(value: object) -> Config | None:
    """A list of exactly six JSON integers from 0 to 9, or None."""
    if not isinstance(value, list) or len(value) != 6:
        return None
    if not all(type(part) is int and 0 <= part <= 9 for part in value):
        return None
    return tuple(value)


def _entries(value: object, limit: int, read: Any) -> tuple[tuple[Any, ...], int]:
    """The valid ones among the first `limit` entries of a list, and how many entries were dropped."""
    if value is None:
        return (), 0
    if not isinstance(value, list):
        return (), 1
    kept = tuple(entry for entry in map(read, value[:limit]) if entry is not None)
    return kept, len(value) - len(kept)


def _claim(value: object) -> Claim | None:
    if not isinstance(value, dict):
        return None
    config, score, receipt = read_config(value.get("config")), _score(value.get("score")), value.get("receipt")
    if config is None or score is None:
        return None
    if receipt is not None and not (isinstance(receipt, str) and 1 <= len(receipt) <= 40):
        return None
    return Claim(config, score, receipt)


def _score(value: object) -> int | None:
    """A JSON number from 0 to 100 with at most two decimals and no exponent, in hundredths."""
    text = value.text if isinstance(value, Number) else str(value) if type(value) is int else ""
    if not _PLAIN_NUMBER.fullmatch(text) or len(text) > 6:
        return None
    score = int(Decimal(text) * 100)
    return score if score <= 10_000 else None


def _note(value: object) -> tuple[str, int]:
    if value is None:
        return "", 0
    if not isinstance(value, str):
        return "", 1
    return _BLANKS.sub(" ", value).strip(" ")[:280], 0
