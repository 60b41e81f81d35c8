"""Where the logs of a tournament lie, and how they are read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from runners.court.version import Court
from runners.errors import LogError
from runners.log import Log, read_log
from runners.slug import slug

NONE: Mapping[Path, Log] = {}


def log_path(spec: Court, model: str, run: str) -> Path:
    """Where the log of a run lies (rule L1)."""
    return spec.logs / slug(model) / f"{run}.jsonl"


def read_logs(spec: Court, in_memory: Mapping[Path, Log] = NONE) -> list[Log]:
    """Every log of a version, sorted by path; those `in_memory` are not read again.

    Raises:
        LogError: with the findings of all logs, so that one bad file does not hide another.
    """
    logs: list[Log] = []
    findings = []
    reused = spec.reused()
    for path in sorted(spec.logs.glob("*/*.jsonl")):
        if path in in_memory:
            logs.append(in_memory[path])
            continue
        name = path.relative_to(spec.folder).as_posix()
        try:
            logs.append(read_log(path, reused.get(name, spec.sha256)))
        except LogError as error:
            findings += error.findings
    if findings:
        raise LogError(findings)
    return logs
