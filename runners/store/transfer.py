"""Many files at once: what was done, what was there, what failed; one failure hides no other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Literal

from runners.errors import CountersignError

Outcome = Literal["done", "already"]


@dataclass
class Transfer:
    """Paths by outcome; `failed` says why."""

    version: str
    root: str
    done: list[str] = field(default_factory=list)
    already: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    bytes: int = 0

    def run(self, files: Mapping[str, str], each: Callable[[str, str], tuple[Outcome, int]], at_once: int) -> None:
        """Do `each(path, digest)` for all files, `at_once` at a time; it gives the outcome and the bytes moved."""
        with ThreadPoolExecutor(max_workers=at_once) as pool:
            tasks = {path: pool.submit(each, path, digest) for path, digest in files.items()}
            for path, task in tasks.items():
                try:
                    outcome, moved = task.result()
                except (CountersignError, OSError) as error:
                    self.failed[path] = str(error)
                    continue
                (self.done if outcome == "done" else self.already).append(path)
                self.bytes += moved


def one_of_each(files: Mapping[str, str]) -> dict[str, list[str]]:
    """Digest -> the paths that have it: the same bytes are one object."""
    found: dict[str, list[str]] = {}
    for path, digest in files.items():
        found.setdefault(digest, []).append(path)
    return found
