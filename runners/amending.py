"""`countersign amend`: settings of single models, refused once there is a result of one (rule P11)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from runners.amendments import Amendment, amended, write_amendment
from runners.benchmarks import benchmark
from runners.errors import UsageError
from runners.log import utc_now
from runners.models import split_name
from runners.records import Settings
from runners.spec import install_version


def amend_version(root: Path, name: str, version: str, models: str, settings: Settings, reason: str) -> dict[str, Any]:
    """Append an amendment to the version; returns it.

    Raises:
        UsageError: no such route, no reason, a model that another amendment names, or one that has a log already.
    """
    rules = benchmark(name)
    install_version(root, name, version)
    spec = rules.load(root, version)
    split_name(models)
    if not reason.strip():
        raise UsageError("an amendment needs a reason: readers see it")
    entry = Amendment(utc_now(), models, dict(settings), reason.strip())
    for log in rules.read_logs(spec):
        for played in (log.start.model, *getattr(log.start, "attackers", ())):
            if entry.names(played):
                raise UsageError(
                    f"{log.path}: there is a result of {played} already; an amendment comes before any result. "
                    "Other settings for it are a new version."
                )
    if amended(spec.amendments, models) is not None:
        raise UsageError(f"{models} is named by an amendment already; see {spec.folder / 'AMENDMENTS.json'}")
    write_amendment(spec.folder, entry)
    made: dict[str, Any] = msgspec.to_builtins(entry)
    return made
