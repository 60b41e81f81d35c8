"""Replays every log of a version, by its own benchmark's rules."""

from __future__ import annotations

from pathlib import Path

from runners.benchmarks import benchmark
from runners.errors import UsageError


def replay_version(root: Path, name: str, version: str, run: str | None) -> dict[str, int]:
    """Replay the logs of a version (those of one run id, if given): how many logs and lines came out the same.

    Raises:
        UsageError: no such benchmark, version or run.
        ReplayMismatch: a log that differs; names the line and what differs.
    """
    rules = benchmark(name)
    spec = rules.load(root, version)
    lines = [rules.replay(spec, log) for log in rules.read_logs(spec) if run in (None, log.run)]
    if not lines:
        raise UsageError(f"no log to replay in {name}/{version}" + (f" with run {run}" if run else ""))
    return {"logs": len(lines), "lines": sum(lines)}
