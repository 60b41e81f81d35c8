"""The self-test names everything that can be named, says so the same way twice, and can fail."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from checker.selftest.operators.every import BY_NAME, OPERATORS, of
from checker.selftest.operators.operator import BOTH

REPO = Path(__file__).resolve().parents[2]
PAGE = REPO / "site" / "docs" / "reference" / "self-test.md"


def self_test(out: Path, *arguments: str, package: Path = REPO, seconds: int = 1800) -> tuple[int, dict[str, Any], str]:
    """Run `--self-test` of the checker in `package`: its exit code, self-test.json and what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "checker", "--self-test", "--out", str(out), *arguments], cwd=package, text=True,
        capture_output=True, env=os.environ | {"PYTHONPATH": str(package)}, timeout=seconds, check=False,
    )  # fmt: skip
    path = out / "self-test.json"
    assert path.is_file(), done.stderr
    return done.returncode, json.loads(path.read_text()), done.stdout


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, dict[str, Any], str]:
    """A small run over both benchmarks: one alteration of nearly every operator."""
    return self_test(tmp_path_factory.mktemp("quick"), "--seed", "1", "--alterations", "120")


def everything_named(document: dict[str, Any], made: int) -> None:
    """All that can be detected was named, and all forgeries by the anchor alone."""
    assert [report["benchmark"] for report in document["benchmarks"]] == list(BOTH)
    for report in document["benchmarks"]:
        left = {row["operator"]: row["survivors"] for row in report["operators"] if row["survivors"]}
        assert not left
        assert report["detectable"]["made"] == report["detectable"]["named"] == made
        forged = report["need_anchor"]
        assert forged["made"] == forged["named"] > 0 and forged["named_without"] == 0


@pytest.mark.slow
def test_120_alterations_of_each_benchmark_are_named(quick: tuple[int, dict[str, Any], str]) -> None:
    code, document, printed = quick
    everything_named(document, 120)
    assert code == 0
    assert "court: 120 of 120 alterations named (100.00%)" in printed


@pytest.mark.long
def test_1000_alterations_of_each_benchmark_are_named(tmp_path: Path) -> None:
    code, document, _ = self_test(tmp_path, "--seed", "2", "--alterations", "1000")
    everything_named(document, 1000)
    assert code == 0


@pytest.mark.slow
def test_two_runs_say_the_same(quick: tuple[int, dict[str, Any], str], tmp_path: Path) -> None:
    """All but the time that it took; one benchmark alone gives what it gives beside the other."""
    _, document, _ = self_test(tmp_path, "--seed", "1", "--alterations", "120", "--benchmark", "court")
    both = quick[1]
    assert document["benchmarks"] == both["benchmarks"][:1]
    assert document.keys() == both.keys()
    assert all(document[key] == both[key] for key in document if key not in ("benchmarks", "machine"))


@pytest.mark.slow
def test_a_checker_without_a_rule_has_survivors(tmp_path: Path) -> None:
    """The score can fail: of a checker that asks nothing of the board's marks, false marks survive, and nothing else
    does."""
    shutil.copytree(REPO / "checker", tmp_path / "checker", ignore=shutil.ignore_patterns("__pycache__"))
    query = tmp_path / "checker" / "must_be_empty" / "cascades" / "G8_marks.sql"
    text = query.read_text()
    assert "WHERE verified IS DISTINCT FROM expected" in text
    query.write_text(text.replace("WHERE verified IS DISTINCT FROM expected", "WHERE false"))
    code, document, printed = self_test(tmp_path, "--alterations", "60", "--benchmark", "cascades", package=tmp_path)
    rows = {row["operator"]: row for row in document["benchmarks"][0]["operators"]}
    survivors = {name: len(row["survivors"]) for name, row in rows.items() if row["survivors"]}
    assert code == 1
    assert survivors == {"mark-unverified-verified": rows["mark-unverified-verified"]["made"]}
    assert "SURVIVED: --self-test --seed 1 --reproduce cascades:mark-unverified-verified:0" in printed


# --- one copy to look at ---------------------------------------------------------------------------------------------


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "checker", *arguments],
        cwd=REPO,
        text=True,
        capture_output=True,
        timeout=300,
        check=False,
    )


@pytest.fixture(scope="module")
def forged(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A version with a forged verdict, and the anchor of the good one."""
    folder = tmp_path_factory.mktemp("forged") / "copy"
    done = run("--self-test", "--reproduce", "court:forge-a-verdict:0", "--keep", str(folder))
    assert done.returncode == 0, done.stderr
    anchor = re.search(r"--manifest-sha256 (court/[a-z]+=[0-9a-f]{64})", done.stdout)
    assert anchor is not None, done.stdout
    return folder, anchor[1]


@pytest.mark.slow
def test_a_whole_forgery_is_named_by_the_anchor_alone(forged: tuple[Path, str]) -> None:
    folder, anchor = forged
    name = anchor.partition("=")[0]
    assert run(name, "--root", str(folder)).returncode == 0
    done = run(name, "--root", str(folder), "--manifest-sha256", anchor, "--json")
    document = json.loads(done.stdout)
    counted = [finding for finding in document["mismatches"] if finding["side"] != "imported"]
    assert done.returncode == 1
    assert [(f["rule"], f["file"], f["side"]) for f in counted] == [
        ("ANCHOR", f"tables/{name}/MANIFEST.json", "published")
    ]
    assert {row["status"] for row in document["rows"]} == {document["status"]} == {"MISMATCH"}


@pytest.mark.slow
def test_the_right_anchor_changes_nothing(forged: tuple[Path, str], tmp_path: Path) -> None:
    """Given in a file of lines, and in capitals, as some programs print digests."""
    folder, anchor = forged
    name = anchor.partition("=")[0]
    digest = hashlib.sha256((folder / "tables" / name / "MANIFEST.json").read_bytes()).hexdigest()
    (tmp_path / "anchors.txt").write_text(f"# from the citation\n\n{name}={digest.upper()}\n")
    done = run(name, "--root", str(folder), "--manifest-sha256", str(tmp_path / "anchors.txt"))
    assert done.returncode == 0 and "ANCHOR" not in done.stdout


@pytest.mark.parametrize(
    ("anchor", "says"),
    [
        ("court/played", "neither a digest nor a file"),
        ("court/played=12ab", "64 hexadecimal digits"),
        ("played=" + "0" * 64, "BENCHMARK/VERSION=HEX"),
        ("court/played=" + "0" * 64, "two digests for court/played"),
        ("court/other=" + "0" * 64, "court/other is not among the versions that are checked"),
    ],
)  # fmt: skip
@pytest.mark.slow
def test_an_anchor_that_cannot_be_used_is_refused(forged: tuple[Path, str], anchor: str, says: str) -> None:
    folder, _ = forged
    # Beside a good one: one that cannot be used is enough.
    done = run("court/played", "--root", str(folder), "--manifest-sha256", "court/played=" + "1" * 64,
               "--manifest-sha256", anchor)  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("--reproduce", "court:no-such-operator:0", "--keep", "x"),
        ("--reproduce", "court:raise-a-score:0", "--keep", "x"),
        ("--reproduce", "court:flip-a-byte:-1", "--keep", "x"), ("--reproduce", "court:flip-a-byte:0"),
        ("--alterations", "0"),
        ("--alterations", "3", "court/v3"),
        ("--alterations", "3", "--json"),
    ],
)  # fmt: skip
def test_what_cannot_be_run_is_2(arguments: tuple[str, ...]) -> None:
    done = run("--self-test", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "the self-test could not run" in done.stderr


@pytest.mark.parametrize(
    "arguments", [("--reproduce", "court:flip-a-byte:0"), ("--keep", "x"), ("--benchmark", "court")]
)
def test_options_of_the_self_test_are_not_left_aside(arguments: tuple[str, ...]) -> None:
    done = run("--root", "tests", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "only with --self-test" in done.stderr


# --- the page --------------------------------------------------------------------------------------------------------


def test_operators_have_names_of_their_own_and_each_benchmark_has_thirty() -> None:
    assert len(BY_NAME) == len(OPERATORS)
    for benchmark in BOTH:
        assert sum(not operator.anchor for operator in of(benchmark)) >= 30


def test_the_page_names_exactly_the_operators() -> None:
    def row(name: str) -> list[str]:
        operator = BY_NAME[name]
        where = "both" if operator.benchmarks == BOTH else operator.benchmarks[0]
        return [f"`{name}`", where, operator.changes, operator.mends, operator.about]

    plain, anchored = PAGE.read_text().split("## What needs the anchor")
    for text, anchor in ((plain.split("## Operators")[1], False), (anchored, True)):
        found = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| `")]
        assert found == [row(operator.name) for operator in OPERATORS if operator.anchor is anchor]


def fields(heading: str) -> list[str]:
    """The keys of the table behind a line of the page."""
    table = PAGE.read_text().split(heading)[1].split("| --- |", 1)[1].split("\n\n")[0]
    return re.findall(r"`([a-z_]+)`", " ".join(line.split("|")[1] for line in table.splitlines()[1:]))


@pytest.mark.slow
def test_the_page_names_exactly_the_fields(quick: tuple[int, dict[str, Any], str]) -> None:
    _, document, _ = quick
    report = document["benchmarks"][0]
    row = report["operators"][0]
    assert fields("the same bytes but for `machine`") == list(document)
    assert fields("\nA benchmark:") == list(report)
    assert sorted(fields("\nAn operator:")) == sorted(row)
    sentence = PAGE.read_text().split("\nAn alteration: ")[1].split("\n\n")[0]
    assert re.findall(r"`([a-z_]+)` \(", sentence) == list(row["example"])
