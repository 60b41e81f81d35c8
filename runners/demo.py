"""The whole road on the embedded default: scripted policies, three versions, tables, verdicts, a site."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from runners.court.version import load_court
from runners.models.scripted import POLICIES
from runners.pages import build_pages
from runners.publish import publish
from runners.reuse import reuse_logs
from runners.session import play_court
from runners.spec import install_version

VERSIONS = ("v1", "v2", "v3")
PLAYED = "v3"


def _say_of(say: Callable[[str], None], version: str, step: str) -> None:
    say(f"court/{version}: {step}")


def run_demo(root: Path, say: Callable[[str], None]) -> dict[str, Any]:
    """Play every scripted policy against every other, publish under all versions, build the site.

    Can be run again: what is there is kept, and only what is missing is played.

    Raises:
        CheckFailed, CouldNotCheck: builder and checker did not agree.
    """
    names = [f"scripted:{policy}" for policy in POLICIES]
    say(f"playing {len(names)} scripted policies against each other under court/{PLAYED}")
    played = play_court(root, PLAYED, names, facts=None, concurrency=8, close_failed=False, quiet=True)
    for version in VERSIONS:
        install_version(root, "court", version)
        if version != PLAYED:
            reuse_logs(load_court(root, PLAYED), load_court(root, version))
    statuses = {}
    for version in VERSIONS:
        verdict = publish(root, "court", version, partial(_say_of, say, version))
        statuses[f"court/{version}"] = verdict.report["status"]
        totals = verdict.report["totals"]
        say(f"court/{version}: {verdict.report['status']}, {totals['equal']} of {totals['compared']} fields equal")
    say("building the site")
    return {"duels": played["done"], "status": statuses, "site": str(build_pages(root, root / "html"))}
