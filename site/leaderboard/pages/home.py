"""The first page: what this is, and what stands on the boards now."""

from dataclasses import dataclass
from typing import ClassVar

from leaderboard import urls
from leaderboard.pages.common import Metric, Site, how, ranks, read_metrics
from leaderboard.render import Page
from leaderboard.shapes import Rate, Row, Version


@dataclass(frozen=True, slots=True)
class TopRow:
    row: Row
    rank: int | None
    address: str
    cells: tuple[tuple[Rate, str], ...]


@dataclass(frozen=True, slots=True)
class Glance:
    """A benchmark at a glance, by its newest published version."""

    title: str
    summary: str
    address: str
    guide: str
    version: str
    version_address: str
    check_address: str
    status: str
    models: int
    baselines: int
    volume: tuple[str, int] | None
    compared: int | None
    equal: int | None
    versions: tuple[str, ...]
    metrics: tuple[Metric, ...]
    top: tuple[TopRow, ...]
    more: int


@dataclass(frozen=True, kw_only=True)
class HomePage(Page):
    template: ClassVar[str] = "home.html"

    boards: tuple[Glance, ...]
    roads: tuple[tuple[str, str], ...]


_TOP = 8


def home_page(site: Site) -> HomePage:
    boards = []
    for about in site.abouts:
        published = [v for v in site.of(about.name) if v.is_published]
        if published:
            boards.append(_glance(site, published[-1]))
    return HomePage(
        address="",
        title="LLM leaderboards, computed twice",
        description="Leaderboards of language models whose every number is computed twice, by two programs.",
        section="home",
        boards=tuple(boards),
        roads=tuple((about.title, urls.board(about.name)) for about in site.abouts),
    )


def _glance(site: Site, version: Version) -> Glance:
    b, v, about = version.benchmark, version.name, version.about
    places = ranks(version.rows)
    metrics = tuple(m for m in read_metrics(version) if m.key in about.glance)
    top = [
        TopRow(
            r,
            places.get(r.model),
            urls.model(b, v, r.model),
            tuple((r.metrics[m.key], how(version, m.key, r.model)) for m in metrics),
        )
        for r in version.rows[:_TOP]
    ]
    return Glance(
        title=about.title,
        summary=about.summary,
        address=urls.board(b),
        guide=about.guide,
        version=v,
        version_address=urls.version(b, v),
        check_address=urls.check(b, v) if version.verdict else "",
        status=version.status,
        models=sum(not r.is_baseline for r in version.rows),
        baselines=sum(r.is_baseline for r in version.rows),
        volume=version.volume,
        compared=version.verdict.compared if version.verdict else None,
        equal=version.verdict.equal if version.verdict else None,
        versions=tuple(s.name for s in site.of(b)),
        metrics=metrics,
        top=tuple(top),
        more=max(0, len(version.rows) - _TOP),
    )
