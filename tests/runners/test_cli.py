"""The command line: every command explains itself, errors are one message and an exit code, nothing asks questions."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

from runners.cli import app

ROOT = Path(__file__).parents[2]
COMMANDS = [
    "demo", "play", "estimate", "amend", "replay", "import court", "reuse", "publish", "check", "site",
    "freeze", "verify", "withdraw", "erratum", "impact", "submit", "review", "push", "pull", "cite",
]  # fmt: skip


def countersign(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run the command as a user would, without a terminal."""
    code = "from runners.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, cwd=cwd, stdin=subprocess.DEVNULL
    )


def test_the_list_of_commands_is_complete() -> None:
    group = typer.main.get_command(app)
    names = [
        f"{name} {sub}" if sub else name
        for name, command in group.commands.items()  # type: ignore[attr-defined]
        for sub in (getattr(command, "commands", None) or [""])
    ]
    assert sorted(names) == sorted(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_help_shows_a_worked_example(command: str) -> None:
    done = countersign(*command.split(), "--help")
    assert done.returncode == 0
    assert "Example:" in done.stdout
    assert f"countersign {command}" in " ".join(done.stdout.split())


def test_the_readme_and_the_site_mention_every_command() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    pages = "".join(path.read_text("utf-8") for path in (ROOT / "site/docs").rglob("*.md"))
    for command in COMMANDS:
        assert f"countersign {command}" in readme + pages, command
    assert "countersign-check" in readme


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["play", "court", "v99", "--model", "scripted:a", "--model", "scripted:b"], "v99 does not ship"),
        (["play", "chess", "v1", "--model", "scripted:a", "--model", "scripted:b"], "no benchmark 'chess'"),
        (["play", "court", "../v3", "--model", "scripted:a", "--model", "scripted:b"], "../v3"),
        (["play", "court", "v3", "--model", "scripted:steadfast"], "at least two different models"),
        (["play", "court", "v3", "--model", "scripted:steadfast", "--model", "nonsense:x"], "nonsense"),
        (["play", "court", "v3", "--model", "scripted:steadfast", "--model", "scripted:nobody"], "nobody"),
        (["import", "court", "absent.json"], "absent.json: cannot be read"),
        (["publish", "court"], "write BENCHMARK/VERSION"),
        (["publish"], "nothing to publish"),
        (["publish", "court/v3"], "does not exist"),
        (["reuse", "court/v3", "court/v99"], "v99 does not ship"),
    ],
)
def test_an_error_is_one_message_and_exit_code_2(tmp_path: Path, arguments: list[str], says: str) -> None:
    done = countersign(*arguments, "--root", str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("countersign: ") or done.stderr.startswith("countersign: ")
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_json_is_json(tmp_path: Path) -> None:
    models = ["--model", "scripted:steadfast", "--model", "scripted:gullible"]
    done = countersign("play", "court", "v3", *models, "--root", str(tmp_path), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["done"] >= 12
    assert done.stderr == ""


def test_control_characters_of_others_do_not_reach_the_terminal(tmp_path: Path) -> None:
    evil = tmp_path / "x\x1b[2Jy.json"
    evil.write_text("{}")
    done = countersign("import", "court", str(evil), "--root", str(tmp_path))
    assert done.returncode == 2
    assert "\x1b" not in done.stderr
