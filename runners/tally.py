"""How far a session of play is; what the progress display shows."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Tally:
    """Duels or games of a session: all, ended, and those that could not be ended; the logs that were written."""

    total: int = 0
    done: int = 0
    unfinished: int = 0
    logs: list[str] = field(default_factory=list)
    stopped: list[str] = field(default_factory=list)
    """Models that stopped because their budget may not cover another seed."""
