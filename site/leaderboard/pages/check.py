"""The check report: what was compared, what differed, and what the checker could not reach."""

from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from leaderboard import urls
from leaderboard.pages.common import Site, VersionNav, crumbs, version_nav
from leaderboard.render import Page
from leaderboard.selftest import FILE, SelfTest
from leaderboard.shapes import Finding, Note, Verdict, Version

SIDES = {
    "builder": "The builder's number differs from the checker's.",
    "published": "A published file differs from what the checker computed.",
    "log": "A log breaks a rule of the log schema.",
    "spec": "The spec, or a file that it names, is not as it was frozen.",
    "imported": "An imported dataset states something that the rules do not yield. It changes no status: these are a "
    "third party's numbers, listed and never used.",
}


@dataclass(frozen=True, slots=True)
class CheckRow:
    model: str
    address: str
    status: str
    compared: int
    equal: int


@dataclass(frozen=True, slots=True)
class Side:
    side: str
    says: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, kw_only=True)
class CheckPage(Page):
    template: ClassVar[str] = "check.html"

    nav: VersionNav
    errata: tuple[Note, ...]
    verdict: Verdict
    target: str
    rows: tuple[CheckRow, ...]
    sides: tuple[Side, ...]
    report_address: str
    sql: tuple[tuple[str, str], ...]
    numbers: str
    self_test: SelfTest | None
    self_test_address: str

    @property
    def self_test_is_of_this_checker(self) -> bool:
        return self.self_test is not None and self.self_test.checker_files == self.verdict.checker_files


def check_page(site: Site, version: Version, verdict: Verdict) -> CheckPage:
    b, v = version.benchmark, version.name
    order = list(SIDES)
    found = sorted(verdict.findings, key=lambda f: order.index(f.side) if f.side in order else len(order))
    return CheckPage(
        address=urls.check(b, v),
        title=f"Check report of {version.title}",
        description=f"{version.title}: {verdict.equal} of {verdict.compared} compared fields equal. {verdict.status}.",
        crumbs=crumbs(version),
        nav=version_nav(site, version, "Check report"),
        errata=version.errata,
        verdict=verdict,
        target=f"{b}/{v}",
        rows=tuple(CheckRow(m, urls.model(b, v, m), s, c, e) for m, s, c, e in verdict.rows),
        sides=tuple(
            Side(side, SIDES.get(side, "Findings of another kind."), tuple(group))
            for side, group in groupby(found, key=lambda f: f.side)
        ),
        report_address=urls.data(b, v, "crosscheck.json"),
        sql=tuple((name, urls.sql(b, v, name)) for name, _ in site.sql_of(version.about)),
        numbers=urls.numbers(b, v),
        self_test=site.self_tests.get(b),
        self_test_address=FILE,
    )
