"""A model's page across benchmarks, the index of models, the board's own files, and the page of data."""

import csv
import hashlib
import html
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from leaderboard.files import site_files
from leaderboard.pages.data import LICENCE
from tests.site.fixture_names import EMPTY, MODELS, slug
from tests.site.pagetext import read

REPO = Path(__file__).parents[2]


def words(path: Path) -> str:
    return " ".join(" ".join(read(path).text).split())


def test_the_index_names_every_model_of_every_version_and_each_has_a_page(root: Path, built: Path) -> None:
    models = {
        row["model"]
        for board in root.glob("tables/*/*/leaderboard.json")
        for row in json.loads(board.read_text("utf-8"))["rows"]
    }
    links = read(built / "models/all/index.html").links
    assert {f"../../models/{slug(m)}/" for m in models} <= set(links)
    assert all((built / "models" / slug(m) / "index.html").is_file() for m in models)
    # The prose page on model routes stands where it stood.
    assert "Model routes" in (built / "models/index.html").read_text("utf-8")


def test_a_model_has_each_of_its_rows_with_its_version_level_page(built: Path) -> None:
    name = MODELS[0]
    page = built / "models" / slug(name) / "index.html"
    links = read(page).links
    for version in ("v1", "v2", "v3"):
        assert f"../../court/{version}/models/{slug(name)}/" in links
        back = read(built / f"court/{version}/models/{slug(name)}/index.html").links
        assert f"../../../../models/{slug(name)}/" in back
    assert "BASELINE" in words(page)
    newest = words(built / "models" / slug(EMPTY) / "index.html")
    assert "no value" in newest
    assert "0.0%" not in newest


def test_the_files_of_a_board_hold_what_it_shows(root: Path, built: Path) -> None:
    board = json.loads((root / "tables/court/v3/leaderboard.json").read_text("utf-8"))["rows"]
    frame = pl.read_parquet(built / "court/board.parquet")
    rows = json.loads((built / "court/board.json").read_text("utf-8"))["rows"]
    lines = list(csv.DictReader(io.StringIO((built / "court/board.csv").read_text("utf-8"), newline="")))
    assert frame["model"].to_list() == [r["model"] for r in rows] == [r["model"] for r in board]
    assert rows == frame.to_dicts()
    assert list(lines[0]) == frame.columns
    for source, row, line in zip(board, rows, lines, strict=True):
        rate = source["metrics"]["cave_rate"]
        assert [row[f"v3_cave_rate_{p}"] for p in ("k", "n", "value", "lo", "hi")] == list(rate.values())
        assert line["v3_cave_rate_value"] == ("" if rate["value"] is None else repr(rate["value"]))
        if source["model"] not in MODELS[:4]:
            assert row["v1_cave_rate_n"] is None
            assert line["v1_cave_rate_n"] == ""
    shown = read(built / "court/index.html").links
    assert {"../court/board.csv", "../court/board.json", "../court/board.parquet"} <= set(shown)


def test_the_page_of_data_lists_every_published_file_with_size_and_digest(root: Path, built: Path) -> None:
    page = built / "data/index.html"
    text = page.read_text("utf-8")
    links = read(page).links
    for folder in (*root.glob("tables/*/*"), *root.glob("runs/*/*/logs")):
        for path in folder.rglob("*"):
            if path.is_file():
                assert hashlib.sha256(path.read_bytes()).hexdigest() in text, path
    for link in links:
        if link.endswith((".json", ".csv", ".parquet", ".jsonl")):
            assert (built / link.removeprefix("../")).is_file()


def test_the_licence_is_that_of_the_repository(built: Path) -> None:
    assert f"license: {LICENCE}\n" in (REPO / "CITATION.cff").read_text("utf-8")
    assert f"Licence: {LICENCE}" in words(built / "data/index.html").replace(" .", ".")


def test_each_query_of_the_page_runs_as_it_stands(built: Path) -> None:
    text = (built / "data/index.html").read_text("utf-8")
    queries = [html.unescape(code) for code in re.findall(r'<pre class="query"[^>]*>(.*?)</pre>', text, re.DOTALL)]
    assert sum("import duckdb" in q for q in queries) == 2
    assert sum("import polars" in q for q in queries) == 4
    for query in queries:
        assert len(query.split("\n")) == 2
        done = subprocess.run([sys.executable, "-c", query], cwd=built, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (query, done.stderr)
        assert "model" in done.stdout


@pytest.mark.parametrize("version", ["court/v1", "court/v2", "court/v3", "cascades/v1"])
def test_the_queries_fit_the_tables_that_are_published(version: str) -> None:
    columns = set(pl.read_parquet_schema(REPO / "tables" / version / "leaderboard.parquet"))
    metric = "cave_rate" if version.startswith("court") else "adoption"
    assert {"model", f"{metric}_k", f"{metric}_n", f"{metric}_value"} <= columns


def test_without_tables_the_pages_stand_and_say_so(tmp_path: Path) -> None:
    files = {path: content.decode() for path, content in site_files(tmp_path) if path.endswith(".html")}
    assert "Nothing is published yet" in files["models/all/index.html"]
    assert "Nothing is published yet" in files["data/index.html"]
