"""The seeds of a version: their landscapes' ends, their plants, and what became of each team on them."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

from leaderboard import urls
from leaderboard.cascades.shapes import CascadesVersion, Game, World
from leaderboard.cascades.told import Setting, setting_of
from leaderboard.pages.common import Site, VersionNav, crumbs, version_nav
from leaderboard.render import Page
from leaderboard.shapes import Note
from leaderboard.slugs import slug


@dataclass(frozen=True, slots=True)
class PlantLine:
    agent: str
    style: str
    setting: Setting
    claimed: int
    receipt: Setting
    filler: Setting


@dataclass(frozen=True, slots=True)
class Outcome:
    """One team's game in each cell of a seed; None where there is none."""

    model: str
    address: str
    games: tuple[tuple[Game, str] | None, ...]


@dataclass(frozen=True, slots=True)
class SeedSection:
    seed: int
    low: int
    high: int
    checked: tuple[int, int] | None
    plants: tuple[PlantLine, ...]
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True, kw_only=True)
class SeedsPage(Page):
    template: ClassVar[str] = "cascades/seeds.html"

    nav: VersionNav
    errata: tuple[Note, ...]
    cells: tuple[str, ...]
    workers: int
    seeds: tuple[SeedSection, ...]
    methodology: str


def seeds_page(site: Site, version: CascadesVersion, shown: Collection[str]) -> SeedsPage:
    """`shown` are the addresses of the game pages that exist."""
    b, v = version.benchmark, version.name
    games: dict[tuple[int, str, str], tuple[Game, str]] = {}
    for game in version.games:
        address = urls.game(b, v, slug(game.model), game.run)
        # The last attempt is the one that counts.
        if address in shown:
            games[game.seed, game.model, game.cell] = (game, address)
    return SeedsPage(
        address=urls.seeds(b, v),
        title=f"Seeds of {version.title}",
        description=f"{version.title}: landscapes, planted claims, and how each team's game on each seed ended.",
        crumbs=crumbs(version),
        nav=version_nav(site, version, ""),
        errata=version.errata,
        cells=version.play_cells,
        workers=version.workers,
        seeds=tuple(
            SeedSection(
                seed=seed,
                low=world.landscape.low,
                high=world.landscape.high,
                checked=version.totals.extremes.get(seed) if version.totals else None,
                plants=tuple(_plants(world)),
                outcomes=tuple(
                    Outcome(
                        row.model,
                        urls.model(b, v, row.model),
                        tuple(games.get((seed, row.model, cell)) for cell in version.play_cells),
                    )
                    for row in version.rows
                ),
            )
            for seed, world in version.worlds.items()
        ),
        methodology=urls.methodology(b, v),
    )


def _plants(world: World) -> list[PlantLine]:
    return [
        PlantLine(
            plant.agent,
            plant.style,
            setting_of(world, plant.config),
            plant.claimed,
            setting_of(world, plant.receipt_config),
            setting_of(world, plant.filler_config),
        )
        for plant in world.plants
    ]
