"""The first page: what this is, and what stands on the boards now."""

from dataclasses import dataclass
from typing import ClassVar

from leaderboard import urls
from leaderboard.pages.common import Site, benchmark_summary, benchmark_title, ranks
from leaderboard.render import Page
from leaderboard.shapes import Row, Version


@dataclass(frozen=True, slots=True)
class TopRow:
    row: Row
    rank: int | None
    address: str
    how: str


@dataclass(frozen=True, slots=True)
class Glance:
    """A benchmark at a glance, by its newest published version."""

    title: str
    summary: str
    address: str
    version: str
    version_address: str
    check_address: str
    frozen_at: str
    status: str
    models: int
    baselines: int
    duels: int | None
    compared: int | None
    equal: int | None
    versions: tuple[str, ...]
    top: tuple[TopRow, ...]
    more: int


@dataclass(frozen=True, kw_only=True)
class HomePage(Page):
    template: ClassVar[str] = "home.html"

    boards: tuple[Glance, ...]


_TOP = 8


def home_page(site: Site) -> HomePage:
    boards = []
    for benchmark in site.benchmarks:
        published = [v for v in site.of(benchmark) if v.is_published]
        if published:
            boards.append(_glance(site, published[-1]))
    return HomePage(
        address="",
        title="LLM leaderboards, computed twice",
        description="Leaderboards of language models whose every number is computed twice, by two programs.",
        section="home",
        boards=tuple(boards),
    )


def _glance(site: Site, version: Version) -> Glance:
    b, v = version.benchmark, version.name
    places = ranks(version.rows)
    top = [
        TopRow(r, places.get(r.model), urls.model(b, v, r.model), urls.numbers(b, v) + "#cave_rate")
        for r in version.rows[:_TOP]
    ]
    return Glance(
        title=benchmark_title(b),
        summary=benchmark_summary(b),
        address=urls.board(b),
        version=v,
        version_address=urls.version(b, v),
        check_address=urls.check(b, v),
        frozen_at=str(version.spec.get("frozen_at", "")),
        status=version.status,
        models=sum(not r.is_baseline for r in version.rows),
        baselines=sum(r.is_baseline for r in version.rows),
        duels=version.totals.duels if version.totals else None,
        compared=version.verdict.compared if version.verdict else None,
        equal=version.verdict.equal if version.verdict else None,
        versions=tuple(s.name for s in site.of(b)),
        top=tuple(top),
        more=max(0, len(version.rows) - _TOP),
    )
