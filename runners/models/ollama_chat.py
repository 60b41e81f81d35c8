"""Route `ollama:`: a model that ollama serves, here or elsewhere, through its OpenAI-compatible chat completions.

OLLAMA_HOST is read as ollama reads it; without it, it is http://127.0.0.1:11434. There is no key. A name without a tag
is that with the tag `latest`. What a tag means can change with the next pull, so the fingerprint of a reply is the
digest of the model.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from ipaddress import ip_address
from typing import Any

from runners.errors import CallFailed
from runners.models import canonical
from runners.models.access import url_for
from runners.models.base import Completion, Message, Model, Setting
from runners.models.compatible import Compatible
from runners.models.reply import parse

PORT = 11434
SCHEME_PORTS = {"http": 80, "https": 443}
HIGHEST_PORT = 65535


class Ollama:
    """One model of an ollama. Its digest is asked for once, before the first reply.

    `timeout` bounds a whole call, in seconds, the loading of the model included.
    """

    def __init__(self, ident: str, settings: Mapping[str, Setting], *, address: str, timeout: float) -> None:
        self.name = canonical(f"ollama:{ident}")
        self.settings = settings
        self._model = self.name.partition(":")[2]
        self._tags = f"{address}/api/tags"
        self._client = Compatible(
            self.name, self._model, settings, base_url=f"{address}/v1", api_key="", timeout=timeout
        )
        self._fingerprint: str | None = None
        self._asking = asyncio.Lock()

    async def complete(self, messages: Sequence[Message]) -> Completion:
        """One reply of the model; `fingerprint` is `digest:` and the digest of the model.

        Raises:
            CallFailed: any kind of the log schema; `config` with the command to pull a model that is not there.
        """
        async with self._asking:
            if self._fingerprint is None:
                self._fingerprint = f"digest:{await self._digest()}"
        return replace(await self._client.complete(messages), fingerprint=self._fingerprint)

    async def _digest(self) -> str:
        try:
            return await self._client.get(self._tags, self._digest_in)
        except CallFailed as error:
            if error.kind != "connection":
                raise
            raise CallFailed("connection", f"{error.message}. Is ollama running there?") from error

    def _digest_in(self, tags: bytes) -> str:
        listed = parse(tags, lambda reply: None).get("models")
        entries: list[Any] = listed if isinstance(listed, list) else []
        for entry in entries:
            if isinstance(entry, dict) and self._model in (entry.get("name"), entry.get("model")):
                digest = str(entry.get("digest") or "").removeprefix("sha256:")
                if re.fullmatch("[0-9a-f]+", digest):
                    return digest
                raise CallFailed("error_body", f"{self._model} is listed without a digest")
        raise CallFailed("config", f"the model is not there. Pull it with: ollama pull {self._model}")

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def address_of(host: str) -> str:
    """The URL, without a slash at its end, that ollama understands by the value `host` of OLLAMA_HOST.

    A missing port is 11434, or that of the scheme if there is one, as is a port that is none; a missing host, or one
    that stands for every address of a server, is this machine.
    """
    host = host.strip().strip("\"'").strip()
    scheme, separator, rest = host.partition("://")
    if not separator:
        scheme, rest = "http", host
    default = SCHEME_PORTS.get(scheme, PORT) if separator else PORT
    place, slash, path = rest.partition("/")
    name, port = _split(place)
    number = int(port) if port.isdecimal() and int(port) <= HIGHEST_PORT else default
    if name in ("", "0.0.0.0", "::"):  # noqa: S104 - what a server listens at, and a client cannot ask
        name = "127.0.0.1"
    name = f"[{name}]" if ":" in name else name
    return f"{scheme}://{name}:{number}{slash}{path}".rstrip("/")


def _split(place: str) -> tuple[str, str]:
    """Host and port of `host`, `host:port`, `:port`, `[v6]`, `[v6]:port` or `v6`; "" for what is not there."""
    try:
        return str(ip_address(place.strip("[]"))), ""
    except ValueError:
        name, _, port = place.rpartition(":") if ":" in place else (place, "", "")
        return name.strip("[]"), port


def open_model(
    ident: str, settings: Mapping[str, Setting], *, base_url: str | None = None, timeout: float = 600.0
) -> Model:
    """The model `ident` of the ollama at `base_url` (as OLLAMA_HOST), pulled already; settings are sent as they are.

    `timeout` in seconds for a whole call.

    Raises:
        UsageError: an address that cannot be used.
    """
    address = address_of(base_url or os.environ.get("OLLAMA_HOST", ""))
    url = url_for(f"ollama:{ident}", address.removesuffix("/v1"))
    return Ollama(ident, settings, address=url, timeout=timeout)
