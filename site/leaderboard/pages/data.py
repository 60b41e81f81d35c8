"""The page of data: every published file with its size and digest, the licence, and queries that run as they stand."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from leaderboard import urls
from leaderboard.api import addresses
from leaderboard.freezes import current, freezes
from leaderboard.pages.boardfiles import KINDS
from leaderboard.pages.common import Site
from leaderboard.pages.version import SAYS
from leaderboard.render import Link, Page
from leaderboard.shapes import About, Version

LICENCE = "Apache-2.0"


@dataclass(frozen=True, slots=True)
class DataFile:
    name: str
    address: str
    bytes: int
    sha256: str
    says: str


@dataclass(frozen=True, slots=True)
class DataSection:
    """The files of one version."""

    title: str
    version: str
    files: tuple[DataFile, ...]
    logs: tuple[DataFile, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """What the queries of a benchmark read: its newest table, whose first metric is `metric`, and its board."""

    title: str
    metric: str
    parquet: str
    board: str


@dataclass(frozen=True, kw_only=True)
class DataPage(Page):
    template: ClassVar[str] = "data.html"

    licence: str
    boards: tuple[tuple[str, tuple[Link, ...]], ...]
    queries: tuple[Query, ...]
    sections: tuple[DataSection, ...]


def data_page(site: Site) -> DataPage:
    published = [a for a in site.abouts if any(v.is_published for v in site.of(a.name))]
    return DataPage(
        address=urls.all_data(),
        title="Data",
        description="Every published file with its size, its SHA-256 and what it is, and queries that run.",
        licence=LICENCE,
        boards=tuple(
            (a.title, tuple(Link(f"board.{kind}", urls.board_file(a.name, kind)) for kind in KINDS)) for a in published
        ),
        queries=tuple(query for a in published for query in _queries(site, a)),
        sections=tuple(_section(v) for v in site.versions if v.tables),
    )


def _queries(site: Site, about: About) -> Iterator[Query]:
    newest = [v for v in site.of(about.name) if v.is_published][-1]
    if "leaderboard.parquet" in newest.tables:
        parquet = urls.data(about.name, newest.name, "leaderboard.parquet")
        yield Query(newest.title, about.metrics[0], parquet, urls.board_file(about.name, "csv"))


def _section(version: Version) -> DataSection:
    b, v = version.benchmark, version.name
    return DataSection(
        title=version.title,
        version=urls.version(b, v),
        files=tuple(
            DataFile(
                name,
                urls.data(b, v, name),
                path.stat().st_size,
                hashlib.sha256(path.read_bytes()).hexdigest(),
                SAYS[name],
            )
            for name, path in version.tables.items()
        )
        + tuple(
            DataFile(
                f"frozen/{freeze.root}.json",
                addresses.earlier_manifest(b, v, freeze.root),
                freeze.manifest.stat().st_size,
                freeze.root,
                f"the manifest of the freeze of {freeze.at[:10]}",
            )
            for freeze in freezes(version)
            if freeze != current(version)
        ),
        logs=tuple(
            DataFile(
                f"{log.path.parent.name}/{log.path.name}",
                urls.log(b, v, log.path.parent.name, log.path.stem),
                log.path.stat().st_size,
                log.sha256,
                "",
            )
            for log in version.logs
        ),
    )
