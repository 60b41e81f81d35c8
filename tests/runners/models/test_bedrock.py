"""`bedrock:` over the wire: what the Converse API is sent, what its bodies and its exceptions mean."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler

import pytest

from runners.errors import UsageError
from runners.models import open_model
from runners.models.base import Completion, Message, Usage
from tests.runners.models.wired import AWS_ID, TALK, Provider, ask, converse, failure, stall

MODEL = "bedrock:tiny"
THOUGHT = {"reasoningContent": {"reasoningText": {"text": "4, or is it 5?", "signature": "xyz"}}}


def test_it_sends_the_system_prompt_apart_and_exactly_the_settings(provider: Provider) -> None:
    provider.body = converse("4")
    ask("bedrock:eu.anthropic.tiny-v1:0", provider, {"max_tokens": 600, "temperature": 0.5})
    sent = provider.posts[0]
    assert sent.path == "/model/eu.anthropic.tiny-v1%3A0/converse"
    assert sent.body == {
        "system": [{"text": "Be brief."}],
        "messages": [
            {"role": "user", "content": [{"text": "2 + 2?"}]},
            {"role": "assistant", "content": [{"text": "4"}]},
            {"role": "user", "content": [{"text": "Sure?"}]},
        ],
        "inferenceConfig": {"maxTokens": 600, "temperature": 0.5},
    }


def test_no_setting_is_no_field(provider: Provider) -> None:
    provider.body = converse("4")
    ask(MODEL, provider, {}, talk=[Message("user", "2 + 2?"), Message("assistant", " "), Message("user", "So?")])
    assert set(provider.posts[0].body) == {"messages"}
    assert provider.posts[0].body["messages"][1]["content"] == [{"text": "(no text)"}]


def test_other_settings_and_a_schema(provider: Provider) -> None:
    provider.body = converse("4")
    ask(MODEL, provider, {"top_p": 0.9, "top_k": 5, "json_schema": '{"type": "object"}'})
    sent = provider.posts[0].body
    assert sent["inferenceConfig"] == {"topP": 0.9}
    assert sent["additionalModelRequestFields"] == {"top_k": 5}
    structure = {"jsonSchema": {"name": "reply", "schema": '{"type": "object"}'}}
    assert sent["outputConfig"] == {"textFormat": {"type": "json_schema", "structure": structure}}


@pytest.mark.parametrize(
    ("body", "text", "finish"),
    [
        (converse(THOUGHT, "4"), "4", "stop"),
        (converse("4", THOUGHT, "!"), "4!", "stop"),
        (converse(THOUGHT), "", "stop"),
        (converse(), "", "stop"),
        (converse("4", {"somethingNew": {"text": "5"}}), "4", "stop"),
        (converse("4", stop="stop_sequence"), "4", "stop"),
        (converse(THOUGHT, stop="max_tokens"), "", "length"),
        (converse("4 bec", stop="model_context_window_exceeded"), "4 bec", "length"),
        (converse("Blocked.", stop="guardrail_intervened"), "Blocked.", "refusal"),
        (converse(stop="content_filtered"), "", "refusal"),
        (converse("4", stop="malformed_model_output"), "4", "unknown"),
        (converse("4", stop=["end_turn"]), "4", "unknown"),
    ],
)
def test_blocks_by_kind_and_how_a_reply_ended(provider: Provider, body: bytes, text: str, finish: str) -> None:
    provider.body = body
    assert ask(MODEL, provider) == Completion(text, finish)  # type: ignore[arg-type]


def test_a_router_says_which_model_it_chose(provider: Provider) -> None:
    router = {"invokedModelId": "arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.tiny"}
    provider.body = converse("4", trace={"promptRouter": router})
    assert ask(MODEL, provider).served == "arn:aws:bedrock:us-east-1:[account]:inference-profile/us.tiny"


@pytest.mark.parametrize(
    ("counts", "usage"),
    [
        # Caches are counted apart; the total has them.
        ({"inputTokens": 4, "outputTokens": 9, "totalTokens": 1550, "cacheReadInputTokens": 1537},
         Usage(1541, 1537, None, 9)),
        ({"inputTokens": 320, "outputTokens": 9, "cacheReadInputTokens": 58000, "cacheWriteInputTokens": 20000},
         Usage(78320, 58000, 20000, 9)),
        # A total without them says that they are in the input already.
        ({"inputTokens": 100, "outputTokens": 9, "totalTokens": 109, "cacheReadInputTokens": 60},
         Usage(100, 60, None, 9)),
        ({"inputTokens": None, "outputTokens": 9.5, "totalTokens": -1}, None),
    ],
)  # fmt: skip
def test_cached_input_is_part_of_all_input(provider: Provider, counts: dict[str, object], usage: Usage | None) -> None:
    provider.body = converse("4", usage=counts)
    assert ask(MODEL, provider).usage == usage


EXCEPTIONS = [
    (400, "ValidationException", "config"), (404, "ResourceNotFoundException", "config"),
    (403, "AccessDeniedException", "auth"), (403, "ExpiredTokenException", "auth"),
    (400, "ExpiredTokenException", "auth"), (403, "UnrecognizedClientException", "auth"),
    (429, "ThrottlingException", "rate_limit"), (400, "ThrottlingException", "rate_limit"),
    (429, "ModelNotReadyException", "overloaded"), (503, "ServiceUnavailableException", "overloaded"),
    (500, "InternalServerException", "overloaded"), (408, "ModelTimeoutException", "timeout"),
    (424, "ModelErrorException", "overloaded"), (400, "ServiceQuotaExceededException", "config"),
]  # fmt: skip


@pytest.mark.parametrize(("status", "name", "kind"), EXCEPTIONS)
@pytest.mark.parametrize("where", ["header", "body"])
def test_each_exception_is_a_kind(provider: Provider, status: int, name: str, kind: str, where: str) -> None:
    if where == "header":
        url = "http://internal.amazon.com/coral/com.amazon.bedrock/"
        provider.says(status, {"message": "it is so"}, x_amzn_ErrorType=f"{name}:{url}", Retry_After="4")
    else:
        provider.says(status, {"__type": f"com.amazon.bedrock#{name}", "Message": "it is so"}, Retry_After="4")
    error = failure(MODEL, provider)
    assert (error.kind, error.retry_after) == (kind, 4.0)
    assert error.message.endswith(f"answered {status} {name}: it is so")


def test_a_model_that_rejects_the_request_is_not_overloaded(provider: Provider) -> None:
    body = {"message": "no such parameter", "originalStatusCode": 400}
    provider.says(424, body, x_amzn_ErrorType="ModelErrorException")
    assert failure(MODEL, provider).kind == "config"


def test_credentials_of_the_chain(provider: Provider, environment: pytest.MonkeyPatch) -> None:
    environment.setenv("AWS_SESSION_TOKEN", "session-token-abc")
    provider.says(403, {"message": "session-token-abc is expired, X-Amz-Security-Token: other-abc"})
    assert "abc" not in failure(MODEL, provider).message
    assert provider.posts[0].headers["x-amz-security-token"] == "session-token-abc"


def test_a_bearer_token_is_not_sent_in_the_clear(provider: Provider, environment: pytest.MonkeyPatch) -> None:
    environment.setenv("AWS_BEARER_TOKEN_BEDROCK", "bedrock-api-key-abc")
    error = failure(MODEL, provider)
    assert (error.kind, provider.posts) == ("config", [])
    assert "Bearer authorization requires an HTTPS endpoint" in error.message


def test_no_credentials(provider: Provider, environment: pytest.MonkeyPatch) -> None:
    environment.delenv("AWS_ACCESS_KEY_ID")
    environment.delenv("AWS_SECRET_ACCESS_KEY")
    error = failure(MODEL, provider)
    assert error.kind == "auth"
    assert "no usable AWS credentials" in error.message
    assert provider.posts == []


def test_credentials_in_part(provider: Provider, environment: pytest.MonkeyPatch) -> None:
    environment.delenv("AWS_SECRET_ACCESS_KEY")
    with pytest.raises(UsageError, match="bedrock:tiny cannot be set up") as caught:
        open_model(MODEL, {})
    assert AWS_ID not in str(caught.value)


@pytest.mark.parametrize(
    ("variables", "region"),
    [
        ({}, "us-east-1"),
        ({"AWS_DEFAULT_REGION": "eu-west-1"}, "eu-west-1"),
        ({"AWS_DEFAULT_REGION": "eu-west-1", "AWS_REGION": "eu-north-1"}, "eu-north-1"),
    ],
)
def test_the_region(
    provider: Provider, environment: pytest.MonkeyPatch, variables: dict[str, str], region: str
) -> None:
    provider.body = converse("4")
    for name, value in variables.items():
        environment.setenv(name, value)
    environment.setenv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", provider.address)
    ask(MODEL, provider, endpoint_url=None)
    assert f"/{region}/bedrock/aws4_request" in provider.posts[0].headers["authorization"]


@pytest.mark.parametrize(("name", "value"), [("AWS_PROFILE", "nobody"), ("AWS_REGION", "no region!")])
def test_what_cannot_be_set_up(environment: pytest.MonkeyPatch, name: str, value: str) -> None:
    environment.setenv(name, value)
    with pytest.raises(UsageError, match="bedrock:tiny cannot be set up"):
        open_model(MODEL, {})


def test_a_parameter_that_boto3_knows_to_be_wrong_is_not_sent(provider: Provider) -> None:
    assert failure(MODEL, provider, settings={"max_tokens": "many"}).kind == "config"
    assert provider.posts == []


def test_calls_that_were_given_up_leave_room_for_others(provider: Provider) -> None:
    crowd = threading.Event()

    def busy(handler: BaseHTTPRequestHandler) -> None:
        if len(provider.posts) >= 200:
            crowd.set()
        stall(handler)

    provider.misbehave = busy

    async def give_up_and_ask() -> str:
        model = open_model(MODEL, {}, endpoint_url=provider.address, timeout=30)
        try:
            calls = [asyncio.create_task(model.complete(TALK)) for _ in range(300)]
            await asyncio.to_thread(crowd.wait, 20)
            for call in calls:
                call.cancel()
            await asyncio.gather(*calls, return_exceptions=True)
            provider.misbehave, provider.body = None, converse("4")
            return (await model.complete(TALK)).text
        finally:
            await model.close()

    assert asyncio.run(give_up_and_ask()) == "4"


def test_python_ends_although_a_call_still_waits(provider: Provider) -> None:
    provider.misbehave = lambda handler: time.sleep(3)
    code = f"""
import asyncio
from runners.models import open_model
from runners.models.base import Message
model = open_model({MODEL!r}, {{}}, endpoint_url={provider.address!r})
async def give_up():
    await asyncio.wait_for(model.complete([Message("user", "Hello?")]), 0.3)
try:
    asyncio.run(give_up())
except TimeoutError:
    print(__import__("time").monotonic())
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert time.monotonic() - float(done.stdout) < 1.5, done.stderr
