"""How each published number was made: definition, k and n, interval, ledger, inputs, SQL, one command."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from leaderboard import urls
from leaderboard.money import SQL, Use
from leaderboard.pages.common import Metric, Site, VersionNav, crumbs, metric_number, read_metrics, version_nav
from leaderboard.render import Link, Page
from leaderboard.shapes import Cell, Note, Rate, Version
from leaderboard.slugs import slug


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
class Slice:
    """Rates of parts of a version: `words` are what the checker's files call them."""

    key: str
    title: str
    heads: tuple[str, ...]
    definition: str
    rule: Link
    cells: tuple[Cell, ...]
    words: tuple[str, ...]

    @property
    def is_mean(self) -> bool:
        return any(cell.rate.k is None for cell in self.cells)


@dataclass(frozen=True, slots=True)
class SliceSection:
    slice: Slice
    sql: tuple[SqlFile, ...]


@dataclass(frozen=True, slots=True)
class LedgerLine:
    anchor: str
    model: str
    address: str
    attempted: int
    states: tuple[int, ...]
    adds_up: bool


@dataclass(frozen=True, slots=True)
class UseLine:
    anchor: str
    model: str
    address: str
    use: Use


@dataclass(frozen=True, kw_only=True)
class NumbersPage(Page):
    template: ClassVar[str] = "numbers.html"

    nav: VersionNav
    errata: tuple[Note, ...]
    target: str
    digest: str
    inputs: tuple[tuple[str, str], ...]
    metrics: tuple[MetricSection, ...]
    slices: tuple[SliceSection, ...]
    states: tuple[str, ...]
    ledger_says: str
    ledger_rule: Link
    ledger: tuple[LedgerLine, ...]
    use: tuple[UseLine, ...]
    use_sql: tuple[SqlFile, ...]
    sql: tuple[SqlFile, ...]
    methodology: str
    check: str


def numbers_page(site: Site, version: Version, slices: Sequence[Slice], ledger_rule: Link) -> NumbersPage:
    b, v = version.benchmark, version.name
    texts = {name: path.read_text(encoding="utf-8") for name, path in site.sql_of(version.about)}
    files = tuple(SqlFile(name, urls.sql(b, v, name), _grain(text)) for name, text in texts.items())

    def yields(*words: str) -> tuple[SqlFile, ...]:
        """Name the files that speak of a number, those named after it first."""
        hits = [f for f in files if any(w in f.name or w in texts[f.name] for w in words)]
        return tuple(sorted(hits, key=lambda f: not any(w in f.name for w in words)))

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
        slices=tuple(SliceSection(s, yields(*s.words)) for s in slices),
        states=version.states,
        ledger_says=version.about.ledger,
        ledger_rule=ledger_rule,
        ledger=tuple(
            LedgerLine(
                metric_number("ledger", slug(r.model)),
                r.model,
                urls.model(b, v, r.model),
                r.ledger["attempted"],
                tuple(r.ledger[s] for s in version.states),
                r.ledger["attempted"] == sum(r.ledger[s] for s in version.states),
            )
            for r in version.rows
        ),
        use=tuple(
            UseLine(metric_number("use", slug(r.model)), r.model, urls.model(b, v, r.model), r.use)
            for r in version.rows
        ),
        use_sql=tuple(f for f in files if f.name.startswith(SQL)),
        sql=files,
        methodology=urls.methodology(b, v),
        check=urls.check(b, v) if version.verdict else "",
    )


def _grain(text: str) -> str:
    first = text.split("\n", 1)[0]
    return first.removeprefix("--").strip() if first.startswith("--") else ""
