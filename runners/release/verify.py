"""`countersign verify`: whether what lies in a place is, byte for byte, the version that a root digest names."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from runners.errors import CouldNotCheck, Finding, SpecError, UsageError
from runners.release.chain import first_changed_line
from runners.release.manifest import EARLIER, NAME, Manifest, parse
from runners.release.places import Place

FETCH = "Fetch it again from where the digest comes from."
_HEX = re.compile(r"[0-9a-f]{64}")
_MANIFEST = re.compile(rf"tables/([^/]+/[^/]+)/{NAME}")


@dataclass
class Verified:
    """What was found: no finding means that every byte that was looked at is as the manifest says."""

    version: str
    root: str
    """The root digest of the manifest that was used."""
    anchored: bool
    """Whether a digest from elsewhere was given and is that of the manifest."""
    frozen_at: str | None = None
    files: int = 0
    bytes_differ: list[Finding] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def fits(self) -> bool:
        """Whether there is no finding."""
        return not self.bytes_differ


def versions_in(place: Place) -> list[str]:
    """The versions (`court/v4`) that have a manifest in the place, sorted.

    Raises:
        UsageError: an address, which cannot be asked what lies below it.
    """
    if not place.listed:
        raise UsageError(f"{place.name}: name the version, as in court/v4: an address cannot be asked for all it has")
    return [match[1] for path in place.paths() if (match := _MANIFEST.fullmatch(path))]


def verify(place: Place, name: str, root_digest: str | None = None) -> Verified:
    """Compare every file of a version in the place with its manifest, and the manifest with the digest if one is given.

    The digest of an earlier freeze is accepted too: its logs and rules must all be there as they were, while the tables
    of today may hold more rows. The current manifest is not asked then.

    Raises:
        UsageError: the digest is none.
        CouldNotCheck: no manifest is there, or something cannot be read.
    """
    if root_digest is not None and not _HEX.fullmatch(root_digest := root_digest.lower().removeprefix("sha256:")):
        raise UsageError(f"--root-digest {root_digest}: expected 64 hexadecimal digits")
    path = f"tables/{name}/{NAME}"
    raw = place.read(path)
    current = None if raw is None else hashlib.sha256(raw).hexdigest()
    if root_digest is not None and root_digest != current:
        old = place.read(f"tables/{name}/{EARLIER}/{root_digest}.json")
        if old is not None and hashlib.sha256(old).hexdigest() == root_digest:
            return _earlier(place, _parsed(old, root_digest), name)
    if raw is None or current is None:
        raise CouldNotCheck(f"{place.name}: {path} is not there, so nothing says what {name} is made of")
    found = Verified(name, current, anchored=root_digest is not None and root_digest == current)
    if root_digest is not None and root_digest != current:
        wanted = f"root digest {root_digest}, or an earlier freeze of it"
        found.bytes_differ.append(Finding(path, None, "root", wanted, current, FETCH))
    try:
        manifest = parse(raw, path)
        if manifest.name != name:
            raise SpecError(f"{path}: expected the manifest of {name}, found that of {manifest.name}")
    except SpecError as error:
        found.bytes_differ.append(Finding(path, None, "manifest", "a manifest of this version", str(error), FETCH))
        return found
    found.frozen_at = manifest.frozen.at if manifest.frozen else None
    _compare(place, manifest.files, found)
    _compare_beside(place, manifest, found)
    _unlisted(place, manifest, found)
    return found


def _earlier(place: Place, manifest: Manifest, name: str) -> Verified:
    found = Verified(name, manifest.root, anchored=True, frozen_at=manifest.frozen.at if manifest.frozen else None)
    runs = {path: digest for path, digest in manifest.files.items() if path.startswith("runs/")}
    _compare(place, {path: digest for path, digest in runs.items() if not manifest.may_grow(path)}, found)
    _compare_beside(place, manifest, found)
    tables = [path for path, digest in manifest.files.items() if path not in runs and place.digest(path) != digest]
    if tables:
        found.remarks.append(
            f"This is an earlier freeze: its rules and logs were compared; {len(tables)} of its tables were made anew "
            "since, with further rows. Its archive holds them as they were."
        )
    return found


def _compare(place: Place, files: Mapping[str, str], found: Verified) -> None:
    for path, digest in files.items():
        found.files += 1
        real = place.digest(path)
        if real != digest:
            line = first_changed_line(place, path) if path.endswith(".jsonl") and real else None
            there = f"SHA-256 {real}" if real else "no such file"
            found.bytes_differ.append(Finding(path, line, "bytes", f"SHA-256 {digest}", there, FETCH))


def _compare_beside(place: Place, manifest: Manifest, found: Verified) -> None:
    """Data must be there; the checker of then is there in an archive, and elsewhere may have moved on."""
    beside = manifest.frozen.beside if manifest.frozen else {}
    must = {path: digest for path, digest in beside.items() if place.whole or path.startswith("runs/")}
    _compare(place, must, found)
    if place.listed and not place.whole:
        others = [path for path, digest in beside.items() if path not in must and place.digest(path) != digest]
        if others:
            found.remarks.append(f"Of the checker of the freeze, {len(others)} files are other ones here.")


def _unlisted(place: Place, manifest: Manifest, found: Verified) -> None:
    if not place.listed:
        found.remarks.append("An address cannot be asked for files that the manifest does not list.")
        return
    inside = tuple(f"{tree}/{manifest.name}/" for tree in ("runs", "tables"))
    known = manifest.everything
    for path in place.paths():
        if path not in known and (place.whole or path.startswith(inside)):
            found.bytes_differ.append(
                Finding(path, None, "manifest", "a file that the manifest lists", "one that it does not", FETCH)
            )


def _parsed(raw: bytes, where: str) -> Manifest:
    try:
        return parse(raw, where)
    except SpecError as error:
        raise CouldNotCheck(str(error)) from error
