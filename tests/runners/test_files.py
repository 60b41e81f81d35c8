"""A file is there whole or not at all, whatever ends the program."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path

import pytest

from runners import files
from runners.files import write_whole
from runners.money import load_prices
from runners.spec import install_prices, install_version


def test_what_stood_there_stays_where_the_disk_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    write_whole(tmp_path / "a.json", "old")
    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(tmp_path / "a.json", "new")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a.json": "old"}


def _killed_at_the_first_write(root: Path) -> None:
    files.os.fsync = lambda _: os._exit(9)  # type: ignore[attr-defined]
    install_version(root, "court", "v3")
    install_prices(root)


def _killed_at_the_first_price(root: Path) -> None:
    files.os.fsync = lambda _: os._exit(9)  # type: ignore[attr-defined]
    install_prices(root)


def test_a_kill_while_shipped_files_are_copied_leaves_no_part_of_one(tmp_path: Path) -> None:
    fork = multiprocessing.get_context("fork")
    for body in (_killed_at_the_first_write, _killed_at_the_first_price):
        child = fork.Process(target=body, args=(tmp_path,))
        child.start()
        child.join()
        assert child.exitcode == 9
    assert not list(tmp_path.rglob("*.json"))
    install_version(tmp_path, "court", "v3")
    install_prices(tmp_path)
    assert load_prices(tmp_path)
    assert (tmp_path / "runs/court/v3/spec.json").is_file()


def test_the_permissions_are_those_of_any_new_file(tmp_path: Path) -> None:
    write_whole(tmp_path / "whole", "x")
    (tmp_path / "plain").write_text("x", "utf-8")
    assert (tmp_path / "whole").stat().st_mode == (tmp_path / "plain").stat().st_mode
