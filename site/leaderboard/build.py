"""Makes the site: yields every file made from data, and writes a tree by changing only what differs."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

from leaderboard import moments, stamp, urls
from leaderboard.badges import badges
from leaderboard.benchmarks import BENCHMARKS
from leaderboard.cards import card_files, cards
from leaderboard.errors import SiteError
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
from leaderboard.render import Outside, Page, render
from leaderboard.selftest import FILE, self_tests
from leaderboard.shapes import Version
from leaderboard.sitemap import prose_pages, robots, sitemap

_MARK = "court/index.html"
REPO = Path(__file__).resolve().parents[2]


def build_site(root: Path, out: Path, repo: Path | None = None) -> Path:
    """Build prose and data pages of `root` into `out`, unless they stand there already; give the first page."""
    repo = (repo or _home()).resolve()
    if stamp.is_fresh(root, repo, out):
        return out / "index.html"
    with tempfile.TemporaryDirectory(prefix="countersign-prose-") as prose, _mkdocs(repo, root, prose) as process:
        # MkDocs works on its pages while these are made.
        write_tree(out, chain(site_files(root, repo, out), _prose(process, repo, Path(prose))))
    stamp.write(root, repo, out)
    return out / "index.html"


def site_files(root: Path, repo: Path = REPO, earlier: Path | None = None) -> Iterator[File]:
    """Yield each file made from runs/ and tables/, as (path, bytes); `earlier` is the folder of an earlier build."""
    site = Site(tuple(b.about for b in BENCHMARKS), tuple(load_versions(root)), _sql(repo), self_tests(root))
    where, made = origin(repo), cards(site)
    pages = prose_pages(repo)
    for file in chain(_data_files(site, Outside(where, {c.address: c.path for c in made})), card_files(made, earlier)):
        if file[0].endswith("index.html"):
            pages.append(file[0].removesuffix("index.html"))
        yield file
    yield library()
    yield from badges(site)
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


def write_tree(out: Path, files: Iterable[File]) -> None:
    """Write files that differ, and remove what no build yields any more."""
    if out.is_dir() and any(out.iterdir()) and not (out / _MARK).is_file():
        raise SiteError(f"{out}: expected an empty folder or an earlier build, found other files. Name another folder.")
    kept = write_files(out, files)
    for old in sorted(out.rglob("*"), reverse=True):
        if old.is_dir():
            if not any(old.iterdir()):
                old.rmdir()
        elif old.relative_to(out).as_posix() not in kept:
            old.unlink()


def write_files(out: Path, files: Iterable[File]) -> set[str]:
    """Write files that differ from what is there; give the paths of all."""
    written: set[str] = set()
    folders: set[Path] = set()
    for path, content in files:
        target = out / path
        written.add(path)
        if target.parent not in folders:
            target.parent.mkdir(parents=True, exist_ok=True)
            folders.add(target.parent)
        if not _same(target, content):
            target.write_bytes(content)
    return written


def _same(target: Path, content: bytes) -> bool:
    try:
        return target.stat().st_size == len(content) and target.read_bytes() == content
    except FileNotFoundError:
        return False


def _version_files(site: Site, version: Version) -> Iterator[Made]:
    b, v = version.benchmark, version.name
    if version.verdict:
        yield check_page(site, version, version.verdict)
    benchmark = next(x for x in BENCHMARKS if x.about is version.about)
    yield from benchmark.files(site, version)
    for name, path in version.tables.items():
        yield urls.data(b, v, name), path.read_bytes()
    for name, path in site.sql_of(version.about):
        yield urls.sql(b, v, name), path.read_bytes()


def _sql(repo: Path) -> tuple[tuple[str, Path], ...]:
    folder = repo / "checker"
    if not folder.is_dir():
        folder = _package("checker") or folder
    found = sorted(folder.rglob("*.sql"))
    return tuple((p.relative_to(folder).as_posix(), p) for p in found)


def _package(name: str) -> Path | None:
    """Find where a package of a wheel lies; it is never imported: what lies in it is data here."""
    spec = find_spec(name)
    return Path(spec.submodule_search_locations[0]) if spec and spec.submodule_search_locations else None


def _home() -> Path:
    """Give the folder that holds mkdocs.yml: the checkout, or what a wheel carries of it."""
    if not (REPO / "mkdocs.yml").is_file() and (builder := _package("runners")):
        return builder / "embedded"
    return REPO


def _mkdocs(repo: Path, root: Path, out: str) -> subprocess.Popen[str]:
    """Start MkDocs in a process of its own: this package must not depend on it."""
    environment = {
        **os.environ,
        "COUNTERSIGN_ROOT": str(root.resolve()),
        "COUNTERSIGN_PROSE_ONLY": "1",
        "NO_MKDOCS_2_WARNING": "1",
    }
    return subprocess.Popen(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", "mkdocs.yml", "--site-dir", out],
        cwd=repo,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def _prose(process: subprocess.Popen[str], repo: Path, folder: Path) -> Iterator[File]:
    """Yield what MkDocs made, once it is done."""
    said, _ = process.communicate()
    if process.returncode:
        raise SiteError(f"{repo / 'mkdocs.yml'}: MkDocs could not build the prose pages: {said}")
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), path.read_bytes()
