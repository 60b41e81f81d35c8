"""Asks AWS through boto3 (the extra `aws`), and says in one sentence what to do where it does not answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from runners.errors import MissingExtra, UsageError

REGION = "us-east-1"
SECONDS = 10
"""How long a connection, and then each answer, is waited for."""
ATTEMPTS = 3
OTHERWISE = "The recorded values need no AWS: --facts recorded."
CREDENTIALS = (
    "Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN if they are temporary)"
)

DENIED = {"AccessDenied", "AccessDeniedException", "UnauthorizedOperation", "NotAuthorized"}
REFUSED = {
    *("UnrecognizedClientException", "InvalidClientTokenId", "AuthFailure", "ExpiredToken", "ExpiredTokenException"),
    *("InvalidSignatureException", "SignatureDoesNotMatch", "RequestExpired", "MissingAuthenticationToken"),
    *("IncompleteSignature", "InvalidAccessKeyId", "OptInRequired"),
}
THROTTLED = {"Throttling", "ThrottlingException", "TooManyRequestsException", "RequestLimitExceeded"}
PRIVATE = re.compile(r"\barn:\S+|\d{12,}|\d{4}-\d{4}-\d{4}|\bA[A-Z]{3}[A-Z0-9]{16}\b")

Clients = Callable[[str], Any]
"""Gives the boto3 client of a service."""


def open_clients() -> Clients:
    """Clients for us-east-1 with the credentials that boto3 finds, few retries and short waits.

    Raises:
        MissingExtra: boto3 is not installed.
        UsageError: the profile that is set does not exist.
    """
    try:
        import boto3.session
        from botocore.config import Config
        from botocore.exceptions import BotoCoreError
    except ModuleNotFoundError as error:
        raise MissingExtra("boto3", "aws", "reading facts from AWS (--facts aws)") from error
    retries = {"mode": "standard", "total_max_attempts": ATTEMPTS}
    config = Config(connect_timeout=SECONDS, read_timeout=SECONDS, retries=retries)
    try:
        session = boto3.session.Session(region_name=REGION)
    except BotoCoreError as error:  # a profile that does not exist
        raise UsageError(f"AWS cannot be asked: {_public(str(error))}. {CREDENTIALS}. {OTHERWISE}") from None
    return cache(lambda service: session.client(service, config=config))


def ask(read: Callable[[], str], call: str, action: str) -> str:
    """What `read` gives, which makes the AWS call `call`; `action` is the IAM action that the call needs.

    Raises:
        UsageError: no or refused credentials, a missing permission, AWS throttles or cannot be reached, or the answer
            has another shape. AWS's own errors name the account: none is quoted unredacted, none is kept as a cause.
    """
    from botocore import exceptions as aws
    from botocore.parsers import ResponseParserError

    no_login = (
        *(aws.NoCredentialsError, aws.PartialCredentialsError, aws.CredentialRetrievalError, aws.ProfileNotFound),
        *(aws.SSOError, aws.TokenRetrievalError),
    )
    try:
        return read()
    except no_login as error:
        why = f"no usable AWS credentials were found ({_public(str(error))}). {CREDENTIALS}"
    except aws.ClientError as error:
        why = _refusal(action, error.response.get("Error", {}))
    except aws.BotoCoreError as error:
        why = f"AWS could not be reached: {_public(str(error))}. Try again later"
    except KeyError as error:
        why = f"AWS answered in another shape than documented: it has no field {error}"
    except (ResponseParserError, ValueError, TypeError, AttributeError) as error:
        why = f"AWS answered in another shape than documented: {_public(str(error))}"
    raise UsageError(f"{call}: {why}. {OTHERWISE}")


def _refusal(action: str, error: Mapping[str, Any]) -> str:
    code = _public(str(error.get("Code")))
    if code in DENIED:
        return f"the credentials lack a permission. Allow the action {action} (resource *)"
    if code in REFUSED:
        return f"AWS refuses the credentials ({code}): wrong, expired or not yet active. {CREDENTIALS}"
    if code in THROTTLED:
        return f"AWS throttles the account ({code}) after {ATTEMPTS} attempts. Try again later"
    return f"AWS answered {code}: {_public(str(error.get('Message')))}"


def _public(text: str) -> str:
    """`text` as one short line without account ids, ARNs and key ids."""
    return " ".join(PRIVATE.sub("[private]", text).split())[:200].rstrip(".")
