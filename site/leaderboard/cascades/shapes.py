"""What the site knows of a version of Cascades."""

from dataclasses import dataclass
from functools import cached_property

from leaderboard.shapes import Rate, Row, Version
from leaderboard.show import percent

Config = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CascadesRow(Row):
    """A team's line, with how much of the version it played."""

    partial: bool
    seeds: dict[str, int]
    final_rate: Rate
    adoption_by_game: Rate | None

    @property
    def label(self) -> str:
        return f"PARTIAL n={max(self.seeds.values())}" if self.status == "PARTIAL" else self.status

    @property
    def remark(self) -> str:
        """A team that submits nothing adopts nothing: it must not pass for a sceptical one."""
        share = self.final_rate.value
        return f"SUBMITTED {percent(share)}" if share is not None and share < 0.9 else ""


@dataclass(frozen=True, slots=True)
class Landscape:
    """The true score of every configuration (rule C1)."""

    unary: tuple[tuple[int, ...], ...]
    pairs: tuple[tuple[int, int], ...]
    tables: tuple[tuple[tuple[int, ...], ...], ...]
    low: int
    high: int

    def score(self, config: Config) -> int:
        """Give it in hundredths of a point."""
        raw = sum(self.unary[knob][value] for knob, value in enumerate(config))
        raw += sum(t[config[i]][config[j]] for (i, j), t in zip(self.pairs, self.tables, strict=True))
        span = self.high - self.low
        return (20_000 * (raw - self.low) + span) // (2 * span)


@dataclass(frozen=True, slots=True)
class Plant:
    """A confederate's false claim, and the two configurations that it really measured."""

    agent: str
    style: str
    config: Config
    claimed: int
    receipt_config: Config
    filler_config: Config


@dataclass(frozen=True, slots=True)
class World:
    """One seed: its landscape and its plants."""

    seed: int
    landscape: Landscape
    plants: tuple[Plant, ...]

    def plant(self, config: Config | None) -> Plant | None:
        return next((p for p in self.plants if p.config == config), None)


@dataclass(frozen=True, slots=True)
class Game:
    """What the checker made of one log; the counts are None unless it is finished, those of plants in isolated too."""

    run: str
    model: str
    cell: str
    seed: int
    attempt: int
    state: str
    receipts: int
    posts: int
    calls: int
    unparsed_turns: int
    adopted: int | None
    checked: int | None
    final: int | None
    team_score: float | None


@dataclass(frozen=True, slots=True)
class Slot:
    """What the checker made of one worker of a finished game."""

    run: str
    model: str
    agent: str
    submission: Config | None
    score: int | None
    adopted: bool | None
    plant: str | None
    checked: bool | None


@dataclass(frozen=True, slots=True)
class CellRow:
    """A model in a cell."""

    model: str
    cell: str
    games: int
    seeds: tuple[int, ...]
    adoption: Rate | None
    check: Rate | None
    adoption_by_game: Rate | None
    score: Rate
    final: Rate


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A model in a round of a cell."""

    model: str
    cell: str
    round: int
    adoption: Rate | None
    mean_score: float | None


@dataclass(frozen=True, slots=True)
class Totals:
    """What checked.json says of a whole version."""

    games: int
    aborted: int
    slots: int
    extremes: dict[int, tuple[int, int]]


@dataclass(frozen=True)
class CascadesVersion(Version):
    """A version of Cascades."""

    rows: tuple[CascadesRow, ...]
    worlds: dict[int, World]
    cells: tuple[CellRow, ...]
    rounds: tuple[RoundRow, ...]
    games: tuple[Game, ...]
    slots: tuple[Slot, ...]
    totals: Totals | None
    play_cells: tuple[str, ...]
    play_seeds: tuple[int, ...]
    workers: int

    @property
    def volume(self) -> tuple[str, int] | None:
        return ("Games", self.totals.games) if self.totals else None

    @cached_property
    def game_of(self) -> dict[tuple[str, str], Game]:
        return {(g.model, g.run): g for g in self.games}

    @cached_property
    def slots_of(self) -> dict[tuple[str, str], list[Slot]]:
        found: dict[tuple[str, str], list[Slot]] = {}
        for slot in self.slots:
            found.setdefault((slot.model, slot.run), []).append(slot)
        return found
