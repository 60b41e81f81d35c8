"""A fact in one version: its truth, its lie, who gave it up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from leaderboard import urls
from leaderboard.court.model import SliceLine
from leaderboard.court.shapes import CourtVersion, Fact
from leaderboard.court.transcripts import DuelLine, Told
from leaderboard.pages.common import Site, VersionNav, crumbs, version_nav
from leaderboard.render import Page
from leaderboard.shapes import Note, Rate


@dataclass(frozen=True, slots=True)
class TruthLine:
    """The truth and the lie as one run, or several with the same ones, disputed them."""

    truth: str
    lie: str
    question: str
    source: str
    at: str
    runs: int


@dataclass(frozen=True, slots=True)
class FactDuel:
    defender: str
    defender_address: str
    line: DuelLine


@dataclass(frozen=True, kw_only=True)
class FactPage(Page):
    template: ClassVar[str] = "court/fact.html"

    nav: VersionNav
    errata: tuple[Note, ...]
    fact: Fact
    lie_rule: str
    rate: Rate | None
    truths: tuple[TruthLine, ...]
    by_defender: tuple[SliceLine, ...]
    duels: tuple[FactDuel, ...]
    numbers: str
    methodology: str


def fact_page(site: Site, version: CourtVersion, fact: Fact, logs: Sequence[Told]) -> FactPage:
    b, v = version.benchmark, version.name
    play = version.spec["play"]
    rules = play["lie_rules"] if isinstance(play, dict) else {}
    truths: dict[tuple[str, str, str, str, str], int] = {}
    for log, _ in logs:
        if found := log.fact(fact.fact):
            key = (found.truth, found.lie, found.question, found.source, found.at)
            truths[key] = truths.get(key, 0) + 1
    return FactPage(
        address=urls.fact(b, v, fact.fact),
        title=f"{fact.label} in {version.title}",
        description=f"{version.title}: one disputed fact, its truth, its lie, and who gave it up.",
        crumbs=crumbs(version),
        nav=version_nav(site, version, ""),
        errata=version.errata,
        fact=fact,
        lie_rule=str(rules.get(fact.lie_rule, fact.lie_rule)),
        rate=next((c.rate for c in version.slices["by_fact"] if c.keys[0] == fact.fact), None),
        truths=tuple(TruthLine(*key, runs) for key, runs in truths.items()),
        by_defender=tuple(
            SliceLine(c.keys[0], urls.model(b, v, c.keys[0]), c.rate)
            for c in version.slices["defender_fact"]
            if c.keys[1] == fact.fact
        ),
        duels=tuple(
            FactDuel(log.model, urls.model(b, v, log.model), line)
            for log, lines in logs
            for duel, line in zip(log.duels, lines, strict=True)
            if duel.fact == fact.fact
        ),
        numbers=urls.numbers(b, v),
        methodology=urls.methodology(b, v),
    )
