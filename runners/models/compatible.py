"""Route `compatible:`: any OpenAI-compatible URL, asked through the `openai` package.

The id is the provider's model id. The URL comes from the option `base_url` or COUNTERSIGN_COMPATIBLE_URL, the key, if
the provider wants one, from `api_key` or COUNTERSIGN_COMPATIBLE_KEY. Keys that the environment holds for the provider
OpenAI itself (OPENAI_API_KEY, organization, project) are never sent.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

import httpx2
import openai
from openai.types.chat import ChatCompletionMessageParam

from runners.errors import CallFailed, UsageError
from runners.models.base import Completion, Message, Model, Setting
from runners.models.reply import failure_text, read_reply

# Answers of a provider that are not 200. Anything else below 500 means the request itself is wrong.
STATUS_KINDS = {401: "auth", 402: "auth", 403: "auth", 408: "timeout", 429: "rate_limit"}


class Compatible:
    """One model of one provider. `timeout` bounds a whole call, in seconds; there are no retries here."""

    def __init__(
        self,
        name: str,
        model: str,
        settings: Mapping[str, Setting],
        *,
        base_url: str,
        api_key: str | None,
        timeout: float,
        use_proxies: bool = True,
    ) -> None:
        self.name = name
        self.settings = settings
        self._model = model
        self._secrets = [api_key] if api_key else []
        self._where = urlsplit(base_url).netloc.rpartition("@")[2]
        self._timeout = timeout
        # What the SDK would otherwise take from the environment is meant for another provider.
        self._headers: dict[str, str | openai.Omit] = {
            "OpenAI-Organization": openai.Omit(),
            "OpenAI-Project": openai.Omit(),
            "Authorization": f"Bearer {api_key}" if api_key else openai.Omit(),
        }
        self._client = openai.AsyncOpenAI(
            base_url=base_url,
            api_key=api_key or "none",
            admin_api_key="",
            max_retries=0,
            timeout=timeout,
            http_client=None if use_proxies else openai.DefaultAsyncHttpxClient(trust_env=False),
        )

    async def complete(self, messages: Sequence[Message]) -> Completion:
        """One request with exactly `settings`, one reply.

        Raises:
            CallFailed: any kind of the log schema; its message never holds the key.
        """
        try:
            async with asyncio.timeout(self._timeout):
                body = await self._post(messages)
        except (TimeoutError, openai.APITimeoutError, httpx2.TimeoutException) as error:
            raise CallFailed("timeout", f"no complete reply from {self._where} within {self._timeout:g} s") from error
        except openai.APIStatusError as error:
            kind = STATUS_KINDS.get(error.status_code, "overloaded" if error.status_code >= 500 else "config")
            raise self._failed(kind, f"{self._where} answered {error.status_code}: {error.message}") from error
        except openai.APIConnectionError as error:
            raise self._failed("connection", f"{self._where}: no reply: {_why(error.__cause__ or error)}") from error
        except httpx2.DecodingError as error:
            raise self._failed("error_body", f"{self._where}: the reply cannot be decoded: {_why(error)}") from error
        except httpx2.HTTPError as error:
            raise self._failed("cut_stream", f"{self._where}: the reply broke off: {_why(error)}") from error
        try:
            return read_reply(body)
        except CallFailed as error:
            raise self._failed(error.kind, f"{self._where}: {error.message}") from error

    async def _post(self, messages: Sequence[Message]) -> bytes:
        # Headers first, then the body: so a reply that breaks off is told apart from one that never began.
        request = self._client.chat.completions.with_streaming_response.create(
            model=self._model,
            messages=[_param(message) for message in messages],
            extra_body=_body(self.settings),
            extra_headers=self._headers,
        )
        async with request as response:
            return await response.read()

    def _failed(self, kind: str, text: str) -> CallFailed:
        return CallFailed(kind, failure_text(text, self._secrets))

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def _body(settings: Mapping[str, Setting]) -> dict[str, object]:
    """The settings as a request carries them: as they are, but for `json_schema`, a schema as text, which the reply
    must keep."""
    body: dict[str, object] = dict(settings)
    if (schema := body.pop("json_schema", None)) is not None:
        form = {"name": "reply", "strict": True, "schema": json.loads(str(schema))}
        body["response_format"] = {"type": "json_schema", "json_schema": form}
    return body


def _param(message: Message) -> ChatCompletionMessageParam:
    match message.role:
        case "system":
            return {"role": "system", "content": message.content}
        case "user":
            return {"role": "user", "content": message.content}
        case "assistant":
            return {"role": "assistant", "content": message.content}


def _why(error: BaseException) -> str:
    return f"{type(error).__name__} {error}".strip()


def open_model(
    ident: str,
    settings: Mapping[str, Setting],
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    timeout: float = 600.0,
) -> Model:
    """The model `ident` at `base_url` (for example `http://127.0.0.1:8080/v1`); `timeout` in seconds for a whole call.

    Raises:
        UsageError: no usable URL, or a key that no header can carry.
    """
    url = base_url or os.environ.get("COUNTERSIGN_COMPATIBLE_URL", "")
    if not _usable(url):
        raise UsageError(
            f"compatible:{ident} needs the provider's URL, http or https. Set COUNTERSIGN_COMPATIBLE_URL, "
            "for example to http://127.0.0.1:8080/v1 (and COUNTERSIGN_COMPATIBLE_KEY if it wants a key)"
        )
    key = (api_key or os.environ.get("COUNTERSIGN_COMPATIBLE_KEY") or "").strip()
    if not all("!" <= character <= "~" for character in key):
        raise UsageError(f"the key for compatible:{ident} holds a space or a character outside ASCII; check its source")
    return Compatible(f"compatible:{ident}", ident, settings, base_url=url, api_key=key or None, timeout=timeout)


def _usable(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port or an IPv6 address that is none
        return False
