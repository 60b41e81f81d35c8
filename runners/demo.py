"""The whole road on the embedded default: scripted policies and teams, tables, verdicts, a site."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from runners.court.version import load_court
from runners.models.scripted import POLICIES
from runners.models.scripted_teams import TEAMS
from runners.pages import build_pages
from runners.publish import publish
from runners.reuse import reuse_logs
from runners.session import Options, play_cascades, play_court
from runners.spec import install_version

PLAYED = "court/v4"
PUBLISHED = ("court/v1", "court/v2", "court/v3", PLAYED, "cascades/v1")
SEEDS = (0, 1)


def run_demo(root: Path, say: Callable[[str], None]) -> dict[str, Any]:
    """Play every scripted policy of Court of Facts against every other and every scripted team of Cascades on two
    seeds, publish under all versions, build the site.

    Can be run again: what is there is kept, and only what is missing is played.

    Raises:
        CheckFailed, CouldNotCheck: builder and checker did not agree.
    """
    policies = [f"scripted:{policy}" for policy in POLICIES]
    say(f"{len(policies)} scripted policies play {PLAYED}")
    played = PLAYED.partition("/")[2]
    duels = play_court(root, played, Options(policies, quiet=True))
    for version in ("v1", "v2", "v3"):
        install_version(root, "court", version)
        reuse_logs(load_court(root, played), load_court(root, version))
    teams = [f"scripted:{team}" for team in TEAMS]
    say(f"{len(teams)} scripted teams play cascades/v1 on seeds {', '.join(map(str, SEEDS))}")
    games = play_cascades(root, "v1", Options(teams, seeds=SEEDS, quiet=True))
    statuses = {name: _publish(root, name, say) for name in PUBLISHED}
    say("building the site")
    site = str(build_pages(root, root / "html"))
    return {"duels": duels["done"], "games": games["done"], "status": statuses, "site": site}


def _publish(root: Path, name: str, say: Callable[[str], None]) -> str:
    benchmark, _, version = name.partition("/")
    verdict = publish(root, benchmark, version, lambda step: say(f"{name}: {step}"))
    totals = verdict.report["totals"]
    say(f"{name}: {verdict.report['status']}, {totals['equal']} of {totals['compared']} fields equal")
    return str(verdict.report["status"])
