"""Citations as pages and files show them."""

from collections.abc import Iterator
from dataclasses import dataclass

from leaderboard import urls
from leaderboard.cite.facts import cited
from leaderboard.cite.styles import STYLES
from leaderboard.kit import File
from leaderboard.shapes import Version


@dataclass(frozen=True, slots=True)
class Citation:
    """One format of a citation; `address` is that of its file, empty for a row."""

    title: str
    text: str
    address: str


def citations(version: Version, site: str, model: str | None = None) -> tuple[Citation, ...]:
    """Give a version's citation, or a row's, in every format; none where it is not published with a verdict.

    `site` is the URL of the first page.
    """
    if not {"MANIFEST.json", "crosscheck.json"} <= version.tables.keys():
        return ()
    b, v = version.benchmark, version.name
    root = version.tables["MANIFEST.json"].parents[3]  # tables/BENCHMARK/VERSION/MANIFEST.json
    what = cited(root, b, v, site, model)
    return tuple(
        Citation(style.title, style.write(what), "" if model is not None else urls.citation(b, v, style.ending))
        for style in STYLES.values()
    )


def citation_files(version: Version, site: str) -> Iterator[File]:
    """Yield a version's citation as a file of each format."""
    for citation in citations(version, site):
        yield citation.address, citation.text.encode()
