"""Writes what was asked for: each file encoded whole before it is opened, so that none is left half written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from checker.annotations import Checked
from checker.page import page, summary
from checker.report import json_text


def write_tables(folder: Path, document: dict[str, Any], checked: str | None, run: dict[str, Any]) -> None:
    """crosscheck.json, run.json and checked.json of one version into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "crosscheck.json", json_text(document) + "\n")
    _write(folder / "run.json", json_text(run) + "\n")
    if checked is not None:
        _write(folder / "checked.json", checked)


def write_page(path: Path, checked: list[Checked]) -> None:
    """The readable report of all versions."""
    _write(path, page(checked))


def add_summary(path: Path, checked: list[Checked]) -> None:
    """Append to a file that other steps may have written to, as GitHub wants it."""
    with path.open("ab") as file:
        file.write(summary(checked).encode())


def folder_of(root: Path) -> str:
    """How annotations lead from the current folder to the root of the data: empty, or ending in `/`."""
    relative = Path(os.path.relpath(root)).as_posix()
    return "" if relative == "." else relative + "/"


def _write(path: Path, text: str) -> None:
    path.write_bytes(text.encode())
