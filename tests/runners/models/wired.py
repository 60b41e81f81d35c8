"""A provider on a free port of this machine that misbehaves on demand, and how each route's provider speaks."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from runners.errors import CallFailed
from runners.models import open_model
from runners.models.base import Completion, Message, Setting
from runners.models.reply import LONGEST_FAILURE

KEY = "sk-test-1234567890abcdef"
AWS_ID, AWS_SECRET = "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
TALK = [Message("system", "Be brief."), Message("user", "2 + 2?"), Message("assistant", "4"), Message("user", "Sure?")]
Misbehaviour = Callable[[BaseHTTPRequestHandler], None]


@dataclass(frozen=True)
class Sent:
    """One request as it arrived; the names of the headers in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class Provider:
    """It gives every POST the same answer, GETs those of `pages`, and keeps what it was sent."""

    address: str
    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    misbehave: Misbehaviour | None = None
    pages: dict[str, bytes] = field(default_factory=dict)
    sent: list[Sent] = field(default_factory=list)

    @property
    def posts(self) -> list[Sent]:
        """The calls of the model."""
        return [sent for sent in self.sent if sent.method == "POST"]

    def says(self, status: int, body: object, **headers: str) -> None:
        """Answer with this from now on."""
        self.status = status
        self.body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class _Server(ThreadingHTTPServer):
    request_queue_size = 256
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Whoever asked has gone: that is what some tests are about."""


@contextmanager
def serving() -> Iterator[Provider]:
    """A provider, until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            self._note(None)
            page = state.pages.get(self.path)
            self._answer(404 if page is None else 200, page or b"404 page not found", {})

        def do_POST(self) -> None:
            self._note(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            if state.misbehave:
                state.misbehave(self)
                self.close_connection = True
            else:
                self._answer(state.status, state.body, state.headers)

        def _note(self, body: Any) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            state.sent.append(Sent(self.command, self.path, headers, body))

        def _answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = _Server(("127.0.0.1", 0), Handler)
    state = Provider(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def cut(handler: BaseHTTPRequestHandler) -> None:
    """Fewer bytes than announced."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{}")


def cut_chunks(handler: BaseHTTPRequestHandler) -> None:
    """One chunk, and no last one."""
    handler.wfile.write(b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"id"\r\n')


def hang_up(handler: BaseHTTPRequestHandler) -> None:
    """The request is read, and the connection closed."""
    handler.connection.shutdown(socket.SHUT_RDWR)


def no_http(handler: BaseHTTPRequestHandler) -> None:
    """Something else than HTTP."""
    handler.wfile.write(b"220 mail.example ESMTP\r\n\r\n")


def no_gzip(handler: BaseHTTPRequestHandler) -> None:
    """A body that is not compressed as it claims to be."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b\xff\xff")


def stall(handler: BaseHTTPRequestHandler) -> None:
    """No answer."""
    time.sleep(1.5)


def trickle(handler: BaseHTTPRequestHandler) -> None:
    """A byte now and then: no single wait is too long."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n")
    for _ in range(15):
        time.sleep(0.1)
        handler.wfile.write(b" ")


def overloaded_and_cut(handler: BaseHTTPRequestHandler) -> None:
    """An error whose own body breaks off."""
    handler.wfile.write(b"HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 500\r\n\r\n{")


def rate_limited_in_gzip(handler: BaseHTTPRequestHandler) -> None:
    """An error whose body cannot be decoded."""
    handler.wfile.write(b"HTTP/1.1 429 Slow\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope")


def chat(content: object = "4", finish: object = "stop", *, usage: object = None, **more: object) -> bytes:
    """A chat completion; `more` goes into its message."""
    message = {"role": "assistant", "content": content, **more}
    reply: dict[str, object] = {
        "id": "1",
        "object": "chat.completion",
        "model": "tiny-1",
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
    }
    return json.dumps(reply if usage is None else {**reply, "usage": usage}).encode()


def claude(*blocks: object, stop: object = "end_turn", usage: object = None) -> bytes:
    """A message of Anthropic; a string among `blocks` is a text block."""
    content = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
    reply = {"id": "msg_1", "type": "message", "role": "assistant", "model": "tiny-1", "content": content}
    return json.dumps({**reply, "stop_reason": stop, **({} if usage is None else {"usage": usage})}).encode()


def converse(*blocks: object, stop: object = "end_turn", usage: object = None, **more: object) -> bytes:
    """A reply of Bedrock's Converse; a string among `blocks` is a text block."""
    content = [{"text": block} if isinstance(block, str) else block for block in blocks]
    reply = {"output": {"message": {"role": "assistant", "content": content}}, "stopReason": stop, **more}
    return json.dumps({**reply, "metrics": {"latencyMs": 5}, **({} if usage is None else {"usage": usage})}).encode()


@dataclass(frozen=True)
class Dialect:
    """How one route's provider speaks: a reply of `text` that ended as `stop`, and the names of its counts."""

    route: str
    path: str
    reply: Callable[[str, object, object], bytes]
    stops: dict[str, str]
    counts: tuple[str, str]

    @property
    def name(self) -> str:
        """The model that the tests ask."""
        return f"{self.route}:tiny"

    def options(self, provider: Provider) -> dict[str, Any]:
        """How `open_model` is told of the provider."""
        match self.route:
            case "bedrock":
                return {"endpoint_url": provider.address}
            case "ollama":
                return {"base_url": provider.address}
            case "anthropic":
                return {"base_url": provider.address, "api_key": KEY}
        return {"base_url": f"{provider.address}/v1", "api_key": KEY}


_CHAT = {"stop": "stop", "length": "length", "refusal": "content_filter"}
_CHAT_COUNTS = ("prompt_tokens", "completion_tokens")


def _chat(text: str, stop: object, usage: object) -> bytes:
    return chat(text, stop, usage=usage)


DIALECTS = [
    *(
        Dialect(route, "/v1/chat/completions", _chat, _CHAT, _CHAT_COUNTS)
        for route in ("openai", "nous", "openrouter", "ollama", "compatible")
    ),
    Dialect(
        "anthropic",
        "/v1/messages",
        lambda text, stop, usage: claude(text, stop=stop, usage=usage),
        {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal"},
        ("input_tokens", "output_tokens"),
    ),
    Dialect(
        "bedrock",
        "/model/tiny/converse",
        lambda text, stop, usage: converse(text, stop=stop, usage=usage),
        {"stop": "end_turn", "length": "max_tokens", "refusal": "content_filtered"},
        ("inputTokens", "outputTokens"),
    ),
]
BY_ROUTE = {dialect.route: dialect for dialect in DIALECTS}


def outcomes(
    name: str,
    provider: Provider,
    steps: Iterable[Callable[[], None]],
    settings: dict[str, Setting] | None = None,
    talk: list[Message] = TALK,
    **more: Any,
) -> list[Completion | CallFailed]:
    """What one model gives after each step, which sets the provider up; each may make one request, and no more."""
    route = name.partition(":")[0]

    async def ask_all() -> list[Completion | CallFailed]:
        given = {"max_tokens": 600} if settings is None else settings
        model = open_model(name, given, **{**BY_ROUTE[route].options(provider), **more})
        got: list[Completion | CallFailed] = []
        try:
            for step in steps:
                step()
                before = len(provider.posts)
                try:
                    got.append(await model.complete(talk))
                except CallFailed as error:
                    got.append(error)
                assert len(provider.posts) <= before + 1, "something was asked twice"
        finally:
            await model.close()
        return got

    return asyncio.run(ask_all())


def ask(name: str, provider: Provider, settings: dict[str, Setting] | None = None, **more: Any) -> Completion:
    """The reply of one call."""
    (got,) = outcomes(name, provider, [lambda: None], settings, **more)
    if isinstance(got, CallFailed):
        raise got
    return got


def failures(name: str, provider: Provider, steps: Iterable[Callable[[], None]], **more: Any) -> list[CallFailed]:
    """The failures of calls, one after each step; their messages are always fit for a log."""
    got = outcomes(name, provider, steps, **more)
    for failed in got:
        assert isinstance(failed, CallFailed), failed
        failed.message.encode("utf-8")
        assert len(failed.message) <= LONGEST_FAILURE + 40
        assert "\n" not in failed.message
        assert not [secret for secret in (KEY, AWS_ID, AWS_SECRET, "not-for-you") if secret in failed.message]
    return [failed for failed in got if isinstance(failed, CallFailed)]


def failure(name: str, provider: Provider, **more: Any) -> CallFailed:
    """The failure of one call."""
    return failures(name, provider, [lambda: None], **more)[0]
