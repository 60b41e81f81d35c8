"""One duel, from prompt to the last answer, as its turns go (R3, R4, R5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from runners.asking import LOST, STOPPING, Answered, Desk, Failed
from runners.court.version import Court
from runners.errors import CallFailed
from runners.log import LogWriter
from runners.models.base import Message, Model
from runners.records import Call, DuelKey, Fact, Failure, Price, Request
from runners.schema import field_names


@dataclass(frozen=True)
class Turn:
    """One turn as it was asked and answered."""

    user: str | None
    text: str


@dataclass
class Duel:
    """A registered duel and what has been said in it so far."""

    key: DuelKey
    fact: Fact
    turns: dict[int, Turn] = field(default_factory=dict)
    attempts: dict[int, int] = field(default_factory=dict)

    @classmethod
    def resumed(cls, key: DuelKey, fact: Fact, events: list[Call | Failure]) -> Duel:
        """A duel with what its log already holds."""
        duel = cls(key, fact)
        for event in events:
            duel.attempts[event.turn] = event.attempt
            if isinstance(event, Call):
                duel.turns[event.turn] = Turn(event.user, event.text)
        return duel


def messages(spec: Court, duel: Duel, turn: int) -> list[Message]:
    """What the speaker of `turn` is sent.

    The Defender gets its whole conversation. The Attacker gets its lie, the question and the Defender's last words;
    no template of its own has a place for the truth (R5).
    """
    fact, said = duel.fact, duel.turns
    if turn % 2:
        return [
            Message("system", spec.prompt("attacker_system", lie=fact.lie)),
            Message("user", spec.prompt("attacker_turn", question=fact.question, reply=said[turn - 1].text)),
        ]
    conversation = [Message("system", spec.prompt("defender_system"))]
    for earlier in range(0, turn, 2):
        conversation.append(Message("user", _defender_user(spec, duel, earlier)))
        conversation.append(Message("assistant", said[earlier].text))
    conversation.append(Message("user", _defender_user(spec, duel, turn)))
    return conversation


def _defender_user(spec: Court, duel: Duel, turn: int) -> str:
    if turn == 0:
        return spec.prompt("defender_opening", question=duel.fact.question, truth=duel.fact.truth)
    return spec.prompt("defender_challenge", reply=duel.turns[turn - 1].text)


async def fight(spec: Court, duel: Duel, defender: Model, attacker: Model, book: Book, desk: Desk) -> bool:
    """Play the turns that are still missing; True if the duel has its final answer.

    Raises:
        CallFailed: a failure that no later duel can escape (configuration, authentication); it is in the log.
        BudgetSpent: the budget does not cover the next call.
    """
    for turn in range(spec.last_turn + 1):
        if turn in duel.turns:
            continue
        speaker = attacker if turn % 2 else defender
        sent = messages(spec, duel, turn)
        entry = Entry(book, duel, turn, speaker, sent)
        try:
            answered = await desk.ask(speaker, sent, duel.attempts.get(turn, 0) + 1, entry)
        except CallFailed as failure:
            if failure.kind in STOPPING:
                raise
            return False
        duel.turns[turn] = Turn(sent[-1].content, answered.completion.text)
    return True


@dataclass
class Book:
    """An open log, with the prices that are in force in it (by model)."""

    log: LogWriter
    prices: dict[str, Price] = field(default_factory=dict)


class Entry:
    """One turn's lines in the log of its duel (`runners.asking.Record`)."""

    def __init__(self, book: Book, duel: Duel, turn: int, speaker: Model, sent: list[Message]) -> None:
        self._book, self._duel, self._turn, self._speaker, self._sent = book, duel, turn, speaker, sent
        self.price = book.prices.get(speaker.name)

    def request(self, attempt: int, reserve: int) -> None:
        """A paid attempt is about to be sent."""
        self._book.log.append(Request(**self._place(attempt), reserve=reserve))

    def failure(self, attempt: int, failed: Failed) -> None:
        """An attempt failed."""
        self._duel.attempts[self._turn] = attempt
        self._book.log.append(
            Failure(
                **self._place(attempt),
                kind=failed.kind,
                message=failed.message,
                latency_ms=failed.latency_ms,
                usage=failed.usage,
                cost=failed.cost,
            )
        )

    def answer(self, answered: Answered) -> None:
        """The speaker answered."""
        completion = answered.completion
        self._book.log.append(
            Call(
                **self._place(answered.attempt),
                system=self._sent[0].content,
                user=self._sent[-1].content,
                text=completion.text,
                finish=completion.finish,
                usage=answered.usage,
                cost=answered.cost,
                latency_ms=answered.latency_ms,
                served=completion.served,
                fingerprint=completion.fingerprint,
                provider=completion.provider,
                settings=self._speaker.settings,
            )
        )

    def _place(self, attempt: int) -> dict[str, Any]:
        """The fields that say which attempt at which turn of which duel a line is about."""
        key = self._duel.key
        return {
            "phase": key.phase,
            "round": key.round,
            "attacker": key.attacker,
            "fact": key.fact,
            "repeat": key.repeat,
            "turn": self._turn,
            "attempt": attempt,
            "role": "attacker" if self._turn % 2 else "defender",
            "model": self._speaker.name,
        }


def interrupted(events: Iterable[Any]) -> list[Failure]:
    """A failure for every request that never had an outcome: the program ended before it was known."""
    waiting: dict[tuple[DuelKey, int], Request] = {}
    for event in events:
        if isinstance(event, Request):
            waiting[DuelKey.of(event), event.turn] = event
        elif isinstance(event, Call | Failure):
            waiting.pop((DuelKey.of(event), event.turn), None)
    shared = [name for name in field_names(Request) if name != "reserve"]
    return [
        Failure(
            **{name: getattr(request, name) for name in shared},
            kind="interrupted",
            message=LOST,
            latency_ms=None,
            usage=None,
            cost="unsettled",
        )
        for request in waiting.values()
    ]
