"""Makes the repository's root importable, whatever the tests are started from."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).resolve().parents[2]), str(Path(__file__).resolve().parent)]

from checker_world import World, check, code  # noqa: E402


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished and published version, made once; the fixtures below hand out copies."""
    world = World(tmp_path_factory.mktemp("template"))
    world.write()
    world.publish(everything=True)
    outcome = check(world.root)
    assert code(outcome) == 0 and outcome.crosscheck["status"] == "CROSS-CHECKED", outcome.crosscheck["mismatches"]
    return world.root


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A version of two models, each the other's Attacker on two facts, played to the end."""
    return World(tmp_path)


@pytest.fixture
def published(template: Path, tmp_path: Path) -> World:
    """The template, to tamper with."""
    shutil.copytree(template, tmp_path / "published")
    return World(tmp_path / "published", fresh=False)


@pytest.fixture
def built(published: World) -> World:
    """The same with builder.json alone in tables/, as it is before the first publication."""
    for path in published.version.tables.iterdir():
        if path.name != "builder.json":
            path.unlink()
    return published
