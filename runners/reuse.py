"""Adopts finished runs of another version of the same game: byte for byte, after an exact replay."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runners.benchmarks import benchmark
from runners.errors import LogError, ReplayMismatch, UsageError
from runners.files import write_whole
from runners.log import Log
from runners.spec import Spec, list_versions


@dataclass(frozen=True)
class Adoption:
    """What a reuse did: the logs that were adopted, and why others were not."""

    adopted: list[str]
    refused: dict[str, str]


def reuse_logs(source: Spec, target: Spec) -> Adoption:
    """Copy the logs of `source` that may stand in `target`, and list them in its REUSED.json.

    A log is adopted if it is finished, was asked with the settings that the spec freezes for its route, and replays
    exactly; it keeps every byte.

    Raises:
        UsageError: the two versions do not play the same game.
        LogError: a log of the source cannot be read.
    """
    if source.benchmark != target.benchmark:
        raise UsageError(f"{source.folder} and {target.folder} are two benchmarks")
    if (source.data["play"], source.data["files"]) != (target.data["play"], target.data["files"]):
        raise UsageError(
            f"{source.folder} and {target.folder} differ in `play` or in their files: "
            "the replies of one answer other questions than the other asks."
        )
    rules = benchmark(source.benchmark)
    path = target.folder / "REUSED.json"
    listed: dict[str, Any] = json.loads(path.read_bytes()) if path.is_file() else {}
    own = source.reused()
    adopted: list[str] = []
    refused: dict[str, str] = {}
    for log in rules.read_logs(source):
        name = log.path.relative_to(source.folder).as_posix()
        if name in listed or name in own:
            continue
        if reason := _why_not(source, target, log, target.folder / name, rules.replay):
            refused[name] = reason
            continue
        copy = target.folder / name
        write_whole(copy, log.path.read_bytes())
        listed[name] = {
            "from": f"{source.benchmark}/{source.version}",
            "sha256": hashlib.sha256(copy.read_bytes()).hexdigest(),
            "spec_sha256": source.sha256,
        }
        adopted.append(name)
    if adopted:
        write_whole(path, json.dumps(dict(sorted(listed.items())), indent=1) + "\n")
    return Adoption(adopted, refused)


def adopt_stored(root: Path, target: Spec) -> tuple[str, Adoption] | None:
    """Score stored replies under a new version that has no run yet: those of the version with the most finished logs
    among those that ask the very same. Returns which one it was; None where there is none, or runs are there already.

    Raises:
        LogError, SpecError: another version of the benchmark cannot be read.
    """
    rules = benchmark(target.benchmark)
    if any(target.logs.glob("*/*.jsonl")):
        return None
    found = []
    for name in list_versions(root):
        other, _, version = name.partition("/")
        if other == target.benchmark and version != target.version:
            source = rules.load(root, version)
            if (source.data["play"], source.data["files"]) == (target.data["play"], target.data["files"]):
                # Logs that it adopted itself are adopted from where they were played.
                own = sum(log.finished for log in rules.read_logs(source)) - len(source.reused())
                found.append((own, name, source))
    if not found or max(found, key=lambda one: one[:2])[0] <= 0:
        return None
    _, name, source = max(found, key=lambda one: one[:2])
    return name, reuse_logs(source, target)


def _why_not(source: Spec, target: Spec, log: Log, copy: Path, replay: Any) -> str | None:
    """Why a log may not be adopted, or None."""
    if not log.finished:
        return "the run is not finished"
    # A copy that is not listed yet was made by a session that ended half way: it is listed now.
    if copy.exists() and copy.read_bytes() != log.path.read_bytes():
        return f"{copy} exists and would be overwritten"
    start = log.start
    models = (start.model, *getattr(start, "attackers", ()))
    if start.source.kind == "played" and any(source.settings(name) != target.settings(name) for name in models):
        return "an amendment gives one of its models other settings in one of the two versions"
    if start.source.kind == "played" and start.settings != source.settings(start.model):
        return f"its settings are not those of {source.benchmark}/{source.version} for {start.model}"
    try:
        replay(source, log)
    except (ReplayMismatch, LogError) as error:
        return str(error)
    return None
