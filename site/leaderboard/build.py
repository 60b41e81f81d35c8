"""Makes the site: yields every file made from data, and writes a tree by changing only what differs."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

from leaderboard import urls
from leaderboard.benchmarks import BENCHMARKS
from leaderboard.errors import SiteError
from leaderboard.kit import File
from leaderboard.load import load_versions
from leaderboard.pages.board import board_page
from leaderboard.pages.check import check_page
from leaderboard.pages.common import Site
from leaderboard.pages.home import home_page
from leaderboard.render import Page, render
from leaderboard.shapes import Version

_MARK = "court/index.html"
REPO = Path(__file__).resolve().parents[2]


def build_site(root: Path, out: Path, repo: Path | None = None) -> Path:
    """Build prose and data pages of `root` into `out`; give the first page."""
    repo = (repo or _home()).resolve()
    with tempfile.TemporaryDirectory(prefix="countersign-prose-") as prose, _mkdocs(repo, root, prose) as process:
        # MkDocs works on its pages while these are made.
        write_tree(out, chain(site_files(root, repo), _prose(process, repo, Path(prose))))
    return out / "index.html"


def site_files(root: Path, repo: Path = REPO) -> Iterator[File]:
    """Yield each file made from runs/ and tables/, as (path, bytes)."""
    site = Site(tuple(b.about for b in BENCHMARKS), tuple(load_versions(root)), _sql(repo))
    yield render(home_page(site))
    # Each board is in the site's navigation, so it stands even before anything is published.
    for about in site.abouts:
        yield render(board_page(site, about))
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


def _version_files(site: Site, version: Version) -> Iterator[File]:
    b, v = version.benchmark, version.name
    if version.verdict:
        yield render(check_page(site, version, version.verdict))
    benchmark = next(x for x in BENCHMARKS if x.about is version.about)
    for made in benchmark.files(site, version):
        yield render(made) if isinstance(made, Page) else made
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
