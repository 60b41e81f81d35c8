"""One altered copy on disk, its check, and whether the alteration was named."""

from __future__ import annotations

import traceback
from dataclasses import dataclass, field
from typing import Any, Final

from checker import anchors
from checker.report import exit_code
from checker.selftest.operators.every import BY_NAME
from checker.selftest.operators.operator import BARE, PUBLISHED, Change, Operator
from checker.selftest.publish import check, publish
from checker.selftest.world import Disk, Files, World, sha256

#: Rules that look at several logs at once: where several are altered in one copy, theirs is no proof.
BETWEEN_LOGS: Final = frozenset({"P8", "G1"})
#: The anchor's rule, and what stands in a rule's place where the documents let the checker end with 2.
ANCHOR: Final = "ANCHOR"
REFUSED: Final = "(could not check)"
Finding = dict[str, Any]


@dataclass(frozen=True)
class Alteration:
    """A numbered alteration of the operator `name`; `world` is the place of its version among the good ones."""

    name: str
    number: int
    world: int
    change: Change

    @property
    def operator(self) -> Operator:
        """Its operator: a function, which does not travel between processes."""
        return BY_NAME[self.name]


@dataclass
class Seen:
    """What the check of an altered copy said."""

    code: int
    findings: list[Finding] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    crash: str | None = None


@dataclass
class Result:
    """What came of one alteration: the rules that named it, with the anchor alone if it needs one; and whether one of
    them named the very line.  Without rules it survived."""

    rules: list[str]
    at_line: bool
    code: int
    crash: str | None = None


def mended(world: World, mends: str, changes: list[Change]) -> Files:
    """The files of one copy with all these changes, and what the forger mends."""
    files: Files = {}
    for change in changes:
        for path, content in change.files.items():
            files[path] = merged(world, path, files[path], content) if path in files else content
    return files if mends == BARE else world.reused(files) if mends == PUBLISHED else world.signed(files)


def merged(world: World, path: str, one: Any, two: Any) -> bytes:
    """A file with the altered line of each of two contents."""
    lines = zip(*(data.split(b"\n") for data in (world.files[path], one, two)), strict=True)
    return b"\n".join(b if b != a else c for a, b, c in lines)


def look(disk: Disk, world: World, mends: str, changes: list[Change], anchor: bool = False) -> Seen:
    """Put an altered copy on disk, check it, and put everything back."""
    files = mended(world, mends, changes)
    try:
        disk.put(files)
        if mends == PUBLISHED:
            publish(disk, world)
        outcome = check(disk.root, world)
        document = outcome.crosscheck
        if anchor:
            anchors.apply(document, disk.root, sha256(world.files[f"{world.tables}/MANIFEST.json"]))
        return Seen(exit_code(document, outcome.troubles), document["mismatches"], outcome.troubles)
    except Exception as error:  # noqa: BLE001  a checker that crashes has named nothing: that is a survivor
        return Seen(2, crash="".join(traceback.format_exception_only(error)).strip())
    finally:
        disk.restore([*files, *world.below(world.tables)])


def judge(alteration: Alteration, seen: Seen, alone: bool) -> Result:
    """Whether the findings name the alteration: its own file (and its line, where others share the file), or, in a copy
    of its own, what depends on it."""
    change, operator = alteration.change, alteration.operator
    counted = [finding for finding in seen.findings if finding["side"] != "imported"]
    if operator.anchor:  # any finding but the anchor's own is a rule that can name it after all
        named = counted
    elif alone:
        paths = tuple(change.files)
        named = [f for f in counted if _is_in(f, paths) or f["file"].startswith((*change.also, "\0"))]
    else:
        any_line = not change.lines or operator.changes == "log" or operator.mends == BARE
        named = [f for f in counted if _is_in(f, (change.file,)) and f["rule"] not in BETWEEN_LOGS
                 and (any_line or f["line"] in change.lines)]  # fmt: skip
    rules = {finding["rule"] for finding in named}
    refused = seen.code == 2 and operator.refusal
    if refused and any(path in text for path in change.files for text in seen.troubles):
        rules.add(REFUSED)
    if not (seen.code == 1 or refused):
        rules.clear()
    at_line = any(f["line"] in change.lines and f["file"] == change.file for f in named)
    return Result(sorted(rules), bool(rules) and at_line, seen.code, seen.crash)


def _is_in(finding: Finding, paths: tuple[str, ...]) -> bool:
    """Whether a finding is about one of the files; MANIFEST.json names them in its fields."""
    return finding["file"] in paths or any(f"[{path}]" in finding["field"] for path in paths)


def one(disk: Disk, world: World, alteration: Alteration) -> Result:
    """The result of an alteration in a copy of its own."""
    operator = alteration.operator
    return judge(alteration, look(disk, world, operator.mends, [alteration.change], operator.anchor), alone=True)


def several(disk: Disk, world: World, some: list[Alteration]) -> list[Result]:
    """The results of alterations that share a copy.  Those that are not named there share another one, as long as
    others are, and else get a copy of their own; so do forgeries that something named without the anchor."""
    if len(some) == 1:
        return [one(disk, world, some[0])]
    operator = some[0].operator
    seen = look(disk, world, operator.mends, [alteration.change for alteration in some], operator.anchor)
    results = [judge(alteration, seen, alone=False) for alteration in some]
    sure = [result.rules == [ANCHOR] if operator.anchor else bool(result.rules) for result in results]
    left = [alteration for alteration, is_sure in zip(some, sure, strict=True) if not is_sure]
    if len(left) < len(some):
        again = several(disk, world, left) if left else []
    else:
        again = [one(disk, world, alteration) for alteration in left]
    rest = iter(again)
    return [result if is_sure else next(rest) for result, is_sure in zip(results, sure, strict=True)]
