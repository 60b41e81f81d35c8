"""What a submission may touch: files of its own, in a version that is there; nothing that is there may change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from runners import strict
from runners.errors import Finding
from runners.release.submission import FOLDER, NAME
from runners.release.trees import Tree, first_difference

LARGEST = 5 * 2**20
"""Bytes of one file in git; a larger log goes into a store."""
_LOG = re.compile(r"runs/([a-z0-9.-]+/[a-z0-9.-]+)/logs/([a-z0-9-]+)/([A-Za-z0-9.-]+)\.jsonl", re.ASCII)
_SUBMISSION = re.compile(rf"runs/([a-z0-9.-]+/[a-z0-9.-]+)/{FOLDER}/([^/]+)", re.ASCII)
_LONGER = re.compile(r"runs/([a-z0-9.-]+/[a-z0-9.-]+)/(AMENDMENTS\.json|AMENDMENTS\.md|REUSED\.json)", re.ASCII)
APPEND_ONLY = "Put the file back as it is in the base; what is published never changes."
OWN = (
    "Leave it out: a submission adds runs/BENCHMARK/VERSION/logs/MODEL/RUN.jsonl and submissions/NAME.json, and no "
    "more. Tables are made when it is accepted."
)


@dataclass(frozen=True)
class Change:
    """A file that a submission adds, or makes longer, in a version."""

    path: str
    version: str
    kind: str
    """`log`, `submission` or `longer`."""


def changes(base: Tree, proposed: Tree) -> tuple[list[Change], list[Finding]]:
    """What is proposed and may be, and a finding for everything else that differs from the base."""
    wanted: list[Change] = []
    findings: list[Finding] = []
    for path in sorted({*base.files, *proposed.files}):
        if base.same(path, proposed):
            continue
        change = _change(path, base)
        if path not in proposed.files:
            findings.append(Finding(path, None, "append-only", "the file of the base", "no such file", APPEND_ONLY))
        elif proposed.files[path] is None:
            findings.append(Finding(path, None, "own paths", "a regular file", "a link or a device", OWN))
        elif path in base.files:
            if change is not None and change.kind == "longer" and _continues(base, proposed, path):
                wanted.append(change)
            else:
                findings.append(_changed(base, proposed, path))
        elif change is None or change.version is None:
            findings.append(Finding(path, None, "own paths", "a log or a submission of a version", "another file", OWN))
        else:
            findings += _too_large(path, proposed.files[path] or 0)
            wanted.append(change)
    return wanted, findings


def is_log(path: str, version: str | None = None) -> bool:
    """Whether a log, of that version if one is given, lies there."""
    found = _LOG.fullmatch(path)
    return found is not None and version in (None, found[1])


def is_submission(path: str) -> bool:
    """Whether a submission's own file lies there."""
    return _SUBMISSION.fullmatch(path) is not None


def _change(path: str, base: Tree) -> Change | None:
    for kind, pattern in (("log", _LOG), ("submission", _SUBMISSION), ("longer", _LONGER)):
        found = pattern.fullmatch(path)
        if found and f"runs/{found[1]}/spec.json" in base.files and (kind != "submission" or NAME.fullmatch(found[2])):
            return Change(path, found[1], kind)
    return None


def _changed(base: Tree, proposed: Tree, path: str) -> Finding:
    old, new = (tree.root.joinpath(path).read_bytes() for tree in (base, proposed))
    line = first_difference(old, new)
    return Finding(path, line, "append-only", "the line of the base", "another line", APPEND_ONLY)


def _continues(base: Tree, proposed: Tree, path: str) -> bool:
    """Whether the new list begins with the old one, the new object holds the old one, the new text the old one."""
    old, new = (tree.root.joinpath(path).read_bytes() for tree in (base, proposed))
    if path.endswith(".md"):
        return new.startswith(old)
    try:
        before, after = strict.loads(old), strict.loads(new)
    except ValueError:
        return False
    if isinstance(before, list):
        return isinstance(after, list) and after[: len(before)] == before
    return isinstance(after, dict) and before.items() <= after.items()


def _too_large(path: str, size: int) -> Iterator[Finding]:
    if size > LARGEST:
        fix = "Play in smaller runs, or ask for a store: countersign push."
        yield Finding(path, None, "size", f"at most {LARGEST:,} bytes", f"{size:,} bytes", fix)
