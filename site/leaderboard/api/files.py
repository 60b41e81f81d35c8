"""Yields the files of api/v1/."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from leaderboard.api import addresses, documents
from leaderboard.freezes import freezes
from leaderboard.kit import File
from leaderboard.pages.common import Site
from leaderboard.places import checker
from leaderboard.shapes import Version
from leaderboard.show import json_text

SCHEMAS = Path(__file__).with_name("schemas")


def api_files(site: Site, repo: Path) -> Iterator[File]:
    """Yield every document, and the schema of each kind; the manifest and the verdict are the published bytes."""
    for kind in addresses.KINDS:
        # The verdict is the checker's document, so its schema is the checker's.
        own = SCHEMAS / f"{kind}.schema.json"
        path = checker(repo) / "schemas" / "crosscheck.schema.json" if kind == "verdict" else own
        yield addresses.schema(kind), path.read_bytes()
    yield addresses.INDEX, _json(documents.index(site))
    for about in site.abouts:
        yield addresses.board(about.name), _json(documents.board(site, about))
    for version in site.versions:
        yield from _version(version)


def _version(version: Version) -> Iterator[File]:
    b, v = version.benchmark, version.name
    yield addresses.version(b, v), _json(documents.version_document(version))
    for row in documents.rows_of(version):
        yield addresses.row(b, v, row["model"]), _json(documents.row_document(version, row))
    if version.is_published:
        yield addresses.runs(b, v), _json(documents.runs_document(version))
    for name, place in (("crosscheck.json", addresses.verdict(b, v)), ("MANIFEST.json", addresses.manifest(b, v))):
        if name in version.tables:
            yield place, version.tables[name].read_bytes()
    for freeze in freezes(version):
        yield addresses.earlier_manifest(b, v, freeze.root), freeze.manifest.read_bytes()


def _json(value: Any) -> bytes:
    return json_text(value).encode()
