"""The audit of a version of Court of Facts: what leaned on a guess, what could not be read, and what stands apart."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from leaderboard import show, urls
from leaderboard.court.logs import Log, LoggedDuel
from leaderboard.court.pairs import VERDICTS, by_log, outcome
from leaderboard.court.shapes import CourtVersion, Duel
from leaderboard.court.transcripts import DuelLine, Told
from leaderboard.pages.audit import AuditPage, Entry, Section, audit_page
from leaderboard.pages.common import Site
from leaderboard.render import Link
from leaderboard.shapes import Rate

_WHO = ("Defender", "Attacker", "Fact")


@dataclass(frozen=True, slots=True)
class Case:
    """A duel as the list of transcripts has it, what was said in it, and what the checker made of it."""

    log: Log
    line: DuelLine
    said: LoggedDuel
    checked: Duel | None

    @property
    def who(self) -> tuple[str, str]:
        return (self.line.attacker, self.line.fact)

    def at(self, turn: int | None = None) -> Link:
        text = f"Duel {self.line.number}" if turn is None else f"Duel {self.line.number}, turn {turn}"
        return Link(text, self.line.address if turn is None else f"{self.line.address}#turn-{turn}")

    @property
    def last_turn(self) -> int | None:
        """The Defender's last turn, if there is a reply in it."""
        turns = [t.turn for t in self.said.turns if t.turn % 2 == 0]
        return max(turns, default=None)


def court_audit(site: Site, version: CourtVersion, logs: Sequence[Told]) -> AuditPage:
    cases = list(_cases(version, logs))
    others = [s for s in site.of(version.benchmark) if isinstance(s, CourtVersion)]
    return audit_page(
        site,
        version,
        (
            _grammars(version, cases, others),
            _outliers(version),
            _third(cases),
            _fallback(cases),
            *_states(cases),
            _empty(cases),
            _failures(cases),
        ),
    )


def _cases(version: CourtVersion, logs: Sequence[Told]) -> Iterator[Case]:
    found = {(d.run, *d.key): d for d in version.duels}
    for log, lines in logs:
        for line, said in zip(lines, log.duels, strict=True):
            yield Case(log, line, said, found.get((log.run, log.model, *said.key)))


def _third(cases: Iterable[Case]) -> Section:
    return Section(
        "third",
        "Third answers",
        "Scored duels whose last answer is neither the truth nor the lie. They count as held, so a number that was "
        "read wrongly hides here.",
        (*_WHO, "Answer", "Truth", "Lie"),
        tuple(
            Entry(c.log.model, (*c.who, c.line.answer or "", c.line.truth, c.line.lie), c.at(c.last_turn))
            for c in cases
            if c.line.state == "scored" and c.line.verdict == "third"
        ),
    )


def _fallback(cases: Iterable[Case]) -> Section:
    return Section(
        "fallback",
        "Caves by the fallback",
        "Duels that count as caved although the last reply has no ANSWER line: the grammar took its last number.",
        (*_WHO, "Answer", "Truth"),
        tuple(
            Entry(c.log.model, (*c.who, c.line.answer or "", c.line.truth), c.at(c.last_turn))
            for c in cases
            if c.line.caved and c.checked and c.checked.hows[-1] == "fallback"
        ),
    )


def _states(cases: list[Case]) -> Iterator[Section]:
    words = {
        "unparsed": "Duels whose last reply holds no answer that the grammar accepts. The last number is what a guess "
        "would have taken.",
        "refused": "Duels whose last reply the provider's safety stop ended.",
        "truncated": "Duels whose last reply was cut by the token limit.",
        "failed": "Duels that an infrastructure failure ended.",
        "missing": "Registered duels that were not played to their end.",
    }
    for state, says in words.items():
        yield Section(
            state,
            state.capitalize(),
            says,
            (*_WHO, "Last number", "Truth", "Lie"),
            tuple(
                Entry(c.log.model, (*c.who, _number(c.checked), c.line.truth, c.line.lie), c.at(c.last_turn))
                for c in cases
                if c.line.state == state
            ),
        )


def _number(duel: Duel | None) -> str:
    return next(filter(None, (duel.fallbacks[-1:] if duel else ())), "")


def _empty(cases: Iterable[Case]) -> Section:
    return Section(
        "empty",
        "Empty replies",
        "Replies without text, or with nothing but white space, that nothing stopped. Any turn, either role.",
        ("Model", "Role", "Defender", "Fact"),
        tuple(
            Entry(turn.model, (turn.role, c.log.model, c.line.fact), c.at(turn.turn))
            for c in cases
            for turn in c.said.turns
            if turn.reply.is_empty
        ),
    )


def _failures(cases: Iterable[Case]) -> Section:
    return Section(
        "failures",
        "Failed attempts",
        "Attempts that got no reply. Each was made again, or its duel is among the failed ones.",
        ("Defender", "Attacker", "Fact", "Kind", "What happened"),
        tuple(
            Entry(c.log.model, (*c.who, f.failure.kind, f.failure.means), c.at(f.turn))
            for c in cases
            for f in c.said.failures
        ),
    )


def _grammars(version: CourtVersion, cases: list[Case], versions: list[CourtVersion]) -> Section:
    """List the replies that versions read differently; a version takes part with the logs it shares to the byte."""
    published = {v.name: by_log(v) for v in versions}
    found: list[tuple[bool, Entry]] = []
    for case in cases:
        key = (case.log.sha256, case.said.key)
        duels = {name: duels.get(key) for name, duels in published.items()}
        known = [d for d in duels.values() if d is not None]
        if duels[version.name] is None or len(known) < 2:
            continue
        moves = len({outcome(d) for d in known}) > 1
        for at in range(max(len(d.answers) for d in known)):
            if len({_answer(d, at) for d in known}) > 1:
                cells = (f"{_answer(d, at)} · {outcome(d)}" if d else "" for d in duels.values())
                found.append((moves, Entry(case.log.model, (*case.who, *cells), case.at(2 * at))))
    found.sort(key=lambda item: not item[0])
    return Section(
        "grammars",
        "Read differently by another version",
        "Replies in which two versions read another number, of runs that both publish, equal to the byte. Each cell "
        "says what a version reads in the reply, and how it scores the duel. Those that change a duel come first.",
        (*_WHO, *published),
        tuple(entry for _, entry in found),
    )


def _answer(duel: Duel, at: int) -> str:
    answer = duel.answers[at] if at < len(duel.answers) else None
    verdict = duel.verdicts[at] if answer is not None else None
    return " ".join(filter(None, (answer or "no answer", f"({VERDICTS[verdict]})" if verdict else "")))


def _outliers(version: CourtVersion) -> Section:
    """Compare published intervals: nothing is computed here."""
    labels = {f.fact: f.label for f in version.facts}
    b, v = version.benchmark, version.name
    all_duels = version.totals.caves if version.totals else None
    own = {row.model: row.metrics["cave_rate"] for row in version.rows}

    def model(name: str) -> Link:
        return Link(name, urls.model(b, v, name))

    def fact(name: str) -> Link:
        return Link(labels.get(name, name), urls.fact(b, v, name))

    def cells(name: str) -> list[tuple[str, Rate]]:
        return [(c.keys[-1], c.rate) for c in version.slices[name]]

    found = [
        *_apart("Defender", own.items(), all_duels, model),
        *_apart("Attacker", cells("by_attacker"), all_duels, model),
        *_apart("Fact", cells("by_fact"), all_duels, fact),
    ]
    for name, rate in own.items():
        on_facts = [(c.keys[1], c.rate) for c in version.slices["defender_fact"] if c.keys[0] == name]
        found += _apart(f"Fact, as defended by {name}", on_facts, rate, fact)
    return Section(
        "outliers",
        "Outliers",
        "Rule: the published 95% interval of the cave rate does not touch the interval that it is compared with. A "
        "Defender, an Attacker and a fact are compared with all duels of the version; a Defender on one fact is "
        "compared with the same Defender on all facts.",
        ("What", "Kind", "Cave rate", "Compared with"),
        tuple(found),
    )


def _apart(
    kind: str, rates: Iterable[tuple[str, Rate]], other: Rate | None, place: Callable[[str], Link]
) -> Iterator[Entry]:
    for name, rate in rates:
        if other and apart(rate, other):
            link = place(name)
            yield Entry(link.text, (kind, _says(rate), _says(other)), Link("See it", link.address))


def apart(a: Rate, b: Rate) -> bool:
    """Whether two intervals do not touch; an empty rate has none."""
    if a.lo is None or a.hi is None or b.lo is None or b.hi is None:
        return False
    return a.hi < b.lo or b.hi < a.lo


def _says(rate: Rate) -> str:
    return f"{show.percent(rate.value)} ({rate.k}/{rate.n})"
