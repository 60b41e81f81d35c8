"""The only file that knows MkDocs: lends it the shared masthead, and writes the data pages beside its own."""

import os
import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from leaderboard.build import write_files
from leaderboard.cards import HOME
from leaderboard.files import site_files
from leaderboard.origin import origin
from leaderboard.render import TEMPLATES

_TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
REPO = Path(__file__).resolve().parents[1]


def on_env(env: Any, **_: Any) -> Any:
    """Lend the theme's overrides the masthead of the data pages, and what other sites are told of a page."""
    env.loader.searchpath.append(str(TEMPLATES))
    env.globals.update(origin=origin(REPO), home_card=HOME.path)
    return env


def on_page_content(html: str, **_: Any) -> str:
    """Put each table into a region that the keyboard reaches, since a wide one scrolls on a phone."""
    return _TABLE.sub(_region, html)


def _region(table: re.Match[str]) -> str:
    """Give each cell the head of its column too: on a phone a row is a card, whose values say what they are."""
    heads = [_TAG.sub("", head) for head in re.findall(r"<th\b[^>]*>(.*?)</th>", table[0], re.DOTALL)]
    rows = re.sub(r"<tr>.*?</tr>", lambda row: _labelled(row[0], heads), table[0], flags=re.DOTALL)
    return f'<div class="table-scroll" role="group" aria-label="Table" tabindex="0">{rows}</div>'


def _labelled(row: str, heads: list[str]) -> str:
    labels = iter(heads)
    return re.sub(r"<td\b", lambda _: f'<td data-label="{next(labels, "")}"', row)


def on_post_build(config: Any) -> None:
    """Write what is made from runs/ and tables/ into the folder that MkDocs has just filled."""
    if "COUNTERSIGN_PROSE_ONLY" not in os.environ:
        root = Path(os.environ.get("COUNTERSIGN_ROOT", REPO))
        write_files(Path(config.site_dir), site_files(root, REPO))
