"""A published version to freeze, verify and add to: three scripted policies, with the checker beside it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from runners.publish import publish
from runners.session import Options, play_court

ROOT = Path(__file__).resolve().parents[3]
VERSION = "court/v4"
FIRST = ("steadfast", "gullible", "persuader")


def play(root: Path, *policies: str) -> None:
    play_court(root, "v4", Options([f"scripted:{policy}" for policy in policies], quiet=True))


def quiet(step: str) -> None:
    """Steps are not told."""


def git(root: Path, *words: str) -> str:
    identity = ("-c", "user.name=Ada Example", "-c", "user.email=ada@example.com")
    done = subprocess.run(["git", "-C", str(root), *identity, *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def commit_all(root: Path) -> None:
    """Make the root a git repository with one commit."""
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Published")


@pytest.fixture(scope="session")
def _published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("release") / "published"
    play(root, *FIRST)
    publish(root, "court", "v4", quiet)
    shutil.copytree(ROOT / "checker", root / "checker", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "requirements-check.lock", root)
    shutil.copytree(ROOT / "runs" / "prices", root / "runs" / "prices", dirs_exist_ok=True)
    return root


@pytest.fixture
def published(_published: Path, tmp_path: Path) -> Path:
    """A copy of the published root that the test may spoil."""
    return Path(shutil.copytree(_published, tmp_path / "root"))


@pytest.fixture
def repository(published: Path) -> Path:
    """The published root as a git repository with one commit."""
    commit_all(published)
    return published
