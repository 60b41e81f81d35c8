"""The recorded cases P01 to P12 of providers that misbehave (as far as a route can tell), over the wire."""

from __future__ import annotations

import json
from email.utils import formatdate
from time import time

import pytest

from runners.models import canonical
from runners.models.base import Completion, Usage
from tests.runners.models.wired import Provider, ask, chat, claude, converse, failure


def test_p01_a_model_that_rejects_a_temperature_is_a_wrong_configuration(provider: Provider) -> None:
    said = "The model returned the following errors: `temperature` is deprecated for this model."
    provider.says(400, {"message": said}, x_amzn_ErrorType="ValidationException")
    error = failure("bedrock:tiny", provider, settings={"temperature": 0.5, "max_tokens": 600})
    assert error.kind == "config"
    assert "`temperature` is deprecated" in error.message
    provider.says(200, converse("4"))
    ask("bedrock:tiny", provider, {"max_tokens": 600})  # as amended
    assert provider.posts[-1].body["inferenceConfig"] == {"maxTokens": 600}


def test_p02_the_longest_reply_has_the_name_that_current_models_know(provider: Provider) -> None:
    provider.body = chat()
    ask("openai:gpt-5-mini", provider, {"max_tokens": 600})
    assert {"max_completion_tokens", "model", "messages"} == set(provider.posts[0].body)
    error = {"message": "Unsupported value: 'temperature'", "code": "unsupported_value"}
    provider.says(400, {"error": error})
    assert failure("openai:gpt-5-mini", provider, settings={"temperature": 0.16}).kind == "config"


@pytest.mark.parametrize("route", ["openai", "anthropic", "bedrock", "openrouter"])
def test_p05_a_rate_limit_says_when_to_ask_again_and_is_asked_once(provider: Provider, route: str) -> None:
    provider.says(429, {"error": {"message": "slow"}}, Retry_After="120")
    by_seconds = failure(f"{route}:tiny", provider)
    provider.says(429, {"error": {"message": "slow"}}, Retry_After=formatdate(time() + 120, usegmt=True))
    by_date = failure(f"{route}:tiny", provider)
    assert (by_seconds.kind, by_seconds.retry_after, by_date.kind) == ("rate_limit", 120.0, "rate_limit")
    assert by_date.retry_after == pytest.approx(120, abs=60)
    assert len(provider.posts) == 2


def test_p07_a_refusal_without_a_block_is_a_refusal(provider: Provider) -> None:
    provider.body = claude(stop="refusal", usage={"input_tokens": 9, "output_tokens": 1})
    assert ask("anthropic:tiny", provider) == Completion("", "refusal", Usage(9, output=1), "tiny-1")


@pytest.mark.parametrize("field", ["reasoning", "reasoning_content"])
def test_p09_reasoning_is_no_answer_and_its_absence_no_failure(provider: Provider, field: str) -> None:
    usage = {"completion_tokens": 9, "completion_tokens_details": {"reasoning_tokens": 9}}
    provider.body = chat(None, "stop", usage=usage, **{field: "So the ANSWER: 5"})
    assert ask("nous:tiny", provider) == Completion("", "stop", Usage(output=9, reasoning=9), "tiny-1")


def test_p10_one_model_has_one_name_and_a_digest(provider: Provider) -> None:
    assert canonical("ollama:qwen3") == canonical("ollama:qwen3:latest") != canonical("ollama:qwen3:8b")
    provider.body = chat()
    models = [{"name": "qwen3:latest", "digest": "aa"}, {"name": "qwen3:8b", "digest": "bb"}]
    provider.pages["/api/tags"] = json.dumps({"models": models}).encode()
    got = [ask(f"ollama:{name}", provider).fingerprint for name in ("qwen3", "qwen3:latest", "qwen3:8b")]
    assert got == ["digest:aa", "digest:aa", "digest:bb"]


def test_p11_no_counts_are_none_and_not_zero(provider: Provider) -> None:
    for route, body in {"openai": chat(), "anthropic": claude("4"), "bedrock": converse("4")}.items():
        provider.body = body
        assert ask(f"{route}:tiny", provider).usage is None


def test_p12_every_route_counts_cached_input_alike(provider: Provider) -> None:
    details = {"cached_tokens": 58000, "cache_write_tokens": 20000}
    bodies = {
        "openrouter": chat(usage={"prompt_tokens": 78320, "prompt_tokens_details": details}),
        "anthropic": claude(
            "4",
            usage={"input_tokens": 320, "cache_read_input_tokens": 58000, "cache_creation_input_tokens": 20000},
        ),
        "bedrock": converse(
            "4", usage={"inputTokens": 320, "cacheReadInputTokens": 58000, "cacheWriteInputTokens": 20000}
        ),
    }
    for route, body in bodies.items():
        provider.body = body
        assert ask(f"{route}:tiny", provider).usage == Usage(78320, 58000, 20000)
