"""The only file that knows MkDocs: lends it the shared masthead, and writes the data pages beside its own."""

import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from leaderboard.build import site_files, write_files
from leaderboard.render import TEMPLATES

REPO = Path(__file__).resolve().parents[1]


def on_env(env: Any, **_: Any) -> Any:
    """Let the theme's overrides include the masthead that the data pages use."""
    env.loader.searchpath.append(str(TEMPLATES))
    return env


def on_post_build(config: Any) -> None:
    """Write what is made from runs/ and tables/ into the folder that MkDocs has just filled."""
    if "COUNTERSIGN_PROSE_ONLY" not in os.environ:
        root = Path(os.environ.get("COUNTERSIGN_ROOT", REPO))
        write_files(Path(config.site_dir), site_files(root, REPO))
