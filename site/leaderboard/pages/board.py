"""A benchmark's board: one line a model; the newest version with all that the board shows, older ones by their rate."""

from dataclasses import dataclass
from typing import ClassVar

from leaderboard import urls
from leaderboard.pages.common import Site, how, neighbours, ranks, read_metrics, tab_of_changes
from leaderboard.pages.use import Costs, costs
from leaderboard.render import Link, Page
from leaderboard.shapes import About, Rate, Row, Version


@dataclass(frozen=True, slots=True)
class BoardCell:
    """One number of one model in one version; `status` is empty where the line says it already, or nothing is wrong."""

    rate: Rate
    how: str
    status: str


@dataclass(frozen=True, slots=True)
class BoardLine:
    row: Row
    rank: int | None
    address: str
    is_latest: bool
    cells: tuple[BoardCell | None, ...]
    costs: Costs | None


@dataclass(frozen=True, slots=True)
class BoardColumn:
    """One metric of one version."""

    version: str
    metric: str
    address: str
    title: str
    direction: str
    has_errata: bool

    @property
    def label(self) -> str:
        return f"{self.title} {self.version}".strip()


@dataclass(frozen=True, slots=True)
class BoardVersion:
    name: str
    address: str
    summary: str
    status: str
    digest: str
    models: int
    has_errata: bool
    is_published: bool


@dataclass(frozen=True, kw_only=True)
class BoardPage(Page):
    template: ClassVar[str] = "board.html"

    summary: str
    guide: str
    caption: str
    unit: str
    run: str
    latest: str
    lines: tuple[BoardLine, ...]
    columns: tuple[BoardColumn, ...]
    versions: tuple[BoardVersion, ...]
    has_costs: bool
    changes: tuple[Link, ...]
    files: tuple[Link, ...]


_FILES = {"CSV": "csv", "JSON": "json", "Parquet": "parquet"}


def board_page(site: Site, about: About) -> BoardPage:
    """Columns run from the newest version to the oldest; a model stands where its newest version puts it."""
    versions = site.of(about.name)[::-1]
    published = [v for v in versions if v.is_published]
    latest = published[0] if published else None
    shown = [(v, metric) for v in published for metric in (about.board if v is latest else about.board[:1])]
    found: dict[str, BoardLine] = {}
    for version in published:
        places = ranks(version.rows)
        for row in version.rows:
            if row.model not in found:
                found[row.model] = BoardLine(
                    row=row,
                    rank=places.get(row.model) if version is latest else None,
                    address=urls.model(about.name, version.name, row.model),
                    is_latest=version is latest,
                    cells=tuple(_cell(v, metric, row.model, v is latest) for v, metric in shown),
                    costs=costs(version, row) if version is latest else None,
                )
    return BoardPage(
        address=urls.board(about.name),
        title=f"{about.title} leaderboard",
        description=f"{about.title}: every model in every version, with k, n and intervals.",
        summary=about.summary,
        guide=about.guide,
        caption=about.caption,
        unit=about.unit,
        run=about.run,
        latest=latest.name if latest else "",
        lines=tuple(found.values()),
        columns=tuple(_column(v, metric, named=len(about.board) > 1) for v, metric in shown),
        versions=tuple(_version(v) for v in versions),
        has_costs=any(line.costs is not None and line.costs.is_priced for line in found.values()),
        changes=tuple(tab_of_changes(old, new) for old, new in neighbours(site, about.name)),
        files=tuple(Link(text, urls.board_file(about.name, kind)) for text, kind in _FILES.items()) if latest else (),
    )


def _cell(version: Version, metric: str, model: str, is_latest: bool) -> BoardCell | None:
    row = next((r for r in version.rows if r.model == model), None)
    if row is None:
        return None
    quiet = is_latest or row.status == "CROSS-CHECKED"
    return BoardCell(row.metrics[metric], how(version, metric, model), "" if quiet else row.status)


def _column(version: Version, key: str, *, named: bool) -> BoardColumn:
    metric = next(m for m in read_metrics(version) if m.key == key)
    return BoardColumn(
        version.name,
        key,
        urls.version(version.benchmark, version.name),
        metric.title if named else "",
        metric.direction if named else "",
        bool(version.errata),
    )


def _version(version: Version) -> BoardVersion:
    return BoardVersion(
        name=version.name,
        address=urls.version(version.benchmark, version.name),
        summary=version.summary,
        status=version.status,
        digest=version.digest or "",
        models=len(version.rows),
        has_errata=bool(version.errata),
        is_published=version.is_published,
    )
