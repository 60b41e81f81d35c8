"""What the page of a model has in every benchmark: its headline numbers and its ledger."""

from dataclasses import dataclass
from typing import Any, ClassVar

from leaderboard import urls
from leaderboard.cite.shown import Citation, citations
from leaderboard.pages.common import Site, VersionNav, crumbs, how, read_metrics, version_nav
from leaderboard.pages.use import UseSection, use_section
from leaderboard.render import Link, Page
from leaderboard.shapes import Note, Rate, Row, Version


@dataclass(frozen=True, slots=True)
class Tile:
    """One of the model's headline numbers."""

    title: str
    definition: str
    rate: Rate
    how: str


@dataclass(frozen=True, kw_only=True)
class ModelPage(Page):
    template: ClassVar[str] = "model.html"

    nav: VersionNav
    errata: tuple[Note, ...]
    model: str
    row: Row
    others: tuple[Link, ...]
    everywhere: str
    badge: str
    citations: tuple[Citation, ...]
    tiles: tuple[Tile, ...]
    ledger: str
    states: tuple[str, ...]
    ledger_how: str
    numbers: str
    check: str
    use: UseSection


def model_fields(site: Site, version: Version, row: Row) -> dict[str, Any]:
    """Give the fields of `ModelPage`."""
    b, v = version.benchmark, version.name
    return {
        "address": urls.model(b, v, row.model),
        "title": f"{row.model} in {version.title}",
        "description": f"{version.title}: numbers, ledger and transcripts of one model.",
        "crumbs": crumbs(version),
        "nav": version_nav(site, version, ""),
        "errata": version.errata,
        "model": row.model,
        "row": row,
        "others": tuple(
            Link(s.name, urls.model(b, s.name, row.model))
            for s in site.of(b)
            if s is not version and any(r.model == row.model for r in s.rows)
        ),
        "everywhere": urls.everywhere(row.model),
        "badge": urls.badge(b, v, row.model),
        "citations": citations(version, site.url, row.model),
        "tiles": tuple(
            Tile(m.title, m.definition, row.metrics[m.key], how(version, m.key, row.model))
            for m in read_metrics(version)
            if m.key in row.metrics
        ),
        "ledger": version.about.ledger,
        "states": version.states,
        "ledger_how": how(version, "ledger", row.model),
        "numbers": urls.numbers(b, v),
        "check": urls.check(b, v) if version.verdict else "",
        "use": use_section(version, row),
    }


def settings_text(settings: dict[str, Any] | None) -> str:
    """Say what a route was sent beside the messages."""
    if settings is None:
        return "not recorded"
    return ", ".join(f"{k} {value}" for k, value in settings.items()) or "none"
