"""`countersign`, the builder's front door: turns options into calls, results into text, errors into exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

try:
    import typer
except ModuleNotFoundError:  # pragma: no cover - only without the extra
    sys.exit("countersign needs the package 'typer'. Install it with: pip install 'countersign[cli]'")

from runners import __version__
from runners.errors import CountersignError, UsageError

app = typer.Typer(
    name="countersign",
    help="LLM leaderboards whose every number is computed twice. Exit codes as diff: 0 fine, 1 differs, 2 could not.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",  # "markdown" would cost every --help a parser of its own
    pretty_exceptions_enable=False,
)
importing = typer.Typer(help="Bring in replies that were recorded elsewhere.", no_args_is_help=True)
app.add_typer(importing, name="import")

Root = Annotated[Path, typer.Option("--root", help="The folder that holds runs/ and tables/.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
VersionName = Annotated[str, typer.Argument(metavar="BENCHMARK/VERSION", help="For example court/v3.")]
HERE = Path()


def main() -> None:
    """Run the command line; an error of ours becomes one message and its exit code."""
    try:
        app()
    except CountersignError as error:
        typer.echo(f"countersign: {_harmless(str(error))}", err=True)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        typer.echo("countersign: interrupted. The logs are whole: run the same command to go on.", err=True)
        sys.exit(130)
    except OSError as error:
        typer.echo(f"countersign: {_harmless(str(error))}", err=True)
        sys.exit(2)


def _example(text: str) -> str:
    return f"[bold]Example:[/bold] {text}"


def _version(value: bool) -> None:
    if value:
        typer.echo(f"countersign {__version__}")
        raise typer.Exit


@app.callback()
def _front(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print it.")] = False,
) -> None:
    pass


@app.command(epilog=_example("countersign demo"))
def demo(root: Root = Path("build/demo"), as_json: AsJson = False) -> None:
    """The whole road on scripted policies: play, publish, check and build the site. No key, no network."""
    from runners.demo import run_demo

    result = run_demo(root, _say(as_json))
    _print(result, as_json, f"Everything was computed twice and agrees. The site: {result['site']}")


@app.command(epilog=_example("countersign play court v3 --model scripted:steadfast --model local:smollm2-135m"))
def play(
    benchmark: Annotated[str, typer.Argument(help="court or cascades.")],
    version: Annotated[str, typer.Argument(help="For example v3.")],
    model: Annotated[list[str], typer.Option("--model", help="ROUTE:ID, once for each model.")],
    cells: Annotated[list[str] | None, typer.Option("--cells", help="Only these facts (court) or cells.")] = None,
    seeds: Annotated[str | None, typer.Option("--seeds", help="Only these seeds of cascades: 0-4 or 0,3,7.")] = None,
    concurrency: Annotated[int, typer.Option(min=1, max=1024, help="Duels or games at once.")] = 8,
    close_failed: Annotated[
        bool, typer.Option("--close-failed", help="Close runs although duels of them failed; they stay in the ledger.")
    ] = False,
    budget_usd: Annotated[
        float | None,
        typer.Option("--budget-usd", min=0, help="Stop a model of cascades before a seed beyond this; default: spec."),
    ] = None,
    root: Root = HERE,
    as_json: AsJson = False,
) -> None:
    """Play what is missing and append it to the logs; goes on where an earlier call stopped."""
    from runners.session import play_cascades, play_court

    if benchmark == "court" and seeds is None and budget_usd is None:
        result = play_court(root, version, model, cells, concurrency, close_failed, quiet=as_json)
        what = "duels"
    elif benchmark == "cascades" and not close_failed:
        result = play_cascades(root, version, model, cells, _numbers(seeds), concurrency, as_json, budget_usd)
        what = "games"
    elif benchmark in ("court", "cascades"):
        raise UsageError("--seeds and --budget-usd are for cascades, --close-failed for court")
    else:
        raise UsageError(f"no benchmark {benchmark!r} to play; there are: court, cascades")
    text = f"{result['done']} {what} played, {result['unfinished']} could not be finished."
    if result["unfinished"] and not close_failed:
        text += " Run the same command to try them again."
    if result.get("stopped"):
        text += f" Stopped by their budget: {', '.join(result['stopped'])}."
    _print(result, as_json, text)


@app.command(epilog=_example("countersign replay cascades/v1"))
def replay(
    version: VersionName,
    run: Annotated[str | None, typer.Option("--run", help="Only the logs with this run id.")] = None,
    root: Root = HERE,
    as_json: AsJson = False,
) -> None:
    """Drive logged games through the harness again; every prompt, post, receipt and score must come out the same."""
    from runners.replaying import replay_version

    found = replay_version(root, *_split(version), run)
    _print(found, as_json, f"{found['logs']} logs replayed exactly, {found['lines']} lines")


@importing.command("court", epilog=_example("countersign import court dataset.json --version v2"))
def import_court(
    file: Annotated[Path, typer.Argument(help="A Court of Facts dataset file.")],
    version: Annotated[str, typer.Option("--version", help="The version whose rules score it.")] = "v3",
    root: Root = HERE,
    as_json: AsJson = False,
) -> None:
    """Turn a published dataset into logs; its own stored numbers are kept apart and compared by the checker."""
    from runners.court.importer import import_dataset
    from runners.court.version import load_court
    from runners.spec import install_version

    install_version(root, "court", version)
    done = import_dataset(load_court(root, version), file)
    result = {"run": done.run, "logs": list(done.logs), "duels": done.duels}
    _print(result, as_json, f"{done.duels} duels in {len(done.logs)} logs: run {done.run}")


@app.command(epilog=_example("countersign reuse court/v3 court/v2"))
def reuse(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="The version whose logs are adopted: court/v3.")],
    target: Annotated[str, typer.Argument(metavar="TARGET", help="The version that adopts them: court/v2.")],
    source_root: Annotated[
        Path | None, typer.Option("--from", help="The root of SOURCE, if it is not --root: runs from elsewhere.")
    ] = None,
    root: Root = HERE,
    as_json: AsJson = False,
) -> None:
    """Adopt the finished runs of one version under another whose game is the same, after an exact replay."""
    from runners.benchmarks import benchmark
    from runners.reuse import reuse_logs
    from runners.spec import install_version

    specs = []
    for name, place in ((source, source_root or root), (target, root)):
        game, version = _split(name)
        rules = benchmark(game)
        install_version(place, game, version)
        specs.append(rules.load(place, version))
    done = reuse_logs(*specs)
    lines = [f"{len(done.adopted)} logs adopted from {source} by {target}"]
    lines += [f"refused: {name}: {reason}" for name, reason in done.refused.items()]
    _print({"adopted": done.adopted, "refused": done.refused}, as_json, _harmless("\n".join(lines)))


@app.command(epilog=_example("countersign publish court/v3"))
def publish(
    version: Annotated[str | None, typer.Argument(metavar="[BENCHMARK/VERSION]", help="All, if not given.")] = None,
    root: Root = HERE,
    as_json: AsJson = False,
) -> None:
    """Compute the builder's numbers, have the checker recompute them in its sandbox, write tables/."""
    from runners.publish import publish as publish_version
    from runners.spec import list_versions

    names = [version] if version else [name for name in list_versions(root) if _has_logs(root, name)]
    if not names:
        raise UsageError(f"nothing to publish below {root.resolve() / 'runs'}: no version has a log")
    reports = []
    for name in names:
        verdict = publish_version(root, *_split(name), _say(as_json, name))
        reports.append({"version": name, "status": verdict.report["status"], "totals": verdict.report["totals"]})
    _print(reports, as_json, "\n".join(_published(report) for report in reports))


@app.command(
    epilog=_example("countersign check court/v3"),
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": ["--help"]},
)
def check(context: typer.Context, root: Root = HERE, as_json: AsJson = False) -> NoReturn:
    """The checker alone, as `countersign-check` runs it: logs and rules in, verdict out. Takes its options."""
    command = [sys.executable, "-m", "checker", *context.args, "--root", str(root), *(["--json"] if as_json else [])]
    sys.exit(subprocess.run(command, check=False).returncode)


@app.command(epilog=_example("countersign site --serve"))
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
    _print({"site": str(index)}, as_json, f"The site: {index}")
    if serve:
        serve_pages(index.parent, port)


def _split(name: str) -> tuple[str, str]:
    benchmark, slash, version = name.partition("/")
    if not slash:
        raise UsageError(f"{name!r} does not name a version; write BENCHMARK/VERSION, for example court/v3")
    return benchmark, version


def _numbers(text: str | None) -> list[int] | None:
    """`0-4` or `0,3,7` as numbers."""
    if text is None:
        return None
    try:
        spans = [part.partition("-") for part in text.split(",")]
        return [n for low, dash, high in spans for n in range(int(low), int(high if dash else low) + 1)]
    except ValueError as error:
        raise UsageError(f"--seeds {text!r}: write 0-4 or 0,3,7") from error


def _has_logs(root: Path, name: str) -> bool:
    return any((root / "runs" / name / "logs").glob("*/*.jsonl"))


def _published(report: dict[str, Any]) -> str:
    totals = report["totals"]
    return f"{report['version']}: {report['status']}, {totals['equal']} of {totals['compared']} fields equal"


def _say(quiet: bool, prefix: str = "") -> Any:
    def say(text: str) -> None:
        if not quiet:
            typer.echo(f"{prefix}: {text}" if prefix else text, err=True)

    return say


def _print(result: object, as_json: bool, text: str) -> None:
    typer.echo(json.dumps(result, ensure_ascii=False, indent=1) if as_json else text)


def _harmless(text: str) -> str:
    """Text of others on a terminal: control characters are shown, not obeyed."""
    return "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)
