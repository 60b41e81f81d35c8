"""feed.xml: an Atom feed with an entry for each version and each published row."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import NAMESPACE_URL, uuid5

from leaderboard import moments, urls
from leaderboard.kit import File
from leaderboard.pages.common import Site, read_metrics
from leaderboard.render import text_file
from leaderboard.shapes import Rate, Row, Version
from leaderboard.show import amount, line

FEED = "feed.xml"


@dataclass(frozen=True, slots=True)
class Entry:
    """One result. Its id is made of what it is, so it outlives a change of the site's URL."""

    id: str
    title: str
    updated: str
    address: str
    summary: str


def feed(site: Site, origin: str) -> File:
    """Make the feed, newest first; two builds of the same data give the same bytes."""
    entries = sorted((entry for version in site.versions for entry in _entries(version)), key=lambda e: e.id)
    entries.sort(key=lambda e: e.updated, reverse=True)
    updated = entries[0].updated if entries else moments.NEVER
    return FEED, text_file(FEED, origin=origin, id=_id(), updated=updated, entries=entries)


def _entries(version: Version) -> Iterator[Entry]:
    b, v = version.benchmark, version.name
    title = line(version.title, 120)
    yield Entry(_id(b, v), title, moments.of_version(version), urls.version(b, v), line(version.summary, 600))
    times = moments.of_rows(version)
    name = read_metrics(version)[0].title
    for row in version.rows:
        yield Entry(
            _id(b, v, row.model),
            f"{line(row.model, 120)} in {title}",
            times[row.model],
            urls.model(b, v, row.model),
            f"{name}: {said(row.primary)}. {standing(row)}.",
        )


def said(rate: Rate) -> str:
    """Put a rate into words, an empty one too."""
    if not rate.n:
        return "no value, since there was nothing to count"
    of = f"n = {rate.n}" if rate.k is None else f"{rate.k} of {rate.n}"
    return f"{amount(rate.value, rate)} ({of}, 95% {amount(rate.lo, rate)} to {amount(rate.hi, rate)})"


def standing(row: Row) -> str:
    """Give the row's status, and that it is a baseline if it is one."""
    return f"Baseline, {row.label}" if row.is_baseline else row.label


def _id(*what: str) -> str:
    return uuid5(NAMESPACE_URL, json.dumps(["countersign", *what])).urn
