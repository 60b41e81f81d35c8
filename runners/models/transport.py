"""The HTTP client of chat completions: httpx2 over aiohttp, whose transport takes a third of the CPU of httpx2's own.

aiohttp brings habits of its own, all of them off here: a cookie jar, headers that nobody asked for, netrc. Where the
environment names a proxy, httpx2 goes through it as it always does.
"""

from __future__ import annotations

import ssl
from typing import Any

import aiohttp
import httpx2
from httpx_aiohttp.httpx2 import AiohttpTransport

from runners.models.plain import trusted

UNCONNECTED = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError, aiohttp.ClientProxyConnectionError)


def http_client(options: dict[str, Any]) -> httpx2.AsyncClient:
    """A client with these options of httpx2; its connections are not limited in number."""
    context = trusted()
    transport = Transport(client=lambda: _session(context), verify=context)
    return httpx2.AsyncClient(transport=transport, verify=context, **options)


class Transport(AiohttpTransport):
    """Tells a connection that could not be made from one that broke: only the first certainly cost nothing."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """One exchange, up to the head of the response.

        Raises:
            httpx2.TransportError: ConnectError or ConnectTimeout only where nothing was sent.
        """
        try:
            response: httpx2.Response = await super().handle_async_request(request)
        except httpx2.TransportError as error:
            below = error.__cause__
            if isinstance(below, UNCONNECTED):
                raise httpx2.ConnectError(str(error), request=request) from below
            if isinstance(below, aiohttp.ServerTimeoutError):
                raise httpx2.ReadTimeout(str(error), request=request) from below
            raise httpx2.RemoteProtocolError(str(error), request=request) from below
        except aiohttp.ClientError as error:  # not HTTP at all
            raise httpx2.RemoteProtocolError(str(error), request=request) from error
        return response


def _session(context: ssl.SSLContext) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0, ssl=context),
        cookie_jar=aiohttp.DummyCookieJar(),
        skip_auto_headers=("User-Agent", "Accept", "Accept-Encoding", "Content-Type"),
        trust_env=False,
    )
