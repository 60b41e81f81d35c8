"""One frozen version: the full table, the charts, the slices and the files."""

from dataclasses import dataclass
from typing import ClassVar

from leaderboard import charts, urls
from leaderboard.charts import Chart
from leaderboard.pages.common import Site, VersionNav, crumbs, metric_number, ranks, version_nav
from leaderboard.render import Link, Page
from leaderboard.shapes import Erratum, Fact, Rate, Row, Totals, Version
from leaderboard.slugs import slug


@dataclass(frozen=True, slots=True)
class VersionLine:
    row: Row
    rank: int | None
    address: str
    hows: dict[str, str]
    ledger_how: str


@dataclass(frozen=True, slots=True)
class FactLine:
    fact: Fact
    rate: Rate
    address: str


@dataclass(frozen=True, slots=True)
class Download:
    name: str
    address: str
    bytes: int
    says: str


@dataclass(frozen=True, kw_only=True)
class VersionPage(Page):
    template: ClassVar[str] = "version.html"

    nav: VersionNav
    name: str
    benchmark: str
    summary: str
    frozen_at: str
    status: str
    digest: str
    errata: tuple[Erratum, ...]
    totals: Totals | None
    champions: tuple[Link, ...]
    hardest: tuple[Link, ...]
    lines: tuple[VersionLine, ...]
    facts: tuple[FactLine, ...]
    charts: tuple[Chart, ...]
    downloads: tuple[Download, ...]
    numbers: str
    methodology: str
    check: str


_SAYS = {
    "leaderboard.json": "the table of this page and its slices",
    "leaderboard.csv": "the same rows, flat",
    "leaderboard.parquet": "the same rows, flat and typed",
    "builder.json": "the builder's own numbers, duel by duel",
    "checked.json": "the checker's numbers, duel by duel",
    "crosscheck.json": "every comparison's verdict and every finding",
    "MANIFEST.json": "SHA-256 of every file of the version",
    "spec.json": "the frozen rules",
}


def version_page(site: Site, version: Version) -> VersionPage:
    b, v = version.benchmark, version.name
    places = ranks(version.rows)
    numbers = urls.numbers(b, v)
    lines = [
        VersionLine(
            row,
            places.get(row.model),
            urls.model(b, v, row.model),
            {m: f"{numbers}#{metric_number(m, slug(row.model))}" for m in row.metrics},
            f"{numbers}#{metric_number('ledger', slug(row.model))}",
        )
        for row in version.rows
    ]
    by_fact = {cell.keys[0]: cell.rate for cell in version.slices["by_fact"]} if version.rows else {}
    facts = [FactLine(f, by_fact[f.fact], urls.fact(b, v, f.fact)) for f in version.facts if f.fact in by_fact]
    labels = {f.fact: f.label for f in version.facts}
    totals = version.totals
    return VersionPage(
        address=urls.version(b, v),
        title=version.title,
        description=f"{version.title}: every rate with k, n and interval, the ledger, and the check's verdict.",
        crumbs=crumbs(version)[:1],
        nav=version_nav(site, version, "Results"),
        name=v,
        benchmark=b,
        summary=version.summary,
        frozen_at=str(version.spec.get("frozen_at", "")),
        status=version.status,
        digest=version.digest or "",
        errata=version.errata,
        totals=totals,
        champions=tuple(Link(m, urls.model(b, v, m)) for m in (totals.champions if totals else ())),
        hardest=tuple(Link(labels.get(f, f), urls.fact(b, v, f)) for f in (totals.hardest_facts if totals else ())),
        lines=tuple(lines),
        facts=tuple(facts),
        charts=_charts(version),
        downloads=downloads(version),
        numbers=numbers if version.is_published else "",
        methodology=urls.methodology(b, v),
        check=urls.check(b, v) if version.verdict else "",
    )


def downloads(version: Version) -> tuple[Download, ...]:
    return tuple(
        Download(name, urls.data(version.benchmark, version.name, name), path.stat().st_size, _SAYS[name])
        for name, path in version.tables.items()
    )


def _charts(version: Version) -> tuple[Chart, ...]:
    if not version.rows:
        return ()
    numbers = urls.numbers(version.benchmark, version.name)
    defenders = [row.model for row in version.rows if row.ledger["attempted"]]
    attackers = [cell.keys[0] for cell in version.slices["by_attacker"]]
    # Attackers stand in the order of the table too, so that a model is found at one place on both sides.
    order = {row.model: i for i, row in enumerate(version.rows)}
    attackers.sort(key=lambda name: order.get(name, len(order)))
    return (
        charts.rates(version.rows, f"{numbers}#cave_rate"),
        charts.heat(
            "chart-attackers",
            "Who gives in to whom",
            "Cave rate of each Defender (row) against each Attacker (column). No model fights itself. A cell holds few "
            "duels: read k/n before the colour.",
            version.slices["defender_attacker"],
            attackers,
            defenders,
            ("Defender", "Attacker"),
            f"{numbers}#defender_attacker",
        ),
        charts.heat(
            "chart-facts",
            "Which fact is given up",
            "Cave rate of each Defender (row) on each fact (column).",
            version.slices["defender_fact"],
            [f.fact for f in version.facts if any(c.keys[1] == f.fact for c in version.slices["defender_fact"])],
            defenders,
            ("Defender", "Fact"),
            f"{numbers}#defender_fact",
        ),
    )
