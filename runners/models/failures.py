"""What an HTTP answer that is no reply means: which kind of failure, what it says, when to ask again."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from runners.models.reply import message_of

# Anything else below 500 means that the request itself is wrong, anything else from 500 on that the provider is.
STATUS_KINDS: Mapping[int, str] = {
    401: "auth",
    402: "auth",
    403: "auth",
    408: "timeout",
    429: "rate_limit",
    504: "timeout",
}
# Asking again does not help where nothing is left to spend, whatever the status is.
SPENT_CODES = frozenset({"insufficient_quota", "billing_not_active", "billing_hard_limit_reached", "billing_error"})
SPENT_SUFFIX = "spend_limit_reached"
SPENT_WORDS = "credit balance is too low"  # Anthropic, with the status and the type of a wrong request

_SECONDS = re.compile(r"\d{1,12}(?:\.\d+)?")
LONGEST_BODY_QUOTED = 300


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer. The names of `headers` are in lower case; `body` is what could be read of it."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def complaint_in(answer: Answer) -> tuple[str, frozenset[str]]:
    """What the body of an error says, and the codes and types that it gives."""
    text = answer.body.decode("utf-8", "replace").strip()
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return text[:LONGEST_BODY_QUOTED] or "no reason given", frozenset()
    error = (body.get("error") or body) if isinstance(body, dict) else body
    if not isinstance(error, dict):
        return message_of(error), frozenset()
    details = error.get("details")
    codes = [error.get("code"), error.get("type"), details.get("error_code") if isinstance(details, dict) else None]
    return message_of(error), frozenset(code for code in codes if isinstance(code, str))


def kind_of(status: int, message: str, codes: Collection[str]) -> str:
    """The kind of failure that an answer other than a 200 is."""
    spent = any(code in SPENT_CODES or code.endswith(SPENT_SUFFIX) for code in codes)
    if spent or (status < 500 and SPENT_WORDS in message.lower()):
        return "auth"
    return STATUS_KINDS.get(status, "overloaded" if status >= 500 else "config")


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds after which the provider wants to be asked again, from now, never negative; None if it does not say.

    Reads `retry-after-ms`, and `retry-after` as seconds or as an HTTP date; anything else there is ignored.
    """
    milliseconds, wanted = headers.get("retry-after-ms", "").strip(), headers.get("retry-after", "").strip()
    if _SECONDS.fullmatch(milliseconds):
        return float(milliseconds) / 1000
    if _SECONDS.fullmatch(wanted):
        return float(wanted)
    try:
        return max(0.0, parsedate_to_datetime(wanted).timestamp() - time.time())
    except (ValueError, OverflowError, OSError):
        return None
