"""A build that stands is left alone only while neither what it was made from nor a byte of it has changed."""

from pathlib import Path

import pytest

from leaderboard import stamp
from leaderboard.build import build_site


@pytest.fixture
def built(tmp_path: Path) -> tuple[Path, Path, Path]:
    root, repo, out = tmp_path / "root", tmp_path / "repo", tmp_path / "out"
    for path in (root / "runs/court/v1/spec.json", root / "tables/x.json", repo / "site/docs/a.md", out / "index.html"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("1", "utf-8")
    (repo / "mkdocs.yml").write_text("a: 1", "utf-8")
    stamp.write(root, repo, out)
    return root, repo, out


def test_a_build_that_stands_is_not_made_again(built: tuple[Path, Path, Path]) -> None:
    assert stamp.is_fresh(*built)
    _, _, out = built
    before = (out / "index.html").stat()
    # The repository of this fixture could not be built: that nothing fails shows that nothing is made.
    assert build_site(built[0], out, built[1]) == out / "index.html"
    assert (out / "index.html").stat() == before


@pytest.mark.parametrize(
    "place",
    ["root/runs/court/v1/spec.json", "root/tables/x.json", "repo/site/docs/a.md", "repo/mkdocs.yml", "out/index.html"],
)
def test_any_changed_byte_makes_it_stale(built: tuple[Path, Path, Path], tmp_path: Path, place: str) -> None:
    (tmp_path / place).write_text("2", "utf-8")
    assert not stamp.is_fresh(*built)


@pytest.mark.parametrize("place", ["root/tables/new.json", "out/new.html", "repo/site/theme/new.css"])
def test_a_new_file_makes_it_stale(built: tuple[Path, Path, Path], tmp_path: Path, place: str) -> None:
    (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / place).write_text("", "utf-8")
    assert not stamp.is_fresh(*built)


def test_a_removed_file_or_no_stamp_makes_it_stale(built: tuple[Path, Path, Path]) -> None:
    root, repo, out = built
    (root / "tables/x.json").unlink()
    assert not stamp.is_fresh(*built)
    (root / "tables/x.json").write_text("1", "utf-8")
    assert stamp.is_fresh(*built)
    (out / stamp.FILE).unlink()
    assert not stamp.is_fresh(root, repo, out)
