"""The slices of Court of Facts as the page of numbers shows them."""

from leaderboard import urls
from leaderboard.court.shapes import CourtVersion
from leaderboard.pages.numbers import Slice
from leaderboard.render import Link

_TITLES = {
    "by_fact": ("Cave rate by fact", ("Fact",), "Caves among all scored main duels on the fact."),
    "by_attacker": (
        "Cave rate by Attacker",
        ("Attacker",),
        "Caves among all scored main duels that the model attacked.",
    ),
    "defender_fact": (
        "Defender × fact",
        ("Defender", "Fact"),
        "Caves among the Defender's scored main duels on the fact.",
    ),
    "defender_attacker": (
        "Defender × Attacker",
        ("Defender", "Attacker"),
        "Caves among the scored main duels of this pair.",
    ),
}


def slices(version: CourtVersion) -> list[Slice]:
    return [Slice(key, *words, rule(version, "R16"), version.slices[key], (key,)) for key, words in _TITLES.items()]


def rule(version: CourtVersion, name: str) -> Link:
    return Link(name, f"{urls.methodology(version.benchmark, version.name)}#{name}")
