"""`countersign pull`: a version's files from a store; nothing that is there is touched, nothing unverified is kept."""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from runners.errors import CouldNotCheck, SpecError, UsageError
from runners.release.manifest import Manifest, digests, parse, read_manifest
from runners.store.bucket import Bucket, StoreError
from runners.store.push import wanted
from runners.store.transfer import Outcome, Transfer

TRIES = 4
"""How often a stream that breaks off is gone on with, and whole bytes that are wrong are fetched anew."""


def pull(root: Path, name: str, bucket: Bucket, at_once: int, root_digest: str | None = None) -> Transfer:
    """Bring every file of a version (`court/v4`) that is missing below `root`.

    What to bring is said by the manifest that lies there, or by that of `root_digest` in the store. A file that is
    there and has other bytes than the manifest says stays as it is, and is told. The same command goes on where it
    stopped: a part of a file is kept beside its place, hidden, under its digest.

    Raises:
        UsageError: no manifest is there and no digest given, or the one that is there is another one.
        SpecError: the manifest is not what it must be; nobody writes where it does not belong.
        StoreError: the store does not have the manifest.
    """
    manifest = _manifest(root, name, bucket, root_digest)
    transfer = Transfer(name, manifest.root)
    transfer.run(wanted(manifest), lambda path, digest: _bring(root, path, digest, bucket), at_once)
    return transfer


def _manifest(root: Path, name: str, bucket: Bucket, root_digest: str | None) -> Manifest:
    here = read_manifest(root, name)
    if root_digest is None:
        if here is None:
            raise UsageError(
                f"{root / 'tables' / name / 'MANIFEST.json'} does not exist. Have it from git, or say which version "
                "is meant with --root-digest."
            )
        return here
    digest = root_digest.lower().removeprefix("sha256:")
    if len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
        raise UsageError(f"--root-digest {root_digest}: expected 64 hexadecimal digits")
    if here is not None and here.root != digest:
        raise UsageError(
            f"{root / here.path} is another one ({here.root}): pull into an empty folder, or leave --root-digest out"
        )
    if here is None:
        path = f"tables/{name}/MANIFEST.json"
        raw = b"".join(bucket.read(digest))
        if hashlib.sha256(raw).hexdigest() != digest:
            raise StoreError(f"the manifest {digest} was altered in the store")
        here = parse(raw, f"the manifest {digest}")
        if here.name != name:
            raise SpecError(f"the manifest {digest} is that of {here.name}, not of {name}")
        _bring(root, path, digest, bucket)
    return here


def _bring(root: Path, path: str, digest: str, bucket: Bucket) -> tuple[Outcome, int]:
    target = _target(root, path)
    if target.exists():
        _must_be(root, path, digest)
        return "already", 0
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.parent / f".{digest}.part"
    with _locked(part):
        if target.exists():  # another pull brought it meanwhile
            _must_be(root, path, digest)
            part.unlink(missing_ok=True)
            return "already", 0
        moved = _fill(part, digest, bucket)
        part.rename(target)
    _sync(target.parent)
    return "done", moved


def _must_be(root: Path, path: str, digest: str) -> None:
    found = digests(root, [path])[path]
    if found != digest:
        raise CouldNotCheck(
            f"expected SHA-256 {digest}, found {found}; it is left as it is. Move it away and pull again to have the "
            "published one."
        )


def _target(root: Path, path: str) -> Path:
    """Where the file belongs, with no link on the way there that would lead elsewhere."""
    target = root / path
    for place in (target, *target.parents):
        if place == root:
            break
        if place.is_symlink():
            raise CouldNotCheck(f"{place}: expected a folder or a file, found a link; nothing is written through it")
    return target


def _fill(part: Path, digest: str, bucket: Bucket) -> int:
    """Complete the part; returns the bytes that came.  Raises StoreError."""
    moved = 0
    for last in (n == TRIES - 1 for n in range(TRIES)):
        have = part.stat().st_size
        try:
            size = bucket.size(digest)
            if size is None:
                raise StoreError("the store does not have it; push the version first")
            with part.open("ab") as file:
                if have < size:
                    for piece in bucket.read(digest, have):
                        file.write(piece)
                        moved += len(piece)
                file.flush()
                os.fsync(file.fileno())
        except StoreError:
            if last or part.stat().st_size == have:  # nothing came: trying at once again would not help
                raise
            continue
        with part.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() == digest:
                return moved
        part.write_bytes(b"")  # wrong from here or from there: once more from the start
    part.unlink()
    raise StoreError(f"the bytes in the store do not have the SHA-256 {digest}: it was altered there")


@contextmanager
def _locked(part: Path) -> Iterator[None]:
    """One pull at a time writes a part; a killed one holds no lock."""
    while True:
        handle = os.open(part, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            # Who held the lock before may have renamed the file: then this one is the finished file, not the part.
            if part.exists() and os.path.samestat(os.fstat(handle), part.stat()):
                yield
                return
        finally:
            os.close(handle)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
