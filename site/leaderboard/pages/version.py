"""What the page of a frozen version has in every benchmark: the table's lines, the charts, the files."""

from dataclasses import dataclass
from typing import Any, ClassVar

from markupsafe import Markup

from leaderboard import urls
from leaderboard.api import addresses
from leaderboard.cite.shown import Citation, citations
from leaderboard.cost_chart import COST
from leaderboard.croissant import in_page
from leaderboard.freezes import Freeze, current, freezes, root_digest
from leaderboard.pages.common import Site, VersionNav, crumbs, how, ranks, version_nav
from leaderboard.pages.use import Costs, costs
from leaderboard.render import Link, Page
from leaderboard.shapes import Note, Row, Version


@dataclass(frozen=True, slots=True)
class VersionLine:
    row: Row
    rank: int | None
    address: str
    hows: dict[str, str]
    ledger_how: str
    costs: Costs


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
    errata: tuple[Note, ...]
    ledger: str
    states: tuple[str, ...]
    lines: tuple[VersionLine, ...]
    has_costs: bool
    downloads: tuple[Download, ...]
    root: str
    frozen: Freeze | None
    earlier: tuple[Freeze, ...]
    document: str
    citations: tuple[Citation, ...]
    croissant: str
    dataset: Markup
    table_files: tuple[Link, ...]
    numbers: str
    methodology: str
    check: str

    @property
    def has_cost_chart(self) -> bool:
        return any(chart.id == COST for chart in self.charts)


SAYS = {
    "leaderboard.json": "the table of this page and its slices",
    "leaderboard.csv": "the same rows, flat",
    "leaderboard.parquet": "the same rows, flat and typed",
    "builder.json": "the builder's own numbers, one by one",
    "checked.json": "the checker's numbers, one by one",
    "crosscheck.json": "every comparison's verdict and every finding",
    "MANIFEST.json": "SHA-256 of every file of the version",
    "spec.json": "the frozen rules",
}


_TABLE_FILES = {"CSV": "leaderboard.csv", "JSON": "leaderboard.json", "Parquet": "leaderboard.parquet"}


def version_fields(site: Site, version: Version) -> dict[str, Any]:
    """Give the fields of `VersionPage` but the charts."""
    b, v = version.benchmark, version.name
    places = ranks(version.rows)
    lines = tuple(
        VersionLine(
            row,
            places.get(row.model),
            urls.model(b, v, row.model),
            {m: how(version, m, row.model) for m in row.metrics},
            how(version, "ledger", row.model),
            costs(version, row),
        )
        for row in version.rows
    )
    return {
        "address": urls.version(b, v),
        "title": version.title,
        "description": f"{version.title}: every number with k, n and interval, the ledger, and the check's verdict.",
        "crumbs": crumbs(version)[:1],
        "nav": version_nav(site, version, "Results"),
        "name": v,
        "benchmark": b,
        "summary": version.summary,
        "frozen_at": str(version.spec.get("frozen_at", "")),
        "status": version.status,
        "digest": version.digest or "",
        "errata": version.errata,
        "ledger": version.about.ledger,
        "states": version.states,
        "lines": lines,
        "has_costs": any(line.costs.is_priced for line in lines),
        "downloads": downloads(version),
        "root": root_digest(version) or "",
        "frozen": current(version),
        "earlier": tuple(one for one in freezes(version) if one != current(version)),
        "document": addresses.version(b, v),
        "citations": citations(version, site.url),
        "croissant": urls.croissant(b, v) if version.is_published and version.verdict else "",
        "dataset": in_page(version, site.url),
        "table_files": tuple(
            Link(text, urls.data(b, v, name)) for text, name in _TABLE_FILES.items() if name in version.tables
        ),
        "numbers": urls.numbers(b, v) if version.is_published else "",
        "methodology": urls.methodology(b, v),
        "check": urls.check(b, v) if version.verdict else "",
    }


def downloads(version: Version) -> tuple[Download, ...]:
    return tuple(
        Download(name, urls.data(version.benchmark, version.name, name), path.stat().st_size, SAYS[name])
        for name, path in version.tables.items()
    )
