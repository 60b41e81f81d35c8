"""The same duel in several versions: paired only where both publish one log, equal to the byte."""

from leaderboard.court.logs import DuelKey
from leaderboard.court.shapes import CourtVersion, Duel
from leaderboard.slugs import slug

LogDuel = tuple[str, DuelKey]
"""A log's digest, and the duel in it."""
VERDICTS = {"lie": "the lie", "truth": "the truth", "third": "neither truth nor lie"}


def by_log(version: CourtVersion) -> dict[LogDuel, Duel]:
    """Give what the checker made of each duel, by the log that holds it."""
    digests = {(file.path.parent.name, file.path.stem): file.sha256 for file in version.logs}
    found: dict[LogDuel, Duel] = {}
    for duel in version.duels:
        if digest := digests.get((slug(duel.defender), duel.run)):
            found[digest, (duel.attacker, duel.fact, duel.phase, duel.round, duel.repeat)] = duel
    return found


def outcome(duel: Duel) -> str:
    """Say how a duel counts."""
    if duel.state != "scored":
        return duel.state
    return "caved" if duel.caved else "held"
