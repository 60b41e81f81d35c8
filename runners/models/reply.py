"""Reads the body of an OpenAI-style chat completion into a Completion, trusting nothing in it.

The pieces that every provider's reader needs (an object, a text, a count) are here too, and so is what makes a message
of a failure fit for a log.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

from runners.errors import CallFailed
from runners.models.base import Completion, Finish, Usage

FINISHES: Mapping[str, Finish] = {"stop": "stop", "length": "length", "content_filter": "refusal"}
LONGEST_FAILURE = 400
NO_TEXT = "(no text)"
"""Stands for an empty message of a conversation where a provider takes none: Anthropic and Bedrock refuse them."""

# A header that was echoed, with its whole value, or a word that has the shape of a key (masked in part or not).
CREDENTIAL = re.compile(
    r"""(?ix)
    \b(?:proxy-)?authorization["']?\s*[:=]\s*["']?[^"'\r\n]+ | \bx-(?:api-key|amz-security-token)["']?\s*[:=]\s*\S+
    | \b(?:bearer|basic)\s+(?!auth)\S+ | \b(?:sk|pk|key|rk|gsk)-[\w*.-]{6,} | (?-i:\bA[KS]IA[A-Z0-9]{12,})
    """
)
ACCOUNT = re.compile(r"(?i)(\barn:[\w-]+:[\w-]*:[\w-]*:|\baccount(?:\s+id)?[\s:=\"'(]+)\d{12}\b")


def read_reply(body: bytes) -> Completion:
    """The completion in `body`, the bytes of a 200 answer.

    The text is the message's content to the byte ("" where it is null), or the refusal where there is only that. What
    the model reasoned (`reasoning`, `reasoning_content`, parts of another type than text) is not in it.

    Raises:
        CallFailed: `error_body` (no JSON object, an error in it, no choice, no text without a known reason),
            `invalid_text` (not UTF-8, a lone surrogate, a NUL); with the usage, if the body counts any.
    """
    reply = parse(body, _usage)
    usage = _usage(reply)
    if reply.get("error"):
        no_reply(f"the reply is an error: {message_of(reply['error'])}", usage)
    choices = reply.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict) or not isinstance(choice.get("message"), dict):
        no_reply("the reply holds no choice with a message", usage)
    if choice.get("error"):
        no_reply(f"the choice is an error: {message_of(choice['error'])}", usage)
    message = choice["message"]
    text, refusal = _content(message.get("content"), usage), message.get("refusal")
    finish: Finish = FINISHES.get(str(choice.get("finish_reason")), "unknown")
    if isinstance(refusal, str) and refusal:
        text, finish = text or refusal, "refusal"
    if finish == "unknown" and not text:
        no_reply(f"no text, and it finished by {choice.get('finish_reason')!r}", usage)
    return Completion(
        text=clean(text, usage),
        finish=finish,
        usage=usage,
        served=name_in(reply, "model", usage),
        fingerprint=name_in(reply, "system_fingerprint", usage),
        provider=name_in(reply, "provider", usage),
    )


def failure_text(text: str, secrets: Iterable[str]) -> str:
    """`text` fit for a log: one line of bounded length, valid Unicode, without `secrets` or what looks like one.

    The number of an AWS account is no secret, but nobody's business either: it becomes `[account]`.
    """
    for secret in secrets:
        text = text.replace(secret, "[key]")
    text = hide_account(CREDENTIAL.sub("[key]", text))
    text = " ".join(text.replace("\x00", " ").encode("utf-8", "replace").decode("utf-8").split())
    return text if len(text) <= LONGEST_FAILURE else f"{text[: LONGEST_FAILURE - 1]}…"


def hide_account(text: str) -> str:
    """`text` without the numbers of AWS accounts, in ARNs or after the word."""
    return ACCOUNT.sub(r"\1[account]", text)


def parse(body: bytes, usage_in: Callable[[Mapping[str, Any]], Usage | None]) -> dict[str, Any]:
    """The JSON object in `body`; `usage_in` finds what was counted in an object, for a failure to carry.

    Raises:
        CallFailed: `invalid_text` (not UTF-8) or `error_body` (no JSON object).
    """
    try:
        reply = json.loads(body.decode("utf-8"))
    except UnicodeDecodeError as error:
        # The reply cannot be used, but it was paid for.
        salvaged = _salvaged(body)
        raise CallFailed(
            "invalid_text", f"the reply is not UTF-8 (byte {error.start})", usage=usage_in(salvaged)
        ) from error
    except (ValueError, RecursionError) as error:
        raise CallFailed("error_body", f"the reply is not JSON: {body[:80]!r}") from error
    if not isinstance(reply, dict):
        raise CallFailed("error_body", f"the reply is not a JSON object: {body[:80]!r}")
    return reply


def _salvaged(body: bytes) -> dict[str, Any]:
    try:
        reply = json.loads(body.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return {}
    return reply if isinstance(reply, dict) else {}


def message_of(error: object) -> str:
    """What an error object says: its message, or all of it."""
    message = error.get("message") if isinstance(error, dict) else error
    return message if isinstance(message, str) and message else json.dumps(error)


def clean(text: str, usage: Usage | None) -> str:
    """`text`, which a log can hold.

    Raises:
        CallFailed: `invalid_text`: a NUL or a lone surrogate.
    """
    if "\x00" in text:
        raise CallFailed("invalid_text", "the reply holds a NUL character", usage=usage)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        complaint = f"the reply holds a lone surrogate (character {error.start})"
        raise CallFailed("invalid_text", complaint, usage=usage) from error
    return text


def name_in(holder: Mapping[str, Any], key: str, usage: Usage | None) -> str | None:
    """The text at `key`, None where there is none."""
    value = holder.get(key)
    return clean(value, usage) if isinstance(value, str) and value else None


def count_in(holder: object, key: str) -> int | None:
    """The count at `key`; None unless it is a whole number that is not negative."""
    value = holder.get(key) if isinstance(holder, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def usage_of(
    whole: int | None, cached: int | None, write: int | None, output: int | None, thought: int | None = None
) -> Usage | None:
    """The counts as a Usage; None if there are none. A part that exceeds its whole is not believed."""
    if whole is not None and (cached or 0) + (write or 0) > whole:
        cached = write = None
    if output is not None and (thought or 0) > output:
        thought = None
    counts = Usage(input=whole, cached_input=cached, cache_write=write, output=output, reasoning=thought)
    return None if counts == Usage() else counts


def _usage(reply: Mapping[str, Any]) -> Usage | None:
    usage = reply.get("usage")
    if not isinstance(usage, dict):
        return None
    prompt, completion = usage.get("prompt_tokens_details"), usage.get("completion_tokens_details")
    given, output = count_in(usage, "prompt_tokens"), count_in(usage, "completion_tokens")
    thought, total = count_in(completion, "reasoning_tokens"), count_in(usage, "total_tokens")
    # Some providers count reasoning beside the completion instead of in it; their total tells, and it is paid for.
    if thought and given is not None and output is not None and total == given + output + thought:
        output += thought
    cached, write = count_in(prompt, "cached_tokens"), count_in(prompt, "cache_write_tokens")
    return usage_of(given, cached, write, output, thought)


def _content(content: object, usage: Usage | None) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):  # parts; those of another type than text are reasoning
        return texts_in(part for part in content if isinstance(part, dict) and part.get("type") == "text")
    return no_reply("the message's content is neither text nor a list of text parts", usage)


def texts_in(parts: Iterable[Mapping[str, Any]], usage: Usage | None = None) -> str:
    """The `text` of the parts, joined.

    Raises:
        CallFailed: `error_body`: one of them is no text.
    """
    texts = [part.get("text") for part in parts]
    if not all(isinstance(text, str) for text in texts):
        no_reply("a part of the content is no text", usage)
    return "".join(text for text in texts if text)


def no_reply(why: str, usage: Usage | None) -> NoReturn:
    """Raise the failure `error_body`."""
    raise CallFailed("error_body", why, usage=usage)
