"""What a benchmark brings to the site: words, a reader of its own tables, and its own pages."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from leaderboard.pages.common import Site
from leaderboard.render import Page
from leaderboard.shapes import About, Version

File = tuple[str, bytes]
Made = Page | File
"""A page that is still to be rendered, or a file as it is."""


@dataclass(frozen=True, slots=True)
class Source:
    """A version's folder and tables as they were read, with the fields that every `Version` has."""

    fields: dict[str, Any]
    folder: Path
    board: dict[str, Any]
    board_path: Path
    checked: dict[str, Any] | None
    checked_path: Path


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark with pages. `files` is only ever given what `load` made."""

    about: About
    load: Callable[[Source], Version]
    files: Callable[[Site, Any], Iterator[Made]]
