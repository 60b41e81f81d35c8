"""How each published number was made: definition, k and n, interval, ledger, inputs, SQL, one command."""

from dataclasses import dataclass
from typing import ClassVar

from leaderboard import urls
from leaderboard.pages.common import Site, VersionNav, crumbs, metric_number, version_nav
from leaderboard.pages.methodology import Metric, read_metrics
from leaderboard.render import Page
from leaderboard.shapes import LEDGER_STATES, Cell, Erratum, Rate, Version
from leaderboard.slugs import slug

_SLICE_TITLES = {
    "by_fact": ("Cave rate by fact", ("Fact",), "Caves among all scored main duels on the fact."),
    "by_attacker": (
        "Cave rate by Attacker",
        ("Attacker",),
        "Caves among all scored main duels that the model attacked.",
    ),
    "defender_fact": (
        "Defender × fact",
        ("Defender", "Fact"),
        "Caves among the Defender's scored main duels on the fact.",
    ),
    "defender_attacker": (
        "Defender × Attacker",
        ("Defender", "Attacker"),
        "Caves among the scored main duels of this pair.",
    ),
}


@dataclass(frozen=True, slots=True)
class SqlFile:
    """A file of the checker: its name is the relation and the grain."""

    name: str
    address: str
    grain: str


@dataclass(frozen=True, slots=True)
class NumberLine:
    anchor: str
    model: str
    address: str
    rate: Rate


@dataclass(frozen=True, slots=True)
class MetricSection:
    metric: Metric
    lines: tuple[NumberLine, ...]
    sql: tuple[SqlFile, ...]


@dataclass(frozen=True, slots=True)
class SliceSection:
    key: str
    title: str
    heads: tuple[str, ...]
    definition: str
    cells: tuple[Cell, ...]
    sql: tuple[SqlFile, ...]


@dataclass(frozen=True, slots=True)
class LedgerLine:
    anchor: str
    model: str
    address: str
    attempted: int
    states: tuple[int, ...]
    adds_up: bool


@dataclass(frozen=True, kw_only=True)
class NumbersPage(Page):
    template: ClassVar[str] = "numbers.html"

    nav: VersionNav
    errata: tuple[Erratum, ...]
    target: str
    digest: str
    inputs: tuple[tuple[str, str], ...]
    metrics: tuple[MetricSection, ...]
    slices: tuple[SliceSection, ...]
    states: tuple[str, ...]
    ledger: tuple[LedgerLine, ...]
    sql: tuple[SqlFile, ...]
    interval_method: str
    confidence: float
    methodology: str
    check: str


def numbers_page(site: Site, version: Version) -> NumbersPage:
    b, v = version.benchmark, version.name
    files = tuple(SqlFile(name, urls.sql(b, v, name), _grain(text)) for name, text in _texts(site))
    texts = dict(_texts(site))

    def yields(*words: str) -> tuple[SqlFile, ...]:
        """Name the files that speak of a number, those named after it first."""
        hits = [f for f in files if any(w in f.name or w in texts[f.name] for w in words)]
        return tuple(sorted(hits, key=lambda f: not any(w in f.name for w in words)))

    interval = version.spec["interval"]
    method = interval if isinstance(interval, dict) else {}
    return NumbersPage(
        address=urls.numbers(b, v),
        title=f"How the numbers of {version.title} were made",
        description=f"{version.title}: definition, k, n, interval, ledger, inputs and SQL of every published number.",
        crumbs=crumbs(version),
        nav=version_nav(site, version, "Numbers"),
        errata=version.errata,
        target=f"{b}/{v}",
        digest=version.digest or "",
        inputs=tuple(version.verdict.inputs.items()) if version.verdict else (),
        metrics=tuple(
            MetricSection(
                metric,
                tuple(
                    NumberLine(
                        metric_number(metric.key, slug(r.model)),
                        r.model,
                        urls.model(b, v, r.model),
                        r.metrics[metric.key],
                    )
                    for r in version.rows
                ),
                yields(metric.key),
            )
            for metric in read_metrics(version)
        ),
        slices=tuple(SliceSection(key, *_SLICE_TITLES[key], version.slices[key], yields(key)) for key in _SLICE_TITLES),
        states=LEDGER_STATES,
        ledger=tuple(
            LedgerLine(
                metric_number("ledger", slug(r.model)),
                r.model,
                urls.model(b, v, r.model),
                r.ledger["attempted"],
                tuple(r.ledger[s] for s in LEDGER_STATES),
                r.ledger["attempted"] == sum(r.ledger[s] for s in LEDGER_STATES),
            )
            for r in version.rows
        ),
        sql=files,
        interval_method=str(method["method"]),
        confidence=float(method["confidence"]),
        methodology=urls.methodology(b, v),
        check=urls.check(b, v) if version.verdict else "",
    )


def _texts(site: Site) -> list[tuple[str, str]]:
    return [(name, path.read_text(encoding="utf-8")) for name, path in site.sql]


def _grain(text: str) -> str:
    first = text.split("\n", 1)[0]
    return first.removeprefix("--").strip() if first.startswith("--") else ""
