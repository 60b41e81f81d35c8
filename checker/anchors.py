"""The anchor: the SHA-256 of a version's MANIFEST.json, as a reader has it from elsewhere (tables.md, rule ANCHOR).

It is compared in the outer process: digesting bytes needs no sandbox, and the answer of the inner process cannot hide
it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from checker import files, verdict
from checker.errors import CouldNotCheck
from checker.findings import Finding
from checker.inputs import NAME

_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
FIX: Final = "ask where the digest came from, and get the published version from there"


def read_anchors(words: list[str], versions: list[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """The digests by (benchmark, version) of `BENCHMARK/VERSION=HEX`, or of files with such lines.

    Raises CouldNotCheck for anything else, where a version is given two digests, and for a version that is not among
    those that are checked: an anchor is never left aside silently.
    """
    anchors: dict[tuple[str, str], str] = {}
    for word in words:
        for text in [word] if "=" in word else _lines(word):
            name, _, digest = text.partition("=")
            parts = name.strip().split("/")
            digest = digest.strip().lower()
            if len(parts) != 2 or not all(map(NAME.fullmatch, parts)) or not _DIGEST.fullmatch(digest):
                raise CouldNotCheck(f"--manifest-sha256 {text}: BENCHMARK/VERSION=HEX is wanted, 64 hexadecimal digits")
            key = parts[0], parts[1]
            if anchors.setdefault(key, digest) != digest:
                raise CouldNotCheck(f"--manifest-sha256: two digests for {name.strip()}")
    unused = sorted(anchors.keys() - set(versions))
    if unused:
        raise CouldNotCheck(f"--manifest-sha256: {'/'.join(unused[0])} is not among the versions that are checked")
    return anchors


def _lines(path: str) -> list[str]:
    try:
        lines = Path(path).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CouldNotCheck(f"--manifest-sha256 {path}: neither a digest nor a file of them ({error})") from None
    return [line for line in lines if line.strip() and not line.startswith("#")]


def apply(document: dict[str, Any], root: Path, wanted: str) -> None:
    """Add the finding, and what follows from it for the statuses, to a crosscheck document of a version below `root`.

    Raises CouldNotCheck where MANIFEST.json cannot be read.
    """
    path = f"tables/{document['benchmark']}/{document['version']}/MANIFEST.json"
    found = _digest(root / path)
    if found == wanted:
        return
    finding = Finding(path, None, None, None, "(bytes)", f"{wanted}, the anchor", found, "ANCHOR", "published", FIX)
    findings = [Finding(**listed) for listed in document["mismatches"]]
    document["mismatches"] = [f.as_dict() for f in sorted([*findings, finding], key=Finding.order)]
    for row in [document, *document["rows"]]:
        row["status"] = verdict.worst([row["status"], verdict.MISMATCH])


def _digest(path: Path) -> str:
    kind = files.kind_of(path)
    return files.sha256(path) if kind == "file" else "no such file" if kind == "absent" else f"a {kind}"
