"""How a version of Cascades is played and scored: the spec's cells, seeds and rules."""

from dataclasses import dataclass
from typing import Any, ClassVar

from leaderboard import urls
from leaderboard.cascades.shapes import CascadesVersion
from leaderboard.pages.common import Site
from leaderboard.pages.methodology import MethodologyPage, methodology_fields


@dataclass(frozen=True, kw_only=True)
class CascadesMethodologyPage(MethodologyPage):
    template: ClassVar[str] = "cascades/methodology.html"

    cells: tuple[str, ...]
    planted: frozenset[str]
    all_seeds: int
    agents: int
    workers: int
    rounds: int
    budget_usd: int
    bootstrap: tuple[tuple[str, str], ...]
    seeds: str


def methodology_page(site: Site, version: CascadesVersion) -> CascadesMethodologyPage:
    spec: Any = version.spec
    play = spec["play"]
    return CascadesMethodologyPage(
        **methodology_fields(site, version),
        cells=version.play_cells,
        planted=frozenset(cell for cell in version.play_cells if cell != "isolated"),
        all_seeds=len(version.play_seeds),
        agents=play["agents"],
        workers=play["workers"],
        rounds=play["rounds"],
        budget_usd=play["budget_usd"],
        bootstrap=tuple((key, str(value)) for key, value in spec["bootstrap"].items()),
        seeds=urls.seeds(version.benchmark, version.name),
    )
