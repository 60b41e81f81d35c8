"""One HTTP exchange, by an SDK over httpx2 or without one: what leaves, what comes back, what kind of failure it is.

An SDK takes headers from the environment (an organisation, custom headers, another provider's token) and sends what it
knows of the machine. So every request passes `_tidy` last: what leaves is the request's own headers and the key of the
one provider that is asked. Cookies of earlier replies stay behind too. No redirect is followed.
"""

from __future__ import annotations

import asyncio
import ssl
from base64 import b64encode
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit, urlunsplit

import aiohttp
import httpx2
from aiohttp.http_exceptions import ContentEncodingError

from runners.errors import CallFailed, UsageError
from runners.models.access import is_loopback
from runners.models.base import Usage
from runners.models.failures import Answer, complaint_in, kind_of, retry_after
from runners.models.reply import failure_text
from runners.models.slots import reply_is_here

KEPT = frozenset(
    {"accept", "accept-encoding", "connection", "content-length", "content-type", "host", "user-agent"}
    # The last is how the SDKs know, from the request of a reply, that its body is wanted as it is.
    | {"anthropic-version", "x-stainless-raw-response"}
)
CONNECT_SECONDS = 30.0
# Raised before a connection stood, so nothing was sent.
UNCONNECTED = (
    *(httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.ProxyError),
    *(aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError, aiohttp.ClientProxyConnectionError),
)
ANSWERLESS = (httpx2.HTTPError, aiohttp.ClientError, TimeoutError)
Read = TypeVar("Read")


@dataclass
class Heard:
    """The head of an answer, names in lower case, and of its body what has come so far."""

    status: int
    headers: Mapping[str, str]
    body: bytes = b""


_heard: ContextVar[list[Heard]] = ContextVar("_heard")


def heard(answer: Heard) -> None:
    """Tell the exchange that is under way of the head of its answer."""
    _heard.get().append(answer)


class Wire:
    """The way to one provider. `timeout` bounds a whole call, in seconds; `own` are the headers that it may be sent.

    Raises UsageError for an address that is none.
    """

    def __init__(self, base_url: str, key: str | None, *, timeout: float, sdk_error: type[Exception]) -> None:
        try:
            httpx2.URL(base_url)
        except httpx2.InvalidURL as error:
            raise UsageError(f"the address of the provider cannot be used: {error}") from error
        parts = urlsplit(base_url)
        self.where = parts.netloc.rpartition("@")[2]
        self.own: dict[str, str] = {}
        self.base_url = urlunsplit(parts._replace(netloc=self.where))
        self._secrets = [secret for secret in (key, parts.password, unquote(parts.password or "")) if secret]
        # A user and a password in the address become a Basic header; a key, if there is one, takes its place.
        if parts.username or parts.password:
            pair = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
            self.own["Authorization"] = f"Basic {b64encode(pair.encode()).decode()}"
        self._timeout = timeout
        self._sdk_error = sdk_error
        self.options: dict[str, Any] = {
            "timeout": httpx2.Timeout(timeout, connect=min(timeout, CONNECT_SECONDS)),
            "follow_redirects": False,
            "trust_env": not is_loopback(base_url),
            "event_hooks": {"request": [self._tidy], "response": [_note]},
        }
        """For the client of the SDK."""

    async def exchange(self, ask: Awaitable[bytes]) -> Answer:
        """Await `ask`, the body of the reply; its answer, with a status of success.

        Raises:
            CallFailed: no answer, a broken one, or one of another status.
        """
        answers: list[Heard] = []
        token = _heard.set(answers)
        broke: Exception | None = None
        body = b""
        try:
            async with asyncio.timeout(self._timeout):
                body = await ask
                await reply_is_here()
        except (TimeoutError, httpx2.HTTPError, aiohttp.ClientError, ssl.SSLError, self._sdk_error) as error:
            broke = error
        finally:
            _heard.reset(token)
        # An answer's status says more than how its body broke off.
        if answers and not 200 <= answers[-1].status < 300:
            refused = answers[-1]
            raise self._refused(Answer(refused.status, refused.headers, refused.body)) from broke
        if broke is not None:
            raise self._broken(broke) from broke
        return Answer(answers[-1].status, answers[-1].headers, body)

    def read(self, answer: Answer, reader: Callable[[bytes], Read]) -> Read:
        """What `reader` finds in the answer.

        Raises:
            CallFailed: as `reader`, with the provider's name in the message and no key.
        """
        try:
            return reader(answer.body)
        except CallFailed as error:
            pause = retry_after(answer.headers)
            raise self.failed(error.kind, error.message, usage=error.usage, pause=pause) from error

    def failed(self, kind: str, text: str, *, usage: Usage | None = None, pause: float | None = None) -> CallFailed:
        """A failure whose message names the provider and is fit for a log."""
        message = failure_text(f"{self.where}: {text}", self._secrets)
        return CallFailed(kind, message, usage=usage, retry_after=pause)

    def _refused(self, answer: Answer) -> CallFailed:
        message, codes = complaint_in(answer)
        if 300 <= answer.status < 400:
            target = answer.headers.get("location", "").rpartition("@")[2] or "nowhere"
            message = f"it redirects to {target}, which is not followed; set the address that is meant"
        kind = kind_of(answer.status, message, codes)
        return self.failed(kind, f"answered {answer.status}: {message}", pause=retry_after(answer.headers))

    def _broken(self, error: Exception) -> CallFailed:
        chain = list(_causes(error))
        cause = next((one for one in chain if isinstance(one, ANSWERLESS)), chain[-1])
        why = f"{type(cause).__name__} {cause}".strip()
        if isinstance(cause, UNCONNECTED):
            return self.failed("connection", f"no connection: {why}")
        if isinstance(cause, TimeoutError | httpx2.TimeoutException):
            return self.failed("timeout", f"no complete reply within {self._timeout:g} s")
        if any(isinstance(one, httpx2.DecodingError | ContentEncodingError) for one in chain):
            return self.failed("error_body", f"the reply cannot be decoded: {why}")
        return self.failed("cut_stream", f"the connection broke before the reply was complete: {why}")

    async def _tidy(self, request: httpx2.Request) -> None:
        kept = [(name, value) for name, value in request.headers.multi_items() if name in KEPT]
        request.headers = httpx2.Headers(kept)
        request.headers.update(self.own)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


async def _note(response: httpx2.Response) -> None:
    answer = Heard(response.status_code, {name.lower(): value for name, value in response.headers.items()})
    heard(answer)
    if not response.is_success:
        answer.body = await response.aread()
