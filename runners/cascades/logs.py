"""Where the logs of the games lie, and how they are read."""

from __future__ import annotations

from pathlib import Path

from runners.cascades.records import CASCADES
from runners.cascades.version import Cascades
from runners.errors import Finding, LogError
from runners.log import Log, read_log
from runners.slug import slug


def log_path(spec: Cascades, model: str, cell: str, seed: int, attempt: int) -> Path:
    """Where the log of a game lies (rules L1 and G1)."""
    return spec.logs / slug(model) / f"{cell}-s{seed:02d}-a{attempt}.jsonl"


def read_logs(spec: Cascades) -> list[Log]:
    """Every log of a version, sorted by path.

    Raises:
        LogError: with the findings of all logs, so that one bad file does not hide another.
    """
    logs: list[Log] = []
    reused = spec.reused()
    findings: list[Finding] = []
    for path in sorted(spec.logs.glob("*/*.jsonl")):
        try:
            name = path.relative_to(spec.folder).as_posix()
            logs.append(read_log(path, reused.get(name, spec.sha256), CASCADES))
        except LogError as error:
            findings += error.findings
    if findings:
        raise LogError(findings)
    return logs
