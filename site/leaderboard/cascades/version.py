"""One frozen version of Cascades: the three cells side by side, and the pictures."""

from dataclasses import dataclass
from typing import ClassVar

from leaderboard import urls
from leaderboard.cascades import charts
from leaderboard.cascades.shapes import CascadesVersion, Totals
from leaderboard.charts import Chart
from leaderboard.pages.common import Metric, Site, read_metrics
from leaderboard.pages.pictures import shared_charts
from leaderboard.pages.version import VersionPage, version_fields


@dataclass(frozen=True, kw_only=True)
class CascadesVersionPage(VersionPage):
    template: ClassVar[str] = "cascades/version.html"

    totals: Totals | None
    metrics: tuple[Metric, ...]
    cells: tuple[str, ...]
    all_seeds: int
    seeds: str
    final_how: str


def version_page(site: Site, version: CascadesVersion) -> CascadesVersionPage:
    b, v = version.benchmark, version.name
    return CascadesVersionPage(
        **version_fields(site, version),
        charts=_charts(version),
        totals=version.totals,
        metrics=tuple(m for m in read_metrics(version) if m.key in version.about.metrics),
        cells=version.play_cells,
        all_seeds=len(version.play_seeds),
        seeds=urls.seeds(b, v),
        final_how=f"{urls.numbers(b, v)}#cells-final",
    )


def _charts(version: CascadesVersion) -> tuple[Chart, ...]:
    if not version.rows:
        return ()
    numbers = urls.numbers(version.benchmark, version.name)
    planted = planted_cells(version)
    return (
        charts.dumbbell(version.rows, planted, f"{numbers}#adoption"),
        charts.through_rounds(version.rows, version.rounds, planted, f"{numbers}#rounds-adoption"),
        charts.scores(version.rows, version.cells, version.play_cells, f"{numbers}#cells-score"),
        *shared_charts(version, "team_score"),
    )


def planted_cells(version: CascadesVersion) -> tuple[str, ...]:
    """Give the cells with plants, the one of the primary metric first, as the spec's metrics name them."""
    cells = {m.key: m.cell for m in read_metrics(version)}
    return (cells["adoption"], cells["verified_adoption"])
