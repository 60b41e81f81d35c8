"""The audit of a version: lists of what a careful reader would look at first, each entry with the way to its text."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from leaderboard import urls
from leaderboard.pages.common import Site, VersionNav, crumbs, version_nav
from leaderboard.render import Link, Page
from leaderboard.shapes import Note, Version

_MOST = 1000


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to look at: what it is about, one text for each further column (none where it is empty), and where."""

    name: str
    cells: tuple[str, ...]
    place: Link


@dataclass(frozen=True, slots=True)
class Section:
    """A list of one kind. `says` is the rule by which an entry stands in it."""

    key: str
    title: str
    says: str
    heads: tuple[str, ...]
    entries: tuple[Entry, ...]

    @property
    def shown(self) -> tuple[Entry, ...]:
        """The entries that a page lists: it must stay light."""
        return self.entries[:_MOST]


@dataclass(frozen=True, kw_only=True)
class AuditPage(Page):
    template: ClassVar[str] = "audit.html"

    nav: VersionNav
    errata: tuple[Note, ...]
    sections: tuple[Section, ...]
    check: str


def audit_page(site: Site, version: Version, sections: Iterable[Section]) -> AuditPage:
    b, v = version.benchmark, version.name
    return AuditPage(
        address=urls.audit(b, v),
        title=f"Audit of {version.title}",
        description=f"{version.title}: outliers, unread replies and failures, each with the way to its transcript.",
        crumbs=crumbs(version),
        nav=version_nav(site, version, "Audit"),
        errata=version.errata,
        sections=tuple(sections),
        check=urls.check(b, v) if version.verdict else "",
    )
