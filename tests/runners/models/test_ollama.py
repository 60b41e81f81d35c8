"""`ollama:` over the wire: names and tags, the digest that identifies a model, where OLLAMA_HOST points."""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import pytest

from runners.errors import UsageError
from runners.models import canonical, open_model, weights
from runners.models import local as local_route
from runners.models.base import Completion, Message
from runners.models.ollama_chat import address_of
from tests.conftest import unavailable
from tests.runners.models.wired import TALK, Provider, ask, chat, failure, outcomes, serving

MODEL = "ollama:tiny"


def tags(**digests: object) -> bytes:
    """What /api/tags answers; `__` stands for the colon of a tag."""
    models = [{"name": name.replace("__", ":"), "digest": digest} for name, digest in digests.items()]
    return json.dumps({"models": models}).encode()


@pytest.mark.parametrize(
    ("name", "whole"),
    [
        ("ollama:qwen3", "ollama:qwen3:latest"),
        ("ollama:qwen3:latest", "ollama:qwen3:latest"),
        ("ollama:qwen3:8b", "ollama:qwen3:8b"),
        ("ollama:team/qwen3", "ollama:team/qwen3:latest"),
        ("ollama:hf.co/x/y", "ollama:hf.co/x/y:latest"),
        ("ollama:hf.co/x/y:Q4_K_M", "ollama:hf.co/x/y:Q4_K_M"),
        ("ollama:localhost:5000/x/y", "ollama:localhost:5000/x/y:latest"),
        ("ollama:localhost:5000/x/y:1b", "ollama:localhost:5000/x/y:1b"),
        ("openai:qwen3", "openai:qwen3"),
        ("compatible:qwen3", "compatible:qwen3"),
        ("scripted:mute", "scripted:mute"),
    ],
)
def test_the_one_name_of_a_model(name: str, whole: str) -> None:
    assert canonical(name) == whole
    assert canonical(whole) == whole


@pytest.mark.parametrize("name", ["qwen3", "ollama:", "ollama: qwen3", "telepathy:x"])
def test_what_is_no_name(name: str) -> None:
    with pytest.raises(UsageError):
        canonical(name)


def test_the_whole_name_is_asked_for_and_the_digest_is_the_fingerprint(provider: Provider) -> None:
    body = json.loads(chat("4", reasoning="hm", usage={"prompt_tokens": 3, "completion_tokens": 2}))
    provider.says(200, {**body, "system_fingerprint": "fp_ollama", "model": "tiny"})
    provider.pages["/api/tags"] = tags(tiny__8b="99", tiny__latest="sha256:0123abcd")
    assert open_model(MODEL, {}).name == "ollama:tiny:latest"
    got = ask(MODEL, provider, {"temperature": 0.5, "max_tokens": 600})
    assert (got.text, got.served, got.fingerprint) == ("4", "tiny", "digest:0123abcd")
    assert provider.posts[0].body == {
        "model": "tiny:latest",
        "messages": [{"role": message.role, "content": message.content} for message in TALK],
        "temperature": 0.5,
        "max_tokens": 600,
    }


def test_the_digest_is_asked_for_once_and_before_the_first_call(provider: Provider) -> None:
    provider.body = chat("4")

    async def three() -> list[Completion]:
        model = open_model(MODEL, {}, base_url=provider.address)
        try:
            return await asyncio.gather(*(model.complete(TALK) for _ in range(3)))
        finally:
            await model.close()

    assert {got.fingerprint for got in asyncio.run(three())} == {"digest:0123abcd"}
    assert [sent.method for sent in provider.sent] == ["GET", "POST", "POST", "POST"]
    assert "authorization" not in provider.sent[0].headers


@pytest.mark.parametrize(
    ("page", "kind", "said"),
    [
        (tags(tiny__8b="99"), "config", "ollama pull tiny:latest"),
        (tags(), "config", "ollama pull tiny:latest"),
        (b'{"models": null}', "config", "ollama pull tiny:latest"),
        (b'{"models": [null, 7]}', "config", "ollama pull tiny:latest"),
        (tags(tiny__latest=None), "error_body", "without a digest"),
        (tags(tiny__latest="../x"), "error_body", "without a digest"),
        (b"Ollama is running", "error_body", "not JSON"),
        (None, "config", "answered 404"),
    ],
)
def test_a_model_that_is_not_there_is_not_asked(provider: Provider, page: bytes | None, kind: str, said: str) -> None:
    provider.pages = {} if page is None else {"/api/tags": page}
    error = failure(MODEL, provider)
    assert error.kind == kind
    assert said in error.message
    assert error.message.count("127.0.0.1") == 1
    assert provider.posts == []


def test_a_model_that_is_pulled_meanwhile(provider: Provider) -> None:
    provider.body = chat("4")
    provider.pages["/api/tags"] = tags()

    def pull() -> None:
        provider.pages["/api/tags"] = tags(tiny__latest="77")

    first, second = outcomes(MODEL, provider, [lambda: None, pull])
    assert not isinstance(first, Completion)
    assert isinstance(second, Completion)
    assert second.fingerprint == "digest:77"


def test_nobody_listens_names_what_should(environment: pytest.MonkeyPatch) -> None:
    error = failure(MODEL, Provider("http://127.0.0.1:9"))
    assert error.kind == "connection"
    assert error.message.endswith(". Is ollama running there?")


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("", "http://127.0.0.1:11434"),
        ("  \"'' ", "http://127.0.0.1:11434"),
        ("box", "http://box:11434"),
        ("box:99", "http://box:99"),
        (":99", "http://127.0.0.1:99"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:99", "http://127.0.0.1:99"),
        ("[::]:99", "http://127.0.0.1:99"),
        ("::1", "http://[::1]:11434"),
        ("[::1]", "http://[::1]:11434"),
        ("[::1]:99", "http://[::1]:99"),
        ("http://box", "http://box:80"),
        ("https://box", "https://box:443"),
        ("https://box:99/", "https://box:99"),
        ("http://box:99/ollama/", "http://box:99/ollama"),
        ("box:port", "http://box:11434"),
        ("box:70000", "http://box:11434"),
        ("http://box:port", "http://box:80"),
        ("'http://box:99'", "http://box:99"),
    ],
)
def test_where_ollama_host_points(host: str, address: str) -> None:
    assert address_of(host) == address


def test_ollama_host_is_used_with_or_without_the_path_of_its_api(
    provider: Provider, environment: pytest.MonkeyPatch
) -> None:
    provider.body = chat("4")
    for host in (provider.address.removeprefix("http://"), f"{provider.address}/v1/"):
        environment.setenv("OLLAMA_HOST", host)
        assert ask(MODEL, provider, base_url=None).text == "4"


def test_there_is_no_key(provider: Provider) -> None:
    with pytest.raises(UsageError, match="no option api_key"):
        open_model(MODEL, {}, api_key="x")


@pytest.fixture
def real() -> Iterator[Provider]:
    """The small real model of `local:`, behind what makes it look like an ollama: its list of models."""
    try:
        local = open_model("local:smollm2-135m", {})
    except UsageError as error:
        if "could not be fetched" not in str(error):
            raise
        unavailable(f"local:smollm2-135m: {error}")
        raise
    (served,) = local_route._running.values()
    place = served.server.listening_address.removeprefix("http://")

    def forward(handler: BaseHTTPRequestHandler) -> None:
        connection = http.client.HTTPConnection(place, timeout=120)
        headers = {"Authorization": f"Bearer {served.key}", "Content-Type": "application/json"}
        connection.request("POST", handler.path, json.dumps(state.posts[-1].body), headers)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        handler.wfile.write(b"HTTP/1.1 %d OK\r\nContent-Length: %d\r\n\r\n%s" % (answer.status, len(body), body))

    with serving() as state:
        state.pages["/api/tags"] = tags(smollm2__135m=weights.KNOWN["smollm2-135m"].gguf_sha256)
        state.misbehave = forward
        yield state
    asyncio.run(local.close())


@pytest.mark.model
def test_a_real_model_answers(real: Provider) -> None:
    talk = [Message("user", "Name the capital of France in one word.")]
    settings = {"temperature": 0.5, "max_tokens": 24, "seed": 0}
    got = ask("ollama:smollm2:135m", real, settings, talk=talk)
    assert "Paris" in got.text
    assert got.fingerprint == f"digest:{weights.KNOWN['smollm2-135m'].gguf_sha256}"
    assert got.usage is not None
    assert got.usage.output is not None
    assert got.usage.output <= 24
    cut_short = ask("ollama:smollm2:135m", real, {**settings, "max_tokens": 1}, talk=talk)
    assert cut_short.finish == "length"
