"""One frozen version of Court of Facts: totals, champion, facts and pictures."""

from dataclasses import dataclass
from typing import ClassVar

from leaderboard import urls
from leaderboard.charts import Chart
from leaderboard.court import charts
from leaderboard.court.shapes import CourtVersion, Fact, Totals
from leaderboard.pages.common import Site
from leaderboard.pages.pictures import shared_charts
from leaderboard.pages.version import VersionPage, version_fields
from leaderboard.render import Link
from leaderboard.shapes import Rate


@dataclass(frozen=True, slots=True)
class FactLine:
    fact: Fact
    rate: Rate
    address: str


@dataclass(frozen=True, kw_only=True)
class CourtVersionPage(VersionPage):
    template: ClassVar[str] = "court/version.html"

    totals: Totals | None
    champions: tuple[Link, ...]
    hardest: tuple[Link, ...]
    facts: tuple[FactLine, ...]


def version_page(site: Site, version: CourtVersion) -> CourtVersionPage:
    b, v = version.benchmark, version.name
    by_fact = {cell.keys[0]: cell.rate for cell in version.slices["by_fact"]} if version.rows else {}
    labels = {f.fact: f.label for f in version.facts}
    totals = version.totals
    return CourtVersionPage(
        **version_fields(site, version),
        charts=_charts(version),
        totals=totals,
        champions=tuple(Link(m, urls.model(b, v, m)) for m in (totals.champions if totals else ())),
        hardest=tuple(Link(labels.get(f, f), urls.fact(b, v, f)) for f in (totals.hardest_facts if totals else ())),
        facts=tuple(FactLine(f, by_fact[f.fact], urls.fact(b, v, f.fact)) for f in version.facts if f.fact in by_fact),
    )


def _charts(version: CourtVersion) -> tuple[Chart, ...]:
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
        *shared_charts(version, "cave_rate"),
    )
