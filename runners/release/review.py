"""`countersign review`: the verdict over proposed runs, the same for a submitter and in CI (reads as its steps).

The code that runs is the one that is installed; of what is proposed only data are read, and only files that a
submission may add reach the checker.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from runners import secrets
from runners.errors import CheckFailed, CouldNotCheck, Finding, LogError, SpecError
from runners.files import write_whole
from runners.personal import find_personal
from runners.publish import publish
from runners.release.cells import Cell, changed_cells
from runners.release.complete import incomplete
from runners.release.manifest import digests
from runners.release.policy import Change, changes
from runners.release.submission import Submission, read_submission
from runners.release.trees import Tree

CHECKED = "CROSS-CHECKED"


@dataclass
class Review:
    """What was found, for each version that the proposal adds to."""

    findings: list[Finding] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    cells: dict[str, list[Cell]] = field(default_factory=dict)
    rows: dict[str, dict[str, str]] = field(default_factory=dict)
    """Version -> model -> status."""
    submissions: dict[str, Submission] = field(default_factory=dict)
    """Path -> what is said of the runs."""
    unchecked: dict[str, str] = field(default_factory=dict)
    """Version -> why the checker gave no verdict."""

    @property
    def accepted(self) -> bool:
        """Whether something is proposed and nothing speaks against it."""
        return bool(self.added) and not self.findings

    @property
    def verdict(self) -> str:
        """In a word."""
        return "ACCEPTED" if self.accepted else "REFUSED" if self.findings else "NOTHING PROPOSED"


def review(base: Tree, proposed: Tree, say: Callable[[str], None]) -> Review:
    """Review what `proposed` has beyond `base`.

    Raises:
        CouldNotCheck: the checker gave no verdict, and nothing else speaks against it: neither accepted nor refused.
    """
    found = Review()
    say("paths")
    wanted, found.findings = changes(base, proposed)
    found.added = [change.path for change in wanted]
    say("secrets and personal data")
    _read_submissions(proposed, wanted, found)
    _look_for_secrets(proposed, wanted, found)
    for version in sorted({change.version for change in wanted}):
        own = [change for change in wanted if change.version == version]
        say(version)
        try:
            _check(base, proposed, version, own, found, say)
        except CouldNotCheck as error:
            found.unchecked[version] = str(error)
    if found.unchecked and not found.findings:
        raise CouldNotCheck("\n".join(found.unchecked.values()))
    return found


def _read_submissions(proposed: Tree, wanted: list[Change], found: Review) -> None:
    """Each new log belongs to one submission, with its very bytes; each submission's logs are there."""
    owners: Counter[str] = Counter()
    stated: dict[str, tuple[str, str]] = {}
    for change in wanted:
        if change.kind != "submission":
            continue
        try:
            submission = read_submission(proposed.root / change.path)
            if f"{submission.benchmark}/{submission.version}" != change.version:
                raise SpecError(f"{change.path}: it is of {submission.benchmark}/{submission.version}")
        except SpecError as error:
            found.findings.append(Finding(change.path, None, "submission", "a submission", str(error), _AGAIN))
            continue
        found.submissions[change.path] = submission
        for log, digest in submission.logs.items():
            path = f"runs/{change.version}/{log}"
            owners[path] += 1
            stated[path] = change.path, digest
    logs = [change.path for change in wanted if change.kind == "log"]
    for path in logs:
        if owners[path] != 1:
            there = f"{owners[path]} submissions" if owners[path] else "no submission"
            found.findings.append(Finding(path, None, "submission", "one submission that lists it", there, _AGAIN))
    for path, (where, digest) in stated.items():
        real = digests(proposed.root, [path])[path] if path in logs else "no new log"
        if real != digest:
            found.findings.append(Finding(path, None, "submission", f"{digest}, as {where} has it", real, _AGAIN))


_AGAIN = "Run countersign submit again."


def _look_for_secrets(proposed: Tree, wanted: list[Change], found: Review) -> None:
    paths = [change.path for change in wanted]
    try:
        secrets.gate(proposed.root, [Path(path) for path in paths])
    except LogError as error:
        found.findings += error.findings
    cleared = [
        f"runs/{s.benchmark}/{s.version}/{place}" for s in found.submissions.values() for place in s.cleared
    ]  # fmt: skip
    found.findings += find_personal(proposed.root, paths, cleared)


def _check(
    base: Tree, proposed: Tree, version: str, own: list[Change], found: Review, say: Callable[[str], None]
) -> None:
    with TemporaryDirectory() as folder:
        merged = Path(folder)
        for path in base.files:
            if _is_input(path, version):
                (merged / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(base.root / path, merged / path)
        for change in own:
            write_whole(merged / change.path, (proposed.root / change.path).read_bytes())
        benchmark, _, name = version.partition("/")
        try:
            publish(merged, benchmark, name, say)
        except CheckFailed:
            pass  # its report is read below
        except LogError as error:
            known = {str(finding) for finding in found.findings}
            named = [_below(finding, merged) for finding in error.findings]
            found.findings += [finding for finding in named if str(finding) not in known]
            return
        except SpecError as error:
            found.findings.append(
                Finding(f"runs/{version}", None, "spec", "a version that can be read", str(error), "")
            )
            return
        report = json.loads((merged / "tables" / version / "crosscheck.json").read_bytes())
        found.findings += [_of_checker(mismatch) for mismatch in report["mismatches"]]
        found.rows[version] = {row["model"]: row["status"] for row in report["rows"]}
        found.findings += _unfit(base.root, version, found)
        found.findings += incomplete(merged, version, _models(found, version))
        board = f"tables/{version}/leaderboard.json"
        found.cells[version] = changed_cells(base.root / board, merged / board)


def _is_input(path: str, version: str) -> bool:
    """Whether the version's numbers can depend on the file: its own, price tables, specs that logs were made under."""
    own = tuple(f"{tree}/" for tree in (f"runs/{version}", f"tables/{version}", "runs/prices"))
    return path.startswith(own) or (path.startswith("runs/") and path.endswith("/spec.json"))


def _models(found: Review, version: str) -> set[str]:
    return {
        name
        for submission in found.submissions.values()
        if f"{submission.benchmark}/{submission.version}" == version
        for name in submission.names
    }


def _unfit(base: Path, version: str, found: Review) -> Iterator[Finding]:
    """A row that is new, or the submission's, and not whole and checked; and any other that is worse than it was."""
    before: Mapping[str, str] = {}
    path = base / "tables" / version / "crosscheck.json"
    if path.is_file():
        before = {row["model"]: row["status"] for row in json.loads(path.read_bytes())["rows"]}
    own = _models(found, version)
    for model, status in found.rows[version].items():
        if (model in own or model not in before) and status != CHECKED:
            yield Finding(f"runs/{version}", None, "status", f"{model}: {CHECKED}", status, _FIX.get(status, _MEND))
        elif model not in own and status not in (before.get(model), CHECKED):
            yield Finding(f"runs/{version}", None, "status", f"{model}: {before[model]}, as it was", status, _MEND)
    for model in own - found.rows[version].keys():
        yield Finding(f"runs/{version}", None, "status", f"{model}: a row", "no run of it", "Play it first.")


_MEND = "Mend what the findings of the checker name."
_FIX = {
    "INCOMPLETE": "Play what is missing: the same countersign play goes on where it stopped.",
    "PARTIAL": "Play every seed that the version has: a row of fewer seeds cannot be compared.",
    "CHECKED NOT SANDBOXED": "Check where a sandbox can be had: Linux with user namespaces (the page Verify).",
}


def _below(finding: Finding, merged: Path) -> Finding:
    file = Path(finding.file)
    inside = file.is_absolute() and file.is_relative_to(merged)
    name = file.relative_to(merged).as_posix() if inside else finding.file
    return Finding(name, finding.line, finding.rule, finding.expected, finding.found, finding.fix)


def _of_checker(mismatch: Mapping[str, Any]) -> Finding:
    expected, there = (
        value if isinstance(value := mismatch[key], str) else json.dumps(value) for key in ("expected", "found")
    )
    what = f"{mismatch['field']}: {expected}" if mismatch["field"] else expected
    return Finding(mismatch["file"], mismatch["line"], mismatch["rule"], what, there, mismatch.get("fix") or "")
