"""A model in one version: its rates, what it met, and each of its duels."""

from dataclasses import dataclass
from typing import ClassVar

from leaderboard import urls
from leaderboard.logs import Log
from leaderboard.pages.common import Site, VersionNav, crumbs, metric_number, version_nav
from leaderboard.pages.transcripts import DuelLine, duel_lines
from leaderboard.render import Link, Page
from leaderboard.shapes import METRICS, Erratum, Rate, Row, Version
from leaderboard.slugs import slug


@dataclass(frozen=True, slots=True)
class Tile:
    """One of the model's headline numbers."""

    title: str
    definition: str
    rate: Rate
    how: str


@dataclass(frozen=True, slots=True)
class SliceLine:
    name: str
    address: str
    rate: Rate


@dataclass(frozen=True, slots=True)
class RunLine:
    """Where the model's duels as Defender were logged."""

    run: str
    route: str
    source: str
    runner: str
    settings: str
    started: str
    finished: bool
    served: tuple[str, ...]
    log: str
    sha256: str
    bytes: int
    index: str
    lines: tuple[DuelLine, ...]


@dataclass(frozen=True, kw_only=True)
class ModelPage(Page):
    template: ClassVar[str] = "model.html"

    nav: VersionNav
    errata: tuple[Erratum, ...]
    model: str
    row: Row
    others: tuple[Link, ...]
    tiles: tuple[Tile, ...]
    by_fact: tuple[SliceLine, ...]
    by_attacker: tuple[SliceLine, ...]
    by_defender: tuple[SliceLine, ...]
    runs: tuple[RunLine, ...]
    ledger_how: str
    numbers: str
    check: str


def model_page(site: Site, version: Version, row: Row, logs: list[Log]) -> ModelPage:
    b, v = version.benchmark, version.name
    numbers = urls.numbers(b, v)
    labels = {f.fact: f.label for f in version.facts}
    pairs = version.slices["defender_attacker"]
    return ModelPage(
        address=urls.model(b, v, row.model),
        title=f"{row.model} in {version.title}",
        description=f"{version.title}: rates, ledger and duels of one model.",
        crumbs=crumbs(version),
        nav=version_nav(site, version, ""),
        errata=version.errata,
        model=row.model,
        row=row,
        others=tuple(
            Link(s.name, urls.model(b, s.name, row.model))
            for s in site.of(b)
            if s is not version and any(r.model == row.model for r in s.rows)
        ),
        tiles=tuple(_tile(version, row, metric) for metric in METRICS),
        by_fact=tuple(
            SliceLine(labels.get(c.keys[1], c.keys[1]), urls.fact(b, v, c.keys[1]), c.rate)
            for c in version.slices["defender_fact"]
            if c.keys[0] == row.model
        ),
        by_attacker=tuple(
            SliceLine(c.keys[1], urls.model(b, v, c.keys[1]), c.rate) for c in pairs if c.keys[0] == row.model
        ),
        by_defender=tuple(
            SliceLine(c.keys[0], urls.model(b, v, c.keys[0]), c.rate) for c in pairs if c.keys[1] == row.model
        ),
        runs=tuple(_run(version, log) for log in logs if log.model == row.model),
        ledger_how=f"{numbers}#{metric_number('ledger', slug(row.model))}",
        numbers=numbers,
        check=urls.check(b, v) if version.verdict else "",
    )


def _tile(version: Version, row: Row, metric: str) -> Tile:
    metrics = version.spec["metrics"]
    says = metrics[metric] if isinstance(metrics, dict) else {}
    how = f"{urls.numbers(version.benchmark, version.name)}#{metric_number(metric, slug(row.model))}"
    return Tile(says["title"], says["definition"], row.metrics[metric], how)


def _run(version: Version, log: Log) -> RunLine:
    b, v = version.benchmark, version.name
    source = f"imported from {log.source_name}" if log.source_kind == "imported" else "played"
    served = {t.served for d in log.duels for t in d.turns if t.served and t.model == log.model}
    settings = ", ".join(f"{k} {value}" for k, value in (log.settings or {}).items())
    return RunLine(
        run=log.run,
        route=log.route,
        source=source,
        runner=log.runner,
        settings=settings or ("not recorded" if log.settings is None else "none"),
        started=log.started,
        finished=log.finished,
        served=tuple(sorted(served)),
        log=urls.log(b, v, log.run, log.model),
        sha256=log.sha256,
        bytes=len(log.raw),
        index=urls.run(b, v, log.run, log.model),
        lines=duel_lines(version, log),
    )
