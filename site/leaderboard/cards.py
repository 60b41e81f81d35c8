"""Pictures of 1200 x 630 for places that show a link as a card; a file's name holds the digest of its drawing."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import vl_convert

from leaderboard import urls
from leaderboard.kit import File
from leaderboard.pages.common import Site, read_metrics
from leaderboard.render import text_file
from leaderboard.shapes import Version
from leaderboard.show import amount, line

_ROWS = 4
_HEAD, _TAIL = b"\x89PNG\r\n\x1a\n", b"IEND\xaeB`\x82"


@dataclass(frozen=True, slots=True)
class CardRow:
    """One model on a card; `share` is its value as a part of the scale's length, None where there is no value."""

    name: str
    says: str
    share: float | None


@dataclass(frozen=True, slots=True)
class Card:
    """What stands on the card of an address, and of all below it that has none of its own."""

    address: str
    over: str
    title: str
    lines: tuple[str, ...]
    rows: tuple[CardRow, ...]
    foot: str

    @property
    def svg(self) -> bytes:
        return text_file("card.svg", card=self)

    @property
    def path(self) -> str:
        name = self.address.strip("/").replace("/", "-") or "home"
        # The renderer is part of what a picture is made from.
        drawn = hashlib.sha256(self.svg + vl_convert.__version__.encode()).hexdigest()
        return f"cards/{name}-{drawn[:16]}.png"


HOME = Card(
    address="",
    over="Countersign",
    title="Leaderboards, computed twice",
    lines=(
        "Every number is computed by two programs that share no code:",
        "by the builder, and by a sandboxed checker.",
    ),
    rows=(),
    foot="Rules, logs, tables and the checker are published with every number.",
)


def cards(site: Site) -> tuple[Card, ...]:
    """Give the cards of the first page, of each board and of each version."""
    boards = []
    for about in site.abouts:
        published = [v for v in site.of(about.name) if v.is_published]
        newest = published[-1] if published else None
        foot = f"Order: {newest.name}" if newest else "Nothing is published yet"
        boards.append(Card(urls.board(about.name), "Leaderboard", about.title, *_shown(newest), foot))
    versions = [
        Card(urls.version(v.benchmark, v.name), "Results", line(v.title, 30), *_shown(v), v.status)
        for v in site.versions
    ]
    return HOME, *boards, *versions


def card_files(made: Sequence[Card], earlier: Path | None) -> Iterator[File]:
    """Yield the pictures; one that lies in the folder of an earlier build is not drawn again."""
    for card in made:
        found = earlier / card.path if earlier else None
        content = found.read_bytes() if found and found.is_file() else b""
        whole = content.startswith(_HEAD) and content.endswith(_TAIL)
        yield card.path, content if whole else vl_convert.svg_to_png(card.svg.decode(), scale=1)


def _shown(version: Version | None) -> tuple[tuple[str, ...], tuple[CardRow, ...]]:
    if version is None or not version.rows:
        return (), ()
    metric = read_metrics(version)[0]
    rows = [row for row in version.rows if not row.is_baseline] or version.rows
    return (f"{metric.title}, {metric.better} is better",), tuple(
        CardRow(
            line(row.model, 38),
            amount(row.primary.value, row.primary) if row.primary.n else "no value",
            row.primary.value / row.primary.top if row.primary.value is not None else None,
        )
        for row in rows[:_ROWS]
    )
