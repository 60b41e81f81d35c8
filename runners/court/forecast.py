"""The calls that a tournament would still make (rematches of a tie, which nobody can foresee, are not among them)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runners.court.facts import recorded_facts
from runners.court.game import Duel, Turn, messages
from runners.court.logs import read_logs
from runners.court.plan import missing_runs
from runners.court.scoring import facts_of, registered
from runners.court.version import Court
from runners.forecast import Ahead
from runners.records import Call, DuelKey, Fact, SuddenDeath


def forecast(
    spec: Court, models: Sequence[str], only_facts: Sequence[str] | None, seeds: Sequence[int] | None = None
) -> Iterator[Ahead]:
    """One entry a turn that has no reply yet: of interrupted runs, and of what no run registers yet."""
    del seeds  # a tournament has none
    logs = read_logs(spec)
    for log in logs:
        if not log.finished and log.start.source.kind == "played":
            facts = facts_of(log)
            rematches = [event for event in log.events() if isinstance(event, SuddenDeath)]
            said = {(DuelKey.of(event), event.turn) for event in log.events() if isinstance(event, Call)}
            for key in registered(log.start, rematches):
                done = {turn for other, turn in said if other == key}
                yield from _turns(spec, key, log.start.model, facts[key.fact], done)
    starts = [log.start for log in logs]
    for plan in missing_runs(spec, starts, models, recorded_facts(spec, only_facts), "forecast"):
        for attacker in plan.attackers:
            for fact in plan.facts:
                for repeat in range(spec.repeats):
                    key = DuelKey("main", 0, attacker, fact.fact, repeat)
                    yield from _turns(spec, key, plan.defender, fact, set())


def _turns(spec: Court, key: DuelKey, defender: str, fact: Fact, done: set[int]) -> Iterator[Ahead]:
    empty = Duel(key, fact, {turn: Turn(None, "") for turn in range(spec.last_turn + 1)})
    opening = messages(spec, empty, 0)[-1].content
    for turn in range(0, spec.last_turn + 1, 2):  # what the Defender is asked stands in its later prompts again
        empty.turns[turn] = Turn(opening if turn == 0 else messages(spec, empty, turn)[-1].content, "")
    for turn in range(spec.last_turn + 1):
        if turn not in done:
            sent = messages(spec, empty, turn)
            size = sum(len(message.content.encode()) for message in sent)
            quoted = 1 if turn % 2 else turn
            yield Ahead(key.attacker if turn % 2 else defender, size, len(sent), quoted)
