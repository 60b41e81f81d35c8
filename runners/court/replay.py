"""Rebuilds every prompt of a played log from the spec and the earlier replies (P5)."""

from __future__ import annotations

from runners.court.game import Duel, Turn, messages
from runners.court.scoring import facts_of
from runners.court.version import Court
from runners.errors import ReplayMismatch
from runners.log import Log
from runners.records import Call, DuelKey


def replay(spec: Court, log: Log) -> int:
    """Rebuild the prompts of a log; returns the number of its lines. An imported log has no prompts to rebuild.

    Raises:
        ReplayMismatch: a prompt in the log is not the one that the spec gives; names the line.
    """
    facts = facts_of(log)
    duels: dict[DuelKey, Duel] = {}
    for line in log.lines:
        event = line.event
        if not isinstance(event, Call):
            continue
        key = DuelKey.of(event)
        duel = duels.setdefault(key, Duel(key, facts[key.fact]))
        if log.start.source.kind == "played":
            sent = messages(spec, duel, event.turn)
            if (sent[0].content, sent[-1].content) != (event.system, event.user):
                raise ReplayMismatch(
                    f"{log.path}:{line.seq + 1}: rule P5: the prompt is not the one that the spec gives"
                )
        duel.turns[event.turn] = Turn(event.user, event.text)
    return len(log.lines)
