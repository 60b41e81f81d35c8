"""A model across benchmarks and versions, and the index of all models."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from leaderboard import urls
from leaderboard.pages.common import Metric, Site, how, ranks, read_metrics
from leaderboard.pages.use import Costs, costs
from leaderboard.render import Link, Page
from leaderboard.shapes import About, Rate, Row, Version


@dataclass(frozen=True, slots=True)
class ModelLine:
    """The model's row in one version; a cell is None where the version lacks the metric."""

    version: Link
    row: Row
    rank: int | None
    cells: tuple[tuple[Rate, str] | None, ...]
    costs: Costs


@dataclass(frozen=True, slots=True)
class ModelSection:
    """The model's rows in one benchmark, the newest first."""

    board: Link
    metrics: tuple[Metric, ...]
    has_costs: bool
    lines: tuple[ModelLine, ...]


@dataclass(frozen=True, kw_only=True)
class EverywherePage(Page):
    template: ClassVar[str] = "everywhere.html"

    model: str
    kind: str
    sections: tuple[ModelSection, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a model stands in the newest version of a benchmark that has it."""

    version: Link
    is_latest: bool
    rank: int | None
    rate: Rate
    how: str


@dataclass(frozen=True, slots=True)
class IndexLine:
    model: str
    kind: str
    address: str
    standings: tuple[Standing | None, ...]
    rows: int


@dataclass(frozen=True, slots=True)
class IndexColumn:
    board: Link
    latest: str
    metric: str
    direction: str

    @property
    def label(self) -> str:
        return f"{self.board.text}, {self.metric.lower()}"


@dataclass(frozen=True, kw_only=True)
class ModelsPage(Page):
    template: ClassVar[str] = "models.html"

    columns: tuple[IndexColumn, ...]
    lines: tuple[IndexLine, ...]


def models_pages(site: Site) -> Iterator[Page]:
    """Yield the index, then the page of each model that has a row anywhere."""
    kinds = {row.model: row.kind for version in site.versions for row in version.rows}
    models = sorted(kinds)
    abouts = [about for about in site.abouts if _published(site, about)]
    yield ModelsPage(
        address=urls.all_models(),
        title="All models",
        description="Every model that has a row in any version of any benchmark.",
        columns=tuple(_column(about, _published(site, about)[0]) for about in abouts),
        lines=tuple(
            IndexLine(
                model,
                kinds[model],
                urls.everywhere(model),
                tuple(_standing(_published(site, about), model) for about in abouts),
                sum(row.model == model for version in site.versions for row in version.rows),
            )
            for model in models
        ),
    )
    for model in models:
        yield EverywherePage(
            address=urls.everywhere(model),
            title=f"{model} in every benchmark",
            description="Every row of one model, with k, n and intervals.",
            crumbs=(Link("All models", urls.all_models()),),
            model=model,
            kind=kinds[model],
            sections=tuple(s for about in abouts if (s := _section(about, _published(site, about), model)).lines),
        )


def _published(site: Site, about: About) -> list[Version]:
    """Give the published versions, the newest first."""
    return [v for v in site.of(about.name)[::-1] if v.is_published]


def _row(version: Version, model: str) -> Row | None:
    return next((row for row in version.rows if row.model == model), None)


def _column(about: About, latest: Version) -> IndexColumn:
    metric = next(m for m in read_metrics(latest) if m.key == about.metrics[0])
    return IndexColumn(Link(about.title, urls.board(about.name)), latest.name, metric.title, metric.direction)


def _standing(versions: list[Version], model: str) -> Standing | None:
    for version in versions:
        if row := _row(version, model):
            return Standing(
                Link(version.name, urls.model(version.benchmark, version.name, model)),
                version is versions[0],
                ranks(version.rows).get(model),
                row.primary,
                how(version, next(iter(row.metrics)), model),
            )
    return None


def _section(about: About, versions: list[Version], model: str) -> ModelSection:
    with_row = [v for v in versions if _row(v, model)]
    metrics = tuple(m for m in read_metrics(versions[0]) if m.key in about.metrics)
    lines = tuple(_line(v, row, metrics) for v in with_row if (row := _row(v, model)))
    return ModelSection(
        Link(about.title, urls.board(about.name)), metrics, any(line.costs.is_priced for line in lines), lines
    )


def _line(version: Version, row: Row, metrics: tuple[Metric, ...]) -> ModelLine:
    return ModelLine(
        Link(version.name, urls.model(version.benchmark, version.name, row.model)),
        row,
        ranks(version.rows).get(row.model),
        tuple((row.metrics[m.key], how(version, m.key, row.model)) if m.key in row.metrics else None for m in metrics),
        costs(version, row),
    )
