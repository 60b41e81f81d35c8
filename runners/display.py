"""Shows how a session of play goes on: a bar on a terminal, plain lines otherwise, nothing if quiet."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from runners.tally import Tally

PLAIN_SECONDS = 30.0
"""Without a terminal a line is printed at every tenth of the work, and at least this often."""


@contextmanager
def display(what: str, quiet: bool) -> Iterator[Callable[[Tally], None]]:
    """What to call with the tally whenever it changed. `what` names the units: duels or games."""
    if quiet:
        yield lambda tally: None
    elif sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn(what),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[counts]}"),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=Console(stderr=True)) as bar:
            task = bar.add_task(what, total=None, counts="")

            def show(tally: Tally) -> None:
                bar.update(task, total=tally.total, completed=tally.done, counts=_counts(tally))

            yield show
    else:
        yield _PlainLines(what)


def _counts(tally: Tally) -> str:
    unfinished = f", {tally.unfinished} unfinished" if tally.unfinished else ""
    failures = f"{tally.failures} failed attempt{'' if tally.failures == 1 else 's'}"
    return f"{tally.calls} calls, {tally.tokens} tokens, {tally.money}, {failures}{unfinished}"


class _PlainLines:
    """Lines on standard error."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._began = self._said_at = time.monotonic()
        self._said = -1

    def __call__(self, tally: Tally) -> None:
        tenth = 10 * tally.done // tally.total if tally.total else 10
        now = time.monotonic()
        if tenth == self._said and now - self._said_at < PLAIN_SECONDS:
            return
        self._said, self._said_at = tenth, now
        print(
            f"{tally.done} of {tally.total} {self._what}, {_counts(tally)}{self._left(tally, now)}",
            file=sys.stderr,
            flush=True,
        )

    def _left(self, tally: Tally, now: float) -> str:
        """About how long it will take, from the pace so far."""
        if not tally.done or tally.done >= tally.total:
            return ""
        seconds = (now - self._began) / tally.done * (tally.total - tally.done)
        return f", about {seconds / 60:.0f} min left" if seconds >= 90 else f", about {seconds:.0f} s left"
