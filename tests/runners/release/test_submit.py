"""A submission as a stranger makes it: the verdict at home is the verdict in CI, for right and for wrong."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runners.errors import CouldNotCheck, Refused, UsageError
from runners.release.handing import write_branch, write_bundle
from runners.release.policy import LARGEST
from runners.release.review import Review, review
from runners.release.submit import Submitted, Wish, prepare
from runners.release.summary import markdown
from runners.release.trees import checked_out, read_tree
from runners.session import Options, play_cascades
from runners.spec import install_version
from tests.runners.release.conftest import VERSION, commit_all, git, play, quiet

WISH = Wish(VERSION, ["scripted:waverer-7"], "Ada Example", "CC0-1.0")
PLAYED = ("waverer-7", "steadfast", "persuader")


def submit(root: Path, wish: Wish = WISH) -> Submitted:
    with checked_out(root, "HEAD") as base:
        return prepare(root, read_tree(base), wish, quiet)


def in_ci(root: Path, tmp_path: Path, revision: str) -> Review:
    """The review of a branch as the workflow makes it: two checkouts side by side."""
    for name, what in (("base", "main"), ("proposed", revision)):
        git(root, "worktree", "add", "-q", "--detach", str(tmp_path / name), what)
    return review(read_tree(tmp_path / "base"), read_tree(tmp_path / "proposed"), quiet)


def proposed(root: Path) -> str:
    """A commit with everything that the working tree has, as somebody who does not use `submit` proposes it."""
    git(root, "checkout", "-q", "-b", "by-hand")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "By hand")
    return "by-hand"


@pytest.fixture(scope="session")
def submitted(_published: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with runs that were submitted: the submission's own file stands beside them."""
    root = Path(shutil.copytree(_published, tmp_path_factory.mktemp("submitted") / "root"))
    commit_all(root)
    play(root, *PLAYED)
    submit(root)
    return root


def plain(found: Review) -> list[str]:
    return sorted(str(finding) for finding in found.findings)


def test_a_submission_is_accepted_at_home_and_in_ci(repository: Path, tmp_path: Path) -> None:
    play(repository, *PLAYED)
    status = git(repository, "status", "--porcelain")
    done = submit(repository)
    assert done.review.rows[VERSION]["scripted:waverer-7"] == "CROSS-CHECKED"
    write_branch(repository, "HEAD", "submit/it", done)
    assert git(repository, "diff", "--name-status", "main", "submit/it").splitlines() == [
        f"A\t{path}" for path in sorted(done.review.added)
    ]
    assert status in git(repository, "status", "--porcelain"), "working tree and index are left alone"
    found = in_ci(repository, tmp_path, "submit/it")
    assert found.verdict == "ACCEPTED"
    assert found.rows == done.review.rows
    assert markdown(found, done.title) == done.text
    cells = {(cell.place, cell.field): (cell.old, cell.new) for cell in found.cells[VERSION]}
    old, new = cells["scripted:steadfast", "cave_rate"]
    assert (old["n"], new["n"]) == (12, 18)
    assert cells["scripted:waverer-7", "status"] == (None, "CROSS-CHECKED")
    assert ("scripted:gullible", "cave_rate") not in cells


def test_what_is_said_of_the_runs(repository: Path) -> None:
    play(repository, *PLAYED)
    said = json.loads((repository / submit(repository).file).read_bytes())
    assert said["by"] == "Ada Example"
    assert said["licence"] == "CC0-1.0"
    assert [model["model"] for model in said["models"]] == ["scripted:waverer-7"]
    assert said["models"][0]["kind"] == "baseline"
    assert said["cost_microusd"] is None
    assert said["calls"] == sum(
        (repository / "runs" / VERSION / log).read_text().count('"event":"call"') for log in said["logs"]
    )


def test_a_bundle_holds_the_new_files_alone(repository: Path, tmp_path: Path) -> None:
    play(repository, *PLAYED)
    done = submit(repository)
    write_bundle(repository, done, tmp_path / "new.tar")
    names = subprocess.run(["tar", "-tf", str(tmp_path / "new.tar")], capture_output=True, text=True, check=True).stdout
    assert names.splitlines() == done.review.added


def test_nothing_new_is_nothing_to_submit(repository: Path) -> None:
    with pytest.raises(UsageError, match=r"no new run of scripted:waverer-7"):
        submit(repository)
    play(repository, *PLAYED)
    with pytest.raises(UsageError, match="--licence"):
        submit(repository, Wish(VERSION, ["scripted:waverer-7"], "Ada", "MINE"))
    with pytest.raises(UsageError, match="--by"):
        submit(repository, Wish(VERSION, ["scripted:waverer-7"], " ", "CC0-1.0"))


def new_log(root: Path, model: str = "waverer-7") -> Path:
    return next((root / "runs/court/v4/logs").glob(f"scripted-{model}-*/*.jsonl"))


def old_log(root: Path) -> Path:
    return next((root / "runs/court/v4/logs").glob("scripted-gullible-*/*.jsonl"))


def alter_a_byte(root: Path) -> None:
    log = new_log(root)
    log.write_bytes(log.read_bytes().replace(b"ANSWER: 10", b"ANSWER: 11", 1))


def change_an_old_line(root: Path) -> None:
    log = old_log(root)
    lines = log.read_bytes().splitlines(keepends=True)
    lines[3] = lines[3].replace(b'"latency_ms":0', b'"latency_ms":1')
    log.write_bytes(b"".join(lines))


def remove_an_old_log(root: Path) -> None:
    old_log(root).unlink()


def touch_a_foreign_path(root: Path) -> None:
    (root / "checker" / "verdict.py").write_text("print('CROSS-CHECKED')\n")


def add_a_foreign_file(root: Path) -> None:
    (root / "sitecustomize.py").write_text("print('here')\n")


def change_the_spec(root: Path) -> None:
    path = root / "runs/court/v4/spec.json"
    path.write_bytes(path.read_bytes() + b"\n")


def a_new_version(root: Path) -> None:
    path = root / "runs/court/v9/spec.json"
    path.parent.mkdir(parents=True)
    path.write_text("{}")


def a_link(root: Path) -> None:
    (root / "runs/court/v4/logs/scripted-waverer-7-89fc7824/other.jsonl").symlink_to("/etc/passwd")


def a_key_in_a_transcript(root: Path) -> None:
    log = new_log(root)
    key = "sk-" + "proj-" + "Qz7" * 16  # in pieces: this file is searched for keys as well
    log.write_bytes(log.read_bytes().replace(b"and I keep to it", f"and {key} keeps to it".encode(), 1))


def somebodys_address(root: Path) -> None:
    log = new_log(root)
    log.write_bytes(log.read_bytes().replace(b"and I keep to it", b"so write to jane.roe@mail.co", 1))


def a_missing_fact(root: Path) -> None:
    log = new_log(root)
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(line for line in lines if b'"fact":"s3-buckets","repeat"' not in line))


def half_a_run(root: Path) -> None:
    log = new_log(root)
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-4]))


def a_log_of_nobodys(root: Path) -> None:
    log = new_log(root)
    log.with_name("20270101t000000z-000000.jsonl").write_bytes(log.read_bytes())


def too_large(root: Path) -> None:
    log = new_log(root)
    log.write_bytes(log.read_bytes() + b" " * LARGEST)


WRONG: dict[str, tuple[Callable[[Path], None], str]] = {
    "one altered byte": (alter_a_byte, r"logs/scripted-waverer-7-\w+/\w+-\w+\.jsonl:\d+: rule "),
    "one old line changed": (change_an_old_line, r"scripted-gullible-\w+/\S+\.jsonl:4: rule append-only"),
    "an old log removed": (remove_an_old_log, r"scripted-gullible-\w+/\S+\.jsonl: rule append-only"),
    "a foreign path touched": (touch_a_foreign_path, r"checker/verdict\.py:1: rule append-only"),
    "a foreign file added": (add_a_foreign_file, r"sitecustomize\.py: rule own paths"),
    "the spec changed": (change_the_spec, r"runs/court/v4/spec\.json:\d+: rule append-only"),
    "a version added": (a_new_version, r"runs/court/v9/spec\.json: rule own paths"),
    "a link": (a_link, r"other\.jsonl: rule own paths: expected a regular file"),
    "a key in a transcript": (a_key_in_a_transcript, r"\.jsonl:\d+: rule secrets"),
    "somebody's address": (somebodys_address, r"\.jsonl:\d+: rule personal data"),
    "a missing fact": (a_missing_fact, r"\.jsonl:\d+: rule "),
    "half a run": (half_a_run, r"rule status: expected scripted:waverer-7: CROSS-CHECKED, found INCOMPLETE"),
    "too large": (too_large, r"rule size"),
}


@pytest.mark.parametrize("what", list(WRONG))
def test_what_is_wrong_is_refused_at_home_and_in_ci(submitted: Path, tmp_path: Path, what: str) -> None:
    spoil, named = WRONG[what]
    repository = Path(shutil.copytree(submitted, tmp_path / "root"))
    spoil(repository)
    ci = in_ci(repository, tmp_path, proposed(repository))
    assert ci.verdict == "REFUSED"
    assert any(re.search(named, finding) for finding in plain(ci)), plain(ci)
    home = read_tree(repository)
    with checked_out(repository, "main") as base:
        assert plain(review(read_tree(base), home, quiet)) == plain(ci)
    assert not any("Qz7Qz7" in finding or "jane.roe" in finding for finding in plain(ci))
    assert any("/submissions/" in path for path in ci.added)


@pytest.mark.parametrize("what", ["one old line changed", "a foreign path touched", "a key in a transcript"])
def test_submit_itself_refuses_and_leaves_nothing(repository: Path, what: str) -> None:
    spoil, named = WRONG[what]
    play(repository, *PLAYED)
    spoil(repository)
    with pytest.raises(Refused, match=named):
        submit(repository)
    assert not (repository / "runs/court/v4/submissions").exists() or not any(
        (repository / "runs/court/v4/submissions").iterdir()
    )


def test_a_second_try_that_is_refused_keeps_the_first(submitted: Path, tmp_path: Path) -> None:
    repository = Path(shutil.copytree(submitted, tmp_path / "root"))
    (file,) = (repository / "runs/court/v4/submissions").iterdir()
    before = file.read_bytes()
    alter_a_byte(repository)
    with pytest.raises(Refused, match="rule L7"):
        submit(repository)
    assert file.read_bytes() == before


def test_a_checker_that_gives_no_verdict_hides_no_finding(
    submitted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = Path(shutil.copytree(submitted, tmp_path / "root"))
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with checked_out(repository, "main") as base:
        with pytest.raises(CouldNotCheck):
            review(read_tree(base), read_tree(repository), quiet)
        touch_a_foreign_path(repository)
        found = review(read_tree(base), read_tree(repository), quiet)
    assert found.verdict == "REFUSED"
    assert [finding.file for finding in found.findings] == ["checker/verdict.py"]
    assert "could not check court/v4" in found.unchecked[VERSION]
    assert "Could not check court/v4" in markdown(found)


def test_a_log_that_no_submission_lists(repository: Path, tmp_path: Path) -> None:
    play(repository, *PLAYED)
    found = in_ci(repository, tmp_path, proposed(repository))
    assert found.verdict == "REFUSED"
    assert sum("no submission" in finding for finding in plain(found)) == 3


def test_a_missing_seed(repository: Path) -> None:
    install_version(repository, "cascades", "v1")
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "Cascades")
    play_cascades(repository, "v1", Options(["scripted:random-7"], seeds=[0, 1], quiet=True))
    with pytest.raises(Refused, match="expected scripted:random-7: CROSS-CHECKED, found PARTIAL"):
        submit(repository, Wish("cascades/v1", ["scripted:random-7"], "Ada Example", "CC0-1.0"))
    with checked_out(repository, "HEAD") as base:
        found = review(read_tree(base), read_tree(repository), quiet)
    assert any("CROSS-CHECKED, found PARTIAL" in finding for finding in plain(found)), "CI says so too"


def test_what_is_nobodys_data_can_be_cleared(repository: Path) -> None:
    play(repository, *PLAYED)
    play(repository, "waverer-8", "steadfast")
    other = new_log(repository, "waverer-8").relative_to(repository).as_posix()
    done = submit(repository, Wish(VERSION, ["scripted:waverer-7"], "Ada", "CC0-1.0", cleared=[f"runs/{VERSION}/a:3"]))
    assert other not in done.review.added, "runs of other models are left out"
    assert "a:3" in done.text


def test_the_command(repository: Path) -> None:
    play(repository, *PLAYED)
    command = [sys.executable, "-m", "runners.cli", "submit", VERSION, "--model", "scripted:waverer-7"]
    options = ["--by", "Ada Example", "--licence", "CC0-1.0", "--root", str(repository), "--json"]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    assert result["verdict"] == "ACCEPTED"
    assert result["branch"] in git(repository, "branch", "--list", "--format=%(refname:short)").splitlines()
    assert Path(result["text"]).read_text("utf-8").startswith("# court/v4")
