"""What Court of Facts brings to the site, and the list of its pages."""

from collections.abc import Iterator

from leaderboard import money, urls
from leaderboard.court.audit import court_audit
from leaderboard.court.diff import court_diff
from leaderboard.court.fact import fact_page
from leaderboard.court.load import METRICS, court_version
from leaderboard.court.logs import Log, read_log
from leaderboard.court.methodology import methodology_page
from leaderboard.court.model import model_page
from leaderboard.court.numbers import rule, slices
from leaderboard.court.shapes import CourtVersion
from leaderboard.court.transcripts import DuelLine, duel_lines, duel_pages, run_page
from leaderboard.court.version import version_page
from leaderboard.kit import Benchmark, Made
from leaderboard.pages.common import Site, neighbours
from leaderboard.pages.numbers import numbers_page
from leaderboard.shapes import About
from leaderboard.slugs import slug


def files(site: Site, version: CourtVersion) -> Iterator[Made]:
    """Yield what only Court of Facts has."""
    yield version_page(site, version)
    yield methodology_page(site, version)
    if version.is_published:
        yield numbers_page(site, version, slices(version), rule(version, "R11"))
    logs = [(log, duel_lines(version, log)) for file in version.logs if (log := read_log(file))]
    if version.is_published:
        yield court_audit(site, version, logs)
    for old, new in neighbours(site, version.benchmark):
        if new is version and isinstance(old, CourtVersion):
            yield court_diff(site, old, version, logs)
    yield from (model_page(site, version, row, logs) for row in version.rows)
    yield from (fact_page(site, version, fact, logs) for fact in version.facts)
    for told in logs:
        yield from _run_files(site, version, *told)


def _run_files(site: Site, version: CourtVersion, log: Log, lines: tuple[DuelLine, ...]) -> Iterator[Made]:
    yield run_page(site, version, log, lines)
    yield from duel_pages(version, log, lines)
    yield urls.log(version.benchmark, version.name, slug(log.model), log.run), log.raw


COURT = Benchmark(
    About(
        name="court",
        title="Court of Facts",
        summary="Does a model keep a fact that it was handed when a confident voice disagrees? One model defends a "
        "value read from AWS, another argues for a wrong one, and the last answer decides.",
        guide="court-of-facts/",
        metrics=METRICS,
        board=("cave_rate",),
        glance=("cave_rate",),
        caption="Cave rate by version, lower is better: the share of scored duels in which the Defender took over the "
        "lie. Bars are 95% Wilson intervals from 0 to 100%.",
        unit="duel",
        run="A run is one playing of a round robin: all duels of its models.",
        ledger="Main duels as Defender. Every attempted duel is in exactly one of the states after it.",
        sql=("sql", "must_be_empty", "court", *money.SQL),
    ),
    court_version,
    files,
)
