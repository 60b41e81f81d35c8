"""The report: the same bytes for the same input, shapes that a schema states, an answer that is believed only where its
evidence bears it, and texts of the data that stay texts in every form."""

from __future__ import annotations

import base64
import copy
import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from checker_logs import REPO
from checker_world import SANDBOX, A, B, World, check, code

from checker import cli, sandbox
from checker.annotations import commands
from checker.check import check_version
from checker.findings import PER_RULE, Findings
from checker.identity import identity
from checker.page import page, summary
from checker.report import BadAnswer, json_text, lines, plain, validate

PAGE = REPO / "site" / "docs" / "reference" / "check-report.md"
HOSTILE = (
    "::error ::x ##[add-mask]y\n::stop-commands::t\r<script>alert(1)</script><img src=x onerror=y>|`**\x1b[31m‮%0A\u2028"
)


def schema(name: str) -> Any:
    return json.loads((REPO / "checker" / "schemas" / f"{name}.schema.json").read_text())


def answer(root: Path, sandbox: dict[str, Any] = SANDBOX) -> dict[str, Any]:
    """What the checking process says of the version, as JSON carries it."""
    outcome = check_version(root, "court", "v3", sandbox, identity())
    said = {
        "crosscheck": outcome.crosscheck, "troubles": outcome.troubles, "checked": outcome.checked, "run": outcome.run,
    }  # fmt: skip
    found: dict[str, Any] = json.loads(json.dumps(said))
    return found


@pytest.fixture(scope="module")
def sound(template: Path) -> dict[str, Any]:
    return answer(template)


@pytest.fixture
def wrong(built: World) -> dict[str, Any]:
    """The answer for a builder.json with one wrong number of bob."""
    path = built.version.tables / "builder.json"
    path.write_text(path.read_text().replace('"third_answers":1', '"third_answers":0', 1))
    return answer(built.root)


# --- the same input gives the same bytes ------------------------------------------------------------------------------

PROGRAM = """
import json, os, sys
from pathlib import Path
from checker import engine
threads, backwards = int(sys.argv[2]), sys.argv[3] == "backwards"
engine._SETTINGS["threads"] = threads
walk, listdir, scandir = os.walk, os.listdir, os.scandir
def turned(*arguments, **options):
    for place, folders, names in walk(*arguments, **options):
        names.reverse()
        folders.reverse()
        yield place, folders, names
if backwards:
    os.walk = turned
    os.listdir = lambda *a: listdir(*a)[::-1]
from checker.check import check_version
SANDBOX = {"name": "none", "why": "a test", "probes": []}
outcome = check_version(Path(sys.argv[1]), "court", "v3", SANDBOX, {})
outcome.run.pop("machine")
print(json.dumps([outcome.crosscheck, outcome.run, outcome.troubles, outcome.checked]))
"""


def test_the_same_input_gives_the_same_bytes(published: World) -> None:
    """Whatever the hash seed, the number of threads, the order of folders, the locale and the time zone."""
    (published.version.runs / "stray.txt").write_text("x")
    lines = published.bob.path.read_bytes().split(b"\n")
    lines[1], lines[2] = lines[2], lines[1]
    published.bob.path.write_bytes(b"\n".join(lines))
    builder = published.version.tables / "builder.json"
    builder.write_text(builder.read_text().replace('"n":2', '"n":3'))
    said = set()
    for seed, threads, order, zone, language in (
        ("0", 1, "forwards", "UTC", "C.UTF-8"),
        ("1", 2, "backwards", "Asia/Kathmandu", "C"),
        ("4711", 2, "forwards", "America/St_Johns", "tr_TR.UTF-8"),
    ):
        place = {"PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": language, "LANG": language, "PYTHONPATH": str(REPO)}
        command = [sys.executable, "-c", PROGRAM, str(published.root), str(threads), order]
        done = subprocess.run(command, env=os.environ | place, capture_output=True, text=True, check=True, cwd="/")
        said.add(done.stdout)
    assert len(said) == 1
    document = json.loads(said.pop())[0]
    assert {f["side"] for f in document["mismatches"]} == {
        "builder",
        "log",
        "published",
    }  # there was much to put in order


def test_only_machine_differs_between_two_runs(template: Path) -> None:
    first, second = check(template), check(template)
    assert first.crosscheck == second.crosscheck and first.checked == second.checked
    machines = [outcome.run.pop("machine") for outcome in (first, second)]
    assert first.run == second.run and machines[0] != machines[1]
    assert list(machines[0]["seconds"]) == ["read", "ingest", "derive", "assert", "compare"]
    assert 50_000_000 < machines[0]["peak_memory_bytes"] < 2_000_000_000  # bytes, not kilobytes


def test_each_file_is_counted(template: Path) -> None:
    files = {Path(f["file"]).name: f for f in check(template).run["files"]}
    assert set(files) == {p.name for p in (template / "tables" / "court" / "v3").iterdir()}
    assert all(f["compared"] == f["equal"] > 0 and not f["broken"] for f in files.values()), files
    cells = 2 * len((template / "tables" / "court" / "v3" / "leaderboard.csv").read_text().splitlines()[0].split(","))
    assert files["leaderboard.csv"]["compared"] == files["leaderboard.parquet"]["compared"] == cells


# --- shapes -----------------------------------------------------------------------------------------------------------


def test_reports_fit_their_schemas(sound: dict[str, Any], wrong: dict[str, Any], world: World) -> None:
    nothing = answer(world.root)  # no log yet: COULD NOT CHECK
    assert nothing["crosscheck"]["status"] == "COULD NOT CHECK"
    for said in (sound, wrong, nothing):
        for name in ("crosscheck", "run"):
            jsonschema.Draft202012Validator(schema(name)).validate(said[name])
        validate(said, "court", "v3", identity())


@pytest.mark.parametrize("version", ["court/v1", "court/v2", "court/v3", "cascades/v1"])
def test_published_verdicts_fit_the_schema(version: str) -> None:
    """What was published before a key came has not that key; all else fits."""
    document = json.loads((REPO / "tables" / version / "crosscheck.json").read_text())
    jsonschema.Draft202012Validator(schema("crosscheck")).validate({"invariants": []} | document)


def test_the_page_names_every_field() -> None:
    """The tables of check-report.md have the keys of the schemas, in their order."""
    text = PAGE.read_text()
    for heading, found in (
        ("## `crosscheck.json`", schema("crosscheck")),
        ("A finding:", schema("crosscheck")["properties"]["mismatches"]["items"]),
        ("## `run.json`", schema("run")),
    ):
        table = text.split(f"\n{heading}\n\n")[1].split("\n\n")[0].splitlines()[2:]
        names = [name for line in table for name in re.findall(r"`(\w+)`", line.split("|")[1])]
        assert names == list(found["properties"]) == found["required"], heading


def test_a_schema_refuses(sound: dict[str, Any]) -> None:
    for key in ("digest", "sandbox", "invariants"):
        damaged = {name: value for name, value in sound["crosscheck"].items() if name != key}
        assert not jsonschema.Draft202012Validator(schema("crosscheck")).is_valid(damaged)
    assert not jsonschema.Draft202012Validator(schema("run")).is_valid(sound["run"] | {"at": "2026"})


# --- findings ---------------------------------------------------------------------------------------------------------


def test_many_faults_of_one_model_hide_no_other() -> None:
    """Beyond the bound each model still has a finding, so that its row cannot pass."""
    findings = Findings()
    for number in range(PER_RULE + 5):
        findings.add("f", "R20", "builder", f"field {number}", "1", "2", "mend", model=A)
    findings.add("f", "R20", "builder", "last", "1", "2", "mend", model=B)
    findings.add("f", "L1", "log", "other", "1", "2", "mend")
    found = findings.all()
    assert len(found) == PER_RULE + 3
    more = {(f.model, f.found) for f in found if f.field == "(more)"}
    assert more == {(A, "5 more of this rule in this file"), (B, "1 more of this rule in this file")}


def test_one_bad_file_hides_no_other(published: World) -> None:
    tables = published.version.tables
    for name in ("builder.json", "leaderboard.json", "leaderboard.csv", "leaderboard.parquet", "checked.json"):
        (tables / name).write_bytes(b"\xff{")
    outcome = check(published.root)
    broken = {Path(f["file"]).name for f in outcome.crosscheck["mismatches"] if f["field"] == "(file)"}
    assert broken == {"builder.json", "leaderboard.json", "leaderboard.csv", "leaderboard.parquet", "checked.json"}
    assert code(outcome) == 1 and {r["status"] for r in outcome.crosscheck["rows"]} == {"MISMATCH"}


# --- what the parent believes -----------------------------------------------------------------------------------------


def into(*path: str | int, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(said: dict[str, Any]) -> None:
        place: Any = said
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value

    return change


LIES = {
    "another key": into("more", value=1),
    "no run": lambda said: said.pop("run"),
    "a key of a row more": into("crosscheck", "rows", 0, "more", value=1),
    "another version": into("crosscheck", "version", value="v2"),
    "another checker": into("crosscheck", "checker", value={}),
    "no digest": into("crosscheck", "digest", value=None),
    "a digest that is none": into("crosscheck", "digest", value="x"),
    "an input elsewhere": into("crosscheck", "inputs", value={"/etc/passwd": "0" * 64}),
    "an input without digest": into("crosscheck", "inputs", "runs/court/v3/spec.json", value="x"),
    "a truth value as count": into("crosscheck", "rows", 0, "compared", value=True),
    "less than nothing": into("crosscheck", "rows", 0, "equal", value=-1),
    "unequal fields": into("crosscheck", "rows", 0, "equal", value=1),
    "more equal than compared": into("crosscheck", "totals", "equal", value=10**6),
    "fewer in all than in rows": into("crosscheck", "totals", value={"compared": 1, "equal": 1}),
    "nothing compared": into(
        "crosscheck", "rows", 0, value={"model": A, "status": "CROSS-CHECKED", "compared": 0, "equal": 0}
    ),
    "a row worse than the whole": into("crosscheck", "rows", 0, "status", value="MISMATCH"),
    "a row better than it can be": into("crosscheck", "rows", 0, "status", value="PASSED"),
    "no rows": into("crosscheck", "rows", value=[]),
    "a mismatch without finding": into("crosscheck", "status", value="MISMATCH"),
    "a trouble and passed": into("troubles", value=["the disk is gone"]),
    "no trouble and could not": into("crosscheck", "status", value="COULD NOT CHECK"),
    "an empty trouble": into("troubles", value=[""]),
    "a broken invariant": into("crosscheck", "invariants", 0, "broken", value=1),
    "no invariant": into("crosscheck", "invariants", value=[]),
    "more broken than looked at": into("crosscheck", "invariants", 0, "looked_at", value=-1),
    "no probes": into("crosscheck", "sandbox", "probes", value=[]),
    "an open probe": into("crosscheck", "sandbox", "probes", 0, "found", value="connected"),
    "an open probe that is ok": into(
        "crosscheck", "sandbox", "probes",
        value=[{"probe": "p", "expected": "connected", "found": "connected", "ok": True}],
    ),
    "no sandbox": into("crosscheck", "sandbox", value={"name": "none", "why": "none here", "probes": []}),
    "an unknown sandbox": into("crosscheck", "sandbox", "name", value="trust me"),
    "a tail that is none": into("crosscheck", "tails", value=[{"file": "f", "line": "\x1b[31m", "bytes": 1}]),
    "half a character": into("crosscheck", "rows", 0, "model", value="\ud800"),
    "not a number": into("run", "machine", "seconds", "read", value=float("nan")),
    "a run of another version": into("run", "version", value="v2"),
    "checked.json of another version": into(
        "checked", value='{\n"benchmark":"court",\n"version":"v2",\n"spec_sha256":"x",\n"digest":"x",\n}\n'
    ),
    "no checked.json": into("checked", value=None),
}  # fmt: skip


@pytest.mark.parametrize("name", LIES)
def test_an_answer_is_believed_only_with_its_evidence(sound: dict[str, Any], name: str) -> None:
    said = copy.deepcopy(sound)
    validate(said, "court", "v3", identity(), write=True)
    LIES[name](said)
    with pytest.raises(BadAnswer):
        validate(said, "court", "v3", identity(), write=True)


def test_a_finding_is_believed_only_in_its_bounds(wrong: dict[str, Any]) -> None:
    validate(wrong, "court", "v3", identity(), write=True)
    for change in (
        into("crosscheck", "mismatches", 0, "side", value="nobody"),
        into("crosscheck", "mismatches", 0, "line", value=0),
        into("crosscheck", "mismatches", 0, "found", value="x" * 201),
        into("crosscheck", "mismatches", 0, "rule", value="<b>"),
        into("crosscheck", "mismatches", 0, "fix", value=""),
        into("crosscheck", "mismatches", value=wrong["crosscheck"]["mismatches"] * 2),
        into("crosscheck", "rows", 1, "status", value="CROSS-CHECKED"),
        into("crosscheck", "mismatches", 0, "model", value=A),
        into("crosscheck", "mismatches", 0, "side", value="imported"),
    ):
        said = copy.deepcopy(wrong)
        change(said)
        with pytest.raises(BadAnswer):
            validate(said, "court", "v3", identity(), write=True)
    with pytest.raises(BadAnswer):
        validate(wrong, "court", "v3", identity(), write=False)


# --- forms ------------------------------------------------------------------------------------------------------------


def hostile() -> dict[str, Any]:
    """A document every text of which tries to be more than a text."""
    finding = {
        "file": "runs/" + HOSTILE, "line": 7, "model": HOSTILE, "run": HOSTILE, "field": HOSTILE, "expected": HOSTILE,
        "found": HOSTILE, "rule": "R20", "side": "builder", "fix": HOSTILE,
    }  # fmt: skip
    return {
        "benchmark": "court", "version": HOSTILE, "digest": None, "status": "MISMATCH",
        "rows": [{"model": HOSTILE, "status": "MISMATCH", "compared": 2, "equal": 1}],
        "totals": {"compared": 2, "equal": 1}, "mismatches": [finding, finding | {"side": "imported"}],
        "inputs": {HOSTILE: "0" * 64}, "tails": [{"file": HOSTILE, "line": 1, "bytes": 1}],
        "checker": {"files": {HOSTILE: "0" * 64}, "versions": {"python": HOSTILE}},
        "sandbox": {"name": "none", "why": HOSTILE, "probes": []},
        "invariants": [{"rule": "I1", "text": HOSTILE, "looked_at": 1, "broken": 0}],
    }  # fmt: skip


class Elements(HTMLParser):
    """The tags, attributes and texts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_the_page_has_no_script_and_asks_nobody() -> None:
    text = page([(hostile(), [HOSTILE])])
    found = Elements(text)
    assert not found.tags & {"script", "img", "link", "iframe", "a", "form", "object", "base"}
    assert {name for name, _ in found.attributes} <= {
        "lang", "charset", "http-equiv", "content", "name", "class", "scope", "colspan"
    }  # fmt: skip
    policy = next(value for name, value in found.attributes if name == "content" and value and "default-src" in value)
    style = text.split("<style>")[1].split("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{digest}'") and "unsafe" not in policy
    assert "light dark" in style and not set(text) & {"\x1b", "‮", "\u2028", "\r"}
    assert any("<script>alert(1)</script>" in shown for shown in found.texts)  # shown, as text


def test_the_page_says_everything(wrong: dict[str, Any]) -> None:
    document = wrong["crosscheck"]
    shown = " ".join(Elements(page([(document, [])])).texts)
    (finding,) = document["mismatches"]
    for text in (
        "court/v3", "MISMATCH", A, B, finding["file"], str(finding["line"]), finding["rule"], finding["field"],
        finding["expected"], finding["found"], finding["fix"], document["invariants"][3]["text"],
        document["sandbox"]["probes"][0]["probe"], document["inputs"]["runs/court/v3/spec.json"],
        document["checker"]["versions"]["duckdb"], document["checker"]["files"]["checker/page.py"],
    ):  # fmt: skip
        assert text in shown, text


def test_text_of_the_data_gives_no_command() -> None:
    """GitHub's runner obeys lines that begin with `::` behind spaces, and `##[` anywhere in a line."""
    document = hostile()
    for line in [*lines(document, [HOSTILE]), plain(HOSTILE)]:
        assert "\n" not in line and "\r" not in line and "::" not in line and "##[" not in line, line
    for line in commands([(document, [HOSTILE])], "data/"):
        match = re.fullmatch(r"::error ([^:\n\r]*)::([^\n\r]*)", line)
        assert match, line
        properties = dict(part.split("=", 1) for part in match[1].split(","))
        assert set(properties) <= {"file", "line", "title"}, properties
        assert "file" not in properties or properties["file"].startswith("data/runs/")


def test_at_most_ten_annotations(wrong: dict[str, Any]) -> None:
    document = copy.deepcopy(wrong["crosscheck"])
    assert len(list(commands([(document, [])]))) == 1
    document["mismatches"] *= 12
    found = list(commands([(document, []), (document, [])]))
    assert len(found) == 10 and all(line.startswith("::error ") for line in found)
    assert found[0].startswith("::error file=tables/court/v3/builder.json,line=14,title=R20 rows[scripted%3Abob]")
    assert found[-1] == "::error title=Countersign::24 in all, 15 of them not shown here"


def test_the_summary_is_html_blocks_without_blank_lines() -> None:
    text = summary([(hostile(), [HOSTILE])])
    for block in text.strip().split("\n\n"):
        assert block.startswith(("<h3>", "<p>", "<table>")) and block.endswith(("</h3>", "</p>", "</table>")), block
    assert "<script" not in text and "R20" in text


def test_json_escapes_what_does_not_print() -> None:
    value = {"é": HOSTILE + "\x9b\ud7ff"}
    text = json_text(value)
    assert json.loads(text) == value and "é" in text and text.replace("\n", "").isprintable()


def test_the_command_writes_every_form(
    sound: dict[str, Any],
    template: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sandbox, "run", lambda request: [copy.deepcopy(sound)])
    (tmp_path / "summary.md").write_text("before\n")
    options = ["--out", str(tmp_path / "out"), "--html", str(tmp_path / "report.html"), "--annotations", "--summary"]
    assert cli.main(["court/v3", "--root", str(template), *options, str(tmp_path / "summary.md")]) == 0
    folder = tmp_path / "out" / "court" / "v3"
    assert {path.name for path in folder.iterdir()} == {"checked.json", "crosscheck.json", "run.json"}
    assert json.loads((folder / "crosscheck.json").read_text()) == sound["crosscheck"]
    assert json.loads((folder / "run.json").read_text()) == sound["run"]
    assert (tmp_path / "report.html").read_text().startswith("<!doctype html>")
    assert (tmp_path / "summary.md").read_text().startswith("before\n<h3>court/v3: CROSS-CHECKED</h3>")
    assert capsys.readouterr().out.splitlines()[-1].startswith("::notice title=Countersign court/v3::CROSS-CHECKED: ")


def test_nothing_is_written_of_an_answer_that_lies(
    sound: dict[str, Any],
    template: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = copy.deepcopy(sound)
    said["crosscheck"]["rows"][0]["status"] = "MISMATCH"
    monkeypatch.setattr(sandbox, "run", lambda request: [said])
    options = ["--out", str(tmp_path / "out"), "--html", str(tmp_path / "report.html"), "--annotations"]
    assert cli.main(["court/v3", "--root", str(template), *options]) == 2
    assert not list(tmp_path.rglob("*.json")) and not (tmp_path / "report.html").exists()
    out, err = capsys.readouterr()
    assert (
        out.startswith("::error title=Countersign could not check::")
        and out.count("\n") == 1
        and "could not check" in err
    )
