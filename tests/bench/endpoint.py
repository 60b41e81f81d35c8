"""A provider that answers every chat completion after 200 ms; prints its port. Run it as a process of its own."""

from __future__ import annotations

import asyncio
import json
from typing import cast

SECONDS = 0.2
TEXT = "The value that I was given is right, and I have no reason to change it. " * 3 + "ANSWER: 2"
BODY = json.dumps(
    {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "a",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": TEXT}}],
        "usage": {"prompt_tokens": 250, "completion_tokens": 60, "total_tokens": 310},
    }
).encode()
HEAD = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(BODY)}\r\n\r\n"
RESPONSE = HEAD.encode() + BODY


class Endpoint(asyncio.Protocol):
    """One connection, as lean as can be: what is measured is the client."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember where to write."""
        self._transport = cast("asyncio.Transport", transport)
        self._got = b""

    def data_received(self, data: bytes) -> None:
        """Answer each whole request after the latency."""
        self._got += data
        head, found, rest = self._got.partition(b"\r\n\r\n")
        at = head.lower().find(b"content-length:")
        if found and len(rest) >= int(head[at + 15 :].split(b"\r\n", 1)[0]):
            self._got = b""
            asyncio.get_running_loop().call_later(SECONDS, self._transport.write, RESPONSE)


async def main() -> None:
    """Serve until killed."""
    server = await asyncio.get_running_loop().create_server(Endpoint, "127.0.0.1", 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
