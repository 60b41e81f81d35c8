"""The page of one game: how it ended, the fate of each false claim, and what happened round by round."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from leaderboard import urls
from leaderboard.cascades.gamelog import GameLog
from leaderboard.cascades.shapes import CascadesVersion, Game, Slot
from leaderboard.cascades.story import FINAL, Story
from leaderboard.cascades.told import Fate, Setting, ShownRound
from leaderboard.logfile import LogFile
from leaderboard.pages.common import Site, VersionNav, crumbs, version_nav
from leaderboard.render import Link, Page
from leaderboard.shapes import Note

_NAME = re.compile(r"(.+)-s(\d+)-a(\d+)")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a log stands among the games of its model, by the name of its file (rule C15)."""

    file: LogFile
    cell: str
    seed: int
    attempt: int

    @property
    def says(self) -> str:
        again = f", attempt {self.attempt}" if self.attempt > 1 else ""
        return f"{self.cell}, seed {self.seed}{again}" if self.cell else self.file.path.stem


@dataclass(frozen=True, slots=True)
class Held:
    """What one agent submitted in one round; no setting: nothing."""

    anchor: str
    setting: Setting | None


@dataclass(frozen=True, slots=True)
class Course:
    """One agent's submissions through the game, and what the checker made of the last one."""

    agent: str
    held: tuple[Held, ...]
    slot: Slot | None


@dataclass(frozen=True, kw_only=True)
class GamePage(Page):
    template: ClassVar[str] = "cascades/game.html"

    nav: VersionNav
    errata: tuple[Note, ...]
    run: str
    model: str
    model_address: str
    cell: str
    seed: int
    attempt: int
    state: str
    abort_kind: str
    aborted: str
    unreadable: int
    workers: int
    result: Game | None
    fates: tuple[Fate, ...]
    jumps: tuple[Link, ...]
    courses: tuple[Course, ...]
    rounds: tuple[ShownRound, ...]
    system: str
    keeps_prompts: bool
    siblings: tuple[Link, ...]
    seeds: str
    log: str
    sha256: str
    methodology: str
    check: str
    before: Link | None
    after: Link | None


def places(version: CascadesVersion) -> dict[str, list[Place]]:
    """Give the games of each folder in the order of play."""
    found: dict[str, list[Place]] = {}
    for file in version.logs:
        match = _NAME.fullmatch(file.path.stem)
        place = Place(file, match[1], int(match[2]), int(match[3])) if match else Place(file, "", -1, 0)
        found.setdefault(file.path.parent.name, []).append(place)
    cells = {cell: i for i, cell in enumerate(version.play_cells)}
    for games in found.values():
        games.sort(key=lambda p: (p.seed, cells.get(p.cell, len(cells)), p.attempt, p.file.path.name))
    return found


def game_page(site: Site, version: CascadesVersion, game: GameLog, around: Sequence[Place], at: int) -> GamePage | None:
    """Make the page of the game that is the `at`th of `around`; None if its seed has no landscape."""
    world = version.worlds.get(game.seed)
    if world is None:
        return None
    b, v = version.benchmark, version.name
    story = Story(game, world, version.workers)
    slots = {s.agent: s for s in version.slots_of.get((game.model, game.run), ())}
    has_row = any(row.model == game.model for row in version.rows)
    model = urls.model(b, v, game.model) if has_row else ""

    def link(place: Place, text: str) -> Link:
        return Link(text, urls.game(b, v, game.folder, place.file.path.stem))

    calls = [call for turn in game.turns.values() for call in turn.calls]
    return GamePage(
        address=urls.game(b, v, game.folder, game.run),
        title=f"{game.model}, {game.cell}, seed {game.seed}",
        description=f"One game of {version.title}, round by round.",
        crumbs=crumbs(version, *([Link(game.model, model)] if model else [])),
        nav=version_nav(site, version, ""),
        errata=version.errata,
        run=game.run,
        model=game.model,
        model_address=model,
        cell=game.cell,
        seed=game.seed,
        attempt=game.attempt,
        state=game.state,
        abort_kind=game.abort_kind,
        aborted=game.aborted,
        unreadable=game.unreadable,
        workers=version.workers,
        result=version.game_of.get((game.model, game.run)),
        fates=story.fates() if any(post.agent not in story.agents for post in game.posts) else (),
        jumps=tuple(Link("Final" if n == FINAL else f"Round {n}", f"#round-{n}") for n in story.numbers),
        courses=tuple(
            Course(agent, tuple(_held(story, n, agent) for n in story.numbers), slots.get(agent))
            for agent in story.agents
        ),
        rounds=tuple(story.rounds()),
        system=next((call.reply.system for call in calls if call.reply.system is not None), ""),
        keeps_prompts=any(call.reply.user is not None for call in calls),
        siblings=tuple(link(p, p.says) for p in around if p.seed == game.seed and p is not around[at]),
        seeds=f"{urls.seeds(b, v)}#seed-{game.seed}",
        log=urls.log(b, v, game.folder, game.run),
        sha256=game.sha256,
        methodology=urls.methodology(b, v),
        check=urls.check(b, v) if version.verdict else "",
        before=link(around[at - 1], around[at - 1].says) if at else None,
        after=link(around[at + 1], around[at + 1].says) if at + 1 < len(around) else None,
    )


def _held(story: Story, number: int, agent: str) -> Held:
    config = story.submitted(number, agent)
    return Held(f"round-{number}-{agent}", None if config is None else story.setting(config))
