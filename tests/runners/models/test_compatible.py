"""`compatible:` against a real server on this machine: each kind of reply, each kind of failure, what is sent."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from runners.errors import CallFailed, UsageError
from runners.models import open_model
from runners.models.base import Completion, Message, Usage

KEY = "sk-test-1234567890abcdef"
TALK = [Message("system", "Be brief."), Message("user", "2 + 2?"), Message("assistant", "4"), Message("user", "Sure?")]


@dataclass
class Provider:
    """A provider on a free port that gives every request the same answer and keeps what it was sent."""

    url: str
    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    misbehave: Callable[[BaseHTTPRequestHandler], None] | None = None
    requests: list[tuple[str, dict[str, str], Any]] = field(default_factory=list)


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["Content-Length"]))
            state.requests.append((self.path, {k.lower(): v for k, v in self.headers.items()}, json.loads(sent)))
            if state.misbehave:
                state.misbehave(self)
                self.close_connection = True
                return
            self.send_response(state.status)
            for name, value in {"Content-Type": "application/json", **state.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(state.body)))
            self.end_headers()
            self.wfile.write(state.body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state = Provider(f"http://127.0.0.1:{server.server_address[1]}/v1")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    # What the environment holds for another provider must not matter.
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "not-for-you")
    yield state
    server.shutdown()
    thread.join()
    server.server_close()


def chat(content: object = "4", finish: object = "stop", **more: object) -> bytes:
    """A chat completion; `more` goes into its message."""
    reply = {
        "id": "1",
        "object": "chat.completion",
        "model": "tiny-1",
        "choices": [
            {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content, **more}}
        ],
    }
    return json.dumps(reply).encode()


def ask(provider: Provider, settings: dict[str, float] | None = None, **options: Any) -> Completion:
    async def once() -> Completion:
        model = open_model("compatible:tiny", settings or {}, **{"base_url": provider.url, "api_key": KEY, **options})
        try:
            return await model.complete(TALK)
        finally:
            await model.close()

    return asyncio.run(once())


def failure(provider: Provider, **options: Any) -> CallFailed:
    with pytest.raises(CallFailed) as caught:
        ask(provider, **options)
    return caught.value


def test_it_sends_the_conversation_and_exactly_the_settings(provider: Provider) -> None:
    provider.body = chat()
    ask(provider, {"temperature": 0.5, "max_tokens": 600, "seed": 0})
    path, headers, sent = provider.requests[0]
    assert path == "/v1/chat/completions"
    assert sent == {
        "model": "tiny",
        "messages": [{"role": message.role, "content": message.content} for message in TALK],
        "temperature": 0.5,
        "max_tokens": 600,
        "seed": 0,
    }
    assert headers["authorization"] == f"Bearer {KEY}"


def test_it_sends_no_key_where_there_is_none_and_never_that_of_another_provider(provider: Provider) -> None:
    provider.body = chat()
    ask(provider, api_key=None)
    _, headers, _ = provider.requests[0]
    assert not {"authorization", "openai-organization", "openai-project"} & set(headers)
    assert "not-for-you" not in headers.values()


def test_url_and_key_come_from_the_environment(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    provider.body = chat()
    monkeypatch.setenv("COUNTERSIGN_COMPATIBLE_URL", provider.url)
    monkeypatch.setenv("COUNTERSIGN_COMPATIBLE_KEY", f"{KEY}\n")
    ask(provider, base_url=None, api_key=None)
    assert provider.requests[0][1]["authorization"] == f"Bearer {KEY}"


def test_everything_that_a_reply_reports_is_kept(provider: Provider) -> None:
    body = json.loads(chat("  Vier.\r\n\u2028ANSWER: **4** \U0001f600"))
    body["system_fingerprint"] = "fp_1"
    body["usage"] = {
        "prompt_tokens": 30,
        "completion_tokens": 9,
        "total_tokens": 39,
        "prompt_tokens_details": {"cached_tokens": 20, "cache_write_tokens": 5},
        "completion_tokens_details": {"reasoning_tokens": 0},
    }
    provider.body = json.dumps(body).encode()
    assert ask(provider) == Completion(
        text="  Vier.\r\n\u2028ANSWER: **4** \U0001f600",
        finish="stop",
        usage=Usage(input=30, cached_input=20, cache_write=5, output=9, reasoning=0),
        served="tiny-1",
        fingerprint="fp_1",
    )


@pytest.mark.parametrize(
    ("body", "text", "finish"),
    [
        (chat("4", "stop"), "4", "stop"),
        (chat("", "stop"), "", "stop"),
        (chat(None, "stop", reasoning_content="hm"), "", "stop"),
        (chat("4 because", "length"), "4 because", "length"),
        (chat("", "length"), "", "length"),
        (chat("", "content_filter"), "", "refusal"),
        (chat(None, "stop", refusal="I cannot."), "I cannot.", "refusal"),
        (chat("No.", "stop", refusal="I cannot."), "No.", "refusal"),
        (chat("4", "eos"), "4", "unknown"),
        (chat("4", None), "4", "unknown"),
        (chat("4", ["stop"]), "4", "unknown"),
        (chat([{"type": "thinking", "thinking": []}, {"type": "text", "text": "4"}]), "4", "stop"),
    ],
)
def test_how_a_reply_ended(provider: Provider, body: bytes, text: str, finish: str) -> None:
    provider.body = body
    reply = ask(provider)
    assert (reply.text, reply.finish, reply.usage, reply.fingerprint) == (text, finish, None, None)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "config"), (401, "auth"), (402, "auth"), (403, "auth"), (404, "config"), (408, "timeout"),
        (409, "config"), (422, "config"), (429, "rate_limit"), (500, "overloaded"), (502, "overloaded"),
        (503, "overloaded"), (529, "overloaded"),
    ],
)  # fmt: skip
def test_each_status_is_a_kind_and_nothing_is_tried_twice(provider: Provider, status: int, kind: str) -> None:
    provider.status, provider.body = status, b'{"error": {"message": "it is like this"}}'
    error = failure(provider)
    assert error.kind == kind
    assert f"answered {status}" in error.message
    assert "it is like this" in error.message
    assert len(provider.requests) == 1


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b'{"error": {"message": "upstream is down", "code": 502}}', "error_body"),
        (b'{"error": "down"}', "error_body"),
        (b'{"choices": []}', "error_body"),
        (b'{"choices": null}', "error_body"),
        (b'{"choices": [null]}', "error_body"),
        (b'{"choices": [{"finish_reason": "stop"}]}', "error_body"),
        (
            b'{"choices": [{"finish_reason": "error", "error": {"message": "x"}, "message": {"content": "4"}}]}',
            "error_body",
        ),
        (b"[]", "error_body"),
        (b"", "error_body"),
        (b"<html>Bad gateway</html>", "error_body"),
        (b"[" * 100_000, "error_body"),
        (chat(None, "tool_calls"), "error_body"),
        (chat("", None), "error_body"),
        (chat(4), "error_body"),
        (chat([{"type": "text", "text": 4}]), "error_body"),
        (chat("4\x00"), "invalid_text"),
        (chat("\ud83d"), "invalid_text"),
        (chat("X").replace(b"X", b"\xff"), "invalid_text"),
        (chat().replace(b"tiny-1", b"\\u0000"), "invalid_text"),
    ],
)
def test_what_is_no_reply_although_the_status_says_so(provider: Provider, body: bytes, kind: str) -> None:
    provider.body = body
    error = failure(provider)
    assert error.kind == kind
    error.message.encode("utf-8")
    assert len(error.message) <= 400


def cut(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n" + chat()[:40]
    )


def cut_chunks(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"id"\r\n')


def hang_up(handler: BaseHTTPRequestHandler) -> None:
    handler.connection.shutdown(socket.SHUT_RDWR)


def no_gzip(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope")


def stall(handler: BaseHTTPRequestHandler) -> None:
    time.sleep(0.6)


def trickle(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n")
    for _ in range(6):
        time.sleep(0.1)
        handler.wfile.write(b" ")


@pytest.mark.parametrize(
    ("misbehave", "kind"),
    [
        (cut, "cut_stream"), (cut_chunks, "cut_stream"), (hang_up, "connection"), (no_gzip, "error_body"),
        (stall, "timeout"), (trickle, "timeout"),
    ],
)  # fmt: skip
def test_a_wire_that_fails(provider: Provider, misbehave: Callable[[BaseHTTPRequestHandler], None], kind: str) -> None:
    provider.misbehave = misbehave
    assert failure(provider, timeout=0.3 if kind == "timeout" else 30).kind == kind
    assert len(provider.requests) == 1


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    error = failure(Provider(f"http://127.0.0.1:{port}/v1"))
    assert error.kind == "connection"
    assert f"127.0.0.1:{port}" in error.message


@pytest.mark.parametrize(
    "said", [f"key {KEY} is unknown", f"sent Authorization: Bearer {KEY[:-1]}", "sk-proj-abcdefghijkl is another's key"]
)
@pytest.mark.parametrize("status", [200, 401])
def test_no_key_reaches_a_message(provider: Provider, said: str, status: int) -> None:
    provider.status, provider.body = status, json.dumps({"error": {"message": said}}).encode()
    error = failure(provider)
    assert "[key]" in error.message
    assert "sk-" not in str(error)


@pytest.mark.parametrize(
    "url", ["", "ftp://127.0.0.1/v1", "127.0.0.1:80", "http://", "http://host:99999/v1", "http://[::1/v1"]
)
def test_a_url_that_cannot_be_used_is_refused(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COUNTERSIGN_COMPATIBLE_URL", raising=False)
    with pytest.raises(UsageError, match="COUNTERSIGN_COMPATIBLE_URL"):
        open_model("compatible:tiny", {}, base_url=url)


def test_a_key_that_no_header_can_carry_is_refused_without_showing_it() -> None:
    with pytest.raises(UsageError) as caught:
        open_model("compatible:tiny", {}, base_url="http://127.0.0.1:1/v1", api_key="geheim\u00fc")
    assert "geheim" not in str(caught.value)
