"""Route `local:`: a GGUF file, or a small real model known by name, served in this process by llama.cpp.

The `xllamacpp` package runs llama.cpp's OpenAI-compatible server on a free port of 127.0.0.1, behind a random key. It
answers one request at a time and keeps no prompt cache, so a reply does not depend on what was asked before it: the
same file, settings (with a seed), machine and package version give the same text.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import xllamacpp

from runners.errors import UsageError
from runners.models.base import Completion, Message, Model, Setting
from runners.models.compatible import Compatible
from runners.models.weights import locate

QUIET = -1


@dataclass(slots=True)
class Served:
    """A running server, shared by the models of this process that use one file and context; the last stops it."""

    server: Any  # xllamacpp ships no types; the server stops when this, its only reference, goes
    key: str
    users: int = 0


_running: dict[tuple[str, int], Served] = {}


class Local:
    """A local model. `fingerprint` is `sha256:` and the digest of the GGUF file; `served` is the id after `local:`."""

    def __init__(self, ident: str, settings: Mapping[str, Setting], *, context: int, timeout: float) -> None:
        self.name = f"local:{ident}"
        self.settings = settings
        self._served_as = ident
        path, digest = locate(ident)
        self.fingerprint = f"sha256:{digest}"
        self._place: tuple[str, int] | None = (digest, context)
        served = _running.get(self._place) or _start(self._place, path)
        served.users += 1
        self._client = Compatible(
            self.name,
            ident,
            settings,
            base_url=f"{served.server.listening_address}/v1",
            api_key=served.key,
            timeout=timeout,
        )

    async def complete(self, messages: Sequence[Message]) -> Completion:
        """One reply of the model.

        Raises:
            CallFailed: as `compatible:`; `config` if the conversation does not fit the context.
        """
        completion = await self._client.complete(messages)
        return replace(completion, served=self._served_as, fingerprint=self.fingerprint)

    async def close(self) -> None:
        """Close the connections; the last model of a file stops its server."""
        await self._client.close()
        if self._place is not None:
            served = _running[self._place]
            served.users -= 1
            if served.users == 0:
                del _running[self._place]
            self._place = None


def _start(place: tuple[str, int], path: Path) -> Served:
    key = secrets.token_urlsafe(24)
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [key]
    params.n_ctx = place[1]
    params.n_parallel = 1
    params.cache_prompt = False
    for cpu in (params.cpuparams, params.cpuparams_batch):
        cpu.n_threads = _threads()
        cpu.poll = 0
    params.offline = True
    params.ui = False
    params.endpoint_slots = False
    params.verbosity = QUIET
    try:
        server = xllamacpp.Server(params)
    except RuntimeError as error:
        raise UsageError(f"{path.name} cannot be loaded by llama.cpp: {error}. Is it a whole GGUF file?") from error
    _running[place] = Served(server, key)
    return _running[place]


def _threads() -> int:
    # llama.cpp's threads wait for each other at every step: with as many as cores, one busy neighbour made a reply 20
    # times slower (1.4 instead of 37 tokens a second on two cores). The text does not depend on their number.
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores - 1)


def open_model(ident: str, settings: Mapping[str, Setting], *, context: int = 8192, timeout: float = 600.0) -> Model:
    """The model in the GGUF file `ident`, or the known one of that name (fetched on first use, about 100 MB).

    `context` is in tokens, `timeout` in seconds for a whole call, the wait for earlier calls included.

    Raises:
        UsageError: no such model or file, or it cannot be fetched, verified or loaded.
    """
    return Local(ident, settings, context=context, timeout=timeout)
