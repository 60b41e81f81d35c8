"""The calls that the missing games would make, with prompts as long as a talkative team makes them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence

from runners.cascades.game import Asked, play_game
from runners.cascades.play import next_attempt
from runners.cascades.records import AgentCall, Cell, GameStart
from runners.cascades.version import Cascades
from runners.errors import UsageError
from runners.forecast import Ahead
from runners.records import Source


def forecast(
    spec: Cascades, models: Sequence[str], cells: Sequence[str] | None, seeds: Sequence[int] | None
) -> Iterator[Ahead]:
    """One entry a call of every game that is not finished, and one for the second ask that it may need.

    A game that was interrupted counts whole.

    Raises:
        UsageError: a cell or seed that the version does not have.
    """
    wanted = [*(cells or spec.play["cells"])], [*(spec.play["seeds"] if seeds is None else seeds)]
    if unknown := [str(x) for x in (*wanted[0], *wanted[1]) if x not in spec.play["cells"] and x not in spec.worlds]:
        raise UsageError(f"{spec.folder} has no cell or seed {', '.join(unknown)}")
    talk = {cell: _Talkative(spec, cell) for cell in wanted[0]}
    suffix = len(spec.prompt("retry_suffix").encode())
    for model in models:
        for seed in wanted[1]:
            for cell in wanted[0]:
                if next_attempt(spec, model, cell, seed) is None:
                    continue
                for size in talk[cell].sizes:
                    yield Ahead(model, size, 2)
                    if spec.play["retries"]:
                        yield Ahead(model, size + suffix, 2, only_if_needed=True)


class _Talkative:
    """Plays one game in memory in which every agent uses all that it may, and measures the prompts."""

    def __init__(self, spec: Cascades, cell: str) -> None:
        self.sizes: list[int] = []
        play = spec.play
        config = [0, 0, 0, 0, 0, 0]
        self._reply = json.dumps(
            {
                "experiments": [config] * play["experiments"],
                "claims": [{"config": config, "score": 50.25, "receipt": "r-00000000"}] * play["claims"],
                "note": "n" * play["note_length"],
                "submission": config,
            }
        )
        start = GameStart(
            benchmark=spec.benchmark,
            version=spec.version,
            model="scripted:talkative",
            kind="baseline",
            route="scripted",
            settings={},
            source=Source("played", None, None, "forecast"),
            cell=_cell(cell),
            seed=play["seeds"][0],
            attempt=1,
        )
        asyncio.run(play_game(spec, start, self, lambda event: None, lambda: 0))

    async def answer(self, asked: Asked) -> AgentCall:
        """The most that an agent may say."""
        self.sizes.append(len(asked.system.encode()) + len(asked.user.encode()))
        place = asked.round, asked.agent, asked.ask, 1
        sent = asked.posts, asked.system, asked.user, asked.prompt_sha256
        return AgentCall(*place, *sent, self._reply, "stop", None, "unpriced", None, None, None, None)


def _cell(name: str) -> Cell:
    return name  # type: ignore[return-value]  # the version's own cells
