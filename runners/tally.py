"""How far a session of play is; what the progress display shows."""

from __future__ import annotations

from dataclasses import dataclass, field

from runners.records import TokenUsage
from runners.schema import Cost


@dataclass
class Tally:
    """Duels or games of a session: all, ended, and those that could not be ended; the logs that were written."""

    total: int = 0
    done: int = 0
    unfinished: int = 0
    logs: list[str] = field(default_factory=list)
    stopped: list[str] = field(default_factory=list)
    """Models that stopped because their budget may not cover more."""
    calls: int = 0
    failures: int = 0
    tokens: int = 0
    """Input and output together, as far as they were reported."""
    microusd: int = 0
    unsettled: int = 0
    """Attempts whose cost nobody can know."""
    priced: bool = False
    """Whether anything of this session has a price: without one no amount of money is shown."""

    def count(self, usage: TokenUsage | None, cost: Cost) -> None:
        """Add one attempt."""
        if usage is not None:
            self.tokens += (usage.input or 0) + (usage.output or 0)
        if isinstance(cost, int):
            self.microusd += cost
        self.unsettled += cost == "unsettled"
        self.priced |= cost != "unpriced"

    @property
    def money(self) -> str:
        """Dollars for a reader, or `unpriced`."""
        if not self.priced:
            return "unpriced"
        return f"${self.microusd / 1_000_000:.4f}" + (f" + {self.unsettled} calls unsettled" if self.unsettled else "")
