"""What every command of `countersign` shares: its common options, how it prints, and how it names versions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from runners.errors import UsageError

Root = Annotated[Path, typer.Option("--root", help="The folder that holds runs/ and tables/.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
VersionName = Annotated[str, typer.Argument(metavar="BENCHMARK/VERSION", help="For example court/v4.")]
HERE = Path()


def example(text: str) -> str:
    """The worked example under a command's help."""
    return f"[bold]Example:[/bold] {text}"


def split_name(name: str) -> tuple[str, str]:
    """`court/v4` as its two parts.

    Raises:
        UsageError: no slash in it.
    """
    benchmark, slash, version = name.partition("/")
    if not slash:
        raise UsageError(f"{name!r} does not name a version; write BENCHMARK/VERSION, for example court/v4")
    return benchmark, version


def say_to(quiet: bool, prefix: str = "") -> Any:
    """A function that tells of a step on standard error, unless quiet."""

    def say(text: str) -> None:
        if not quiet:
            typer.echo(f"{prefix}: {text}" if prefix else text, err=True)

    return say


def show(result: object, as_json: bool, text: str) -> None:
    """The result as JSON, or `text`."""
    typer.echo(json.dumps(result, ensure_ascii=False, indent=1) if as_json else text)


def harmless(text: str) -> str:
    """Text of others on a terminal: control characters are shown, not obeyed."""
    return "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)
