"""`countersign push`, `pull`: versions in an S3-compatible bucket."""

from __future__ import annotations

from typing import Annotated

import typer

from runners.cli.common import HERE, AsJson, Root, VersionName, example, harmless, show, split_name
from runners.errors import CouldNotCheck
from runners.store.transfer import Transfer

Endpoint = Annotated[
    str | None, typer.Option("--endpoint-url", help="Of a server that is not AWS, for example http://127.0.0.1:9000.")
]
Region = Annotated[str | None, typer.Option("--region", help="Of the bucket; boto3's own setting, if not given.")]
AtOnce = Annotated[int, typer.Option("--concurrency", min=1, max=64, help="Files at once.")]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command(epilog=example("countersign push court/v4 --to s3://BUCKET/boards"))(push)
    app.command(epilog=example("countersign pull court/v4 --from s3://BUCKET/boards"))(pull)


def push(
    version: VersionName,
    to: Annotated[str, typer.Option("--to", help="s3://BUCKET/PREFIX")],
    endpoint_url: Endpoint = None,
    region: Region = None,
    concurrency: AtOnce = 8,
    root: Root = HERE,
    as_json: AsJson = False,
) -> None:
    """Write a version's files into a store, each under its SHA-256; what is there stays, nothing is deleted."""
    from runners.store.bucket import Bucket, Place
    from runners.store.push import push as push_version

    bucket = Bucket(Place.parse(to, endpoint_url, region))
    _tell(push_version(root, "/".join(split_name(version)), bucket, concurrency), "written", as_json)


def pull(
    version: VersionName,
    from_: Annotated[str, typer.Option("--from", help="s3://BUCKET/PREFIX")],
    root_digest: Annotated[
        str | None, typer.Option("--root-digest", help="Which state of it, if no MANIFEST.json is here yet.")
    ] = None,
    endpoint_url: Endpoint = None,
    region: Region = None,
    concurrency: AtOnce = 8,
    root: Root = HERE,
    as_json: AsJson = False,
) -> None:
    """Bring a version's missing files from a store; each is verified before it takes its place."""
    from runners.store.bucket import Bucket, Place
    from runners.store.pull import pull as pull_version

    bucket = Bucket(Place.parse(from_, endpoint_url, region))
    done = pull_version(root, "/".join(split_name(version)), bucket, concurrency, root_digest)
    _tell(done, "fetched", as_json)


def _tell(transfer: Transfer, word: str, as_json: bool) -> None:
    result = {
        "version": transfer.version, "root": transfer.root, word: transfer.done, "already": transfer.already,
        "failed": transfer.failed, "bytes": transfer.bytes,
    }  # fmt: skip
    counts = f"{len(transfer.done)} {word}, {len(transfer.already)} there already, {len(transfer.failed)} failed"
    show(result, as_json, f"{transfer.version}: {counts}, {transfer.bytes:,} bytes\nroot {transfer.root}")
    if transfer.failed:
        lines = "\n".join(f"{path}: {why}" for path, why in sorted(transfer.failed.items()))
        raise CouldNotCheck(harmless(f"{transfer.version} is not complete; the same command goes on:\n{lines}"))
