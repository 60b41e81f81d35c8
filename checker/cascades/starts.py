"""The first line of each log of Cascades: G1, its agreement with place and spec."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from checker.cascades.spec import CascadesSpec
from checker.findings import show
from checker.loglines import Fault
from checker.starts import Start, common_faults


@dataclass(frozen=True)
class GameStart(Start):
    """Which game this log is; `played_as` is `benchmark/version` of the spec that it was played under."""

    played_as: str
    cell: str
    seed: int
    attempt: int


def start_faults(
    event: dict[str, Any], path: str, spec: CascadesSpec, played_as: str, amended: str | None
) -> Iterator[Fault]:
    """L1 and G1 for one start line; `played_as` and `amended` as in `common_faults`."""
    yield from common_faults(event, path, spec, played_as, amended, "G1", "G1")
    if event["cell"] not in spec.cells:
        yield Fault("G1", "cell", "one of " + ", ".join(spec.cells), show(event["cell"]))
    if event["seed"] not in spec.seeds:
        yield Fault("G1", "seed", "one of play.seeds", show(event["seed"]))
    if event["attempt"] < 1:
        yield Fault("G1", "attempt", "1 or more", show(event["attempt"]))
    run = f"{event['cell']}-s{event['seed']:02}-a{event['attempt']}"
    if event["run"] != run:
        yield Fault("G1", "run", show(run), show(event["run"]))


def start_of(event: dict[str, Any], played_as: str) -> GameStart:
    """What the log is."""
    return GameStart(
        event["model"], event["run"], event["at"], played_as, event["cell"], event["seed"], event["attempt"]
    )
