"""A store: a bucket and a prefix, reached through boto3, with every failure as one sentence of ours."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from runners.errors import CouldNotCheck, MissingExtra, UsageError

SECONDS = 60
"""How long a connection, and then each piece of an answer, is waited for."""
ATTEMPTS = 5
"""How often a request is made, with growing pauses, before it counts as failed."""
LARGEST = 5 * 2**30
"""Bytes of the largest object that one PUT may hold."""
BLOCK = 1 << 18
_ADDRESS = re.compile(r"s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/(.*))?", re.DOTALL)
_PRIVATE = re.compile(r"\barn:\S+|\b\d{12}\b|\bA[A-Z]{3}[A-Z0-9]{16}\b")
_ABSENT = {"404", "NoSuchKey", "NotFound"}
_EXISTS = {"412", "PreconditionFailed", "ConditionalRequestConflict"}
T = TypeVar("T")


class StoreError(CouldNotCheck):
    """One request to the store failed, for good; says which object and why."""


@dataclass(frozen=True)
class Place:
    """Where a store lies: `s3://BUCKET/PREFIX`, at AWS or at another server that speaks its protocol."""

    bucket: str
    prefix: str
    endpoint: str | None = None
    region: str | None = None

    @classmethod
    def parse(cls, address: str, endpoint: str | None = None, region: str | None = None) -> Place:
        """Read an address.

        Raises:
            UsageError: it is not one of S3.
        """
        found = _ADDRESS.fullmatch(address)
        if found is None:
            raise UsageError(f"{address}: expected s3://BUCKET or s3://BUCKET/PREFIX")
        return cls(found[1], (found[2] or "").strip("/"), endpoint, region)

    def key(self, digest: str) -> str:
        """The key of the object with that SHA-256 in hexadecimal."""
        name = f"sha256/{digest[:2]}/{digest}"
        return f"{self.prefix}/{name}" if self.prefix else name


class Bucket:
    """The objects of a store."""

    def __init__(self, place: Place) -> None:
        """Make the client, with the credentials that boto3 finds.

        Raises:
            MissingExtra: boto3 is not installed.
            UsageError: the profile that is set does not exist.
        """
        try:
            import boto3.session
            from botocore.config import Config
            from botocore.exceptions import BotoCoreError, ClientError
        except ModuleNotFoundError as error:
            raise MissingExtra("boto3", "aws", "a store (countersign push and pull)") from error
        self.place = place
        self._failures = (BotoCoreError, ClientError)
        config = Config(
            connect_timeout=SECONDS,
            read_timeout=SECONDS,
            retries={"mode": "standard", "total_max_attempts": ATTEMPTS},
            max_pool_connections=64,
            s3={"addressing_style": "path"} if place.endpoint else {},
        )
        try:
            session = boto3.session.Session(region_name=place.region)
            region = place.region or session.region_name or "us-east-1"
            self._client: Any = session.client("s3", endpoint_url=place.endpoint, region_name=region, config=config)
        except (BotoCoreError, ValueError) as error:
            raise UsageError(f"the store cannot be opened: {_public(str(error))}") from None

    def size(self, digest: str) -> int | None:
        """How many bytes the object has; None where there is none.

        Raises:
            StoreError: the store does not say, or its checksum is not the object's name.
        """
        head = self._ask(
            digest, lambda: self._client.head_object(**self._where(digest), ChecksumMode="ENABLED"), absent=True
        )
        if head is None:
            return None
        stated = head.get("ChecksumSHA256")
        if stated is not None and stated != _base64(digest):
            raise StoreError(f"{self._name(digest)}: the store's checksum of it is another one: it was altered there")
        return int(head["ContentLength"])

    def write(self, digest: str, path: Path) -> bool:
        """Put the file there, unless somebody else was first; whether it was written.

        The server is told the SHA-256, and refuses bytes that do not have it.

        Raises:
            StoreError: it was not written.
        """
        with path.open("rb") as file:
            done = self._ask(
                digest,
                lambda: self._client.put_object(
                    **self._where(digest), Body=file, ChecksumSHA256=_base64(digest), IfNoneMatch="*"
                ),
                exists=True,
            )
        return done is not None

    def read(self, digest: str, start: int = 0) -> Iterator[bytes]:
        """The bytes of the object from `start` on; each piece is asked for as it is taken.

        Raises:
            StoreError: there is no such object, or the stream broke.
        """
        extra = {"Range": f"bytes={start}-"} if start else {}
        answer: Any = self._ask(digest, lambda: self._client.get_object(**self._where(digest), **extra))
        body = answer["Body"]
        try:
            yield from body.iter_chunks(BLOCK)
        except (*self._failures, OSError) as error:
            raise StoreError(f"{self._name(digest)}: broke off: {_public(str(error))}") from None
        finally:
            body.close()

    def _ask(self, digest: str, request: Callable[[], T], absent: bool = False, exists: bool = False) -> T | None:
        try:
            return request()
        except self._failures as error:
            answer = getattr(error, "response", {})
            code = str(answer.get("Error", {}).get("Code", ""))
            status = str(answer.get("ResponseMetadata", {}).get("HTTPStatusCode", ""))
            if absent and code != "NoSuchBucket" and {code, status} & _ABSENT:
                return None
            if exists and {code, status} & _EXISTS:
                return None
            raise StoreError(f"{self._name(digest)}: {self._why(code, error)}") from None

    def _why(self, code: str, error: Exception) -> str:
        known = {
            "NoSuchBucket": f"there is no bucket {self.place.bucket}",
            "NoSuchKey": "the store does not have it; push the version first",
            "AccessDenied": "access is denied; the credentials need s3:GetObject, and s3:PutObject to push",
            "403": "access is denied; the credentials need s3:GetObject, and s3:PutObject to push",
        }
        name = type(error).__name__
        if name in ("NoCredentialsError", "PartialCredentialsError"):
            return "no credentials; set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
        return known.get(code, _public(f"{error}" if code else f"{name}: {error}"))

    def _where(self, digest: str) -> dict[str, str]:
        return {"Bucket": self.place.bucket, "Key": self.place.key(digest)}

    def _name(self, digest: str) -> str:
        return f"s3://{self.place.bucket}/{self.place.key(digest)}"


def _base64(digest: str) -> str:
    return base64.b64encode(bytes.fromhex(digest)).decode()


def _public(text: str) -> str:
    """The text without account ids and keys."""
    return _PRIVATE.sub("[withheld]", text)
