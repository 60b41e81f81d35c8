"""tables/self-test.json: how many altered copies the checker was given, and how many it named."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from leaderboard.reading import fits, optional, read_json

FILE = "self-test.json"


@dataclass(frozen=True, slots=True)
class Operator:
    """One way to alter a good version, and what came of it."""

    name: str
    about: str
    changes: str
    needs_anchor: bool
    made: int
    named: int
    at_line: int
    rules: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class SelfTest:
    """The score of one benchmark; forgeries that only a frozen manifest's digest can tell are counted apart."""

    seed: int
    made: int
    named: int
    at_line: int
    anchored_made: int
    anchored_named: int
    operators: tuple[Operator, ...]
    checker_files: dict[str, str]
    checker_versions: dict[str, str | None]


def self_tests(root: Path) -> dict[str, SelfTest]:
    """Read the self-test of each benchmark; none where it was never run.

    Raises SiteError where the file is not what reference/self-test.md says.
    """
    path = root / "tables" / FILE
    document = optional(path, read_json)
    return fits(path, lambda: _read(document)) if document else {}


def _read(document: dict[str, Any]) -> dict[str, SelfTest]:
    return {
        found["benchmark"]: SelfTest(
            document["seed"],
            found["detectable"]["made"],
            found["detectable"]["named"],
            found["detectable"]["at_line"],
            found["need_anchor"]["made"],
            found["need_anchor"]["named"],
            tuple(
                Operator(
                    o["operator"], o["about"], o["changes"], o["needs_anchor"], o["made"], o["named"], o["at_line"],
                    tuple(o["rules"].items()),
                )
                for o in found["operators"]
            ),
            document["checker"]["files"],
            document["checker"]["versions"],
        )
        for found in document["benchmarks"]
    }  # fmt: skip
