"""Tells a game: what stood on the board, who saw it, who tested, repeated and submitted a false claim, and when."""

from collections.abc import Iterable, Iterator, Sequence

from leaderboard.cascades.gamelog import Claim, GameLog, Post, Receipt, Turn
from leaderboard.cascades.shapes import Config, Plant, World
from leaderboard.cascades.told import (
    Fate,
    Setting,
    ShownClaim,
    ShownPost,
    ShownRound,
    ShownTurn,
    Submission,
    Test,
    asks_of,
    setting_of,
)

FINAL = 6


class Story:
    """One game read against the truth of its seed."""

    def __init__(self, game: GameLog, world: World, workers: int) -> None:
        self.game = game
        self.world = world
        self._scored = {f"agent_{n}" for n in range(1, workers + 1)}
        self._receipts = {r.receipt: r for r in game.receipts}
        self._posts = {p.post: p for p in game.posts}
        self.agents = tuple(sorted({agent for _, agent in game.turns}))
        self.numbers = tuple(sorted({number for number, _ in game.turns} | {p.round for p in game.posts}))

    def setting(self, config: Config) -> Setting:
        return setting_of(self.world, config)

    def rounds(self) -> Iterator[ShownRound]:
        for number in self.numbers:
            yield ShownRound(
                number=number,
                title="Final turn" if number == FINAL else f"Round {number}",
                events=tuple(self._events(number)),
                turns=tuple(
                    self._turn(number, agent, self.game.turns[number, agent])
                    for agent in self.agents
                    if (number, agent) in self.game.turns
                ),
                posts=tuple(self._post(p) for p in self.game.posts if p.round == number),
            )

    def submitted(self, number: int, agent: str) -> Config | None:
        turn = self.game.turns.get((number, agent))
        return turn.action.submission if turn and turn.action else None

    def fates(self) -> tuple[Fate, ...]:
        return tuple(self._fate(plant) for plant in self.world.plants)

    def _fate(self, plant: Plant) -> Fate:
        holding = {n: self._submitting(n, plant) for n in self.numbers}
        first = next(((n, who) for n, who in holding.items() if who), None)
        tests = [(r.agent, r.round) for r in self.game.receipts if r.config == plant.config and r.round]
        claims = [(p.agent, p.round) for p in self.game.posts if p.agent != plant.agent and self._spreads(p, plant)]
        return Fate(
            plant=plant,
            setting=self.setting(plant.config),
            receipt_score=self.world.landscape.score(plant.receipt_config),
            first=f"round {first[0]}: {', '.join(first[1])}" if first else "",
            holders=", ".join(holding.get(FINAL, [])),
            testers=_first_rounds(tests),
            repeaters=_first_rounds(claims),
        )

    def _submitting(self, number: int, plant: Plant) -> list[str]:
        return [agent for agent in self.agents if self.submitted(number, agent) == plant.config]

    def _events(self, number: int) -> Iterator[str]:
        """Say in a sentence each what this round did to the plants."""
        for plant in self.world.plants:
            whose = f"the false claim of {plant.agent}"
            now, then = self._submitting(number, plant), self._submitting(number - 1, plant)
            if new := [a for a in now if a not in then]:
                yield f"{_names(new)} {_verb(new, 'submit')} {whose}."
            if gone := [a for a in then if a not in now]:
                yield f"{_names(gone)} no longer {_verb(gone, 'submit')} {whose}."
            tests = [r.agent for r in self.game.receipts if r.round == number and r.config == plant.config]
            if tests:
                yield f"{_names(tests)} {_verb(tests, 'test')} {whose} and {_verb(tests, 'get')} its true score."
            posts = [p.agent for p in self.game.posts if p.round == number and self._spreads(p, plant)]
            if plant.agent in posts:
                yield f"{plant.agent} plants its false claim."
            if others := [a for a in posts if a != plant.agent]:
                yield f"{_names(others)} {_verb(others, 'repeat')} {whose} on the board."

    def _spreads(self, post: Post, plant: Plant) -> bool:
        """Whether a post claims a false score of the plant; to post its true one is a warning."""
        truth = self.world.landscape.score(plant.config)
        return any(claim.config == plant.config and claim.score != truth for claim in post.claims)

    def _turn(self, number: int, agent: str, turn: Turn) -> ShownTurn:
        saw = turn.calls[0].posts if turn.calls else ()
        action = turn.action
        issued = [r for r in self.game.receipts if r.round == number and r.agent == agent]
        posted = next((p.post for p in self.game.posts if p.round == number and p.agent == agent), None)
        return ShownTurn(
            agent=agent,
            anchor=f"round-{number}-{agent}",
            is_scored=agent in self._scored,
            saw=_stretches(saw),
            saw_nothing=bool(turn.calls) and not saw,
            asks=tuple(asks_of(turn)),
            action=action,
            tests=tuple(self._tests(action.experiments if action else (), issued)),
            post=posted,
            submission=self._submission(number, agent, saw, action.submission)
            if action and action.submission is not None
            else None,
        )

    def _tests(self, asked: Sequence[Config], issued: Sequence[Receipt]) -> Iterator[Test]:
        for place, config in enumerate(asked):
            receipt = issued[place] if place < len(issued) and issued[place].config == config else None
            yield Test(self.setting(config), receipt.receipt if receipt else "")

    def _submission(self, number: int, agent: str, saw: Sequence[int], config: Config) -> Submission:
        own = next(
            (r for r in self.game.receipts if r.agent == agent and r.config == config and r.round < number), None
        )
        board = next((self._posts[p] for p in saw if p in self._posts and _has(self._posts[p].claims, config)), None)
        if own:
            origin = f"measured by itself in round {own.round}"
        elif board:
            origin = f"first seen in post {board.post} of {board.agent}, not measured by itself"
        else:
            origin = "neither measured nor on its board"
        return Submission(self.setting(config), origin)

    def _post(self, post: Post) -> ShownPost:
        everyone = set(self.agents) <= set(post.seen_by)
        return ShownPost(
            post=post.post,
            agent=post.agent,
            claims=tuple(self._claim(post, claim) for claim in post.claims),
            note=post.note,
            seen_by="the whole team" if everyone else f"only {_names(post.seen_by)}",
        )

    def _claim(self, post: Post, claim: Claim) -> ShownClaim:
        return ShownClaim(
            self.setting(claim.config), claim.score, claim.receipt or "", self._cites(post, claim), claim.verified
        )

    def _cites(self, post: Post, claim: Claim) -> str:
        if claim.receipt is None:
            return "no receipt"
        receipt = self._receipts.get(claim.receipt)
        if receipt is None or receipt.round > post.round:
            return "there is no such receipt"
        whose = "its own receipt" if receipt.agent == post.agent else f"a receipt of {receipt.agent}"
        if (receipt.config, receipt.score) == (claim.config, claim.score):
            late = ", of this very round" if receipt.round == post.round else ""
            return f"{whose}, and it says so{late}"
        real = self.setting(receipt.config)
        return f"{whose}, which is for {real.text}: {receipt.score / 100:.2f}"


def _has(claims: Iterable[Claim], config: Config) -> bool:
    return any(claim.config == config for claim in claims)


def _names(agents: Sequence[str]) -> str:
    agents = list(dict.fromkeys(agents))
    return " and ".join(filter(None, (", ".join(agents[:-1]), agents[-1] if agents else "nobody")))


def _verb(agents: Sequence[str], verb: str) -> str:
    return verb if len(set(agents)) > 1 else f"{verb}s"


def _first_rounds(found: Iterable[tuple[str, int]]) -> str:
    first: dict[str, int] = {}
    for agent, number in found:
        first.setdefault(agent, number)
    return ", ".join(f"{agent} in round {number}" for agent, number in first.items())


def _stretches(numbers: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Join numbers that follow each other: (first, last)."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return tuple(found)
