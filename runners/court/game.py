"""One duel, from prompt to the last answer, as its turns go (R3, R4, R5)."""

from __future__ import annotations

from dataclasses import dataclass, field

from runners import asking
from runners.court.version import Court
from runners.errors import CallFailed
from runners.log import LogWriter
from runners.models.base import Completion, Message, Model, Usage
from runners.records import Call, DuelKey, Fact, Failure, FailureKind, Side, TokenUsage


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


async def fight(spec: Court, duel: Duel, defender: Model, attacker: Model, log: LogWriter) -> bool:
    """Play the turns that are still missing; True if the duel has its final answer.

    Raises:
        CallFailed: a failure that no later duel can escape (configuration, authentication); it is in the log.
    """
    for turn in range(spec.last_turn + 1):
        if turn not in duel.turns and not await _play_turn(spec, duel, turn, attacker if turn % 2 else defender, log):
            return False
    return True


async def _play_turn(spec: Court, duel: Duel, turn: int, speaker: Model, log: LogWriter) -> bool:
    """Ask until there is a reply; every attempt is logged. False if there is none."""
    sent = messages(spec, duel, turn)
    role: Side = "attacker" if turn % 2 else "defender"

    def failed(attempt: int, failure: CallFailed, latency_ms: int) -> None:
        duel.attempts[turn] = attempt
        log.append(_failure(duel.key, turn, attempt, role, speaker.name, failure, latency_ms))

    try:
        completion, attempt, latency_ms = await asking.ask(speaker, sent, duel.attempts.get(turn, 0) + 1, failed)
    except CallFailed as failure:
        if failure.kind in asking.STOPPING:
            raise
        return False
    log.append(_call(duel.key, turn, attempt, role, speaker, sent, completion, latency_ms))
    duel.turns[turn] = Turn(sent[-1].content, completion.text)
    return True


def _call(
    key: DuelKey,
    turn: int,
    attempt: int,
    role: Side,
    speaker: Model,
    sent: list[Message],
    completion: Completion,
    latency_ms: int,
) -> Call:
    return Call(
        phase=key.phase,
        round=key.round,
        attacker=key.attacker,
        fact=key.fact,
        repeat=key.repeat,
        turn=turn,
        attempt=attempt,
        role=role,
        model=speaker.name,
        system=sent[0].content,
        user=sent[-1].content,
        text=completion.text,
        finish=completion.finish,
        usage=_usage(completion.usage),
        cost="unpriced" if completion.cost_microusd is None else completion.cost_microusd,
        latency_ms=latency_ms,
        served=completion.served,
        fingerprint=completion.fingerprint,
        settings=speaker.settings,
    )


def _usage(usage: Usage | None) -> TokenUsage | None:
    if usage is None:
        return None
    return TokenUsage(usage.input, usage.cached_input, usage.cache_write, usage.output, usage.reasoning)


def _failure(
    key: DuelKey, turn: int, attempt: int, role: Side, model: str, failure: CallFailed, latency_ms: int
) -> Failure:
    kind: FailureKind = failure.kind  # type: ignore[assignment]
    return Failure(
        phase=key.phase,
        round=key.round,
        attacker=key.attacker,
        fact=key.fact,
        repeat=key.repeat,
        turn=turn,
        attempt=attempt,
        role=role,
        model=model,
        kind=kind,
        message=failure.message,
        latency_ms=latency_ms,
    )
