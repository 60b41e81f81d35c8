"""Requests to one provider over aiohttp, without an SDK: a tenth of an SDK's CPU a call.

aiohttp brings habits of its own, all of them off here: a cookie jar, headers that nobody asked for, netrc, redirects.
"""

from __future__ import annotations

import json
import ssl
from functools import cache
from urllib.request import getproxies, proxy_bypass

import aiohttp
import httpx2
from yarl import URL

from runners.errors import UsageError
from runners.models.wire import CONNECT_SECONDS, Heard, Wire, heard

HEADERS = {"Accept": "application/json", "Accept-Encoding": "gzip, deflate"}
JSON = {"Content-Type": "application/json"}
_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))  # made once: making one costs as much as using it


class Plain:
    """The client of one provider, whose headers and address are those of `wire`. Its connections are not limited."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._context = trusted()
        self._session: aiohttp.ClientSession | None = None

    async def post(self, url: URL, body: object) -> bytes:
        """The body of the answer to `body`, sent as JSON.

        Raises:
            aiohttp.ClientError, TimeoutError: no answer, or a broken one.
        """
        data = _JSON.encode(body).encode()
        return await self._send("POST", url, HEADERS | JSON | self._wire.own, data)

    async def get(self, url: URL) -> bytes:
        """The body at `url`; raises as `post`."""
        return await self._send("GET", url, HEADERS | self._wire.own, None)

    async def _send(self, method: str, url: URL, headers: dict[str, str], data: bytes | None) -> bytes:
        if self._session is None:
            self._session = _open(self._context, self._proxy(url))
        async with self._session.request(method, url, headers=headers, data=data, allow_redirects=False) as response:
            answer = Heard(response.status, {name.lower(): value for name, value in response.headers.items()})
            heard(answer)
            answer.body = await response.read()
            return answer.body

    def _proxy(self, url: URL) -> str | None:
        """The proxy that the environment names for `url`."""
        if not self._wire.options["trust_env"] or proxy_bypass(url.host or ""):
            return None
        return getproxies().get(url.scheme) or getproxies().get("all")

    async def close(self) -> None:
        """Close the connections."""
        if self._session:
            await self._session.close()


@cache
def trusted() -> ssl.SSLContext:
    """The certificates that are trusted: read once, since that takes a tenth of a second."""
    return httpx2.create_ssl_context()


def parsed(url: str) -> URL:
    """`url` as it stands, nothing in it encoded anew.

    Raises:
        UsageError: it is none.
    """
    try:
        return URL(url, encoded=True)
    except ValueError as error:
        raise UsageError(f"the address of the provider cannot be used: {error}") from error


def _open(context: ssl.SSLContext, proxy: str | None) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0, ssl=context),
        cookie_jar=aiohttp.DummyCookieJar(),
        skip_auto_headers=("User-Agent", "Accept", "Accept-Encoding", "Content-Type"),
        timeout=aiohttp.ClientTimeout(total=None, connect=CONNECT_SECONDS),
        proxy=proxy,
        trust_env=False,
    )
