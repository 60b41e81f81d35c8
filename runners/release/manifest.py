"""MANIFEST.json as the reference page *Tables* describes it, and the manifests of earlier freezes beside it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from runners import strict
from runners.errors import SpecError

NAME = "MANIFEST.json"
EARLIER = "frozen"
"""The folder, below the version's tables, that keeps the manifest of each earlier freeze as `<root digest>.json`."""
NOTES = ("ERRATA.md", "WITHDRAWN.json", "AMENDMENTS.md")
"""Files beside spec.json that are for readers: no number depends on them."""
GROWING = (*NOTES, "AMENDMENTS.json", "REUSED.json")
"""Files beside spec.json that may become longer after a freeze: notes, and what says how further logs were made."""


class Frozen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When a version was frozen, which freeze that follows, and with what: path -> SHA-256."""

    at: str
    previous: str | None
    beside: dict[str, str]


class _Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    benchmark: str
    version: str
    digest: str
    files: dict[str, str]
    frozen: Frozen | None = None


@dataclass(frozen=True)
class Manifest:
    """A manifest, with the bytes whose SHA-256 is the *root digest*: the one digest that covers the whole version."""

    raw: bytes
    name: str
    """The version, as `court/v4`."""
    digest: str
    """The digest of the inputs."""
    files: Mapping[str, str]
    """Path from the root -> SHA-256, for every file of the version but the manifest."""
    frozen: Frozen | None

    @property
    def root(self) -> str:
        """The root digest, in hexadecimal."""
        return hashlib.sha256(self.raw).hexdigest()

    @property
    def path(self) -> str:
        """Where the current manifest of the version lies, from the root."""
        return f"tables/{self.name}/{NAME}"

    @property
    def everything(self) -> dict[str, str]:
        """`files` with what it was frozen with and the manifest itself: what an archive holds."""
        beside = self.frozen.beside if self.frozen else {}
        return dict(sorted({**self.files, **beside, self.path: self.root}.items()))

    def may_grow(self, path: str) -> bool:
        """Whether the file may become longer in a version that is frozen."""
        return path in {f"runs/{self.name}/{name}" for name in GROWING}


def parse(raw: bytes, where: str) -> Manifest:
    """Read a manifest.

    Raises:
        SpecError: it is not what *Tables* says; a path that leaves the version's folders is refused here, so that
            nobody who follows a manifest writes elsewhere.
    """
    try:
        found = msgspec.convert(strict.loads(raw), type=_Document, strict=True)
    except (ValueError, msgspec.MsgspecError) as error:
        raise SpecError(f"{where}: not a manifest as the page Tables describes it: {error}") from error
    name = f"{found.benchmark}/{found.version}"
    inside = tuple(f"{tree}/{name}/" for tree in ("runs", "tables"))
    beside = found.frozen.beside if found.frozen else {}
    for path in found.files:
        if not path.startswith(inside) or not _plain(path):
            raise SpecError(f"{where}: files[{path!r}]: expected a path below {' or '.join(inside)}, found another")
    for path in beside:
        if path.startswith(inside) or not _plain(path):
            raise SpecError(f"{where}: beside[{path!r}]: expected a plain path outside the version, found another")
    return Manifest(raw, name, found.digest, found.files, found.frozen)


def read_manifest(root: Path, name: str) -> Manifest | None:
    """The manifest of a version (`court/v4`); None where it is not published.

    Raises:
        SpecError: it is not what *Tables* says, or is that of another version.
    """
    path = root / "tables" / name / NAME
    if not path.is_file():
        return None
    manifest = parse(path.read_bytes(), str(path))
    if manifest.name != name:
        raise SpecError(f"{path}: expected the manifest of {name}, found that of {manifest.name}")
    return manifest


def earlier(root: Path, name: str) -> list[Manifest]:
    """The manifests of the version's earlier freezes, oldest first.

    Raises:
        SpecError: one is not what it must be, or its name is not its digest.
    """
    found = []
    for path in sorted((root / "tables" / name / EARLIER).glob("*.json")):
        manifest = parse(path.read_bytes(), str(path))
        if manifest.root != path.stem or manifest.name != name or manifest.frozen is None:
            raise SpecError(f"{path}: expected a frozen manifest of {name} with the digest {path.stem}, found another")
        found.append(manifest)
    return sorted(found, key=lambda manifest: (manifest.frozen.at if manifest.frozen else "", manifest.root))


def last_freeze(root: Path, name: str) -> Manifest | None:
    """The newest frozen manifest of the version: the current one, or the newest of the earlier ones; None without."""
    current = read_manifest(root, name)
    if current is not None and current.frozen is not None:
        return current
    return max(earlier(root, name), key=lambda found: found.frozen.at if found.frozen else "", default=None)


def digests(root: Path, paths: Iterable[str]) -> dict[str, str]:
    """Path -> SHA-256 of each of the files, sorted by path."""
    found = {}
    for path in sorted(paths):
        with (root / path).open("rb") as file:
            found[path] = hashlib.file_digest(file, "sha256").hexdigest()
    return found


def files_of(root: Path, name: str) -> dict[str, str]:
    """Path -> SHA-256 of every file of the version but MANIFEST.json."""
    folders = [root / tree / name for tree in ("runs", "tables")]
    paths = (path for folder in folders for path in folder.rglob("*") if path.is_file())
    own = f"tables/{name}/{NAME}"
    return digests(root, (there for path in paths if (there := path.relative_to(root).as_posix()) != own))


def to_json(name: str, digest: str, files: Mapping[str, str], frozen: Frozen | None = None) -> bytes:
    """The bytes of a manifest."""
    benchmark, _, version = name.partition("/")
    data = {"benchmark": benchmark, "version": version, "digest": digest, "files": dict(sorted(files.items()))}
    if frozen is not None:
        data["frozen"] = {"at": frozen.at, "previous": frozen.previous, "beside": dict(sorted(frozen.beside.items()))}
    return (json.dumps(data, ensure_ascii=False, indent=0) + "\n").encode()


def _plain(path: str) -> bool:
    parts = path.split("/")
    return path.isprintable() and "\\" not in path and all(part not in ("", ".", "..") for part in parts)
