"""When a result came to be: the last time that its published logs state, never the clock of a build."""

import json
from collections.abc import Iterable

from leaderboard.logfile import LogFile
from leaderboard.shapes import Row, Version
from leaderboard.show import is_moment
from leaderboard.slugs import slug

NEVER = "1970-01-01T00:00:00.000Z"


def of_version(version: Version) -> str:
    """Give the time of its newest log; before there is one, the time at which its spec was frozen."""
    frozen = str(version.spec.get("frozen_at", ""))
    return _last(version.logs) or (frozen if is_moment(frozen) else NEVER)


def of_rows(version: Version) -> dict[str, str]:
    """Give the time of each model's newest log; a row without one has its version's."""
    folders: dict[str, list[LogFile]] = {}
    for log in version.logs:
        folders.setdefault(log.path.parent.name, []).append(log)

    def last(row: Row) -> str:
        return _last(folders.get(slug(row.model), ())) or of_version(version)

    return {row.model: last(row) for row in version.rows}


def _last(logs: Iterable[LogFile]) -> str:
    return max(map(_last_of, logs), default="")


def _last_of(log: LogFile) -> str:
    """Give the time of the last whole line that states one."""
    for line in reversed(log.read().split(b"\n")[:-1]):
        try:
            at = json.loads(line)["at"]
        except (ValueError, KeyError, TypeError):
            continue
        if isinstance(at, str) and is_moment(at):
            return at
    return ""
