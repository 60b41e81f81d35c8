"""`countersign`, the builder's front door: turns options into calls, results into text, errors into exit codes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

try:
    import typer
except ModuleNotFoundError:  # pragma: no cover - only without the extra
    sys.exit("countersign needs the package 'typer'. Install it with: pip install 'countersign[cli]'")

from runners import __version__
from runners.cli import citing, playing, publishing, releasing, storing, submitting
from runners.cli.common import HERE, AsJson, Root, example, harmless, say_to, show
from runners.errors import CountersignError

app = typer.Typer(
    name="countersign",
    help="LLM leaderboards whose every number is computed twice. Exit codes as diff: 0 fine, 1 differs, 2 could not.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",  # "markdown" would cost every --help a parser of its own
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Run the command line; an error of ours becomes one message and its exit code."""
    try:
        app()
    except CountersignError as error:
        typer.echo(f"countersign: {harmless(str(error))}", err=True)
        sys.exit(error.exit_code)
    except OSError as error:
        typer.echo(f"countersign: {harmless(str(error))}", err=True)
        sys.exit(2)


def _version(value: bool) -> None:
    if value:
        typer.echo(f"countersign {__version__}")
        raise typer.Exit


@app.callback()
def _front(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print it.")] = False,
) -> None:
    pass


@app.command(epilog=example("countersign demo"))
def demo(root: Root = Path("build/demo"), as_json: AsJson = False) -> None:
    """The whole road on scripted policies: play, publish, check and build the site. No key, no network."""
    from runners.demo import run_demo

    result = run_demo(root, say_to(as_json))
    show(result, as_json, f"Everything was computed twice and agrees. The site: {result['site']}")


playing.register(app)
publishing.register(app)
releasing.register(app)
submitting.register(app)
storing.register(app)
citing.register(app)


@app.command(epilog=example("countersign site --serve"))
def site(
    root: Root = HERE,
    out: Annotated[Path, typer.Option("--out", help="Where the site goes.")] = Path("build/html"),
    serve: Annotated[bool, typer.Option("--serve", help="Serve it on a loopback port until Ctrl-C.")] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of --serve; 0 takes a free one.")] = 8000,
    as_json: AsJson = False,
) -> None:
    """Build the static site from runs/ and tables/."""
    from runners.pages import build_pages, serve_pages

    index = build_pages(root, out)
    show({"site": str(index)}, as_json, f"The site: {index}")
    if serve:
        serve_pages(index.parent, port)
