"""Loads a frozen version: its spec, the files that the spec names, and their digests."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from runners import strict
from runners.amendments import Amendment, amended, read_amendments
from runners.errors import SpecError, UsageError
from runners.files import write_whole
from runners.records import Settings

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
NOTES = ("ERRATA.md", "AMENDMENTS.md", "AMENDMENTS.json")
_NAME = re.compile(r"[a-z0-9][a-z0-9.-]*", re.ASCII)


@dataclass(frozen=True)
class Spec:
    """A version whose files all have the digests that its spec states."""

    folder: Path
    sha256: str
    data: Mapping[str, Any]
    contents: Mapping[str, bytes]
    """The files that the spec names, by path below the folder."""

    @cached_property
    def prompts(self) -> Mapping[str, str]:
        """The prompts by name, each less its one final LF."""
        files = self.data["play"]["prompts"].items()
        return {key: self.contents[name].decode().removesuffix("\n") for key, name in files}

    @property
    def benchmark(self) -> str:
        """For example `court`."""
        return str(self.data["benchmark"])

    @property
    def version(self) -> str:
        """For example `v3`."""
        return str(self.data["version"])

    @property
    def logs(self) -> Path:
        """The folder of the version's logs."""
        return self.folder / "logs"

    @cached_property
    def amendments(self) -> tuple[Amendment, ...]:
        """What AMENDMENTS.json says of single models."""
        return read_amendments(self.folder)

    def is_amended(self, model: str) -> bool:
        """Whether an amendment gives the model settings of its own."""
        return amended(self.amendments, model) is not None

    def settings(self, model: str) -> Settings:
        """The request settings of a model: those of an amendment that names it, or those frozen for its route.

        Raises:
            UsageError: the version has no such route.
        """
        if (own := amended(self.amendments, model)) is not None:
            return own
        route = model.partition(":")[0]
        routes: Mapping[str, Settings] = self.data["play"]["routes"]
        if route not in routes:
            raise UsageError(
                f"{self.benchmark}/{self.version} has no request settings for route {route!r}. "
                f"Its routes: {', '.join(routes)}."
            )
        return routes[route]

    def reused(self) -> dict[str, str]:
        """Path of each log that was played under another spec -> that spec's SHA-256 (REUSED.json)."""
        path = self.folder / "REUSED.json"
        if not path.is_file():
            return {}
        return {name: str(entry["spec_sha256"]) for name, entry in strict.loads(path.read_bytes()).items()}

    def input_digest(self) -> str:
        """One SHA-256 over everything that the numbers are computed from (see *Tables*, `digest`)."""
        names = {"spec.json", *self.contents}
        names |= {path.relative_to(self.folder).as_posix() for path in self.logs.rglob("*") if path.is_file()}
        names |= {name for name in ("REUSED.json", "AMENDMENTS.json") if (self.folder / name).is_file()}
        listing = hashlib.sha256()
        for name in sorted(names):
            with (self.folder / name).open("rb") as file:
                listing.update(f"{hashlib.file_digest(file, 'sha256').hexdigest()}  {name}\n".encode())
        return listing.hexdigest()

    def prompt(self, name: str, **parts: str) -> str:
        """A prompt with its placeholders filled in one pass: what is put in is not looked at again (R4)."""
        return _PLACEHOLDER.sub(lambda match: parts.get(match[1], match[0]), self.prompts[name])


AnySpec = TypeVar("AnySpec", bound=Spec)


def load_spec(root: Path, benchmark: str, version: str, kind: type[AnySpec]) -> AnySpec:
    """Load `runs/<benchmark>/<version>` as a `kind` of spec and verify every file that it names.

    Raises:
        UsageError: there is no such version.
        SpecError: a file is missing, differs from its digest, or is not what it must be.
    """
    for part in (benchmark, version):
        if not _NAME.fullmatch(part):
            raise UsageError(f"{part!r} is not the name of a benchmark or a version (letters a-z, digits, '.', '-')")
    folder = root / "runs" / benchmark / version
    path = folder / "spec.json"
    if not path.is_file():
        raise UsageError(
            f"{path} does not exist. Versions here: {', '.join(list_versions(root)) or 'none'}. "
            "Give --root, or the name of a version that exists."
        )
    raw = path.read_bytes()
    try:
        data: dict[str, Any] = strict.loads(raw)
    except ValueError as error:
        raise SpecError(f"{path}: not a JSON object with unique keys: {error}") from error
    contents = {name: _verified(folder / name, digest) for name, digest in data["files"].items()}
    return kind(folder, hashlib.sha256(raw).hexdigest(), data, contents)


def list_versions(root: Path) -> list[str]:
    """All versions below `root`, as `benchmark/version`, sorted."""
    return sorted("/".join(path.parts[-3:-1]) for path in (root / "runs").glob("*/*/spec.json"))


def install_version(root: Path, benchmark: str, version: str) -> None:
    """Copy a version that ships with Countersign below `root`, spec, prompts and facts, where it is not yet."""
    target = root / "runs" / benchmark / version
    if (target / "spec.json").exists():
        return
    source = _shipped(f"{benchmark}/{version}")
    if source is None:
        raise UsageError(f"{benchmark}/{version} does not ship with Countersign")
    names = json.loads((source / "spec.json").read_bytes())["files"]
    notes = [name for name in NOTES if (source / name).is_file()]
    for name in [*names, *notes, "spec.json"]:
        write_whole(target / name, (source / name).read_bytes())


def install_prices(root: Path) -> None:
    """Copy the price tables that ship with Countersign below `root`, where they are not yet."""
    source, target = _shipped("prices"), root / "runs" / "prices"
    for table in sorted(source.glob("*.json")) if source else ():
        if not (target / table.name).exists():
            write_whole(target / table.name, table.read_bytes())


def _shipped(name: str) -> Path | None:
    """A folder of `runs/` as it ships: inside the installed package, or in the checkout."""
    here = Path(__file__).resolve().parent
    return next((path / name for path in (here / "embedded", here.parent / "runs") if (path / name).is_dir()), None)


def _verified(path: Path, digest: str) -> bytes:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise SpecError(f"{path}: the spec names this file, but it cannot be read: {error.strerror}") from error
    found = hashlib.sha256(content).hexdigest()
    if found != digest:
        raise SpecError(
            f"{path}: SHA-256 is {found}, the spec says {digest}. A frozen version never changes: restore the file, "
            "or make a new version."
        )
    return content
