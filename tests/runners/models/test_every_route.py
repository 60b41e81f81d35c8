"""What holds for every route over HTTP: what is sent, what each reply is, what each failure is, what is not shown."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Callable, Iterable
from email.utils import formatdate
from functools import partial
from http.server import BaseHTTPRequestHandler
from itertools import product
from typing import Any

import pytest

from runners.errors import UsageError
from runners.models import ROUTES, open_model
from runners.models.base import Completion, Usage
from tests.runners.models import wired
from tests.runners.models.wired import (
    AWS_ID,
    DIALECTS,
    KEY,
    TALK,
    Dialect,
    Misbehaviour,
    Provider,
    ask,
    failure,
    failures,
    outcomes,
)  # fmt: skip

every = pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.route)
PLAIN_HEADERS = {
    "accept", "accept-encoding", "connection", "content-length", "content-type", "host", "user-agent",
    "x-stainless-raw-response",
}  # fmt: skip
CREDENTIALS = {
    "anthropic": {"authorization", "anthropic-version"},
    "bedrock": {"authorization", "x-amz-date", "amz-sdk-invocation-id", "amz-sdk-request"},
    "ollama": set(),
}


SERVED: dict[str, dict[str, Any]] = {dialect.route: {"served": "tiny-1"} for dialect in DIALECTS}
SERVED["bedrock"] = {}  # it does not say
SERVED["ollama"] = {"served": "tiny-1", "fingerprint": "digest:0123abcd"}


def setting(provider: Provider, bodies: Iterable[bytes]) -> list[Callable[[], None]]:
    """Steps that let the provider answer with one body after another."""
    return [partial(provider.says, 200, body) for body in bodies]


def reply(dialect: Dialect, text: str = "4", how: str = "stop", usage: object = None) -> bytes:
    return dialect.reply(text, dialect.stops.get(how, how), usage)


@every
def test_it_sends_its_own_key_to_its_own_provider_and_nothing_of_others(
    dialect: Dialect, provider: Provider, environment: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID") if dialect.route == "openai" else ():
        environment.delenv(name)  # who pays there is its own
    provider.body = reply(dialect)
    ask(dialect.name, provider)
    sent = provider.posts[0]
    assert sent.path == dialect.path
    assert "not-for-you" not in json.dumps([sent.headers, sent.body])
    assert set(sent.headers) <= PLAIN_HEADERS | CREDENTIALS.get(dialect.route, {"authorization"})
    match dialect.route:
        case "ollama":
            assert "authorization" not in sent.headers
        case "bedrock":
            assert f"Credential={AWS_ID}/" in sent.headers["authorization"]
        case _:
            assert sent.headers["authorization"] == f"Bearer {KEY}"


@every
def test_it_sends_the_settings_as_given_and_no_other(dialect: Dialect, provider: Provider) -> None:
    provider.body = reply(dialect)
    for settings in ({"max_tokens": 600}, {"max_tokens": 600, "temperature": 0.5}):
        ask(dialect.name, provider, settings)
        sent = provider.posts[-1].body
        text = json.dumps(sent)
        assert ("temperature" in text) == ("temperature" in settings)
        assert not [knob for knob in ("top_p", "topP", "stream", "stop", "seed", "penalty") if f'"{knob}' in text]
        told = sent["inferenceConfig"] if dialect.route == "bedrock" else sent
        longest = {"openai": "max_completion_tokens", "bedrock": "maxTokens"}.get(dialect.route, "max_tokens")
        assert told[longest] == 600
        assert told.get("temperature") == settings.get("temperature")


@every
def test_the_key_comes_from_the_environment(
    dialect: Dialect, provider: Provider, environment: pytest.MonkeyPatch
) -> None:
    provider.body = reply(dialect)
    for key in ROUTES[dialect.route].keys[:1]:
        environment.setenv(key, f"{KEY}\n" if dialect.route != "bedrock" else "AKIAANOTHERONE123456")
    ask(dialect.name, provider, **({"api_key": None} if "api_key" in dialect.options(provider) else {}))
    sent = provider.posts[0].headers.get("authorization", "")
    wanted = {"ollama": "", "bedrock": "Credential=AKIAANOTHERONE123456/"}.get(dialect.route, f"Bearer {KEY}")
    assert wanted in sent


@pytest.mark.parametrize("route", ["openai", "anthropic", "nous", "openrouter"])
def test_without_its_key_it_is_not_opened(route: str, environment: pytest.MonkeyPatch) -> None:
    (key,) = ROUTES[route].keys
    environment.setenv(key, "  ")
    with pytest.raises(UsageError, match=f"{route}:tiny needs a key. Set {key} in the environment"):
        open_model(f"{route}:tiny", {"max_tokens": 1})
    environment.setenv(key, "geheim\u00fc")
    with pytest.raises(UsageError, match=key) as caught:
        open_model(f"{route}:tiny", {"max_tokens": 1})
    assert "geheim" not in str(caught.value)


@every
def test_a_reply_to_the_byte_and_how_it_ended(dialect: Dialect, provider: Provider) -> None:
    cases = list(product(["", "  Vier.\r\n\u2028ANSWER: **4** \U0001f600"], ["stop", "length", "refusal"]))
    got = outcomes(dialect.name, provider, setting(provider, (reply(dialect, *case) for case in cases)))
    assert got == [Completion(text, finish, **SERVED[dialect.route]) for text, finish in cases]


@every
def test_an_end_that_is_not_known(dialect: Dialect, provider: Provider) -> None:
    provider.body = reply(dialect, "4", "something new")
    assert ask(dialect.name, provider).finish == "unknown"
    provider.body = reply(dialect, "", "something new")
    assert failure(dialect.name, provider).kind == "error_body"


@every
def test_counts_are_whole_numbers_or_nothing(dialect: Dialect, provider: Provider) -> None:
    counts = {(30, 9): (30, 9), (0, 0): (0, 0), (None, 9): (None, 9), (30.5, "9"): None, (-1, True): None}
    bodies = [reply(dialect, usage=dict(zip(dialect.counts, given, strict=True))) for given in counts]
    bodies += [reply(dialect, usage=usage) for usage in ([], "many", 7, {})]
    got = outcomes(dialect.name, provider, setting(provider, bodies))
    wanted = [Usage(input=pair[0], output=pair[1]) if pair else None for pair in counts.values()] + [None] * 4
    assert [isinstance(one, Completion) and one.usage for one in got] == wanted


STATUSES = {
    400: "config", 401: "auth", 402: "auth", 403: "auth", 404: "config", 408: "timeout", 409: "config", 413: "config",
    422: "config", 429: "rate_limit", 500: "overloaded", 502: "overloaded", 503: "overloaded", 504: "timeout",
    529: "overloaded",
}  # fmt: skip


@every
def test_each_status_is_a_kind(dialect: Dialect, provider: Provider) -> None:
    body = {"message": "it is like this", "error": {"message": "it is like this"}}
    failed = failures(dialect.name, provider, [partial(provider.says, status, body) for status in STATUSES])
    assert dict(zip(STATUSES, [error.kind for error in failed], strict=True)) == STATUSES
    for status, error in zip(STATUSES, failed, strict=True):
        assert error.message.startswith(f"{provider.address.removeprefix('http://')}: answered {status}")
        assert "it is like this" in error.message
        assert (error.usage, error.retry_after) == (None, None)


@every
def test_a_status_counts_whatever_the_body_is(dialect: Dialect, provider: Provider) -> None:
    bodies = [b"", b"[]", b'"down"', b"<html><b>Bad gateway</b></html>", b"\xff\x00", b"[" * 50_000, b'{"error": []}']
    cases = list(product((401, 503), bodies))
    failed = failures(dialect.name, provider, [partial(provider.says, *case) for case in cases])
    assert [error.kind for error in failed] == [STATUSES[status] for status, _ in cases]


PAUSES: list[tuple[dict[str, str], float | None]] = [
    ({"Retry_After": "120"}, 120.0),
    ({"Retry_After": "1.5"}, 1.5),
    ({"Retry_After": "0"}, 0.0),
    ({"retry_after_ms": "1500", "Retry_After": "9"}, 1.5),
    ({"retry_after_ms": "soon", "Retry_After": "9"}, 9.0),
    ({"Retry_After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
    ({"Retry_After": "-5"}, None),
    ({"Retry_After": "inf"}, None),
    ({"Retry_After": "nan"}, None),
    ({"Retry_After": "1e999"}, None),
    ({"Retry_After": "9" * 400}, None),
    ({"Retry_After": "tomorrow"}, None),
    ({"Retry_After": "Mon, 99 Xyz 2026 07:28:00 GMT"}, None),
    ({"Retry_After": ""}, None),
    ({}, None),
]


@every
def test_when_to_ask_again(dialect: Dialect, provider: Provider) -> None:
    steps = [partial(provider.says, 429, {"error": {"message": "slow"}}, **headers) for headers, _ in PAUSES]
    failed = failures(dialect.name, provider, steps)
    assert {error.kind for error in failed} == {"rate_limit"}
    assert [(headers, error.retry_after) for (headers, _), error in zip(PAUSES, failed, strict=True)] == PAUSES


@every
def test_when_to_ask_again_by_a_date(dialect: Dialect, provider: Provider) -> None:
    provider.says(503, b"", Retry_After=formatdate(time.time() + 90, usegmt=True))
    pause = failure(dialect.name, provider).retry_after
    assert pause is not None
    assert 80 < pause <= 90


BROKEN: list[tuple[Misbehaviour, str]] = [
    (wired.cut, "cut_stream"), (wired.cut_chunks, "cut_stream"), (wired.hang_up, "cut_stream"),
    (wired.no_http, "cut_stream"), (wired.no_gzip, "error_body"), (wired.stall, "timeout"), (wired.trickle, "timeout"),
    (wired.overloaded_and_cut, "overloaded"), (wired.rate_limited_in_gzip, "rate_limit"),
]  # fmt: skip


@every
@pytest.mark.parametrize(("misbehave", "kind"), BROKEN, ids=lambda value: getattr(value, "__name__", value))
def test_a_wire_that_fails(dialect: Dialect, provider: Provider, misbehave: Misbehaviour, kind: str) -> None:
    provider.misbehave = misbehave
    assert failure(dialect.name, provider, timeout=1 if kind == "timeout" else 30).kind == kind
    assert len(provider.posts) == 1


@every
def test_nobody_listens(dialect: Dialect, environment: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    error = failure(dialect.name, Provider(f"http://127.0.0.1:{port}"))
    assert error.kind == "connection"
    assert f"127.0.0.1:{port}" in error.message


@every
def test_what_speaks_no_tls_is_not_told_anything(dialect: Dialect, provider: Provider) -> None:
    secure = Provider(provider.address.replace("http://", "https://"))
    assert failure(dialect.name, secure).kind == ("cut_stream" if dialect.route == "bedrock" else "connection")
    assert provider.sent == []


@every
def test_a_redirect_is_not_followed(dialect: Dialect, provider: Provider) -> None:
    with wired.serving() as elsewhere:
        elsewhere.body = reply(dialect)
        for location in (f"{elsewhere.address}{dialect.path}", dialect.path):
            steps = [partial(provider.says, status, b"", Location=location) for status in (301, 302, 307, 308)]
            assert {error.kind for error in failures(dialect.name, provider, steps)} == {"config"}
        assert elsewhere.sent == []
    if dialect.route != "bedrock":  # boto3 stumbles over it, and leaves its socket open
        provider.says(301, b"", Location="http://[::1")
        assert failure(dialect.name, provider).kind == "config"


NO_REPLIES = [
    b"", b"[]", b"null", b"<html>Bad gateway</html>", b"[" * 50_000, b"{}", b'{"error": {"message": "down"}}',
    b'{"error": "down"}', b'{"message": "down"}', b'{"type": "error"}', b'{"choices": null}', b'{"content": null}',
    b'{"choices": [null]}', b'{"content": [null], "stop_reason": null}', b'{"output": {"message": null}}',
    b'{"output": []}', b'{"content": "4"}', b'{"output": {"message": {"content": [{"text": 4}]}}}',
    b'{"content": [{"type": "text", "text": 4}], "stop_reason": "end_turn"}',
]  # fmt: skip


@every
def test_what_is_no_reply_although_the_status_says_so(dialect: Dialect, provider: Provider) -> None:
    failed = failures(dialect.name, provider, setting(provider, NO_REPLIES))
    assert {error.kind for error in failed} == {"error_body"}


@every
def test_text_that_no_log_can_hold(dialect: Dialect, provider: Provider) -> None:
    whole = reply(dialect, "PLAIN", usage=dict(zip(dialect.counts, (30, 9), strict=True)))
    bodies = [whole.replace(b"PLAIN", bad) for bad in (b"\xff", b"\\ud83d", b"4\\u0000", b"\xed\xa0\x80")]
    failed = failures(dialect.name, provider, setting(provider, bodies))
    assert [(error.kind, error.usage) for error in failed] == [("invalid_text", Usage(input=30, output=9))] * 4


LEAKS = [
    f"key {KEY} is unknown",
    f"you sent Authorization: Bearer {KEY[:-1]}",
    f'headers: {{"Authorization": "AWS4-HMAC-SHA256 Credential={AWS_ID}/2026, Signature=ab12"}}',
    "x-api-key: abcdefgh",
    "Incorrect API key provided: sk-p****cdef",
    "ASIAIOSFODNN7EXAMPLE has expired",
]


@every
@pytest.mark.parametrize("status", [200, 401])
def test_no_key_reaches_a_message(dialect: Dialect, provider: Provider, status: int) -> None:
    steps = [partial(provider.says, status, {"message": said, "error": {"message": said}}) for said in LEAKS]
    for error in failures(dialect.name, provider, steps):
        assert "[key]" in str(error)
        parts = ("sk-", "Signature", "abcdefgh", "cdef", "ASIA", "AKIA")
        assert not [part for part in parts if part in str(error)]


@every
def test_no_account_number_reaches_a_message(dialect: Dialect, provider: Provider) -> None:
    accounts = ["arn:aws:bedrock:us-east-1:123456789012:inference-profile/x", "account 123456789012 is not authorized",
                "Account ID: 123456789012", "arn:aws-us-gov:iam::123456789012:user/me"]  # fmt: skip
    steps = [partial(provider.says, 403, {"message": said, "error": {"message": said}}) for said in accounts]
    for error in failures(dialect.name, provider, steps):
        assert "[account]" in error.message
        assert "123456789012" not in error.message


@every
def test_many_calls_are_made_at_once(dialect: Dialect, provider: Provider) -> None:
    together = threading.Barrier(64)

    def wait(handler: BaseHTTPRequestHandler) -> None:
        together.wait(timeout=20)
        body = reply(dialect)
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))

    provider.misbehave = wait

    async def all_at_once() -> list[Completion]:
        model = open_model(dialect.name, {"max_tokens": 5}, **dialect.options(provider))
        try:
            return await asyncio.gather(*(model.complete(TALK) for _ in range(64)))
        finally:
            await model.close()

    assert [got.text for got in asyncio.run(all_at_once())] == ["4"] * 64
    assert len(provider.posts) == 64


@every
def test_a_call_carries_nothing_of_the_one_before(dialect: Dialect, provider: Provider) -> None:
    provider.says(200, reply(dialect), Set_Cookie="session=1; Path=/")

    async def twice() -> None:
        model = open_model(dialect.name, {"max_tokens": 5}, **dialect.options(provider))
        try:
            await model.complete(TALK)
            await model.complete(TALK)
        finally:
            await model.close()

    asyncio.run(twice())
    first, second = provider.posts
    assert first.body == second.body
    assert "cookie" not in second.headers


@every
def test_a_call_can_be_given_up(dialect: Dialect, provider: Provider) -> None:
    provider.misbehave = wired.stall

    async def give_up() -> None:
        model = open_model(dialect.name, {"max_tokens": 5}, **dialect.options(provider), timeout=30)
        call = asyncio.create_task(model.complete(TALK))
        await asyncio.sleep(0.1)
        began = time.monotonic()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await model.close()
        assert time.monotonic() - began < 1

    asyncio.run(give_up())


@pytest.mark.parametrize("route", [dialect.route for dialect in DIALECTS])
@pytest.mark.parametrize(
    "url",
    ["ftp://127.0.0.1/v1", "http://", "http://host:99999/v1", "http://[::1/v1", "http://a\x00b/v1"],
)
def test_an_address_that_cannot_be_used_is_refused(route: str, url: str, environment: pytest.MonkeyPatch) -> None:
    options: dict[str, Any] = {"endpoint_url" if route == "bedrock" else "base_url": url}
    if route == "ollama" and url in ("http://", "http://host:99999/v1", "http://[::1/v1"):
        return  # it makes something of everything
    with pytest.raises(UsageError):
        open_model(f"{route}:tiny", {"max_tokens": 1}, **options)
