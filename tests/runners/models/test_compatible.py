"""The protocol of `compatible:`, which five routes share: each kind of body, what is sent, where it is sent to."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from runners.errors import UsageError
from runners.models import open_model
from runners.models.base import Completion, Usage
from tests.runners.models.wired import KEY, TALK, Provider, ask, chat, failure, failures, outcomes

MODEL = "compatible:tiny"


def test_it_sends_the_conversation_and_exactly_the_settings(provider: Provider) -> None:
    provider.body = chat()
    ask(MODEL, provider, {"temperature": 0.5, "max_tokens": 600, "seed": 0})
    assert provider.posts[0].body == {
        "model": "tiny",
        "messages": [{"role": message.role, "content": message.content} for message in TALK],
        "temperature": 0.5,
        "max_tokens": 600,
        "seed": 0,
    }


def test_a_schema_becomes_the_format_of_the_reply(provider: Provider) -> None:
    provider.body = chat()
    ask(MODEL, provider, {"json_schema": '{"type": "object"}'})
    form = {"name": "reply", "strict": True, "schema": {"type": "object"}}
    assert provider.posts[0].body["response_format"] == {"type": "json_schema", "json_schema": form}


def test_url_and_key_come_from_the_environment(provider: Provider, environment: pytest.MonkeyPatch) -> None:
    provider.body = chat()
    environment.setenv("COUNTERSIGN_COMPATIBLE_URL", f"{provider.address}/v1")
    environment.setenv("COUNTERSIGN_COMPATIBLE_KEY", f"{KEY}\n")
    ask(MODEL, provider, base_url=None, api_key=None)
    assert provider.posts[0].headers["authorization"] == f"Bearer {KEY}"


def test_it_sends_no_key_where_there_is_none(provider: Provider, environment: pytest.MonkeyPatch) -> None:
    provider.body = chat()
    environment.delenv("COUNTERSIGN_COMPATIBLE_KEY")
    ask(MODEL, provider, api_key=None)
    assert "authorization" not in provider.posts[0].headers


def test_a_password_in_the_address_is_sent_and_never_shown(provider: Provider, environment: pytest.MonkeyPatch) -> None:
    environment.delenv("COUNTERSIGN_COMPATIBLE_KEY")
    url = provider.address.replace("http://", "http://me:geheim%21@") + "/v1"
    provider.says(403, {"error": {"message": "me:geheim! may not, nor geheim%21"}})
    error = failure(MODEL, provider, base_url=url, api_key=None)
    assert provider.posts[0].headers["authorization"] == f"Basic {base64.b64encode(b'me:geheim!').decode()}"
    assert "geheim" not in str(error)
    failure(MODEL, provider, base_url=url)
    assert provider.posts[1].headers["authorization"] == f"Bearer {KEY}"


def test_no_proxy_stands_before_this_machine(provider: Provider, environment: pytest.MonkeyPatch) -> None:
    provider.body = chat()
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        environment.setenv(name, "http://127.0.0.1:9")
    assert ask(MODEL, provider).text == "4"


def test_everything_that_a_reply_reports_is_kept(provider: Provider) -> None:
    body = json.loads(chat("  Vier.\r\n\u2028ANSWER: **4** \U0001f600"))
    body |= {"system_fingerprint": "fp_1", "provider": "Somebody"}
    body["usage"] = {
        "prompt_tokens": 30,
        "completion_tokens": 9,
        "total_tokens": 39,
        "prompt_tokens_details": {"cached_tokens": 20, "cache_write_tokens": 5},
        "completion_tokens_details": {"reasoning_tokens": 0},
    }
    provider.says(200, body)
    assert ask(MODEL, provider) == Completion(
        text="  Vier.\r\n\u2028ANSWER: **4** \U0001f600",
        finish="stop",
        usage=Usage(input=30, cached_input=20, cache_write=5, output=9, reasoning=0),
        served="tiny-1",
        fingerprint="fp_1",
        provider="Somebody",
    )


@pytest.mark.parametrize(
    ("counts", "usage"),
    [
        ({"reasoning_tokens": 4}, Usage(30, output=9, reasoning=4)),
        # Counted beside the completion: the total tells, and what was paid for is all of it.
        ({"reasoning_tokens": 40, "total_tokens": 79}, Usage(30, output=49, reasoning=40)),
        ({"reasoning_tokens": 40}, Usage(30, output=9)),
        ({"cached_tokens": 20, "cache_write_tokens": 20}, Usage(30, output=9)),
        ({"cached_tokens": None, "cache_write_tokens": 2.5}, Usage(30, output=9)),
    ],
)
def test_parts_fit_into_their_wholes(provider: Provider, counts: dict[str, Any], usage: Usage) -> None:
    total = counts.pop("total_tokens", 39)
    given = {"prompt_tokens": 30, "completion_tokens": 9, "total_tokens": total}
    provider.body = chat(usage={**given, "prompt_tokens_details": counts, "completion_tokens_details": counts})
    assert ask(MODEL, provider).usage == usage


@pytest.mark.parametrize(
    ("body", "text", "finish"),
    [
        (chat(None, "stop", reasoning_content="hm"), "", "stop"),
        (chat("4", reasoning="hm", reasoning_details=[{"text": "hm"}]), "4", "stop"),
        (chat("4 because", "length"), "4 because", "length"),
        (chat(None, "length", reasoning="hm"), "", "length"),
        (chat(None, "stop", refusal="I cannot."), "I cannot.", "refusal"),
        (chat("No.", "stop", refusal="I cannot."), "No.", "refusal"),
        (chat("4", None), "4", "unknown"),
        (chat("4", ["stop"]), "4", "unknown"),
        (chat([{"type": "thinking", "thinking": []}, {"type": "text", "text": "4"}]), "4", "stop"),
    ],
)
def test_how_a_reply_ended(provider: Provider, body: bytes, text: str, finish: str) -> None:
    provider.body = body
    reply = ask(MODEL, provider)
    assert (reply.text, reply.finish, reply.usage, reply.fingerprint) == (text, finish, None, None)


BROKEN_CHOICE = {"finish_reason": "error", "error": {"message": "x"}, "message": {"content": "4"}}


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b'{"choices": []}', "error_body"),
        (b'{"choices": [{"finish_reason": "stop"}]}', "error_body"),
        (json.dumps({"choices": [BROKEN_CHOICE]}).encode(), "error_body"),
        (chat(None, "tool_calls"), "error_body"),
        (chat("", None), "error_body"),
        (chat(4), "error_body"),
        (chat([{"type": "text", "text": 4}]), "error_body"),
        (chat().replace(b"tiny-1", b"\\u0000"), "invalid_text"),
    ],
)
def test_what_is_no_reply_although_the_status_says_so(provider: Provider, body: bytes, kind: str) -> None:
    provider.body = body
    assert failure(MODEL, provider).kind == kind


def test_what_was_counted_for_an_error_is_kept(provider: Provider) -> None:
    usage = {"prompt_tokens": 30, "completion_tokens": 9}
    bodies = [
        {"error": {"message": "down", "code": 502}, "usage": usage},
        {"choices": [], "usage": usage},
        {"choices": [BROKEN_CHOICE], "usage": usage},
    ]
    steps = [lambda body=body: provider.says(200, body, Retry_After="3") for body in bodies]
    for error in failures(MODEL, provider, steps):
        assert (error.kind, error.usage, error.retry_after) == ("error_body", Usage(30, output=9), 3.0)


@pytest.mark.parametrize("code", ["insufficient_quota", "billing_hard_limit_reached"])
def test_a_limit_that_no_waiting_lifts_is_no_rate_limit(provider: Provider, code: str) -> None:
    for error in ({"code": code}, {"type": code, "code": None}):
        provider.says(429, {"error": {"message": "You exceeded your current quota", **error}}, Retry_After="1")
        assert failure(MODEL, provider).kind == "auth"


@pytest.mark.parametrize(
    "url", ["", "ftp://127.0.0.1/v1", "127.0.0.1:80", "http://", "http://host:99999/v1", "http://[::1/v1"]
)
def test_a_url_that_cannot_be_used_is_refused(url: str, environment: pytest.MonkeyPatch) -> None:
    environment.delenv("COUNTERSIGN_COMPATIBLE_URL")
    with pytest.raises(UsageError, match="COUNTERSIGN_COMPATIBLE_URL"):
        open_model(MODEL, {}, base_url=url)


def test_a_key_that_no_header_can_carry_is_refused_without_showing_it() -> None:
    with pytest.raises(UsageError) as caught:
        open_model(MODEL, {}, base_url="http://127.0.0.1:1/v1", api_key="geheim\u00fc")
    assert "geheim" not in str(caught.value)


def test_the_openai_route_renames_the_longest_reply_and_says_who_pays(
    provider: Provider, environment: pytest.MonkeyPatch
) -> None:
    provider.body = chat()
    environment.setenv("OPENAI_ORG_ID", "org-1")
    environment.delenv("OPENAI_PROJECT_ID")
    environment.setenv("OPENAI_BASE_URL", f"{provider.address}/v1")
    ask("openai:tiny", provider, {"max_tokens": 600, "seed": 1, "reasoning_effort": "low"}, base_url=None)
    sent = provider.posts[0]
    assert sent.headers["openai-organization"] == "org-1"
    assert "openai-project" not in sent.headers
    told = {name: value for name, value in sent.body.items() if name not in ("model", "messages")}
    assert told == {"max_completion_tokens": 600, "seed": 1, "reasoning_effort": "low"}


def test_openrouter_says_who_served(provider: Provider) -> None:
    body = json.loads(chat())
    steps = [lambda who=who: provider.says(200, {**body, "provider": who}) for who in ("Together", None, 7)]
    got = outcomes("openrouter:meta/tiny:free", provider, steps)
    assert [one.provider for one in got if isinstance(one, Completion)] == ["Together", None, None]
    assert provider.posts[0].body["model"] == "meta/tiny:free"


@pytest.mark.parametrize("route", ["nous", "openrouter"])
def test_these_have_one_address(route: str, environment: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="http or https"):
        open_model(f"{route}:tiny", {}, base_url="here")
    assert open_model(f"{route}:tiny", {}).name == f"{route}:tiny"
