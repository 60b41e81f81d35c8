"""Route `openai:`: OpenAI's chat completions, through its SDK.

The key is OPENAI_API_KEY; OPENAI_BASE_URL is another address of the same provider (a region, a gateway), and
OPENAI_ORG_ID and OPENAI_PROJECT_ID, where they are set, say who pays. Headers of OPENAI_CUSTOM_HEADERS are not sent: a
request is what its log says.

The spec's `max_tokens` is sent as `max_completion_tokens`: current models reject the old name, and to those that know
both, both mean the same. Reasoning counts towards it. Other settings are sent as they are.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from typing import Any

import httpx2
import openai

from runners.models.access import key_for, url_for
from runners.models.base import Message, Model, Setting
from runners.models.compatible import Compatible
from runners.models.transport import http_client

BASE_URL = "https://api.openai.com/v1"
RENAMED = {"max_tokens": "max_completion_tokens"}
PAYER = {"OpenAI-Organization": "OPENAI_ORG_ID", "OpenAI-Project": "OPENAI_PROJECT_ID"}


class OpenAI(Compatible):
    """One model of OpenAI. Arguments as for `Compatible`."""

    def __init__(self, *arguments: Any, api_key: str, **options: Any) -> None:
        super().__init__(*arguments, api_key=api_key, sdk_error=openai.OpenAIError, **options)
        # An argument that is not given, the SDK takes from the environment.
        self._client = openai.AsyncOpenAI(
            base_url=self._wire.base_url,
            api_key=api_key,
            admin_api_key="",
            organization="",
            project="",
            webhook_secret="",
            max_retries=0,
            timeout=self._wire.options["timeout"],
            http_client=http_client(self._wire.options),
        )

    async def _post(self, messages: Sequence[Message]) -> bytes:
        # The body as it stands here, the reply to the byte: the SDK's typed objects would lose what they do not know.
        response = await self._client.post("/chat/completions", body=self.body(messages), cast_to=httpx2.Response)
        return response.content

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()
        await asyncio.sleep(0)  # aiohttp closes its sockets one step of the loop later


def open_model(
    ident: str,
    settings: Mapping[str, Setting],
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    timeout: float = 600.0,
) -> Model:
    """OpenAI's model `ident`; `timeout` in seconds for a whole call.

    Raises:
        UsageError: no key, or an address or a key that cannot be used.
    """
    name = f"openai:{ident}"
    return OpenAI(
        name,
        ident,
        settings,
        base_url=url_for(name, base_url, "OPENAI_BASE_URL", BASE_URL),
        api_key=key_for(name, api_key, "OPENAI_API_KEY"),
        timeout=timeout,
        renamed=RENAMED,
        headers={header: value for header, variable in PAYER.items() if (value := os.environ.get(variable))},
    )
