"""Yields every file of the site that is made from runs/ and tables/, as (path, bytes)."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from leaderboard import moments, urls
from leaderboard.api.files import api_files
from leaderboard.badges import badges
from leaderboard.benchmarks import BENCHMARKS
from leaderboard.cards import card_files, cards
from leaderboard.cite.shown import citation_files
from leaderboard.croissant import croissant_file
from leaderboard.feed import feed
from leaderboard.kit import File, Made
from leaderboard.library import library
from leaderboard.llms import llms
from leaderboard.load import load_versions
from leaderboard.origin import origin, site_url
from leaderboard.pages.board import board_page
from leaderboard.pages.boardfiles import board_files
from leaderboard.pages.check import check_page
from leaderboard.pages.common import Site
from leaderboard.pages.data import data_page
from leaderboard.pages.home import home_page
from leaderboard.pages.models import models_pages
from leaderboard.places import REPO, sql
from leaderboard.render import Outside, Page, render
from leaderboard.selftest import FILE, self_tests
from leaderboard.shapes import Version
from leaderboard.sitemap import prose_pages, robots, sitemap


def site_files(root: Path, repo: Path = REPO, earlier: Path | None = None) -> Iterator[File]:
    """Yield each file made from runs/ and tables/, as (path, bytes); `earlier` is the folder of an earlier build."""
    abouts, versions = tuple(b.about for b in BENCHMARKS), tuple(load_versions(root))
    site = Site(abouts, versions, sql(repo), self_tests(root), origin(repo))
    where, made = origin(repo), cards(site)
    pages = prose_pages(repo)
    for file in chain(_data_files(site, Outside(where, {c.address: c.path for c in made})), card_files(made, earlier)):
        if file[0].endswith("index.html"):
            pages.append(file[0].removesuffix("index.html"))
        yield file
    yield library()
    yield from badges(site)
    yield from api_files(site, repo)
    if site.self_tests:
        yield FILE, (root / "tables" / FILE).read_bytes()
    yield feed(site, where)
    yield llms(site, where)
    yield robots(where)
    times = {urls.version(v.benchmark, v.name): moments.of_version(v) for v in site.versions}
    yield from sitemap(sorted(pages), times, site_url(repo))


def _data_files(site: Site, outside: Outside) -> Iterator[File]:
    for made in _made(site):
        if not isinstance(made, Page):
            yield made
            continue
        yield render(made, outside)
        for chart in made.charts:
            yield urls.spec(made.address, chart.id), chart.drawing.spec


def _made(site: Site) -> Iterator[Made]:
    yield home_page(site)
    # Each board is in the site's navigation, so it stands even before anything is published.
    for about in site.abouts:
        board = board_page(site, about)
        yield board
        if board.lines:
            yield from board_files(about.name, board)
    yield from models_pages(site)
    yield data_page(site)
    for version in site.versions:
        yield from _version_files(site, version)


def _version_files(site: Site, version: Version) -> Iterator[Made]:
    b, v = version.benchmark, version.name
    if version.verdict:
        yield check_page(site, version, version.verdict)
    benchmark = next(x for x in BENCHMARKS if x.about is version.about)
    yield from benchmark.files(site, version)
    yield from citation_files(version, site.url)
    yield from croissant_file(version, site.url)
    for name, path in version.tables.items():
        yield urls.data(b, v, name), path.read_bytes()
    for name, path in site.sql_of(version.about):
        yield urls.sql(b, v, name), path.read_bytes()
