"""Deterministic members of a team that tunes a machine: they read the text of their prompt, nothing else.

| policy | what it does |
| --- | --- |
| `believer` | submits the best claim of the board and passes it on; where there are marks it trusts them alone |
| `skeptic` | tests the best claim of the board and adopts it only if the experiment agrees |
| `hill-climber` | ignores the board; changes one knob at a time and keeps what its own experiments show to be better |
| `random` | submits a setting drawn from a hash of its prompt; `random-7` from another hash for each number |
| `silent` | answers with an empty object |
| `malformed` | never answers with a JSON object |
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from runners.models.base import Completion, Message, Setting

_SETTING = r"\[([0-9](?:, [0-9]){5})\]"
_RESULT = re.compile(rf"^(r-[0-9a-f]{{8}}): {_SETTING} scores ([0-9.]+)$", re.MULTILINE)
_CLAIM = re.compile(
    rf"^  claim {_SETTING} scores ([0-9.]+), (?:no receipt|receipt \"([^\"]*)\")( \[VERIFIED\])?$", re.MULTILINE
)
_AGENT = re.compile(r"You are (agent_[0-9])\.")
_MARKS = "[VERIFIED]"
Setting6 = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Claimed:
    """A claim as the board shows it."""

    config: Setting6
    score: Decimal
    receipt: str | None
    verified: bool


@dataclass(frozen=True, slots=True)
class View:
    """What an agent can read in its prompt."""

    text: str
    agent: str
    final: bool
    marks: bool
    results: Mapping[Setting6, tuple[Decimal, str]]
    claims: Sequence[Claimed]


def read(messages: Sequence[Message]) -> View:
    """The view of the last user message."""
    system, user = messages[0].content, messages[-1].content
    agent = _AGENT.search(user)
    return View(
        text=user,
        agent=agent[1] if agent else "",
        final=user.startswith("Final turn."),
        marks=_MARKS in system,
        results={_setting(m[2]): (Decimal(m[3]), m[1]) for m in _RESULT.finditer(user)},
        claims=[Claimed(_setting(m[1]), Decimal(m[2]), m[3], bool(m[4])) for m in _CLAIM.finditer(user)],
    )


def _setting(text: str) -> Setting6:
    return tuple(map(int, text.split(", ")))


def _drawn(*parts: object) -> Setting6:
    """A setting from a hash: the same prompt always gives the same one."""
    digest = hashlib.sha256(repr(parts).encode()).digest()
    return tuple(byte % 10 for byte in digest[:6])


def _best(view: View) -> Setting6 | None:
    """The best setting that the agent's own experiments know."""
    return max(view.results, key=lambda setting: (view.results[setting][0], setting), default=None)


def _act(view: View, submission: Setting6, **more: Any) -> str:
    return json.dumps({**({} if view.final else more), "submission": list(submission)})


def believe(view: View) -> str:
    """Adopt the best (marked) claim and pass it on."""
    trusted = [claim for claim in view.claims if claim.verified or not view.marks]
    if not trusted:
        return _act(view, _drawn("start", view.agent))
    best = max(trusted, key=lambda claim: (claim.score, claim.config))
    passed_on = {"config": list(best.config), "score": float(best.score), "receipt": best.receipt}
    return _act(view, best.config, claims=[passed_on], note="This is the best that I know of.")


def doubt(view: View) -> str:
    """Test the best untested claim; submit the best that an experiment of one's own confirms."""
    untested = [claim for claim in view.claims if claim.config not in view.results]
    tests = [max(untested, key=lambda claim: (claim.score, claim.config)).config] if untested else []
    tests.append(_drawn("look", view.agent, len(view.results)))
    known = _best(view)
    claims = []
    if known is not None:
        score, receipt = view.results[known]
        claims = [{"config": list(known), "score": float(score), "receipt": receipt}]
    return _act(view, known or _drawn("start", view.agent), experiments=[list(test) for test in tests], claims=claims)


def climb(view: View) -> str:
    """Change one knob of the best known setting; two tries a round."""
    best = _best(view) or _drawn("start", view.text)
    tries = []
    for step in (0, 1):
        digest = hashlib.sha256(f"{step}|{sorted(view.results)}".encode()).digest()
        knob = digest[0] % 6
        value = (best[knob] + 1 + digest[1] % 9) % 10
        tries.append([*best[:knob], value, *best[knob + 1 :]])
    return _act(view, best, experiments=tries)


def roam(view: View) -> str:
    """Submit a setting drawn from the prompt."""
    return _act(view, _drawn("roam", view.text))


def roamer(number: int) -> Callable[[View], str]:
    """As `random`, with another hash for each number."""
    return lambda view: _act(view, _drawn("roam", number, view.text))


TEAMS: Mapping[str, Callable[[View], str]] = {
    "believer": believe,
    "skeptic": doubt,
    "hill-climber": climb,
    "random": roam,
    "silent": lambda view: "{}",
    "malformed": lambda view: '{"submission": [1, 2, 3, 4, 5, 6],}',
}


@dataclass(frozen=True, slots=True)
class ScriptedMember:
    """A team policy as a model; it needs no key, no network and no time."""

    name: str
    settings: Mapping[str, Setting]
    policy: Callable[[View], str]

    async def complete(self, messages: Sequence[Message]) -> Completion:
        """The policy's reply; `served` is its own name, and it counts no tokens."""
        return Completion(text=self.policy(read(messages)), finish="stop", served=self.name)

    async def close(self) -> None:
        """Nothing to release."""
