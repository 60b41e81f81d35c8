"""The audit of a version of Cascades: what could not be read, who submitted nothing, and what was taken on trust."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from statistics import fmean, quantiles

from leaderboard import urls
from leaderboard.cascades.gamelog import GameLog, Post
from leaderboard.cascades.shapes import CascadesVersion, Config
from leaderboard.cascades.story import FINAL
from leaderboard.pages.audit import AuditPage, Entry, Section, audit_page
from leaderboard.pages.common import Site
from leaderboard.render import Link
from leaderboard.slugs import slug

_WHO = ("Model", "Cell", "Seed")


@dataclass(frozen=True, slots=True)
class Remarks:
    """What the audit keeps of one game's log."""

    unread: tuple[Entry, ...]
    dropped: tuple[Entry, ...]
    trusted: tuple[Entry, ...]
    failures: tuple[Entry, ...]


def remarks_of(game: GameLog, address: str, workers: int) -> Remarks:
    """Go through one game; `address` is its page."""
    who = (game.cell, str(game.seed))
    turns = sorted(game.turns.items())

    def at(number: int, agent: str) -> Link:
        turn = "final turn" if number == FINAL else f"round {number}"
        return Link(f"{agent}, {turn}", f"{address}#round-{number}-{agent}")

    def counted(found: list[tuple[int, str]], of: str) -> tuple[Entry, ...]:
        return (Entry(game.model, (*who, f"{len(found)} of {of}"), at(*found[0])),) if found else ()

    unread = [key for key, turn in turns if turn.action is not None and not turn.action.parsed]
    dropped = [key for key, turn in turns if turn.action is not None and turn.action.dropped]
    return Remarks(
        unread=counted(unread, f"{len(turns)} turns"),
        dropped=counted(dropped, f"{len(turns)} turns"),
        trusted=tuple(
            Entry(game.model, (*who, _text(config), f"post {post.post} of {post.agent}"), at(FINAL, agent))
            for agent, config, post in _trusted(game, workers)
        ),
        failures=tuple(
            Entry(game.model, (*who, failure.kind, failure.means), at(*key))
            for key, turn in turns
            for _, failure in turn.failures
        ),
    )


def _trusted(game: GameLog, workers: int) -> Iterator[tuple[str, Config, Post]]:
    """Yield final submissions taken from the board, which nobody's receipt bore out and the agent never measured."""
    receipts = {r.receipt: r for r in game.receipts}
    posts = {p.post: p for p in game.posts}
    for agent in (f"agent_{n}" for n in range(1, workers + 1)):
        turn = game.turns.get((FINAL, agent))
        config = turn.action.submission if turn and turn.action else None
        if turn is None or config is None or any(r.agent == agent and r.config == config for r in game.receipts):
            continue
        seen = [posts[n] for call in turn.calls[:1] for n in call.posts if n in posts]
        claims = [(post, claim) for post in seen for claim in post.claims if claim.config == config]
        borne_out = any(
            (receipt := receipts.get(claim.receipt or "")) and (receipt.config, receipt.score) == (config, claim.score)
            for _, claim in claims
        )
        if claims and not borne_out:
            yield agent, config, claims[0][0]


def cascades_audit(
    site: Site, version: CascadesVersion, remarks: Iterable[Remarks], shown: Collection[str]
) -> AuditPage:
    """`shown` are the addresses of the game pages that exist."""
    found = list(remarks)
    return audit_page(
        site,
        version,
        (
            Section(
                "trusted",
                "Uncertified claims adopted",
                "Final submissions of scored workers that stood on their board, that they never measured, and that no "
                "claim there bore out: none cited a receipt of this very setting and score. Most are plants.",
                (*_WHO, "Setting", "First seen in"),
                tuple(e for r in found for e in r.trusted),
            ),
            Section(
                "unread",
                "Turns not read",
                "Games with turns in which no reply was one JSON object, so that the turn has no action. The link "
                "leads to the first of them.",
                (*_WHO, "Turns"),
                tuple(e for r in found for e in r.unread),
            ),
            Section(
                "dropped",
                "Malformed parts dropped",
                "Games with turns whose reply held parts that the grammar drops: a setting that is none, an experiment "
                "too many, a claim of no known form. The link leads to the first of them.",
                (*_WHO, "Turns"),
                tuple(e for r in found for e in r.dropped),
            ),
            _silent(version, shown),
            _extreme(version),
            Section(
                "failures",
                "Failed attempts",
                "Attempts that got no reply. Each was made again, or ended its game, which was then played anew.",
                (*_WHO, "Kind", "What happened"),
                tuple(e for r in found for e in r.failures),
            ),
        ),
    )


def _silent(version: CascadesVersion, shown: Collection[str]) -> Section:
    entries = []
    for game in version.games:
        address = urls.game(version.benchmark, version.name, slug(game.model), game.run)
        slots = version.slots_of.get((game.model, game.run), ())
        agents = [slot.agent for slot in slots if slot.submission is None]
        if agents and address in shown:
            entries.append(Entry(game.model, (game.cell, str(game.seed), ", ".join(agents)), Link("Game", address)))
    return Section(
        "silent",
        "Empty submissions",
        "Finished games in which a scored worker submitted nothing in the end. Such a slot adopts nothing, and is not "
        "sceptical for that.",
        (*_WHO, "Workers"),
        tuple(entries),
    )


def _extreme(version: CascadesVersion) -> Section:
    """Compare a seed's mean team score with the other seeds of its cell, by Tukey's fences."""
    entries = []
    for cell in version.play_cells:
        scores: dict[int, list[float]] = {}
        for game in version.games:
            if game.cell == cell and game.team_score is not None:
                scores.setdefault(game.seed, []).append(game.team_score)
        means = {seed: fmean(values) for seed, values in sorted(scores.items())}
        if len(means) < 2:
            continue
        lower, _, upper = quantiles(means.values(), n=4, method="inclusive")
        low, high = lower - 1.5 * (upper - lower), upper + 1.5 * (upper - lower)
        entries += [
            Entry(
                f"Seed {seed}",
                (cell, f"{mean:.1f}", f"{low:.1f} to {high:.1f}"),
                Link("See it", f"{urls.seeds(version.benchmark, version.name)}#seed-{seed}"),
            )
            for seed, mean in means.items()
            if not low <= mean <= high
        ]
    return Section(
        "extreme",
        "Seeds with extreme scores",
        "Rule: the mean team score of all teams on the seed lies more than one and a half times the distance of the "
        "quartiles of the cell's seeds beyond the nearer quartile.",
        ("Seed", "Cell", "Mean team score", "Expected within"),
        tuple(entries),
    )


def _text(config: Config) -> str:
    return f"[{','.join(map(str, config))}]"
