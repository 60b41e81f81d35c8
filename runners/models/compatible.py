"""Route `compatible:`, any OpenAI-compatible URL, and the class that every route of this protocol is made of.

The id is the provider's model id. The URL comes from the option `base_url` or COUNTERSIGN_COMPATIBLE_URL, the key, if
the provider wants one, from `api_key` or COUNTERSIGN_COMPATIBLE_KEY. No SDK stands between: what the environment holds
for OpenAI itself (OPENAI_API_KEY, organization, project, custom headers) is never sent, and a call takes half the CPU.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import aiohttp

from runners.models.access import key_for, url_for
from runners.models.base import Completion, Message, Model, Setting
from runners.models.plain import Plain, parsed
from runners.models.reply import read_reply
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
        sdk_error: type[Exception] = aiohttp.ClientError,
    ) -> None:
        self.name = name
        self.settings = settings
        self._model = model
        self._body = _body(settings, renamed)
        self._wire = Wire(base_url, api_key, timeout=timeout, sdk_error=sdk_error)
        self._wire.own.update(headers)
        if api_key:
            self._wire.own["Authorization"] = f"Bearer {api_key}"
        self._plain = Plain(self._wire)
        self._url = parsed(f"{self._wire.base_url.rstrip('/')}/chat/completions")

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
        return self._wire.read(await self._wire.exchange(self._plain.get(parsed(url))), reader)

    async def _post(self, messages: Sequence[Message]) -> bytes:
        return await self._plain.post(self._url, self.body(messages))

    def body(self, messages: Sequence[Message]) -> dict[str, object]:
        """The request's body."""
        talk = [{"role": message.role, "content": message.content} for message in messages]
        return {"model": self._model, "messages": talk, **self._body}

    async def close(self) -> None:
        """Close the connections."""
        await self._plain.close()
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
