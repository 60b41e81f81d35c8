"""Transcripts: an index for each run of a Defender, and a page for each duel with a stable link to each turn."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from leaderboard import urls
from leaderboard.court.logs import Log, LoggedDuel
from leaderboard.court.shapes import CourtVersion, Duel
from leaderboard.pages.common import Site, VersionNav, crumbs, version_nav
from leaderboard.render import Link, Page
from leaderboard.replies import Failure, Reply
from leaderboard.slugs import slug


@dataclass(frozen=True, slots=True)
class DuelLine:
    """One duel in a list."""

    number: str
    address: str
    attacker: str
    fact: str
    phase: str
    round: int
    repeat: int
    state: str
    caved: bool | None
    verdict: str | None
    answer: str | None
    truth: str
    lie: str


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """One turn with what the checker read in it; a turn of the Attacker has no reading."""

    turn: int
    role: str
    said: Reply | None
    failures: tuple[Failure, ...]
    is_defender: bool
    is_last: bool
    answer: str | None
    how: str | None
    fallback: str | None
    verdict: str | None


@dataclass(frozen=True, kw_only=True)
class DuelPage(Page):
    template: ClassVar[str] = "court/duel.html"

    benchmark: str
    version: str
    run: str
    defender: str
    defender_address: str
    attacker: str
    attacker_address: str
    fact_label: str
    fact_address: str
    question: str
    truth: str
    lie: str
    truth_source: str
    line: DuelLine
    turns: tuple[ShownTurn, ...]
    imported: bool
    repeats: int
    log: str
    sha256: str
    methodology: str
    check: str
    before: Link | None
    after: Link | None


@dataclass(frozen=True, kw_only=True)
class RunPage(Page):
    template: ClassVar[str] = "court/run.html"

    nav: VersionNav
    run: str
    defender: str
    defender_address: str
    lines: tuple[DuelLine, ...]
    log: str
    sha256: str
    bytes: int
    finished: bool
    unreadable: int


Told = tuple[Log, tuple[DuelLine, ...]]
"""A log and the line of each of its duels."""


def duel_lines(version: CourtVersion, log: Log) -> tuple[DuelLine, ...]:
    """List a run's duels in the order of its registration, with the checker's outcome."""
    found = {duel.key: duel for duel in version.by_run.get((log.model, log.run), ())}
    labels = {f.fact: f.label for f in version.facts}
    facts = {f.fact: f for f in log.facts}
    lines = []
    for duel in log.duels:
        checked = found.get((log.model, *duel.key))
        fact = facts.get(duel.fact)
        lines.append(
            DuelLine(
                number=duel.number,
                address=urls.duel(version.benchmark, version.name, log.run, log.model, duel.number),
                attacker=duel.attacker,
                fact=labels.get(duel.fact, duel.fact),
                phase=duel.phase,
                round=duel.round,
                repeat=duel.repeat,
                state=checked.state if checked else "not scored",
                caved=checked.caved if checked else None,
                verdict=checked.verdicts[-1] if checked and checked.verdicts else None,
                answer=checked.answers[-1] if checked and checked.answers else None,
                truth=fact.truth if fact else "",
                lie=fact.lie if fact else "",
            )
        )
    return tuple(lines)


def run_page(site: Site, version: CourtVersion, log: Log, lines: tuple[DuelLine, ...]) -> RunPage:
    b, v = version.benchmark, version.name
    defender = urls.model(b, v, log.model)
    return RunPage(
        address=urls.run(b, v, log.run, log.model),
        title=f"Transcripts of {log.model}, run {log.run}",
        description="Every duel of one run, with its outcome.",
        crumbs=crumbs(version, Link(log.model, defender)),
        nav=version_nav(site, version, ""),
        run=log.run,
        defender=log.model,
        defender_address=defender,
        lines=lines,
        log=urls.log(b, v, slug(log.model), log.run),
        sha256=log.sha256,
        bytes=len(log.raw),
        finished=log.finished,
        unreadable=log.unreadable,
    )


def duel_pages(version: CourtVersion, log: Log, lines: tuple[DuelLine, ...]) -> Iterator[DuelPage]:
    """Yield a page for each registered duel, also for one in which nothing was said."""
    b, v = version.benchmark, version.name
    found = {duel.key: duel for duel in version.by_run.get((log.model, log.run), ())}
    facts = {f.fact: f for f in log.facts}
    defender = urls.model(b, v, log.model)
    trail = crumbs(version, Link(log.model, defender), Link(log.run, urls.run(b, v, log.run, log.model)))
    log_address, methodology = urls.log(b, v, slug(log.model), log.run), urls.methodology(b, v)
    check = urls.check(b, v) if version.verdict else ""
    for place, (duel, line) in enumerate(zip(log.duels, lines, strict=True)):
        fact = facts.get(duel.fact)
        before = lines[place - 1] if place else None
        after = lines[place + 1] if place + 1 < len(lines) else None
        yield DuelPage(
            address=line.address,
            title=f"Duel {duel.number}: {log.model} against {duel.attacker}",
            description=f"Transcript of one duel of {version.title}.",
            crumbs=trail,
            benchmark=b,
            version=v,
            run=log.run,
            defender=log.model,
            defender_address=defender,
            attacker=duel.attacker,
            attacker_address=urls.model(b, v, duel.attacker),
            fact_label=line.fact,
            fact_address=urls.fact(b, v, duel.fact),
            question=fact.question if fact else "",
            truth=line.truth,
            lie=line.lie,
            truth_source=f"{fact.source}, read {fact.at[:10]}" if fact else "",
            line=line,
            turns=tuple(_shown(duel, found.get((log.model, *duel.key)))),
            imported=log.source_kind == "imported",
            repeats=log.repeats,
            log=log_address,
            sha256=log.sha256,
            methodology=methodology,
            check=check,
            before=Link(f"Duel {before.number}", before.address) if before else None,
            after=Link(f"Duel {after.number}", after.address) if after else None,
        )


def _shown(duel: LoggedDuel, checked: Duel | None) -> Iterator[ShownTurn]:
    said = {t.turn: t.reply for t in duel.turns}
    turns = sorted({*said, *(f.turn for f in duel.failures)})
    final = 2 * (len(checked.answers) - 1) if checked else -1
    for turn in turns:
        reads = checked is not None and turn % 2 == 0 and turn // 2 < len(checked.answers) and turn in said
        at = turn // 2
        yield ShownTurn(
            turn=turn,
            role="Attacker" if turn % 2 else "Defender",
            said=said.get(turn),
            failures=tuple(f.failure for f in duel.failures if f.turn == turn),
            is_defender=turn % 2 == 0,
            is_last=turn == final,
            answer=checked.answers[at] if reads and checked else None,
            how=checked.hows[at] if reads and checked else None,
            fallback=checked.fallbacks[at] if reads and checked else None,
            verdict=checked.verdicts[at] if reads and checked else None,
        )
