"""The check page says how good the checker is, and whether that was this checker."""

from __future__ import annotations

from pathlib import Path

import pytest

from leaderboard.errors import SiteError
from leaderboard.files import site_files
from leaderboard.selftest import self_tests
from tests.site.fixture_selftest import DOCUMENT, write


def test_the_score_is_read_by_benchmark(tmp_path: Path) -> None:
    assert self_tests(tmp_path) == {}
    write(tmp_path, DOCUMENT)
    found = self_tests(tmp_path)["court"]
    assert (found.made, found.named, found.anchored_named, found.operators[0].rules) == (
        1200,
        1199,
        10,
        (("M1", 1000), ("L7", 199)),
    )


def test_a_file_of_another_shape_is_named(tmp_path: Path) -> None:
    write(tmp_path, DOCUMENT | {"benchmarks": [{"benchmark": "court"}]})
    with pytest.raises(SiteError, match=r"self-test\.json"):
        self_tests(tmp_path)


def check_page(root: Path) -> str:
    """The check page of the first published version of Court of Facts."""
    pages = dict(site_files(root))
    return next(pages[path].decode() for path in sorted(pages) if path.startswith("court/") and "/check/" in path)


def test_the_check_page_says_the_score_and_whose_it_is(root: Path, tmp_path: Path) -> None:
    page = check_page(root)
    assert "1,200 copies" in page
    assert "named 1,199 of them" in page
    assert "99.9%" in page
    assert "not those that made this report" not in page


def test_a_score_of_another_checker_is_said_to_be_one(root: Path, tmp_path: Path) -> None:
    (tmp_path / "runs").symlink_to(root / "runs")
    (tmp_path / "tables").mkdir()
    for folder in (root / "tables").iterdir():
        if folder.is_dir():
            (tmp_path / "tables" / folder.name).symlink_to(folder)
    write(tmp_path, DOCUMENT | {"checker": {"files": {"checker/check.py": "d" * 64}, "versions": {}}})
    assert "not those that made this report" in check_page(tmp_path)
