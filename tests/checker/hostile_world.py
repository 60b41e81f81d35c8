"""Many small logs of one version, each altered in its own way, and one check of them all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from checker_logs import Log, Version
from checker_world import FACTS, A, check, rechain, rewrite

from checker.check import Outcome

#: bytes of a line -> bytes in its place.
Edit = Callable[[bytes], bytes]


def replaced(old: bytes, new: bytes) -> Edit:
    def edit(line: bytes) -> bytes:
        assert old in line, (old, line)
        return line.replace(old, new, 1)

    return edit


def defender(version: Version, name: str, run: str = "run-1") -> Log:
    """A Defender's finished log of two duels: line 1 start, 2 to 4 and 5 to 7 calls, 8 finish."""
    log = Log(version, name, [A], run=run, facts=FACTS)
    log.duel(A, FACTS[0], ["ANSWER: 10", "It is 20 — é.", "ANSWER: 30"])
    log.duel(A, FACTS[1], ["ANSWER: 10000", "It is 100,000.", "ANSWER: 100,000"])
    log.finish()
    return log


class Crowd:
    """Defenders m00, m01, … of one version."""

    def __init__(self, root: Path, number: int) -> None:
        self.version = Version(root)
        self.logs = [defender(self.version, f"scripted:m{i:02}") for i in range(number)]

    def write(self) -> None:
        for log in self.logs:
            log.write()

    def edit(self, number: int, line: int, edit: Edit) -> None:
        """Alter one line of one log, and mend its chain as a forger would."""
        rewrite(self.logs[number].path, line, edit)
        rechain(self.logs[number].path, self.version.spec_bytes)

    def check(self) -> Outcome:
        """The check against a builder.json that agrees: only what is wrong with the logs can differ."""
        first = check(self.version.root)
        if first.checked is not None:
            self.version.tables.mkdir(parents=True, exist_ok=True)
            (self.version.tables / "builder.json").write_bytes(first.checked.encode("utf-8", "backslashreplace"))
        return check(self.version.root)


def about(outcome: Outcome, path: Path, root: Path) -> list[dict[str, Any]]:
    """The findings about one file."""
    name = path.relative_to(root).as_posix()
    return [finding for finding in outcome.crosscheck["mismatches"] if finding["file"] == name]


def is_whole(finding: dict[str, Any]) -> bool:
    """Whether a finding says where, which rule, what was expected, what was found, and what to do (a key may be "")."""
    return all(finding[key] for key in ("file", "rule", "expected", "found", "fix", "side"))


def statuses(outcome: Outcome) -> dict[str, str]:
    return {row["model"]: row["status"] for row in outcome.crosscheck["rows"]}


@contextlib.contextmanager
def ordinary_user() -> Iterator[None]:
    """Root may read everything; without its rights a file can be closed."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
