"""`countersign cite`: a version, or a row of it, in the formats that papers and reference managers take."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any, Literal

import typer

from runners.cli.common import HERE, AsJson, Root, VersionName, example, show, split_name
from runners.errors import MissingExtra, UsageError

Format = Literal["bibtex", "cff", "csl", "ris", "apa"]


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command(epilog=example("countersign cite court/v4 --row local:smollm2-135m --format bibtex"))(cite)


def cite(
    version: VersionName,
    row: Annotated[str | None, typer.Option("--row", help="One model's row, instead of the whole version.")] = None,
    format: Annotated[Format, typer.Option("--format", help="How it is written.")] = "bibtex",  # noqa: A002
    root: Root = HERE,
    as_json: AsJson = False,
) -> None:
    """How to cite a version, or a row of it: with version, date, root digest and address."""
    facts, styles, origin, places = _site("cite.facts"), _site("cite.styles"), _site("origin"), _site("places")
    benchmark, name = split_name(version)
    try:
        cited = facts.cited(root, benchmark.lower(), name, origin.site_url(places.home()), row)
    except _site("errors").SiteError as error:
        raise UsageError(str(error)) from error
    text = styles.STYLES[format].write(cited)
    show({"format": format, "text": text}, as_json, text.rstrip("\n"))


def _site(name: str) -> Any:
    """A module of the site, which alone knows addresses and citations."""
    try:
        return import_module(f"leaderboard.{name}")
    except ModuleNotFoundError as error:
        raise MissingExtra(error.name or "jinja2", "site", "a citation") from error
