"""A benchmark's board: one line a model, one column a version."""

from dataclasses import dataclass
from typing import ClassVar

from leaderboard import urls
from leaderboard.pages.common import Site, benchmark_summary, benchmark_title, metric_number, ranks
from leaderboard.render import Page
from leaderboard.shapes import Row, Version
from leaderboard.slugs import slug


@dataclass(frozen=True, slots=True)
class BoardCell:
    """One model in one version."""

    row: Row
    address: str
    how: str


@dataclass(frozen=True, slots=True)
class BoardLine:
    model: str
    kind: str
    rank: int | None
    address: str
    status: str
    cells: tuple[BoardCell | None, ...]


@dataclass(frozen=True, slots=True)
class BoardVersion:
    name: str
    address: str
    check: str
    summary: str
    frozen_at: str
    status: str
    digest: str
    models: int
    has_errata: bool
    is_published: bool


@dataclass(frozen=True, kw_only=True)
class BoardPage(Page):
    template: ClassVar[str] = "board.html"

    summary: str
    latest: str
    lines: tuple[BoardLine, ...]
    columns: tuple[BoardVersion, ...]
    versions: tuple[BoardVersion, ...]


def board_page(site: Site, benchmark: str) -> BoardPage:
    """Columns run from the newest version to the oldest; a model stands where its newest version puts it."""
    versions = site.of(benchmark)[::-1]
    published = [v for v in versions if v.is_published]
    found: dict[str, BoardLine] = {}
    for version in published:
        places = ranks(version.rows)
        for row in version.rows:
            if row.model in found:
                continue
            found[row.model] = BoardLine(
                model=row.model,
                kind=row.kind,
                rank=places.get(row.model) if version is published[0] else None,
                address=urls.model(benchmark, version.name, row.model),
                status=row.status if version is published[0] else "",
                cells=tuple(_cell(v, row.model) for v in published),
            )
    return BoardPage(
        address=urls.board(benchmark),
        title=f"{benchmark_title(benchmark)} leaderboard",
        description=f"{benchmark_title(benchmark)}: cave rates of every model in every version, with intervals.",
        summary=benchmark_summary(benchmark),
        latest=published[0].name if published else "",
        lines=tuple(found.values()),
        columns=tuple(_version(v) for v in published),
        versions=tuple(_version(v) for v in versions),
    )


def _cell(version: Version, model: str) -> BoardCell | None:
    row = next((r for r in version.rows if r.model == model), None)
    if row is None:
        return None
    how = urls.numbers(version.benchmark, version.name) + "#" + metric_number("cave_rate", slug(model))
    return BoardCell(row, urls.model(version.benchmark, version.name, model), how)


def _version(version: Version) -> BoardVersion:
    return BoardVersion(
        name=version.name,
        address=urls.version(version.benchmark, version.name),
        check=urls.check(version.benchmark, version.name) if version.verdict else "",
        summary=version.summary,
        frozen_at=str(version.spec.get("frozen_at", "")),
        status=version.status,
        digest=version.digest or "",
        models=len(version.rows),
        has_errata=bool(version.errata),
        is_published=version.is_published,
    )
