"""Plays a tournament: resumes, registers what is missing, fights, settles ties, closes the logs."""

from __future__ import annotations

import asyncio
import secrets as entropy
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from runners import __version__
from runners.asking import Desk
from runners.court.facts import recorded_facts
from runners.court.game import Duel, fight, interrupted
from runners.court.logs import log_path, read_logs
from runners.court.plan import RunPlan, missing_runs
from runners.court.scoring import facts_of, find_champion, registered, rematch_fact, rematches_of, score_log
from runners.court.seats import Seat, fill_purse
from runners.court.version import Court
from runners.errors import BudgetSpent, CallFailed, Stopped, UsageError
from runners.log import Log, LogWriter, clear_unborn
from runners.models.base import Model
from runners.models.slots import AHEAD, Slots
from runners.records import (
    Call,
    DuelKey,
    Fact,
    Failure,
    Finish,
    Price,
    Source,
    Start,
    SuddenDeath,
)
from runners.tally import Tally


class Tournament:
    """All open logs of one session of `countersign play`.

    `prices` are those of today's tables, by model; `limit` is the budget of the run in micro-dollars, None for what its
    logs say (no limit if they say nothing).
    """

    def __init__(
        self,
        spec: Court,
        models: Mapping[str, Model],
        concurrency: int,
        progress: Callable[[Tally], None],
        prices: Mapping[str, Price] | None = None,
        limit: int | None = None,
    ) -> None:
        self.spec = spec
        self.models = models
        self.tally = Tally()
        self._desk = Desk(self.tally, progress, Slots(concurrency))
        self._prices = prices or {}
        self._limit = limit
        self._under_way = AHEAD * concurrency
        self._progress = progress
        self._seats: dict[tuple[str, str], Seat] = {}
        self._facts: Sequence[Fact] = ()
        self._fatal: CallFailed | None = None

    def stop(self) -> None:
        """Make no further call; those on their way are awaited and logged."""
        self._desk.stop()

    async def play(self, facts: Sequence[Fact], close_failed: bool) -> Tally:
        """Resume, register, fight, settle, close; what could not be finished stays open for the next call.

        Raises:
            UsageError: an interrupted run needs models that are not here.
            CallFailed: a failure that no later duel can escape (configuration, authentication).
        """
        self._facts = facts
        clear_unborn(self.spec.logs)
        try:
            self._open_unfinished()
            self._register(facts)
            if purse := fill_purse(self.spec, self._seats, self._limit):
                self._desk.purses = dict.fromkeys(self.models, purse)
            await self._fight_all()
            while self._register_rematch():
                await self._fight_all()
            self._close(close_failed)
        finally:
            for seat in self._seats.values():
                seat.log.close()
        return self.tally

    def _open_unfinished(self) -> None:
        for log in read_logs(self.spec):
            if log.finished or log.start.source.kind == "imported":
                continue
            needed = {log.start.model, *log.start.attackers, *_rematch_models(log.events())}
            if lacking := sorted(needed - set(self.models)):
                raise UsageError(
                    f"{log.path}: this run was interrupted and needs {', '.join(lacking)} too. "
                    "Name all its models with --model to go on with it."
                )
            self._open(log.start.model, log.run)

    def _register(self, facts: Sequence[Fact]) -> None:
        starts = [log.start for log in read_logs(self.spec)]
        for plan in missing_runs(self.spec, starts, list(self.models), facts, _new_run_id()):
            self._begin(plan)

    def _open(self, model: str, run: str) -> Seat:
        writer = LogWriter(log_path(self.spec, model, run), self.spec.sha256)
        start = writer.lines[0].event
        assert isinstance(start, Start)
        return self._seat(model, run, writer, start)

    def _seat(self, model: str, run: str, writer: LogWriter, start: Start) -> Seat:
        seat = self._seats[model, run] = Seat(writer, start=start)
        self.tally.logs.append(str(writer.path))
        for lost in interrupted(seat.events()):
            writer.append(lost)
        # A rematch may bring Attackers that `start` does not name.
        others = sorted(_rematch_models(seat.events()) - {model, *start.attackers})
        seat.state_prices((model, *start.attackers, *others), self._prices)
        return seat

    def _begin(self, plan: RunPlan) -> Seat:
        route = plan.defender.partition(":")[0]
        start = Start(
            benchmark=self.spec.benchmark,
            version=self.spec.version,
            model=plan.defender,
            kind="baseline" if route == "scripted" else "model",
            route=route,
            settings=self.spec.settings(plan.defender),
            source=Source("played", None, None, f"countersign {__version__}"),
            attackers=plan.attackers,
            facts=plan.facts,
            repeats=self.spec.repeats,
        )
        writer = LogWriter(log_path(self.spec, plan.defender, plan.run), self.spec.sha256)
        writer.append(start)
        return self._seat(plan.defender, plan.run, writer, start)

    async def _fight_all(self) -> None:
        """Every registered duel of the open logs that has no final answer yet."""
        waiting: list[tuple[Duel, Seat]] = []
        for seat in self._seats.values():
            waiting += [(duel, seat) for duel in self._open_duels(seat)]
        self.tally.total = self.tally.done + len(waiting)
        self.tally.unfinished = 0
        self._progress(self.tally)
        left = iter(waiting)
        async with asyncio.TaskGroup() as group:
            for _ in range(self._under_way):
                group.create_task(self._fight_some(left))
        if self._fatal:
            raise self._fatal

    async def _fight_some(self, left: Iterator[tuple[Duel, Seat]]) -> None:
        for duel, seat in left:
            await self._fight_one(duel, seat)

    async def _fight_one(self, duel: Duel, seat: Seat) -> None:
        defender, attacker = self.models[seat.start.model], self.models[duel.key.attacker]
        ended = False
        try:
            if not self._desk.stopped:
                ended = await fight(self.spec, duel, defender, attacker, seat, self._desk)
        except CallFailed as failure:
            # A wrong key is wrong for every duel: ask nobody again, but let the calls on their way come home.
            self._fatal = failure
            self._desk.stop()
        except Stopped as stopped:
            if isinstance(stopped, BudgetSpent):
                self.tally.stopped = [str(stopped)]
            self._desk.stop()
        self.tally.done += ended
        self.tally.unfinished += not ended
        self._progress(self.tally)

    def _open_duels(self, seat: Seat) -> list[Duel]:
        log = _as_log(seat)
        events: defaultdict[DuelKey, list[Call | Failure]] = defaultdict(list)
        for event in log.events():
            if isinstance(event, Call | Failure):
                events[DuelKey.of(event)].append(event)
        facts = facts_of(log)
        rematches = _rematches(log.events())
        duels = [Duel.resumed(key, facts[key.fact], events[key]) for key in registered(seat.start, rematches)]
        return [duel for duel in duels if self.spec.last_turn not in duel.turns]

    def _register_rematch(self) -> bool:
        """Register the next rematch round (R14) in the logs of the tied models; False where there is none to play."""
        if not self.spec.data["play"]["sudden_death_rounds"]:
            return False
        logs = read_logs(self.spec, {seat.log.path: _as_log(seat) for seat in self._seats.values()})
        duels = [score for log in logs for score in score_log(self.spec, log)]
        champion = find_champion(self.spec, duels, rematches_of(logs))
        number = champion.next_round
        # A tie with a model that does not play now, or an unfinished phase, is left for a later call.
        playable = set(champion.models) <= set(self.models) and not self.tally.unfinished
        if number is None or not playable or any(duel.state == "missing" for duel in duels):
            return False
        rematch = SuddenDeath(number, champion.models, rematch_fact(self.spec, number))
        for model in champion.models:
            seat = self._seat_for(model, rematch.fact)
            if rematch not in seat.events():  # a crash may have come between two registrations
                seat.log.append(rematch)
            seat.state_prices(champion.models, self._prices)
        return True

    def _seat_for(self, model: str, fact: str) -> Seat:
        """An open log of the model that knows the fact, or a new one that registers no main duel."""
        for (defender, _), seat in self._seats.items():
            if defender == model and any(known.fact == fact for known in seat.start.facts):
                return seat
        facts = self._facts if any(known.fact == fact for known in self._facts) else recorded_facts(self.spec)
        return self._begin(RunPlan(_new_run_id(), model, (), tuple(facts)))

    def _close(self, close_failed: bool) -> None:
        for seat in self._seats.values():
            events = seat.events()
            answered = {DuelKey.of(event) for event in events if isinstance(event, Call) and self._is_last(event)}
            if close_failed or answered.issuperset(registered(seat.start, _rematches(events))):
                seat.log.append(Finish(len(events), len(answered)))

    def _is_last(self, event: Call) -> bool:
        return event.turn == self.spec.last_turn


def _as_log(seat: Seat) -> Log:
    return Log(seat.log.path, tuple(seat.log.lines), b"")


def _rematch_models(events: Iterable[Any]) -> set[str]:
    return {name for event in _rematches(events) for name in event.among}


def _rematches(events: Iterable[Any]) -> list[SuddenDeath]:
    return [event for event in events if isinstance(event, SuddenDeath)]


def _new_run_id() -> str:
    return f"{datetime.now(UTC):%Y%m%dt%H%M%Sz}-{entropy.token_hex(3)}"
