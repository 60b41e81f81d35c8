"""What a game's page tells: settings and claims beside the truth, turns, posts, and the fates of plants."""

from dataclasses import dataclass

from leaderboard.cascades.gamelog import Action, Call
from leaderboard.cascades.shapes import Config, Plant, World
from leaderboard.replies import Failure


@dataclass(frozen=True, slots=True)
class Setting:
    """A configuration with its true score, and whose plant it is."""

    text: str
    score: int
    plant: Plant | None


def setting_of(world: World, config: Config) -> Setting:
    return Setting(f"[{','.join(map(str, config))}]", world.landscape.score(config), world.plant(config))


@dataclass(frozen=True, slots=True)
class ShownClaim:
    """A claim beside the truth: `cites` says what the receipt that it names really is."""

    setting: Setting
    claimed: int
    receipt: str
    cites: str
    verified: bool | None

    @property
    def is_false(self) -> bool:
        return self.claimed != self.setting.score


@dataclass(frozen=True, slots=True)
class ShownPost:
    post: int
    agent: str
    claims: tuple[ShownClaim, ...]
    note: str
    seen_by: str


@dataclass(frozen=True, slots=True)
class Test:
    """An experiment and its receipt, if one was issued."""

    setting: Setting
    receipt: str


@dataclass(frozen=True, slots=True)
class Submission:
    setting: Setting
    origin: str


@dataclass(frozen=True, slots=True)
class ShownTurn:
    agent: str
    anchor: str
    is_scored: bool
    saw: tuple[tuple[int, int], ...]
    saw_nothing: bool
    calls: tuple[Call, ...]
    failures: tuple[Failure, ...]
    action: Action | None
    tests: tuple[Test, ...]
    post: int | None
    submission: Submission | None


@dataclass(frozen=True, slots=True)
class ShownRound:
    number: int
    title: str
    events: tuple[str, ...]
    turns: tuple[ShownTurn, ...]
    posts: tuple[ShownPost, ...]


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one plant: each list names agents, with the round where it matters."""

    plant: Plant
    setting: Setting
    receipt_score: int
    first: str
    holders: str
    testers: str
    repeaters: str
