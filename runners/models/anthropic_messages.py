"""Route `anthropic:`: Anthropic's Messages API.

The key is ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL another address. Tokens, profiles and custom headers that the SDK would
take from elsewhere are not used. Settings are sent as they are, `json_schema` as the format of the output. The API
takes no message without text: an empty one, such as an empty earlier reply, is sent as `(no text)`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import anthropic
from anthropic.types import MessageParam

from runners.errors import CallFailed, UsageError
from runners.models.access import key_for, url_for
from runners.models.base import Completion, Finish, Message, Model, Setting, Usage
from runners.models.reply import NO_TEXT, clean, count_in, message_of, name_in, no_reply, parse, texts_in, usage_of
from runners.models.wire import Wire

BASE_URL = "https://api.anthropic.com"
FINISHES: Mapping[object, Finish] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}


class Anthropic:
    """One model of Anthropic. `timeout` bounds a whole call, in seconds; there are no retries here."""

    def __init__(
        self, ident: str, settings: Mapping[str, Setting], *, base_url: str, api_key: str, timeout: float
    ) -> None:
        self.name = f"anthropic:{ident}"
        self.settings = settings
        self._model = ident
        self._body: dict[str, object] = {name: value for name, value in settings.items() if name != "max_tokens"}
        self._longest = int(settings["max_tokens"])
        if (schema := self._body.pop("json_schema", None)) is not None:
            self._body["output_config"] = {"format": {"type": "json_schema", "schema": json.loads(str(schema))}}
        self._wire = Wire(base_url, api_key, timeout=timeout, sdk_error=anthropic.AnthropicError)
        self._client = anthropic.AsyncAnthropic(
            api_key=api_key,
            webhook_key="",
            base_url=base_url,
            max_retries=0,
            timeout=self._wire.options["timeout"],
            open_telemetry=False,
            http_client=anthropic.DefaultAsyncHttpxClient(**self._wire.options),
        )
        self._wire.own.update(self._client.auth_headers)

    async def complete(self, messages: Sequence[Message]) -> Completion:
        """One request with exactly `settings`, one reply.

        Raises:
            CallFailed: any kind of the log schema; its message never holds the key.
        """
        return self._wire.read(await self._wire.exchange(self._post(messages)), read_message)

    async def _post(self, messages: Sequence[Message]) -> bytes:
        system = "\n\n".join(message.content for message in messages if message.role == "system")
        request = self._client.messages.with_streaming_response.create(
            model=self._model,
            max_tokens=self._longest,
            system=system or anthropic.omit,
            messages=[_param(message) for message in messages if message.role != "system"],
            extra_body=self._body,
        )
        async with request as response:
            return await response.read()

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def _param(message: Message) -> MessageParam:
    content = message.content if message.content.strip() else NO_TEXT
    return {"role": "assistant", "content": content} if message.role == "assistant" else _user(content)


def _user(content: str) -> MessageParam:
    return {"role": "user", "content": content}


def read_message(body: bytes) -> Completion:
    """The completion in `body`, the bytes of a 200 answer: its text blocks, joined, wherever they stand.

    A thinking block is no text, and may come first. A refusal may have no block at all; text "" with `end_turn` is an
    empty reply.

    Raises:
        CallFailed: `overloaded` (the error of that name), `error_body` (another error, no JSON object, no content, no
            text without a known reason), `invalid_text`; with the usage, if the body counts any.
    """
    reply = parse(body, _usage)
    usage = _usage(reply)
    if (error := reply.get("error")) or reply.get("type") == "error":
        overloaded = isinstance(error, dict) and error.get("type") == "overloaded_error"
        complaint = f"the reply is an error: {message_of(error)}"
        raise CallFailed("overloaded" if overloaded else "error_body", complaint, usage=usage)
    stop, content = reply.get("stop_reason"), reply.get("content")
    finish = FINISHES.get(stop, "unknown") if isinstance(stop, str) else "unknown"
    if not isinstance(content, list):
        no_reply("the reply holds no list of content blocks", usage)
    text = texts_in((block for block in content if isinstance(block, dict) and block.get("type") == "text"), usage)
    if finish == "unknown" and not text:
        no_reply(f"no text, and it stopped by {stop!r}", usage)
    return Completion(text=clean(text, usage), finish=finish, usage=usage, served=name_in(reply, "model", usage))


def _usage(reply: Mapping[str, Any]) -> Usage | None:
    usage = reply.get("usage")
    fresh, output = count_in(usage, "input_tokens"), count_in(usage, "output_tokens")
    cached, write = count_in(usage, "cache_read_input_tokens"), count_in(usage, "cache_creation_input_tokens")
    # Counted apart: input_tokens is what neither came from the cache nor went into it.
    whole = None if fresh is None else fresh + (cached or 0) + (write or 0)
    details = usage.get("output_tokens_details") if isinstance(usage, dict) else None
    return usage_of(whole, cached, write, output, count_in(details, "thinking_tokens"))


def open_model(
    ident: str,
    settings: Mapping[str, Setting],
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    timeout: float = 600.0,
) -> Model:
    """Anthropic's model `ident`; `timeout` in seconds for a whole call.

    Raises:
        UsageError: no key, an address or a key that cannot be used, or settings without `max_tokens`, which the API
            wants to be told.
    """
    name = f"anthropic:{ident}"
    if "max_tokens" not in settings:
        raise UsageError(f"{name} needs the setting max_tokens; this version's settings for the route have none")
    url = url_for(name, base_url, "ANTHROPIC_BASE_URL", BASE_URL)
    key = key_for(name, api_key, "ANTHROPIC_API_KEY")
    return Anthropic(ident, settings, base_url=url, api_key=key, timeout=timeout)
