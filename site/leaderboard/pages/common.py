"""What several pages share: the site as a whole, where one is, ranks and outcomes."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from leaderboard import urls
from leaderboard.render import Link
from leaderboard.shapes import Rate, Row, Version

BENCHMARKS = {
    "court": (
        "Court of Facts",
        "Does a model keep a fact that it was handed when a confident voice disagrees? One model defends a value read "
        "from AWS, another argues for a wrong one, and the last answer decides.",
    ),
}


@dataclass(frozen=True)
class Site:
    """Everything that is published, and the checker's SQL as text."""

    versions: tuple[Version, ...]
    sql: tuple[tuple[str, Path], ...]

    def of(self, benchmark: str) -> tuple[Version, ...]:
        return tuple(v for v in self.versions if v.benchmark == benchmark)

    @property
    def benchmarks(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(v.benchmark for v in self.versions))


@dataclass(frozen=True, slots=True)
class VersionNav:
    """The tabs of a version, and its siblings."""

    title: str
    tabs: tuple[Link, ...]
    versions: tuple[Link, ...]
    active: str
    version: str


def benchmark_title(benchmark: str) -> str:
    return BENCHMARKS.get(benchmark, (benchmark, ""))[0]


def benchmark_summary(benchmark: str) -> str:
    return BENCHMARKS.get(benchmark, (benchmark, ""))[1]


def version_nav(site: Site, version: Version, active: str) -> VersionNav:
    b, v = version.benchmark, version.name
    tabs = [Link("Results", urls.version(b, v)), Link("Methodology", urls.methodology(b, v))]
    if version.verdict:
        tabs.append(Link("Check report", urls.check(b, v)))
    if version.is_published:
        tabs.append(Link("Numbers", urls.numbers(b, v)))
    siblings = tuple(Link(s.name, urls.version(b, s.name)) for s in site.of(b))
    return VersionNav(version.title, tuple(tabs), siblings, active, v)


def crumbs(version: Version, *more: Link) -> tuple[Link, ...]:
    b, v = version.benchmark, version.name
    return (Link(benchmark_title(b), urls.board(b)), Link(v, urls.version(b, v)), *more)


def ranks(rows: Sequence[Row]) -> dict[str, int]:
    """Rank the models that have a cave rate; equal rates share a rank; baselines and empty rows have none."""
    ranked = [row for row in rows if not row.is_baseline and row.cave.n]
    return {row.model: 1 + sum(_less(other.cave, row.cave) for other in ranked) for row in ranked}


def _less(a: Rate, b: Rate) -> bool:
    # Exact: two floats of one fraction may differ in their last digit.
    return a.k * b.n < b.k * a.n


def metric_number(metric: str, slug: str) -> str:
    """Give the anchor of one published number on the page of numbers."""
    return f"{metric}--{slug}"
