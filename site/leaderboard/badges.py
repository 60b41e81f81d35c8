"""badges/: one small JSON file a row, in the form that badge services read from a URL."""

import json
from collections.abc import Iterator

from leaderboard import urls
from leaderboard.kit import File
from leaderboard.pages.common import Site, read_metrics
from leaderboard.shapes import Row, Version
from leaderboard.show import amount, line

_COLORS = {"CROSS-CHECKED": "#15603f", "MISMATCH": "#9c1f2b", "COULD NOT CHECK": "#9c1f2b"}
_COLOR, _NO_VALUE = "#6a4c00", "#6b727b"


def badges(site: Site) -> Iterator[File]:
    """Yield the badge of every published row."""
    for version in site.versions:
        for row in version.rows:
            text = json.dumps(_badge(version, row), ensure_ascii=False, indent=1)
            yield urls.badge(version.benchmark, version.name, row.model), f"{text}\n".encode()


def _badge(version: Version, row: Row) -> dict[str, str | int]:
    rate = row.primary
    metric = read_metrics(version)[0].title.lower()
    value = f"{metric} {amount(rate.value, rate)}" if rate.n else f"{metric}: no value"
    return {
        "schemaVersion": 1,
        "label": line(version.title, 60),
        "message": f"{value}, {row.label.lower()}{', withdrawn' if row.withdrawn else ''}",
        "color": _COLORS.get(row.status, _COLOR) if rate.n and not row.withdrawn else _NO_VALUE,
    }
