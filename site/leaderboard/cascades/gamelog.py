"""Reads one game's log for showing it, whatever state the file is in."""

from dataclasses import dataclass, field
from typing import Any

from leaderboard.cascades.load import config
from leaderboard.cascades.shapes import Config
from leaderboard.logfile import LogFile
from leaderboard.replies import Failure, Reply, failure, records, reply


@dataclass(frozen=True, slots=True)
class Receipt:
    """An experiment that the system ran."""

    receipt: str
    round: int
    agent: str
    config: Config
    score: int


@dataclass(frozen=True, slots=True)
class Claim:
    config: Config
    score: int
    receipt: str | None
    verified: bool | None


@dataclass(frozen=True, slots=True)
class Post:
    """Something that was put on the board."""

    post: int
    round: int
    agent: str
    claims: tuple[Claim, ...]
    note: str
    seen_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """A reply, and what its prompt showed."""

    ask: int
    posts: tuple[int, ...]
    prompt_sha256: str
    reply: Reply


@dataclass(frozen=True, slots=True)
class Action:
    """What was read out of the replies of one turn."""

    parsed: bool
    experiments: tuple[Config, ...]
    claims: tuple[Claim, ...]
    note: str
    submission: Config | None
    score: int | None
    dropped: int


@dataclass(slots=True)
class Turn:
    """One agent's part of a round; each failure with the ask that it was an attempt at."""

    calls: list[Call] = field(default_factory=list)
    failures: list[tuple[int, Failure]] = field(default_factory=list)
    action: Action | None = None


@dataclass(slots=True)
class GameLog:
    """One game of one team; its run id is the name of its file, and its folder stands for the model."""

    folder: str
    run: str
    raw: bytes
    sha256: str
    model: str
    route: str
    settings: dict[str, Any] | None
    runner: str
    cell: str
    seed: int
    attempt: int
    started: str
    state: str = "open"
    abort_kind: str = ""
    aborted: str = ""
    receipts: list[Receipt] = field(default_factory=list)
    posts: list[Post] = field(default_factory=list)
    turns: dict[tuple[int, str], Turn] = field(default_factory=dict)
    unreadable: int = 0

    def turn(self, record: Any) -> Turn:
        return self.turns.setdefault((int(record["round"]), str(record["agent"])), Turn())


def read_game(file: LogFile) -> GameLog | None:
    """Read one log; None if not even its first line says what it is."""
    raw = file.read()
    lines = list(records(raw))
    start = next((r for r in lines if r is not None and r.get("event") == "start"), None)
    try:
        game = _begin(file, raw, start or {})
    except (KeyError, TypeError, ValueError):
        return None
    for record in lines:
        try:
            _take(game, record or {})
        except (KeyError, TypeError, ValueError):
            game.unreadable += 1
    return game


def _begin(file: LogFile, raw: bytes, start: dict[str, Any]) -> GameLog:
    return GameLog(
        folder=file.path.parent.name,
        run=file.path.stem,
        raw=raw,
        sha256=file.sha256,
        model=str(start["model"]),
        route=str(start["route"]),
        settings=start["settings"],
        runner=str(start["source"]["runner"]),
        cell=str(start["cell"]),
        seed=int(start["seed"]),
        attempt=int(start["attempt"]),
        started=str(start["at"]),
    )


def _take(game: GameLog, record: dict[str, Any]) -> None:
    """Add one line to the game."""
    event = record["event"]
    if event == "receipt":
        game.receipts.append(
            Receipt(
                str(record["receipt"]),
                int(record["round"]),
                str(record["agent"]),
                config(record["config"]),
                int(record["score"]),
            )
        )
    elif event == "post":
        game.posts.append(
            Post(
                int(record["post"]),
                int(record["round"]),
                str(record["agent"]),
                _claims(record),
                str(record["note"]),
                tuple(str(a) for a in record["seen_by"]),
            )
        )
    elif event == "call":
        shown = tuple(int(p) for p in record["posts"])
        call = Call(int(record["ask"]), shown, str(record["prompt_sha256"]), reply(record))
        game.turn(record).calls.append(call)
    elif event == "failure":
        game.turn(record).failures.append((int(record["ask"]), failure(record)))
    elif event == "action":
        game.turn(record).action = _action(record)
    elif event == "abort":
        game.state, game.abort_kind, game.aborted = "aborted", str(record["kind"]), str(record["message"])
    elif event == "finish":
        game.state = "finished"


def _action(record: dict[str, Any]) -> Action:
    submission, score = record["submission"], record["score"]
    return Action(
        parsed=bool(record["parsed"]),
        experiments=tuple(config(c) for c in record["experiments"]),
        claims=_claims(record),
        note=str(record["note"]),
        submission=None if submission is None else config(submission),
        score=None if score is None else int(score),
        dropped=int(record["dropped"]),
    )


def _claims(record: dict[str, Any]) -> tuple[Claim, ...]:
    return tuple(
        Claim(
            config(c["config"]),
            int(c["score"]),
            None if c["receipt"] is None else str(c["receipt"]),
            c.get("verified"),
        )
        for c in record["claims"]
    )
