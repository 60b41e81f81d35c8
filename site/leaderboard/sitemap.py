"""sitemap.xml and robots.txt: every page for search engines, in parts where a single file may not hold them."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from leaderboard.kit import File
from leaderboard.render import text_file

LARGEST = 50_000
"""How many addresses one file may hold, by the protocol."""


def sitemap(pages: Sequence[str], times: Mapping[str, str], url: str, largest: int = LARGEST) -> Iterator[File]:
    """Yield the site map of `pages`; the protocol has no relative addresses, so they stand below `url`.

    `times` has the time of each version's address; what lies below an address shares it.
    """
    maps = [pages[at : at + largest] for at in range(0, len(pages), largest)]
    names = ["sitemap.xml"] if len(maps) == 1 else [f"sitemap-{number}.xml" for number in range(1, len(maps) + 1)]
    for name, part in zip(names, maps, strict=True):
        yield name, text_file("sitemap.xml", url=url, pages=[(page, _time(page, times)) for page in part])
    if len(maps) > 1:
        yield "sitemap.xml", text_file("sitemap-index.xml", url=url, names=names)


def robots(origin: str) -> File:
    """Give robots.txt; it names the site map once the site's URL is known."""
    return "robots.txt", text_file("robots.txt", origin=origin)


def prose_pages(repo: Path) -> list[str]:
    """Give the addresses of the pages that MkDocs makes, by its rule for the names of their sources."""
    docs = repo / "site/docs"
    return sorted(f"{page.relative_to(docs).with_suffix('').as_posix()}/" for page in docs.rglob("*.md"))


def _time(page: str, times: Mapping[str, str]) -> str:
    benchmark, _, rest = page.partition("/")
    return times.get(f"{benchmark}/{rest.partition('/')[0]}/", "")
