"""Reads the body of an OpenAI-style chat completion into a Completion, trusting nothing in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from runners.errors import CallFailed
from runners.models.base import Completion, Finish, Usage

FINISHES: Mapping[str, Finish] = {"stop": "stop", "length": "length", "content_filter": "refusal"}
CREDENTIAL = re.compile(r"(?i)\b(?:bearer|basic)\s+\S+|\b(?:sk|pk|key|rk|gsk)-[A-Za-z0-9_-]{6,}|\bAKIA[A-Z0-9]{12,}")
LONGEST_FAILURE = 400


def read_reply(body: bytes) -> Completion:
    """The completion in `body`, the bytes of a 200 answer.

    The text is the message's content to the byte ("" where it is null), or the refusal where there is only that.

    Raises:
        CallFailed: `error_body` (no JSON object, an error in it, no choice, no text without a known reason),
            `invalid_text` (not UTF-8, a lone surrogate, a NUL).
    """
    reply = _parse(body)
    if reply.get("error"):
        raise CallFailed("error_body", f"the reply is an error: {_message_of(reply['error'])}")
    choices = reply.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict) or not isinstance(choice.get("message"), dict):
        raise CallFailed("error_body", "the reply holds no choice with a message")
    if choice.get("error"):
        raise CallFailed("error_body", f"the choice is an error: {_message_of(choice['error'])}")
    message = choice["message"]
    text, refusal = _content(message.get("content")), message.get("refusal")
    finish: Finish = FINISHES.get(str(choice.get("finish_reason")), "unknown")
    if isinstance(refusal, str) and refusal:
        text, finish = text or refusal, "refusal"
    if finish == "unknown" and not text:
        raise CallFailed("error_body", f"no text, and it finished by {choice.get('finish_reason')!r}")
    return Completion(
        text=_clean(text),
        finish=finish,
        usage=_usage(reply.get("usage")),
        served=_name(reply.get("model")),
        fingerprint=_name(reply.get("system_fingerprint")),
    )


def failure_text(text: str, secrets: Iterable[str]) -> str:
    """`text` fit for a log: one line of bounded length, valid Unicode, without `secrets` or what looks like one."""
    for secret in secrets:
        text = text.replace(secret, "[key]")
    text = CREDENTIAL.sub("[key]", text)
    text = " ".join(text.replace("\x00", " ").encode("utf-8", "replace").decode("utf-8").split())
    return text if len(text) <= LONGEST_FAILURE else f"{text[: LONGEST_FAILURE - 1]}…"


def _parse(body: bytes) -> dict[str, Any]:
    try:
        reply = json.loads(body.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise CallFailed("invalid_text", f"the reply is not UTF-8 (byte {error.start})") from error
    except (ValueError, RecursionError) as error:
        raise CallFailed("error_body", f"the reply is not JSON: {body[:80]!r}") from error
    if not isinstance(reply, dict):
        raise CallFailed("error_body", f"the reply is not a JSON object: {body[:80]!r}")
    return reply


def _message_of(error: object) -> str:
    message = error.get("message") if isinstance(error, dict) else None
    return message if isinstance(message, str) and message else json.dumps(error)


def _content(content: object) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):  # parts; those of another type than text are reasoning
        texts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text"]
        if all(isinstance(text, str) for text in texts):
            return "".join(text for text in texts if text)
    raise CallFailed("error_body", "the message's content is neither text nor a list of text parts")


def _clean(text: str) -> str:
    if "\x00" in text:
        raise CallFailed("invalid_text", "the reply holds a NUL character")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise CallFailed("invalid_text", f"the reply holds a lone surrogate (character {error.start})") from error
    return text


def _name(value: object) -> str | None:
    return _clean(value) if isinstance(value, str) and value else None


def _count(holder: object, key: str) -> int | None:
    value = holder.get(key) if isinstance(holder, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _usage(usage: object) -> Usage | None:
    if not isinstance(usage, dict):
        return None
    prompt, completion = usage.get("prompt_tokens_details"), usage.get("completion_tokens_details")
    counts = Usage(
        input=_count(usage, "prompt_tokens"),
        cached_input=_count(prompt, "cached_tokens"),
        cache_write=_count(prompt, "cache_write_tokens"),
        output=_count(usage, "completion_tokens"),
        reasoning=_count(completion, "reasoning_tokens"),
    )
    return None if counts == Usage() else counts
