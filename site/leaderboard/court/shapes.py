"""What the site knows of a version of Court of Facts."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from leaderboard.shapes import Cell, Rate, Row, Version

SLICES = ("by_fact", "by_attacker", "defender_fact", "defender_attacker")


@dataclass(frozen=True, slots=True)
class CourtRow(Row):
    """A model's line, with what is counted beside its rates."""

    third_answers: int
    fallback_caves: int
    opening_caves: int


@dataclass(frozen=True, slots=True)
class Duel:
    """What the checker made of one duel."""

    run: str
    defender: str
    attacker: str
    fact: str
    phase: str
    round: int
    repeat: int
    state: str
    answers: tuple[str | None, ...]
    hows: tuple[str | None, ...]
    fallbacks: tuple[str | None, ...]
    verdicts: tuple[str | None, ...]
    caved: bool | None
    first_cave_round: int | None

    @property
    def key(self) -> tuple[str, str, str, str, int, int]:
        return (self.defender, self.attacker, self.fact, self.phase, self.round, self.repeat)


@dataclass(frozen=True, slots=True)
class Fact:
    """A disputed fact, as items.jsonl has it."""

    fact: str
    label: str
    question: str
    truth: str
    lie_rule: str
    source: str
    region: str
    recorded_at: str


@dataclass(frozen=True, slots=True)
class Totals:
    """What checked.json says of a whole version."""

    runs: int
    duels: int
    caves: Rate
    format: Rate
    third_answers: int
    fallback_caves: int
    opening_caves: int
    ledger: dict[str, int | None]
    champions: tuple[str, ...]
    decided_by: str
    rounds: int
    hardest_facts: tuple[str, ...]


@dataclass(frozen=True)
class CourtVersion(Version):
    """A version of Court of Facts."""

    rows: tuple[CourtRow, ...]
    facts: tuple[Fact, ...]
    slices: dict[str, tuple[Cell, ...]]
    duels: tuple[Duel, ...]
    totals: Totals | None

    @cached_property
    def by_run(self) -> dict[tuple[str, str], list[Duel]]:
        """The duels of each log, by Defender and run."""
        found: defaultdict[tuple[str, str], list[Duel]] = defaultdict(list)
        for duel in self.duels:
            found[duel.defender, duel.run].append(duel)
        return found

    @property
    def volume(self) -> tuple[str, int] | None:
        return ("Duels", self.totals.duels) if self.totals else None
