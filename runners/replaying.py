"""Replays every log of a version, by its own benchmark's rules."""

from __future__ import annotations

from pathlib import Path

from runners.cascades.logs import read_logs as read_games
from runners.cascades.replay import replay
from runners.cascades.version import load_cascades
from runners.court.plan import read_logs as read_tournaments
from runners.court.reuse import check_replay
from runners.court.version import load_court
from runners.errors import UsageError


def replay_version(root: Path, benchmark: str, version: str, run: str | None) -> dict[str, int]:
    """Replay the logs of a version (those of one run id, if given): how many logs and lines came out the same.

    Raises:
        UsageError: no such benchmark, version or run, or a court log whose prompts differ.
        ReplayMismatch: a game that differs; names the line and field.
    """
    if benchmark == "cascades":
        games = load_cascades(root, version)
        lines = [replay(games, log) for log in read_games(games) if run in (None, log.run)]
    elif benchmark == "court":
        court = load_court(root, version)
        logs = [log for log in read_tournaments(court) if run in (None, log.run)]
        for log in logs:
            check_replay(court, log)
        lines = [len(log.lines) for log in logs]
    else:
        raise UsageError(f"no benchmark {benchmark!r}; there are: court, cascades")
    if not lines:
        raise UsageError(f"no log to replay in {benchmark}/{version}" + (f" with run {run}" if run else ""))
    return {"logs": len(lines), "lines": sum(lines)}
