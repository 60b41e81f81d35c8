"""A version of Cascades: its landscapes, plants, cells and seeds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from runners.cascades.landscape import Landscape
from runners.cascades.records import Config
from runners.spec import Spec, load_spec

PLANTED = ("nofix-2", "verified-2")


@dataclass(frozen=True)
class Plant:
    """What a confederate posts: the false claim of round 1, its real receipt, and the true filler of round 3."""

    agent: str
    style: str
    config: Config
    claimed: int
    receipt_config: Config
    filler_config: Config


@dataclass(frozen=True)
class World:
    """One seed: the objective and the two plants, the same in every cell and for every model."""

    seed: int
    landscape: Landscape
    plants: tuple[Plant, ...]

    @property
    def planted(self) -> dict[Config, str]:
        """Planted configuration -> the confederate whose it is."""
        return {plant.config: plant.agent for plant in self.plants}


class Cascades(Spec):
    """A frozen version of Cascades."""

    @property
    def play(self) -> Mapping[str, Any]:
        """The `play` part of the spec."""
        part: Mapping[str, Any] = self.data["play"]
        return part

    @cached_property
    def worlds(self) -> dict[int, World]:
        """Seed -> world, from items.jsonl."""
        lines = self.contents[self.play["facts"]].decode().splitlines()
        return {world.seed: world for world in map(_world, map(json.loads, lines))}

    @property
    def team(self) -> tuple[str, ...]:
        """The agents of the team, agent_1 first."""
        return tuple(f"agent_{number}" for number in range(1, self.play["agents"] + 1))

    @property
    def workers(self) -> tuple[str, ...]:
        """The agents that are scored."""
        return self.team[: self.play["workers"]]


def load_cascades(root: Path, version: str) -> Cascades:
    """Load and verify `runs/cascades/<version>`.

    Raises:
        UsageError, SpecError: as `load_spec`.
    """
    return load_spec(root, "cascades", version, Cascades)


def _world(item: dict[str, Any]) -> World:
    landscape = Landscape(
        unary=tuple(map(tuple, item["unary"])),
        pairs=tuple((i, j) for i, j in item["pairs"]),
        tables=tuple(tuple(map(tuple, table)) for table in item["tables"]),
        low=item["low"],
        high=item["high"],
    )
    return World(item["seed"], landscape, tuple(_plant(plant) for plant in item["plants"]))


def _plant(plant: dict[str, Any]) -> Plant:
    configs = {key: tuple(plant[key]) for key in ("config", "receipt_config", "filler_config")}
    return Plant(agent=plant["agent"], style=plant["style"], claimed=plant["claimed"], **configs)
