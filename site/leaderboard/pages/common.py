"""What several pages share: the site as a whole, where one is, metrics and ranks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

from leaderboard import urls
from leaderboard.render import Link
from leaderboard.selftest import SelfTest
from leaderboard.shapes import About, Rate, Row, Version
from leaderboard.slugs import slug

_INTERVALS = {"wilson95": "Wilson, 95%", "bootstrap95": "percentile bootstrap over games, 95%"}


@dataclass(frozen=True)
class Site:
    """Everything that is published, the checker's SQL as text, and its self-test."""

    abouts: tuple[About, ...]
    versions: tuple[Version, ...]
    sql: tuple[tuple[str, Path], ...]
    self_tests: Mapping[str, SelfTest] = field(default_factory=dict)
    """By benchmark."""
    url: str = ""
    """Of the first page, with a slash at its end."""

    def of(self, benchmark: str) -> tuple[Version, ...]:
        return tuple(v for v in self.versions if v.benchmark == benchmark)

    def sql_of(self, about: About) -> tuple[tuple[str, Path], ...]:
        """Give the files in the benchmark's folders of the checker; a file lies in the longest folder that holds it."""
        folders = {folder for a in self.abouts for folder in a.sql}

        def folder_of(name: str) -> str:
            return max((f for f in folders if name.startswith(f"{f}/")), key=len, default="")

        return tuple((name, path) for name, path in self.sql if folder_of(name) in about.sql)


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric as the spec defines it."""

    key: str
    title: str
    definition: str
    row: str
    k: str
    n: str
    rules: tuple[str, ...]
    better: str
    cell: str
    interval: str

    @property
    def direction(self) -> str:
        """Say of which cell it is, where there are cells, and which end of it is good."""
        return ", ".join(filter(None, (self.cell, f"{self.better} is better")))


@dataclass(frozen=True, slots=True)
class VersionNav:
    """The tabs of a version, and its siblings."""

    title: str
    tabs: tuple[Link, ...]
    versions: tuple[Link, ...]
    active: str
    version: str


def read_metrics(version: Version) -> tuple[Metric, ...]:
    """Give the spec's metrics in its order."""
    spec: Any = version.spec
    return tuple(
        Metric(
            key,
            m["title"],
            m["definition"],
            m["row"],
            m["k"] or "",
            m["n"],
            tuple(m["rules"]),
            m["better"],
            m.get("cell", ""),
            _INTERVALS.get(m["interval"], m["interval"]),
        )
        for key, m in spec["metrics"].items()
    )


def version_nav(site: Site, version: Version, active: str) -> VersionNav:
    b, v = version.benchmark, version.name
    tabs = [Link("Results", urls.version(b, v)), Link("Methodology", urls.methodology(b, v))]
    if version.verdict:
        tabs.append(Link("Check report", urls.check(b, v)))
    if version.is_published:
        tabs += [Link("Numbers", urls.numbers(b, v)), Link("Audit", urls.audit(b, v))]
    tabs += [tab_of_changes(old, new) for old, new in neighbours(site, b) if v in (old.name, new.name)]
    siblings = tuple(Link(s.name, urls.version(b, s.name)) for s in site.of(b))
    return VersionNav(version.title, tuple(tabs), siblings, active, v)


def neighbours(site: Site, benchmark: str) -> list[tuple[Version, Version]]:
    """Pair each published version with the one after it."""
    return list(pairwise(v for v in site.of(benchmark) if v.is_published))


def tab_of_changes(old: Version, new: Version) -> Link:
    return Link(f"{old.name} to {new.name}", urls.changes(new.benchmark, old.name, new.name))


def crumbs(version: Version, *more: Link) -> tuple[Link, ...]:
    b, v = version.benchmark, version.name
    return (Link(version.about.title, urls.board(b)), Link(v, urls.version(b, v)), *more)


def ranks(rows: Sequence[Row]) -> dict[str, int]:
    """Rank the rows that take one; equal rates share a rank."""
    exact = {row.model: _exact(row.primary) for row in rows if row.takes_rank}
    first: dict[Fraction, int] = {}
    for place, rate in enumerate(sorted(exact.values()), 1):
        first.setdefault(rate, place)
    return {model: first[rate] for model, rate in exact.items()}


def _exact(rate: Rate) -> Fraction:
    """Give k/n: two floats of one fraction may differ in their last digit."""
    if rate.k is None:
        raise TypeError("a board is ranked by a rate, not by a mean")
    return Fraction(rate.k, rate.n)


def metric_number(metric: str, slug: str) -> str:
    """Give the anchor of one published number on the page of numbers."""
    return f"{metric}--{slug}"


def how(version: Version, metric: str, model: str) -> str:
    """Give the address that says how one published number was made."""
    return f"{urls.numbers(version.benchmark, version.name)}#{metric_number(metric, slug(model))}"
