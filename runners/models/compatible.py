"""Route `compatible:`, any OpenAI-compatible URL, and the class that every route of this protocol is made of.

The id is the provider's model id. The URL comes from the option `base_url` or COUNTERSIGN_COMPATIBLE_URL, the key, if
the provider wants one, from `api_key` or COUNTERSIGN_COMPATIBLE_KEY. Keys that the environment holds for the provider
OpenAI itself (OPENAI_API_KEY, organization, project, custom headers) are never sent.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import httpx2
import openai

from runners.models.access import key_for, url_for
from runners.models.base import Completion, Message, Model, Setting
from runners.models.reply import read_reply
from runners.models.transport import http_client
from runners.models.wire import Wire

Read = TypeVar("Read")
UNCHANGED: Mapping[str, str] = {}


class Compatible:
    """One model of one provider. `timeout` bounds a whole call, in seconds; there are no retries here.

    An empty `api_key` is none. `renamed` are the settings that the provider knows by another name, `headers` what it is
    sent beside the key.
    """

    def __init__(
        self,
        name: str,
        model: str,
        settings: Mapping[str, Setting],
        *,
        base_url: str,
        api_key: str,
        timeout: float,
        renamed: Mapping[str, str] = UNCHANGED,
        headers: Mapping[str, str] = UNCHANGED,
    ) -> None:
        self.name = name
        self.settings = settings
        self._model = model
        self._body = _body(settings, renamed)
        self._wire = Wire(base_url, api_key, timeout=timeout, sdk_error=openai.OpenAIError)
        self._wire.own.update(headers)
        if api_key:
            self._wire.own["Authorization"] = f"Bearer {api_key}"
        self._http = http_client(self._wire.options)
        # An argument that is not given, the SDK takes from the environment, where it is meant for another provider.
        self._client = openai.AsyncOpenAI(
            base_url=self._wire.base_url,
            api_key=api_key or "none",
            admin_api_key="",
            organization="",
            project="",
            webhook_secret="",
            max_retries=0,
            timeout=self._wire.options["timeout"],
            http_client=self._http,
        )

    async def complete(self, messages: Sequence[Message]) -> Completion:
        """One request with exactly `settings`, one reply.

        Raises:
            CallFailed: any kind of the log schema; its message never holds the key.
        """
        return self._wire.read(await self._wire.exchange(self._post(messages)), read_reply)

    async def get(self, url: str, reader: Callable[[bytes], Read]) -> Read:
        """What `reader` finds in the body at `url`, of the same provider.

        Raises:
            CallFailed: as `complete`.
        """

        async def ask() -> bytes:
            return (await self._http.get(url)).content

        return self._wire.read(await self._wire.exchange(ask()), reader)

    async def _post(self, messages: Sequence[Message]) -> bytes:
        # The body as it stands here, the reply to the byte: the SDK's typed objects would lose what they do not know.
        talk = [{"role": message.role, "content": message.content} for message in messages]
        body = {"model": self._model, "messages": talk, **self._body}
        response = await self._client.post("/chat/completions", body=body, cast_to=httpx2.Response)
        return response.content

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()
        await asyncio.sleep(0)  # aiohttp closes its sockets one step of the loop later


def _body(settings: Mapping[str, Setting], renamed: Mapping[str, str]) -> dict[str, object]:
    """The settings as a request carries them: as they are, but for `json_schema`, a schema as text, which the reply
    must keep."""
    body: dict[str, object] = {renamed.get(name, name): value for name, value in settings.items()}
    if (schema := body.pop("json_schema", None)) is not None:
        form = {"name": "reply", "strict": True, "schema": json.loads(str(schema))}
        body["response_format"] = {"type": "json_schema", "json_schema": form}
    return body


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
    name = f"compatible:{ident}"
    url = url_for(name, base_url, "COUNTERSIGN_COMPATIBLE_URL")
    key = key_for(name, api_key, "COUNTERSIGN_COMPATIBLE_KEY", needed=False)
    return Compatible(name, ident, settings, base_url=url, api_key=key, timeout=timeout)
