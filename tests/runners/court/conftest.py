"""A small version of the court to play on, and scripted voices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from runners.court.version import Court, load_court
from runners.errors import CallFailed
from runners.models.base import Completion, Finish, Message
from runners.spec import install_version


@pytest.fixture
def spec(tmp_path: Path) -> Court:
    install_version(tmp_path, "court", "v3")
    return load_court(tmp_path, "v3")


@dataclass
class Voice:
    """A model that says what a function says, and remembers what it was sent."""

    name: str
    say: Callable[[Sequence[Message]], str | CallFailed]
    finish: Finish = "stop"
    heard: list[list[Message]] = field(default_factory=list)
    settings: dict[str, int | float | str] = field(default_factory=dict)

    async def complete(self, messages: Sequence[Message]) -> Completion:
        self.heard.append(list(messages))
        said = self.say(messages)
        if isinstance(said, CallFailed):
            raise said
        return Completion(said, self.finish, served=self.name)

    async def close(self) -> None:
        pass
