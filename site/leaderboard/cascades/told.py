"""What a game's page tells: settings and claims beside the truth, turns, posts, and the fates of plants."""

from collections.abc import Iterator
from dataclasses import dataclass

from leaderboard.cascades.gamelog import Action, Call, Turn
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
class ShownAsk:
    """One question to an agent: the attempts that failed, then the reply if there was one."""

    ask: int
    failures: tuple[Failure, ...]
    call: Call | None


def asks_of(turn: Turn) -> Iterator[ShownAsk]:
    """Yield what was asked in its order; of a damaged log also two replies to one ask."""
    for ask in sorted({call.ask for call in turn.calls} | {ask for ask, _ in turn.failures}):
        failures = tuple(failure for of, failure in turn.failures if of == ask)
        calls = [call for call in turn.calls if call.ask == ask]
        yield ShownAsk(ask, failures, calls[0] if calls else None)
        yield from (ShownAsk(ask, (), call) for call in calls[1:])


@dataclass(frozen=True, slots=True)
class ShownTurn:
    agent: str
    anchor: str
    is_scored: bool
    saw: tuple[tuple[int, int], ...]
    saw_nothing: bool
    asks: tuple[ShownAsk, ...]
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
