"""What changed from one version to the next: ranks, cells, single outcomes, and the texts that explain them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from leaderboard import urls
from leaderboard.charts import Chart
from leaderboard.pages.common import Metric, Site, VersionNav, crumbs, ranks, read_metrics, tab_of_changes, version_nav
from leaderboard.pages.numbers import Slice
from leaderboard.pages.speccompare import TextChange, changed_texts
from leaderboard.render import Link, Page
from leaderboard.shapes import Note, Rate, Row, Version
from leaderboard.slope_chart import Slope, slope

_MOST = 1000


@dataclass(frozen=True, slots=True)
class Change:
    """A number in both versions; None where a version does not have it."""

    old: Rate | None
    new: Rate | None

    @property
    def is_same(self) -> bool:
        return self.old == self.new


@dataclass(frozen=True, slots=True)
class RowChange:
    """A model in both versions; `only` names the one that has it, if one does not."""

    row: Row
    address: str
    only: str
    old_rank: int | None
    new_rank: int | None
    changes: tuple[Change, ...]
    moved: int


@dataclass(frozen=True, slots=True)
class CellChange:
    """A rate of a slice that differs."""

    slice: str
    keys: str
    change: Change


@dataclass(frozen=True, slots=True)
class Moved:
    """A duel or a game that both versions publish and that has another verdict; each verdict leads to its text."""

    model: str
    about: tuple[str, ...]
    old: Link
    new: Link


@dataclass(frozen=True, slots=True)
class Paired:
    """What could be compared one by one: `count` is how many there are in both, `heads` what `about` holds."""

    heads: tuple[str, ...] = ()
    count: int = 0
    moved: tuple[Moved, ...] = ()


@dataclass(frozen=True, kw_only=True)
class DiffPage(Page):
    template: ClassVar[str] = "diff.html"

    nav: VersionNav
    errata: tuple[Note, ...]
    unit: str
    old: Link
    new: Link
    old_summary: str
    new_summary: str
    metrics: tuple[Metric, ...]
    rows: tuple[RowChange, ...]
    cells: tuple[CellChange, ...]
    paired: Paired
    shown: tuple[Moved, ...]
    texts: tuple[TextChange, ...]
    methodologies: tuple[Link, Link]


def diff_page(site: Site, old: Version, new: Version, slices: Sequence[Sequence[Slice]], paired: Paired) -> DiffPage:
    """Compare two published versions; `slices` are those of the old and of the new one."""
    b = new.benchmark
    metrics = tuple(m for m in read_metrics(new) if any(m.key in row.metrics for row in old.rows))
    return DiffPage(
        address=urls.changes(b, old.name, new.name),
        title=f"{new.about.title}: what changed from {old.name} to {new.name}",
        description=f"{new.about.title}: cells, ranks and outcomes that differ between {old.name} and {new.name}.",
        crumbs=crumbs(new),
        nav=version_nav(site, new, tab_of_changes(old, new).text),
        errata=(*old.errata, *new.errata),
        unit=new.about.unit,
        old=Link(old.name, urls.version(b, old.name)),
        new=Link(new.name, urls.version(b, new.name)),
        old_summary=old.summary,
        new_summary=new.summary,
        metrics=metrics,
        charts=_charts(old, new, metrics, paired),
        rows=tuple(_rows(old, new, metrics, paired)),
        cells=tuple(_cells(*slices)),
        paired=paired,
        shown=paired.moved[:_MOST],
        texts=changed_texts(old, new),
        methodologies=(
            Link(old.name, urls.methodology(b, old.name)),
            Link(new.name, urls.methodology(b, new.name)),
        ),
    )


def _charts(old: Version, new: Version, metrics: Sequence[Metric], paired: Paired) -> tuple[Chart, ...]:
    """Draw the metric that ranks, if both versions have it."""
    key = new.about.metrics[0]
    metric = next((m for m in metrics if m.key == key), None)
    if metric is None:
        return ()
    before, after = {r.model: r for r in old.rows}, {r.model: r for r in new.rows}
    both = {**after, **before}
    drawn = slope(
        [
            Slope(
                model,
                row.is_baseline,
                *(rows[model].metrics[key] if model in rows else None for rows in (before, after)),
            )
            for model, row in both.items()
        ],
        metric.title,
        (old.name, new.name),
        _same(new.about.unit, paired.count),
        f"{urls.numbers(new.benchmark, new.name)}#{key}",
    )
    return (drawn,) if drawn else ()


def _same(unit: str, count: int) -> str:
    """Say whether a slope is the rules' work alone: it is where both versions read the same replies."""
    if not count:
        return (
            f"The versions publish no {unit} in common, equal to the byte: a slope may come from other replies, not "
            "only from other rules."
        )
    return (
        f"Both versions publish {count:,} {unit}s that are equal to the byte: of these the replies are the same, and "
        "only the rules read them otherwise."
    )


def _rows(old: Version, new: Version, metrics: Sequence[Metric], paired: Paired) -> Iterator[RowChange]:
    """Give the rows of the newer version in its order, then those that only the older one has."""
    before, after = {r.model: r for r in old.rows}, {r.model: r for r in new.rows}
    old_ranks, new_ranks = ranks(old.rows), ranks(new.rows)
    for model in {**after, **before}:
        was, now = before.get(model), after.get(model)
        home = new if now else old
        row = now or was
        if row is None:
            continue
        yield RowChange(
            row=row,
            address=urls.model(home.benchmark, home.name, model),
            only="" if was and now else home.name,
            old_rank=old_ranks.get(model),
            new_rank=new_ranks.get(model),
            changes=tuple(
                Change(was.metrics.get(m.key) if was else None, now.metrics.get(m.key) if now else None)
                for m in metrics
            ),
            moved=sum(one.model == model for one in paired.moved),
        )


def _cells(old: Sequence[Slice], new: Sequence[Slice]) -> Iterator[CellChange]:
    """Compare the slices' rates by their keys."""
    before = {(s.key, cell.keys): cell.rate for s in old for cell in s.cells}
    after = {(s.key, cell.keys): cell.rate for s in new for cell in s.cells}
    titles = {s.key: s.title for s in (*old, *new)}
    for key in {**after, **before}:
        change = Change(before.get(key), after.get(key))
        if not change.is_same:
            yield CellChange(titles[key[0]], " · ".join(key[1]), change)
