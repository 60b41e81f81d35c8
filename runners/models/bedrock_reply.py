"""Reads Bedrock's answers: a reply of the Converse API into a Completion, anything else into a failure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from runners.errors import CallFailed
from runners.models.base import Completion, Finish, Usage
from runners.models.failures import Answer, complaint_in, kind_of, retry_after
from runners.models.reply import clean, count_in, hide_account, name_in, no_reply, parse, texts_in, usage_of

FINISHES: Mapping[object, Finish] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "guardrail_intervened": "refusal",
    "content_filtered": "refusal",
}
# What the name of an exception says better than its status: a model that is not ready is no limit of the account (429).
NAMED_KINDS = (
    ("rate_limit", re.compile(r"Throttl|TooManyRequests")),
    ("overloaded", re.compile(r"ModelNotReady|ServiceUnavailable|InternalServer|InternalFailure")),
    ("timeout", re.compile(r"ModelTimeout|RequestTimeout(?:Exception)?$")),
    ("auth", re.compile(r"AccessDenied|ExpiredToken|UnrecognizedClient|InvalidSignature|Credential|MissingAuth|OptIn")),
)


def check_answer(answer: Answer) -> None:
    """Nothing, if the answer is a whole reply.

    Raises:
        CallFailed: an error, by its name and status; `cut_stream`: shorter than announced; `error_body`: compressed,
            which was not asked for.
    """
    if not 200 <= answer.status < 300:
        raise _refused(answer)
    length = answer.headers.get("content-length", "")
    if length.isdecimal() and len(answer.body) < int(length):
        got = f"{len(answer.body)} of {length} bytes"
        raise CallFailed("cut_stream", f"the connection broke before the reply was complete: {got}")
    if (coding := answer.headers.get("content-encoding", "identity").lower()) != "identity":
        raise CallFailed("error_body", f"the reply cannot be decoded: it is {coding}, which was not asked for")


def _refused(answer: Answer) -> CallFailed:
    message, codes = complaint_in(answer)
    body: dict[str, Any] = {}
    with suppress(CallFailed):  # an error page of something in between
        body = parse(answer.body, lambda reply: None)
        message = str(body.get("Message") or message)
    named = answer.headers.get("x-amzn-errortype") or str(body.get("__type") or "")
    name = named.partition(":")[0].rpartition("#")[2]
    kind = next((kind for kind, pattern in NAMED_KINDS if pattern.search(name)), None)
    if kind is None and name == "ModelErrorException":
        # The model failed at a request that was right, unless its own status says otherwise.
        original = count_in(body, "originalStatusCode")
        kind = "config" if original and 400 <= original < 500 else "overloaded"
    kind = kind or kind_of(answer.status, message, codes)
    complaint = f"answered {answer.status}{f' {name}' if name else ''}: {message}"
    return CallFailed(kind, complaint, retry_after=retry_after(answer.headers))


def read_converse(body: bytes) -> Completion:
    """The completion in `body`, the bytes of a 200 answer: its text blocks, joined; reasoning is no text.

    Bedrock names the model that answered only where a prompt router chose it.

    Raises:
        CallFailed: `error_body` (no JSON object, no message, no text without a known reason), `invalid_text`; with the
            usage, if the body counts any.
    """
    reply = parse(body, _usage)
    usage = _usage(reply)
    output = reply.get("output")
    message = output.get("message") if isinstance(output, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(content, list):
        said = reply.get("message")
        no_reply(f"the reply holds no message{f': {said}' if isinstance(said, str) else ''}", usage)
    stop = reply.get("stopReason")
    finish = FINISHES.get(stop, "unknown") if isinstance(stop, str) else "unknown"
    text = texts_in((block for block in content if isinstance(block, dict) and "text" in block), usage)
    if finish == "unknown" and not text:
        no_reply(f"no text, and it stopped by {stop!r}", usage)
    return Completion(text=clean(text, usage), finish=finish, usage=usage, served=_served(reply, usage))


def _served(reply: Mapping[str, Any], usage: Usage | None) -> str | None:
    trace = reply.get("trace")
    router = trace.get("promptRouter") if isinstance(trace, dict) else None
    served = name_in(router, "invokedModelId", usage) if isinstance(router, dict) else None
    return hide_account(served) if served else None


def _usage(reply: Mapping[str, Any]) -> Usage | None:
    usage = reply.get("usage")
    fresh, output = count_in(usage, "inputTokens"), count_in(usage, "outputTokens")
    cached, write = count_in(usage, "cacheReadInputTokens"), count_in(usage, "cacheWriteInputTokens")
    # Counted apart, as Anthropic does it; a model for which they are parts of the input says so by its total.
    apart = (cached or 0) + (write or 0)
    total = count_in(usage, "totalTokens")
    inside = fresh is not None and output is not None and total == fresh + output
    whole = None if fresh is None else fresh + (0 if inside else apart)
    return usage_of(whole, cached, write, output)
