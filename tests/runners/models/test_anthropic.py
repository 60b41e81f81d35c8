"""`anthropic:` over the wire: what its Messages API is sent and what its bodies mean."""

from __future__ import annotations

import pytest

from runners.errors import UsageError
from runners.models import open_model
from runners.models.base import Completion, Message, Usage
from tests.runners.models.wired import Provider, ask, claude, failure

MODEL = "anthropic:tiny"
THOUGHT = {"type": "thinking", "thinking": "They want 4, or is it 5?", "signature": "xyz"}


def test_it_sends_the_system_prompt_apart_and_exactly_the_settings(provider: Provider) -> None:
    provider.body = claude("4")
    ask(MODEL, provider, {"max_tokens": 600, "temperature": 0.5})
    assert provider.posts[0].body == {
        "model": "tiny",
        "max_tokens": 600,
        "temperature": 0.5,
        "system": "Be brief.",
        "messages": [
            {"role": "user", "content": "2 + 2?"},
            {"role": "assistant", "content": "4"},
            {"role": "user", "content": "Sure?"},
        ],
    }


def test_an_earlier_reply_without_text_is_sent_as_such(provider: Provider) -> None:
    provider.body = claude("4")
    for blank in ("", " \n"):
        ask(MODEL, provider, talk=[Message("user", "2 + 2?"), Message("assistant", blank), Message("user", "So?")])
        assert [turn["content"] for turn in provider.posts[-1].body["messages"]] == ["2 + 2?", "(no text)", "So?"]
        assert "system" not in provider.posts[-1].body


def test_a_schema_becomes_the_format_of_the_output(provider: Provider) -> None:
    provider.body = claude("{}")
    ask(MODEL, provider, {"max_tokens": 5, "json_schema": '{"type": "object"}'})
    assert provider.posts[0].body["output_config"] == {"format": {"type": "json_schema", "schema": {"type": "object"}}}


@pytest.mark.parametrize(
    ("body", "text", "finish"),
    [
        (claude(THOUGHT, "4"), "4", "stop"),
        (claude(THOUGHT, "4", {"type": "redacted_thinking", "data": "x"}, "!"), "4!", "stop"),
        (claude(THOUGHT), "", "stop"),
        (claude(stop="refusal"), "", "refusal"),
        (claude("I cannot.", stop="refusal"), "I cannot.", "refusal"),
        (claude("4", stop="stop_sequence"), "4", "stop"),
        (claude(THOUGHT, stop="max_tokens"), "", "length"),
        (claude("4 bec", stop="model_context_window_exceeded"), "4 bec", "length"),
        (claude("4", stop="pause_turn"), "4", "unknown"),
        (claude("4", {"type": "tool_use", "id": "1", "name": "f", "input": {}}, stop="tool_use"), "4", "unknown"),
        (claude("4", stop=["end_turn"]), "4", "unknown"),
        (claude("4", stop=None), "4", "unknown"),
    ],
)
def test_blocks_by_type_and_how_a_reply_ended(provider: Provider, body: bytes, text: str, finish: str) -> None:
    provider.body = body
    assert ask(MODEL, provider) == Completion(text, finish, served="tiny-1")  # type: ignore[arg-type]


def test_no_text_and_no_known_end_is_no_reply(provider: Provider) -> None:
    for stop in (None, "pause_turn", "tool_use"):
        provider.body = claude(THOUGHT, stop=stop, usage={"input_tokens": 3, "output_tokens": 4})
        error = failure(MODEL, provider)
        assert (error.kind, error.usage) == ("error_body", Usage(3, output=4))


@pytest.mark.parametrize(
    ("counts", "usage"),
    [
        (
            {"input_tokens": 320, "cache_read_input_tokens": 58000, "cache_creation_input_tokens": 20000},
            Usage(78320, 58000, 20000),
        ),
        ({"input_tokens": 5, "cache_read_input_tokens": 0, "cache_creation_input_tokens": None}, Usage(5, 0)),
        ({"output_tokens": 9, "output_tokens_details": {"thinking_tokens": 4}}, Usage(output=9, reasoning=4)),
        ({"cache_read_input_tokens": 5}, Usage(cached_input=5)),
        ({"input_tokens": -5, "output_tokens": 1.5}, None),
    ],
)
def test_cached_input_is_counted_apart_and_added(
    provider: Provider, counts: dict[str, object], usage: Usage | None
) -> None:
    provider.body = claude("4", usage=counts)
    assert ask(MODEL, provider).usage == usage


@pytest.mark.parametrize(
    ("status", "type_", "message", "kind"),
    [
        (200, "overloaded_error", "Overloaded", "overloaded"),
        (529, "overloaded_error", "Overloaded", "overloaded"),
        (200, "api_error", "Internal server error", "error_body"),
        (400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API.", "auth"),
        (402, "billing_error", "Pay", "auth"),
        (400, "invalid_request_error", "temperature: not supported", "config"),
        (404, "not_found_error", "model: tiny", "config"),
        (413, "request_too_large", "Too large", "config"),
        (429, "rate_limit_error", "Slow down", "rate_limit"),
        (504, "timeout_error", "Too long", "timeout"),
    ],
)
def test_errors_by_type_and_status(provider: Provider, status: int, type_: str, message: str, kind: str) -> None:
    provider.says(status, {"type": "error", "error": {"type": type_, "message": message}, "request_id": "r"})
    error = failure(MODEL, provider)
    assert error.kind == kind
    assert message in error.message


def test_a_month_s_spend_is_no_rate_limit(provider: Provider) -> None:
    details = {"error_code": "enforced_spend_limit_reached"}
    provider.says(429, {"type": "error", "error": {"type": "rate_limit_error", "message": "x", "details": details}})
    assert failure(MODEL, provider).kind == "auth"


def test_the_api_wants_to_be_told_the_longest_reply(environment: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="anthropic:tiny needs the setting max_tokens"):
        open_model(MODEL, {"temperature": 0.5})


def test_its_address_comes_from_the_environment(provider: Provider, environment: pytest.MonkeyPatch) -> None:
    provider.body = claude("4")
    environment.setenv("ANTHROPIC_BASE_URL", provider.address)
    assert ask(MODEL, provider, base_url=None).text == "4"
