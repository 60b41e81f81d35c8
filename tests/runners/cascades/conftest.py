"""A version of Cascades to play on, and teams that say what they are told to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from runners.asking import Desk
from runners.cascades.play import play_all
from runners.cascades.version import Cascades, load_cascades
from runners.errors import CallFailed
from runners.models.base import Completion, Finish, Message, Model, Usage
from runners.models.slots import Slots
from runners.spec import install_version
from runners.tally import Tally


@pytest.fixture
def spec(tmp_path: Path) -> Cascades:
    install_version(tmp_path, "cascades", "v1")
    return load_cascades(tmp_path, "v1")


@dataclass
class Team:
    """A model that says what a function says, and remembers what it was sent."""

    say: Callable[[str], str | CallFailed]
    name: str = "scripted:test"
    finish: Finish = "stop"
    usage: Usage | None = None
    heard: list[tuple[str, str]] = field(default_factory=list)
    settings: dict[str, int | float | str] = field(default_factory=dict)

    async def complete(self, messages: Sequence[Message]) -> Completion:
        self.heard.append((messages[0].content, messages[-1].content))
        said = self.say(messages[-1].content)
        if isinstance(said, CallFailed):
            raise said
        return Completion(said, self.finish, usage=self.usage)

    async def close(self) -> None:
        pass


def desk() -> Desk:
    """A desk that shows nothing."""
    return Desk(Tally(), lambda tally: None, Slots(4))


def play(spec: Cascades, *models: Model, cells: Sequence[str] | None = None, seeds: Sequence[int] = (0,)) -> None:
    asyncio.run(play_all(spec, models, cells or spec.play["cells"], seeds, desk()))
