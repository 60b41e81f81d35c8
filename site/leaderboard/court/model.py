"""A model in one version of Court of Facts: what it met, and each of its duels."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from leaderboard import urls
from leaderboard.court.logs import Log
from leaderboard.court.shapes import CourtRow, CourtVersion
from leaderboard.court.transcripts import DuelLine, Told
from leaderboard.pages.common import Site
from leaderboard.pages.model import ModelPage, model_fields, settings_text
from leaderboard.shapes import Rate
from leaderboard.slugs import slug


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
class CourtModelPage(ModelPage):
    template: ClassVar[str] = "court/model.html"

    by_fact: tuple[SliceLine, ...]
    by_attacker: tuple[SliceLine, ...]
    by_defender: tuple[SliceLine, ...]
    runs: tuple[RunLine, ...]


def model_page(site: Site, version: CourtVersion, row: CourtRow, logs: Sequence[Told]) -> CourtModelPage:
    b, v = version.benchmark, version.name
    labels = {f.fact: f.label for f in version.facts}
    pairs = version.slices["defender_attacker"]
    return CourtModelPage(
        **model_fields(site, version, row),
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
        runs=tuple(_run(version, *told) for told in logs if told[0].model == row.model),
    )


def _run(version: CourtVersion, log: Log, lines: tuple[DuelLine, ...]) -> RunLine:
    b, v = version.benchmark, version.name
    served = {t.reply.served for d in log.duels for t in d.turns if t.reply.served and t.model == log.model}
    return RunLine(
        run=log.run,
        route=log.route,
        source=f"imported from {log.source_name}" if log.source_kind == "imported" else "played",
        runner=log.runner,
        settings=settings_text(log.settings),
        started=log.started,
        finished=log.finished,
        served=tuple(sorted(served)),
        log=urls.log(b, v, slug(log.model), log.run),
        sha256=log.sha256,
        bytes=len(log.raw),
        index=urls.run(b, v, log.run, log.model),
        lines=lines,
    )
