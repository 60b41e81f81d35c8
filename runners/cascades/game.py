"""One game of Cascades, from the first prompt to the final submissions, as its rounds go (C3 to C13).

The same code plays, resumes and replays: a `Voice` gives the calls (live, or out of a log) and `emit` takes the events.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from runners.cascades.records import (
    Action,
    AgentCall,
    BoardClaim,
    Cell,
    Claim,
    Config,
    GameFinish,
    GameStart,
    Post,
    Receipt,
)
from runners.cascades.replies import Reading, find_object, read_action
from runners.cascades.version import Cascades, Plant, World

CONFEDERATES_SEEN_BY = ("agent_1", "agent_2")
PLANT_ROUND, FILLER_ROUND = 1, 3


@dataclass(frozen=True)
class Asked:
    """What one agent is asked: its prompt and the posts that the prompt shows."""

    round: int
    agent: str
    ask: int
    posts: tuple[int, ...]
    system: str
    user: str

    @property
    def prompt_sha256(self) -> str:
        """Digest of the prompt (log schema of Cascades, `call`)."""
        return hashlib.sha256(f"{self.system}\n{self.user}".encode()).hexdigest()


class Voice(Protocol):
    """Whatever answers for the agents."""

    async def answer(self, asked: Asked) -> AgentCall:
        """The call that answers; the voice logs it, and the attempts that fail on the way."""
        ...


Emit = Callable[[Any], None]


@dataclass
class Game:
    """The state of one game."""

    spec: Cascades
    world: World
    cell: Cell
    receipts: list[Receipt] = field(default_factory=list)
    posts: list[Post] = field(default_factory=list)
    submitted: dict[str, Config] = field(default_factory=dict)

    @property
    def board(self) -> bool:
        """Whether the cell has a board (and plants)."""
        return self.cell != "isolated"

    @property
    def final_round(self) -> int:
        """The turn that is a final submission only."""
        return int(self.spec.play["rounds"]) + 1


async def play_game(spec: Cascades, start: GameStart, voice: Voice, emit: Emit, written: Callable[[], int]) -> None:
    """Play a game to its end; `written` tells how many lines the log has.

    Raises:
        whatever the voice raises: the game then ends there.
    """
    game = Game(spec, spec.worlds[start.seed], start.cell)
    emit(start)
    if game.board:
        for plant in game.world.plants:
            for place, config in enumerate((plant.receipt_config, plant.filler_config)):
                emit(_issue(game, 0, plant.agent, place, config))
    for number in range(1, game.final_round + 1):
        actions = {agent: await _turn(game, number, agent, voice, emit) for agent in spec.team}
        if number < game.final_round:
            _run_experiments(game, number, actions, emit)
            if game.board:
                _post_all(game, number, actions, emit)
    emit(GameFinish(written()))


async def _turn(game: Game, number: int, agent: str, voice: Voice, emit: Emit) -> Action:
    """Ask once, and once more if the reply does not parse; what was read becomes the action (C10, C11)."""
    record = None
    for ask in range(1, 2 + int(game.spec.play["retries"])):
        call = await voice.answer(_asked(game, number, agent, ask))
        record = find_object(call.text) if call.finish in ("stop", "unknown") else None
        if record is not None:
            break
    final = number == game.final_round
    read = Reading() if record is None else read_action(record, board=game.board, final=final)
    action = Action(
        round=number,
        agent=agent,
        parsed=record is not None,
        experiments=read.experiments,
        claims=read.claims,
        note=read.note,
        submission=read.submission,
        score=None if read.submission is None else game.world.landscape.score(read.submission),
        dropped=read.dropped,
    )
    emit(action)
    if read.submission is not None:
        game.submitted[agent] = read.submission
    return action


def _run_experiments(game: Game, number: int, actions: dict[str, Action], emit: Emit) -> None:
    for agent, action in actions.items():
        for place, config in enumerate(action.experiments):
            emit(_issue(game, number, agent, place, config))


def _issue(game: Game, number: int, agent: str, place: int, config: Config) -> Receipt:
    """Run an experiment: a receipt for its exact score (C7, C8)."""
    digits = "".join(map(str, config))
    text = f"{game.spec.benchmark}/{game.spec.version}|{game.world.seed}|{agent}|{number}|{place}|{digits}"
    ident = f"r-{hashlib.sha256(text.encode()).hexdigest()[:8]}"
    receipt = Receipt(ident, number, agent, config, game.world.landscape.score(config))
    game.receipts.append(receipt)
    return receipt


def _post_all(game: Game, number: int, actions: dict[str, Action], emit: Emit) -> None:
    for agent, action in actions.items():
        if action.claims or action.note:
            emit(_post(game, number, agent, action.claims, action.note, game.spec.team))
    for plant in game.world.plants:
        if number == PLANT_ROUND:
            cited = _own_receipt(game, plant, plant.receipt_config)
            claim = Claim(plant.config, plant.claimed, cited.receipt)
            emit(_post(game, number, plant.agent, (claim,), _note(game, plant.style), CONFEDERATES_SEEN_BY))
        if number == FILLER_ROUND:
            cited = _own_receipt(game, plant, plant.filler_config)
            claim = Claim(plant.filler_config, cited.score, cited.receipt)
            emit(_post(game, number, plant.agent, (claim,), _note(game, "filler"), CONFEDERATES_SEEN_BY))


def _own_receipt(game: Game, plant: Plant, config: Config) -> Receipt:
    return next(r for r in game.receipts if r.agent == plant.agent and r.round == 0 and r.config == config)


def _note(game: Game, name: str) -> str:
    return game.spec.prompts[f"note_{name}"]


def _post(game: Game, number: int, agent: str, claims: Sequence[Claim], note: str, seen_by: tuple[str, ...]) -> Post:
    marked = tuple(BoardClaim(c.config, c.score, c.receipt, _mark(game, number, agent, c)) for c in claims)
    post = Post(len(game.posts), number, agent, marked, note, seen_by)
    game.posts.append(post)
    return post


def _mark(game: Game, number: int, agent: str, claim: Claim) -> bool | None:
    """The board's mark (C9): None in a cell without marks."""
    if game.cell != "verified-2":
        return None
    return any(
        (r.receipt, r.agent, r.config, r.score) == (claim.receipt, agent, claim.config, claim.score)
        and r.round < number
        for r in game.receipts
    )


def _asked(game: Game, number: int, agent: str, ask: int) -> Asked:
    """The prompt of a turn: what the agent may know, no more."""
    kind = "board" if game.board else "isolated"
    name = f"final_{kind}" if number == game.final_round else f"turn_{kind}"
    seen = [post for post in game.posts if post.round < number and agent in post.seen_by]
    own = [r for r in game.receipts if r.agent == agent and r.round < number]
    last = game.submitted.get(agent)
    user = game.spec.prompt(
        name,
        round=str(number),
        agent=agent,
        results="\n".join(f"{r.receipt}: {list(r.config)} scores {points(r.score)}" for r in own) or "none yet",
        board="\n".join(_shown(post) for post in seen) or "empty",
        submission="none" if last is None else str(list(last)),
    )
    if ask > 1:
        user += game.spec.prompts["retry_suffix"]
    return Asked(number, agent, ask, tuple(p.post for p in seen), game.spec.prompts[f"system_{game.cell}"], user)


def points(score: int) -> str:
    """A score in points with two decimals, as the agents see it."""
    return f"{score // 100}.{score % 100:02d}"


def _shown(post: Post) -> str:
    """A post as the board shows it. What an agent wrote stands in JSON quotes: it cannot imitate a line or a mark."""
    lines = [f"{post.agent}, round {post.round}:"]
    for claim in post.claims:
        cited = "no receipt" if claim.receipt is None else f"receipt {json.dumps(claim.receipt)}"
        mark = " [VERIFIED]" if claim.verified else ""
        lines.append(f"  claim {list(claim.config)} scores {points(claim.score)}, {cited}{mark}")
    if post.note:
        lines.append(f"  note {json.dumps(post.note, ensure_ascii=False)}")
    return "\n".join(lines)
