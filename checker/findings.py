"""What the checker found wrong, one record a place, collected before anything fails."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Final, Literal

Side = Literal["builder", "published", "imported", "log", "spec"]
SIDES: Final = ("builder", "published", "imported", "log", "spec")

#: Findings of one rule in one file beyond this number are counted, not listed: one broken file hides no other.
PER_RULE: Final = 50
#: Longest `expected` or `found` that is shown, in characters.
SHOWN: Final = 200
#: Longest path that is shown: no system has a longer one.
PATH: Final = 4096


@dataclass(frozen=True)
class Finding:
    """One difference (tables.md, `mismatches`).  `file` is relative to the root; `line` counts from 1."""

    file: str
    line: int | None
    model: str | None
    run: str | None
    field: str
    expected: str
    found: str
    rule: str
    side: Side
    fix: str

    def order(self) -> tuple[str | int, ...]:
        """Sort key over every field: the same findings always come in the same order."""
        return (
            self.file, self.line or 0, self.rule, self.field, self.expected, self.found, self.model or "",
            self.run or "", self.side, self.fix,
        )  # fmt: skip

    def as_dict(self) -> dict[str, object]:
        """The element of `mismatches` in crosscheck.json."""
        return asdict(self)


def show(value: object) -> str:
    """A value as JSON text, shortened to SHOWN characters; what JSON has no word for stands as Python shows it."""
    return clip(json.dumps(value, ensure_ascii=False, default=repr))


def clip(text: str, most: int = SHOWN) -> str:
    """Plain text, shortened to `most` characters; what UTF-8 cannot write (a strange file name) is escaped."""
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= most else text[: most - 1] + "…"


class Findings:
    """A growing list of findings, with a bound for each (file, rule, side)."""

    def __init__(self) -> None:
        self._listed: list[Finding] = []
        self._count: Counter[tuple[str, str, Side]] = Counter()
        #: What is not listed, by model too: a row is judged by its own findings, listed or not.
        self._more: Counter[tuple[str, str, Side, str | None]] = Counter()
        self._last: dict[tuple[str, str, Side, str | None], Finding] = {}

    def add(
        self, file: str, rule: str, side: Side, field: str, expected: str, found: str, fix: str,
        line: int | None = None, model: str | None = None, run: str | None = None,
    ) -> None:  # fmt: skip
        """Record one finding; beyond PER_RULE in one file only their number is kept."""
        file = clip(file, PATH)
        finding = Finding(file, line, model, run, clip(field), clip(expected), clip(found), rule, side, fix)
        self._count[file, rule, side] += 1
        if self._count[file, rule, side] <= PER_RULE:
            self._listed.append(finding)
        else:
            self._more[file, rule, side, model] += 1
            self._last[file, rule, side, model] = finding

    def all(self) -> list[Finding]:
        """Every finding in order, each once; what was not listed is summed up in one finding a model."""
        rest = [
            Finding(
                file, None, model, last.run, "(more)", "no further finding",
                f"{self._more[file, rule, side, model]} more of this rule in this file", rule, side, last.fix,
            )
            for (file, rule, side, model), last in self._last.items()
        ]  # fmt: skip
        return sorted(set(self._listed + rest), key=Finding.order)
