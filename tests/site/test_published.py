"""No page is made from a file that was not published as it is now."""

from pathlib import Path

import pytest

from leaderboard.build import build_site
from leaderboard.errors import SiteError
from leaderboard.files import site_files
from leaderboard.load import load_versions
from tests.site import fixture

SECRET = "sk-planted-0123456789abcdef"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return fixture.make_root(tmp_path / "root")


def log_of(root: Path, version: str = "court/v3") -> Path:
    return next((root / "runs" / version / "logs").glob("scripted-*/*.jsonl"))


@pytest.mark.parametrize("version", ["court/v3", "cascades/v1"])
def test_a_secret_planted_after_publishing_reaches_no_page(own: Path, tmp_path: Path, version: str) -> None:
    log = log_of(own, version)
    log.write_text(log.read_text("utf-8").replace("ANSWER", SECRET, 1).replace("submission", SECRET, 1), "utf-8")
    out = tmp_path / "out"
    with pytest.raises(SiteError) as refused:
        build_site(own, out)
    said = str(refused.value)
    assert str(log) in said
    assert f"countersign publish {version}" in said
    assert not any(SECRET.encode() in page.read_bytes() for page in out.rglob("*") if page.is_file())


def test_a_log_that_changes_while_the_site_is_built_is_refused(own: Path) -> None:
    version = next(v for v in load_versions(own) if (v.benchmark, v.name) == ("court", "v3"))
    version.logs[0].path.write_text(SECRET, "utf-8")
    with pytest.raises(SiteError, match="countersign publish court/v3"):
        version.logs[0].read()
    files = site_files(own)
    with pytest.raises(SiteError, match="countersign publish court/v3"):
        list(files)


def test_a_log_that_the_manifest_does_not_name_is_refused(own: Path) -> None:
    extra = log_of(own).with_name("unpublished.jsonl")
    extra.write_text('{"event":"start"}\n', "utf-8")
    with pytest.raises(SiteError, match=r"unpublished\.jsonl: expected a file that MANIFEST\.json digests"):
        load_versions(own)


def test_every_file_that_differs_is_named_at_once(own: Path) -> None:
    log, board, checked = log_of(own), *(own / "tables/court/v3" / n for n in ("leaderboard.json", "checked.json"))
    log.unlink()
    board.write_text(board.read_text("utf-8").replace("CROSS-CHECKED", "PARTIAL", 1), "utf-8")
    checked.write_text(checked.read_text("utf-8") + "\n", "utf-8")
    with pytest.raises(SiteError) as refused:
        load_versions(own)
    said = str(refused.value)
    assert all(str(path) in said for path in (log, board, checked))
    assert "found no such file" in said
    assert said.endswith("countersign publish court/v3")


def test_without_a_manifest_a_version_is_not_published(own: Path) -> None:
    (own / "tables/court/v3/MANIFEST.json").unlink()
    files = dict(site_files(own))
    assert b"Nothing is published of this version yet" in files["court/v3/index.html"]
    assert not any(p.startswith(("court/v3/transcripts", "court/v3/logs", "court/v3/models")) for p in files)
    # The board falls back to the newest version that is published.
    assert b"Order: v2." in files["court/index.html"]
