"""Route `bedrock:`: Amazon Bedrock's Converse API, through boto3.

Credentials come from AWS's own chain (environment, profile, role); the region from AWS_REGION, AWS_DEFAULT_REGION or
the profile, else us-east-1; another address from AWS_ENDPOINT_URL_BEDROCK_RUNTIME. `temperature`, `max_tokens` and
`top_p` become the inference configuration, each only if it is set; `json_schema` the output's format; other settings
are sent as additional fields of the model. The API takes no message without text: an empty one is sent as `(no text)`.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import boto3
import botocore.exceptions as aws
from botocore.config import Config

from runners.errors import CallFailed, UsageError
from runners.models import ROUTES
from runners.models.access import url_for
from runners.models.base import Completion, Message, Model, Setting
from runners.models.bedrock_reply import check_answer, read_converse
from runners.models.failures import Answer
from runners.models.reply import NO_TEXT, failure_text

REGION = "us-east-1"
# As many as anybody's --concurrency; a connection beyond it would be opened anew for each call.
CONNECTIONS = 256
CONNECT_SECONDS = 30.0
KNOBS = {"temperature": "temperature", "max_tokens": "maxTokens", "top_p": "topP"}

UNCONNECTED = (
    aws.EndpointConnectionError,
    aws.ConnectTimeoutError,
    aws.ProxyConnectionError,
)
NO_CREDENTIALS = (
    aws.NoCredentialsError,
    aws.PartialCredentialsError,
    aws.CredentialRetrievalError,
    aws.NoAuthTokenError,
    aws.TokenRetrievalError,
    aws.MetadataRetrievalError,
    aws.RefreshWithMFAUnsupportedError,
    aws.SSOError,
    getattr(aws, "LoginError", aws.SSOError),  # newer than the oldest boto3 that will do
)


class Bedrock:
    """One model of Bedrock. `timeout` bounds a whole call, in seconds; there are no retries here."""

    def __init__(self, ident: str, settings: Mapping[str, Setting], *, client: Any, timeout: float) -> None:
        self.name = f"bedrock:{ident}"
        self.settings = settings
        self._request = {"modelId": ident, **_parameters(settings)}
        self._client = client
        self._timeout = timeout
        self._where = urlsplit(client.meta.endpoint_url).netloc.rpartition("@")[2]
        self._heard = threading.local()
        client.meta.events.register("before-parse.bedrock-runtime.Converse", self._note)

    async def complete(self, messages: Sequence[Message]) -> Completion:
        """One request with exactly `settings`, one reply.

        Raises:
            CallFailed: any kind of the log schema; its message holds no credentials and no account number.
        """
        request = {**self._request, **_conversation(messages)}
        try:
            async with asyncio.timeout(self._timeout):
                answer = await in_thread(lambda: self._send(request))
            check_answer(answer)
            return read_converse(answer.body)
        except CallFailed as error:
            raise self._failed(error.kind, error.message, error) from error
        except NO_CREDENTIALS as error:
            raise self._failed("auth", f"no usable AWS credentials: {error}") from error
        except aws.ClientError as error:  # without an answer of Bedrock: it is of the service that gives credentials
            raise self._failed("auth", f"AWS credentials could not be had: {error}") from error
        except UNCONNECTED as error:
            raise self._failed("connection", f"no connection: {error}") from error
        except (TimeoutError, aws.ReadTimeoutError) as error:
            raise self._failed("timeout", f"no complete reply within {self._timeout:g} s") from error
        except (aws.HTTPClientError, aws.ConnectionError) as error:
            # TLS can break at any time; only a certificate is certainly looked at before anything is sent.
            if "CERTIFICATE_VERIFY_FAILED" in str(error):
                raise self._failed("connection", f"no connection: {error}") from error
            raise self._failed("cut_stream", f"the connection broke before the reply was complete: {error}") from error
        except aws.BotoCoreError as error:  # it was not sent: a parameter, a region, a configuration
            raise self._failed("config", str(error)) from error

    def _send(self, request: Mapping[str, Any]) -> Answer:
        self._heard.answer = None
        try:
            self._client.converse(**request)
        except aws.ClientError:
            if self._heard.answer is None:
                raise
        answer: Answer = self._heard.answer
        return answer

    def _note(self, response_dict: dict[str, Any], **_: object) -> None:
        """Keep the answer, of which botocore's parser would drop what its model does not know, or stumble over it."""
        headers = {name.lower(): str(value) for name, value in response_dict["headers"].items()}
        self._heard.answer = Answer(response_dict["status_code"], headers, response_dict["body"])
        response_dict["body"] = b"{}"

    def _failed(self, kind: str, text: str, told: CallFailed | None = None) -> CallFailed:
        message = failure_text(f"{self._where}: {text}", filter(None, map(os.environ.get, ROUTES["bedrock"].keys)))
        if told is None:
            return CallFailed(kind, message)
        return CallFailed(kind, message, usage=told.usage, retry_after=told.retry_after)

    async def close(self) -> None:
        """Close the connections; a call that was given up ends by itself when its time is over."""
        self._client.close()


async def in_thread(work: Callable[[], Answer]) -> Answer:
    """What `work` returns or raises, worked out in a thread of its own.

    A pool would be filled up by calls that were given up but still wait, and Python would wait for them at its end.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Answer] = loop.create_future()

    def deliver(give: Callable[[Any], None], outcome: object) -> None:
        if not future.done():
            give(outcome)

    def run() -> None:
        give: Callable[[Any], None] = future.set_result
        outcome: object
        try:
            outcome = work()
        except BaseException as error:  # noqa: BLE001 - whatever it is, it belongs to whoever waits
            give, outcome = future.set_exception, error
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(deliver, give, outcome)

    threading.Thread(target=run, name="bedrock", daemon=True).start()
    return await future


def _parameters(settings: Mapping[str, Setting]) -> dict[str, Any]:
    knobs = {KNOBS[name]: value for name, value in settings.items() if name in KNOBS}
    more = {name: value for name, value in settings.items() if name not in KNOBS and name != "json_schema"}
    parameters: dict[str, Any] = {}
    if knobs:
        parameters["inferenceConfig"] = knobs
    if more:
        parameters["additionalModelRequestFields"] = more
    if "json_schema" in settings:
        form = {"jsonSchema": {"name": "reply", "schema": str(settings["json_schema"])}}
        parameters["outputConfig"] = {"textFormat": {"type": "json_schema", "structure": form}}
    return parameters


def _conversation(messages: Sequence[Message]) -> dict[str, Any]:
    system = [{"text": message.content} for message in messages if message.role == "system"]
    talk = [
        {"role": message.role, "content": [{"text": message.content if message.content.strip() else NO_TEXT}]}
        for message in messages
        if message.role != "system"
    ]
    return {"messages": talk, "system": system} if system else {"messages": talk}


def open_model(
    ident: str, settings: Mapping[str, Setting], *, endpoint_url: str | None = None, timeout: float = 600.0
) -> Model:
    """Bedrock's model or inference profile `ident`; `timeout` in seconds for a whole call.

    Credentials are looked for, but used only by a call.

    Raises:
        UsageError: an unknown profile, a region or an address that cannot be used.
    """
    try:
        session = boto3.Session()
        client = session.client(
            "bedrock-runtime",
            region_name=os.environ.get("AWS_REGION") or session.region_name or REGION,
            endpoint_url=endpoint_url,
            config=Config(
                connect_timeout=min(timeout, CONNECT_SECONDS),
                read_timeout=timeout,
                max_pool_connections=CONNECTIONS,
                retries={"total_max_attempts": 1, "mode": "standard"},
            ),
        )
    except (aws.BotoCoreError, ValueError) as error:
        raise UsageError(f"bedrock:{ident} cannot be set up: {error}") from error
    url_for(f"bedrock:{ident}", client.meta.endpoint_url)
    return Bedrock(ident, settings, client=client, timeout=timeout)
