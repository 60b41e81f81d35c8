"""`countersign push`: a version's files into a store; an object that is there is never written again."""

from __future__ import annotations

from pathlib import Path

from runners.errors import Finding, Refused, UsageError
from runners.release.manifest import Manifest, digests, read_manifest
from runners.store.bucket import LARGEST, Bucket, StoreError
from runners.store.transfer import Outcome, Transfer, one_of_each


def push(root: Path, name: str, bucket: Bucket, at_once: int) -> Transfer:
    """Write every file of a published version (`court/v4`) that the store does not have, the manifest last.

    So where a manifest is in the store, everything that it names is. The same command goes on where it stopped.

    Raises:
        UsageError: the version is not published.
        Refused: a file is not the one that the manifest names; nothing is written then.
    """
    manifest = read_manifest(root, name)
    if manifest is None:
        raise UsageError(f"{name} is not published below {root.resolve() / 'tables'}: publish it first")
    files = wanted(manifest)
    there = digests(root, (path for path in files if (root / path).is_file()))
    findings = [
        Finding(path, None, "manifest", f"SHA-256 {digest}", there.get(path, "no such file"), "Publish it again.")
        for path, digest in files.items()
        if there.get(path) != digest
    ]
    if findings:
        raise Refused(f"nothing of {name} was pushed", findings)
    transfer = Transfer(name, manifest.root)

    def write(path: str, digest: str) -> tuple[Outcome, int]:
        return _write(bucket, root / path, digest)

    objects = {paths[0]: digest for digest, paths in one_of_each(files).items()}
    transfer.run(objects, write, at_once)
    if not transfer.failed:
        transfer.run({manifest.path: manifest.root}, write, 1)
    return transfer


def wanted(manifest: Manifest) -> dict[str, str]:
    """What a store holds of a version: its files, and the data beside it that a freeze names."""
    beside = manifest.frozen.beside if manifest.frozen else {}
    return {**manifest.files, **{path: digest for path, digest in beside.items() if path.startswith("runs/")}}


def _write(bucket: Bucket, path: Path, digest: str) -> tuple[Outcome, int]:
    size = path.stat().st_size
    if size > LARGEST:
        raise StoreError(f"{path}: {size:,} bytes; one object holds at most {LARGEST:,}. Split the run.")
    there = bucket.size(digest)
    if there is None and bucket.write(digest, path):
        return "done", size
    if there is None:
        there = bucket.size(digest)  # somebody else was first, a moment ago
    if there != size:
        raise StoreError(f"{path}: the store has {there} bytes under its digest, expected {size}; it was altered there")
    return "already", 0
