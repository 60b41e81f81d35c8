"""The duels that two versions of Court of Facts both publish, and those that they score otherwise."""

from collections.abc import Iterator, Sequence

from leaderboard import urls
from leaderboard.court.numbers import slices
from leaderboard.court.pairs import VERDICTS, by_log, outcome
from leaderboard.court.shapes import CourtVersion, Duel
from leaderboard.court.transcripts import Told
from leaderboard.pages.common import Site
from leaderboard.pages.diff import DiffPage, Moved, Paired, diff_page
from leaderboard.render import Link


def court_diff(site: Site, old: CourtVersion, new: CourtVersion, logs: Sequence[Told]) -> DiffPage:
    """`logs` are those of the newer version."""
    before, after = by_log(old), by_log(new)
    return diff_page(
        site,
        old,
        new,
        (slices(old), slices(new)),
        Paired(("Defender", "Attacker", "Fact"), len(before.keys() & after.keys()), tuple(_moved(old, new, logs))),
    )


def _moved(old: CourtVersion, new: CourtVersion, logs: Sequence[Told]) -> Iterator[Moved]:
    before, after = by_log(old), by_log(new)
    for log, lines in logs:
        for line, said in zip(lines, log.duels, strict=True):
            was, now = before.get((log.sha256, said.key)), after.get((log.sha256, said.key))
            if was and now and _says(was) != _says(now):
                # One log numbers its duels in one way.
                there = urls.duel(old.benchmark, old.name, log.run, log.model, said.number)
                yield Moved(
                    log.model, (line.attacker, line.fact), Link(_says(was), there), Link(_says(now), line.address)
                )


def _says(duel: Duel) -> str:
    """Say how the duel counts and what its last answer is taken for, not which number it is."""
    verdict = next(iter(duel.verdicts[-1:]), None)
    return f"{outcome(duel)}, {VERDICTS[verdict]}" if verdict else outcome(duel)
