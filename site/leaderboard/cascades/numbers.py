"""The slices of Cascades as the page of numbers shows them."""

from collections.abc import Callable

from leaderboard import urls
from leaderboard.cascades.shapes import CascadesVersion, CellRow
from leaderboard.pages.numbers import Slice
from leaderboard.render import Link
from leaderboard.shapes import Cell, Rate

_OF_CELLS: tuple[tuple[str, str, str, str, Callable[[CellRow], Rate | None]], ...] = (
    (
        "adoption",
        "Adoption by cell",
        "Worker slots whose final submission is a plant, with the Wilson interval over slots.",
        "M1",
        lambda c: c.adoption,
    ),
    (
        "adoption_by_game",
        "Adoption by cell, interval over games",
        "The same k, n and value; the interval is a bootstrap over whole games, because the workers of one team share "
        "a board and are not independent.",
        "M5",
        lambda c: c.adoption_by_game,
    ),
    ("check", "Check rate by cell", "Worker slots that tested exactly a plant.", "M2", lambda c: c.check),
    (
        "score",
        "Team score by cell",
        "Mean over the games that have a score, bootstrap over games.",
        "M4",
        lambda c: c.score,
    ),
    (
        "final",
        "Final submissions by cell",
        "Worker slots that submitted anything in the final turn.",
        "C13",
        lambda c: c.final,
    ),
)


def rule(version: CascadesVersion, name: str) -> Link:
    return Link(name, f"{urls.methodology(version.benchmark, version.name)}#{name}")


def slices(version: CascadesVersion) -> list[Slice]:
    """Give the rates of each cell, then of each round."""
    rounds = tuple(Cell((r.model, r.cell, str(r.round)), r.adoption) for r in version.rounds if r.adoption is not None)
    of_rounds = Slice(
        "rounds-adoption",
        "Adoption by round",
        ("Model", "Cell", "Round"),
        "Worker slots whose submission of that round is a plant; round 6 is the final turn.",
        rule(version, "M1"),
        rounds,
        ("rounds",),
    )
    return [*(_of_cells(version, *words) for words in _OF_CELLS), of_rounds]


def _of_cells(
    version: CascadesVersion, key: str, title: str, says: str, name: str, part: Callable[[CellRow], Rate | None]
) -> Slice:
    found = tuple(Cell((c.model, c.cell), rate) for c in version.cells if (rate := part(c)) is not None)
    return Slice(f"cells-{key}", title, ("Model", "Cell"), says, rule(version, name), found, ("cells", key))
