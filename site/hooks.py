"""The only file that knows MkDocs: lends it the shared masthead, and writes the data pages beside its own."""

import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from leaderboard.build import site_files, write_files
from leaderboard.cards import HOME
from leaderboard.origin import origin
from leaderboard.render import TEMPLATES

REPO = Path(__file__).resolve().parents[1]


def on_env(env: Any, **_: Any) -> Any:
    """Lend the theme's overrides the masthead of the data pages, and what other sites are told of a page."""
    env.loader.searchpath.append(str(TEMPLATES))
    env.globals.update(origin=origin(REPO), home_card=HOME.path)
    return env


def on_page_content(html: str, **_: Any) -> str:
    """Put each table into a region that the keyboard reaches, since a wide one scrolls on a phone."""
    region = '<div class="table-scroll" role="group" aria-label="Table" tabindex="0"><table>'
    return html.replace("<table>", region).replace("</table>", "</table></div>")


def on_post_build(config: Any) -> None:
    """Write what is made from runs/ and tables/ into the folder that MkDocs has just filled."""
    if "COUNTERSIGN_PROSE_ONLY" not in os.environ:
        root = Path(os.environ.get("COUNTERSIGN_ROOT", REPO))
        write_files(Path(config.site_dir), site_files(root, REPO))
