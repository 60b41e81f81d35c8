"""Citation files and data set descriptions, read by their formats' own tools (make formats installs those)."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import unavailable
from tests.site.conftest import serving

ROOT = Path(__file__).resolve().parent.parent
PYTHON = ROOT / ".venv" / "formats" / "bin" / "python"
ROWS = (None, "local:smollm2-135m", "scripted:null")

pytestmark = pytest.mark.long


def said(kind: str, place: str) -> Any:
    """What the tool for that kind of file reads in it; it fails where the file is not valid."""
    if not PYTHON.is_file():
        unavailable("the tools of the citation formats are not installed: make formats")
    command = [str(PYTHON), str(ROOT / "tests/formats/validate.py"), kind, place]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


def cite(folder: Path, style: str, row: str | None) -> Path:
    path = folder / f"cite.{style}"
    words = ["cite", "court/v4", "--format", style, "--root", str(ROOT), *(["--row", row] if row else [])]
    done = subprocess.run(
        [str(ROOT / ".venv/bin/python"), "-m", "runners.cli", *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    path.write_text(done.stdout, "utf-8")
    return path


@pytest.mark.parametrize("row", ROWS)
def test_bibtex(tmp_path: Path, row: str | None) -> None:
    (entry,) = said("bibtex", str(cite(tmp_path, "bibtex", row)))
    assert entry["ENTRYTYPE"] == "misc"
    assert entry["title"] == f"{{Court of Facts v4{f': {row}' if row else ''}}}"
    assert "root digest sha256:" in entry["note"]
    assert set(entry) >= {"author", "year", "month", "url", "version"}


@pytest.mark.parametrize("row", ROWS)
def test_ris(tmp_path: Path, row: str | None) -> None:
    (entry,) = said("ris", str(cite(tmp_path, "ris", row)))
    assert entry["type_of_reference"] == "DATA"
    assert entry["title"] == f"Court of Facts v4{f': {row}' if row else ''}"
    assert entry["authors"] == ["The Countersign authors"]


@pytest.mark.parametrize("row", ROWS)
def test_cff(tmp_path: Path, row: str | None) -> None:
    zenodo = said("cff", str(cite(tmp_path, "cff", row)))
    assert zenodo["title"] == f"Court of Facts v4{f': {row}' if row else ''}"


def test_the_projects_citation_and_zenodo_file() -> None:
    """cffconvert makes of CITATION.cff what .zenodo.json says, field by field."""
    zenodo = said("cff", str(ROOT / "CITATION.cff"))
    own = json.loads((ROOT / ".zenodo.json").read_text("utf-8"))
    for key in ("title", "creators", "version", "publication_date", "keywords", "description"):
        assert zenodo[key] == own[key], key
    assert zenodo["license"]["id"].lower() == own["license"]


def test_croissant(tmp_path: Path) -> None:
    """mlcroissant finds nothing wrong, and loads the rows that are published."""
    if not PYTHON.is_file():
        unavailable("the tools of the citation formats are not installed: make formats")
    out = tmp_path / "html"
    out.mkdir()
    with serving(out) as address:
        environment = {**os.environ, "COUNTERSIGN_SITE_URL": address}
        command = [str(ROOT / ".venv/bin/python"), "-m", "runners.cli", "site", "--root", str(ROOT), "--out", str(out)]
        subprocess.run(command, env=environment, check=True, capture_output=True, cwd=ROOT)
        for name in ("court/v4", "court/v1", "cascades/v1"):
            found = said("croissant", f"{address}{name}/croissant.json")
            assert (found["errors"], found["warnings"]) == ([], []), name
            rows = json.loads((ROOT / "tables" / name / "leaderboard.json").read_bytes())["rows"]
            assert [row["model"] for row in found["rows"]] == [row["model"] for row in rows]
            assert [row["runs"] for row in found["rows"]] == [row["runs"] for row in rows]
