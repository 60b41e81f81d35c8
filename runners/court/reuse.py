"""Adopts finished runs of another version: byte for byte, only after every prompt has been rebuilt exactly (P5)."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

from runners.court.game import Duel, Turn, messages
from runners.court.plan import read_logs, reused_specs
from runners.court.scoring import facts_of
from runners.court.version import Court
from runners.errors import UsageError
from runners.log import Log
from runners.records import Call, DuelKey


def reuse_logs(source: Court, target: Court) -> list[str]:
    """Copy the finished logs of `source` into `target` and list them in REUSED.json; returns the new paths.

    Raises:
        UsageError: the two versions do not play the same game, a log does not replay, or a run is there already
            with other bytes.
    """
    if (source.benchmark, source.data["play"], source.data["files"]) != (
        target.benchmark,
        target.data["play"],
        target.data["files"],
    ):
        raise UsageError(
            f"{source.folder} and {target.folder} differ in `play` or in their files: "
            "the replies of one answer other questions than the other asks."
        )
    listed: dict[str, Any] = {}
    reused = target.folder / "REUSED.json"
    if reused.is_file():
        listed = json.loads(reused.read_bytes())
    own = reused_specs(source)
    adopted = []
    for log in read_logs(source):
        name = log.path.relative_to(source.folder).as_posix()
        copy = target.folder / name
        if not log.finished or name in own or name in listed:
            continue
        if copy.exists():
            raise UsageError(f"{copy} exists and is not listed in {reused}; it would be overwritten")
        check_replay(source, log)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(log.path, copy)
        entry = {"from": f"{source.benchmark}/{source.version}", "sha256": _sha256(copy), "spec_sha256": source.sha256}
        listed[name] = entry
        adopted.append(name)
    if adopted:
        reused.write_text(json.dumps(dict(sorted(listed.items())), indent=1) + "\n", "utf-8")
    return adopted


def check_replay(spec: Court, log: Log) -> None:
    """Rebuild every prompt of a played log from the spec and the earlier replies.

    Raises:
        UsageError: a prompt in the log is not the one that the spec gives; names the line.
    """
    facts = facts_of(spec, log)
    duels: dict[DuelKey, Duel] = {}
    for line in log.lines:
        event = line.event
        if not isinstance(event, Call):
            continue
        key = DuelKey.of(event)
        duel = duels.setdefault(key, Duel(key, facts[key.fact]))
        if log.start.source.kind == "played":
            sent = messages(spec, duel, event.turn)
            if (sent[0].content, sent[-1].content) != (event.system, event.user):
                raise UsageError(f"{log.path}:{line.seq + 1}: rule P5: the prompt is not the one that the spec gives")
        duel.turns[event.turn] = Turn(event.user, event.text)


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
