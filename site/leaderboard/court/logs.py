"""Reads a log for showing it: the calls of each duel, in order, whatever state the file is in."""

from dataclasses import dataclass
from typing import Any

from leaderboard.logfile import LogFile
from leaderboard.replies import Failure, Reply, failure, records, reply

DuelKey = tuple[str, str, str, int, int]  # attacker, fact, phase, round, repeat


@dataclass(frozen=True, slots=True)
class Turn:
    """One reply and whose it is."""

    turn: int
    role: str
    model: str
    reply: Reply


@dataclass(frozen=True, slots=True)
class FailedTurn:
    """One attempt at a turn that got no reply."""

    turn: int
    failure: Failure


@dataclass(frozen=True, slots=True)
class LoggedDuel:
    """A registered duel, its stable number in the log, and what was said in it."""

    number: str
    attacker: str
    fact: str
    phase: str
    round: int
    repeat: int
    turns: tuple[Turn, ...]
    failures: tuple[FailedTurn, ...]

    @property
    def key(self) -> DuelKey:
        return (self.attacker, self.fact, self.phase, self.round, self.repeat)


@dataclass(frozen=True, slots=True)
class LoggedFact:
    """A fact as a run disputed it."""

    fact: str
    question: str
    truth: str
    lie: str
    source: str
    at: str


@dataclass(frozen=True, slots=True)
class Log:
    """One run of one Defender."""

    raw: bytes
    sha256: str
    run: str
    model: str
    route: str
    settings: dict[str, Any] | None
    source_kind: str
    source_name: str | None
    source_sha256: str | None
    runner: str
    started: str
    finished: bool
    attackers: tuple[str, ...]
    facts: tuple[LoggedFact, ...]
    repeats: int
    duels: tuple[LoggedDuel, ...]
    unreadable: int

    def fact(self, fact_id: str) -> LoggedFact | None:
        return next((f for f in self.facts if f.fact == fact_id), None)


def read_log(file: LogFile) -> Log | None:
    """Read one log; None if not even its first line says what it is."""
    raw = file.read()
    lines = list(records(raw))
    start = next((r for r in lines if r is not None and r.get("event") == "start"), None)
    if start is None:
        return None
    try:
        return _assemble(file, raw, start, lines)
    except (KeyError, TypeError, ValueError):
        return None


def _assemble(file: LogFile, raw: bytes, start: dict[str, Any], lines: list[dict[str, Any] | None]) -> Log:
    facts = tuple(LoggedFact(**{k: str(f[k]) for k in LoggedFact.__slots__}) for f in start["facts"])
    attackers = tuple(str(a) for a in start["attackers"])
    source = start["source"]
    turns: dict[DuelKey, list[Turn]] = {}
    failures: dict[DuelKey, list[FailedTurn]] = {}
    rounds: dict[int, tuple[list[str], str]] = {}
    unreadable = 0
    finished = False
    for record in lines:
        if record is None:
            unreadable += 1
            continue
        try:
            event = record["event"]
            if event == "call":
                turns.setdefault(_key(record), []).append(
                    Turn(int(record["turn"]), str(record["role"]), str(record["model"]), reply(record))
                )
            elif event == "failure":
                failures.setdefault(_key(record), []).append(FailedTurn(int(record["turn"]), failure(record)))
            elif event == "sudden_death":
                rounds[record["round"]] = ([str(m) for m in record["among"]], str(record["fact"]))
            elif event == "finish":
                finished = True
        except (KeyError, TypeError, ValueError):
            unreadable += 1

    def duel(number: str, key: DuelKey) -> LoggedDuel:
        return LoggedDuel(number, *key, tuple(turns.get(key, ())), tuple(failures.get(key, ())))

    repeats = int(start["repeats"])
    registered = [(a, f.fact, "main", 0, r) for a in attackers for f in facts for r in range(repeats)]
    duels = [duel(str(i), key) for i, key in enumerate(registered, 1)]
    for round_number, (among, fact) in sorted(rounds.items()):
        rivals = [m for m in among if m != start["model"]]
        duels += [
            duel(f"sd{round_number}-{i}", (rival, fact, "sudden_death", round_number, 0))
            for i, rival in enumerate(rivals, 1)
        ]
    return Log(
        raw=raw,
        sha256=file.sha256,
        # The name of the file: what a line says of itself must not choose where its page lies.
        run=file.path.stem,
        model=str(start["model"]),
        route=str(start["route"]),
        settings=start["settings"],
        source_kind=str(source["kind"]),
        source_name=source["name"],
        source_sha256=source["sha256"],
        runner=str(source["runner"]),
        started=str(start["at"]),
        finished=finished,
        attackers=attackers,
        facts=facts,
        repeats=repeats,
        duels=tuple(duels),
        unreadable=unreadable,
    )


def _key(record: Any) -> DuelKey:
    return (
        str(record["attacker"]),
        str(record["fact"]),
        str(record["phase"]),
        int(record["round"]),
        int(record["repeat"]),
    )
