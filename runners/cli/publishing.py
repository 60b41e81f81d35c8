"""`countersign import`, `reuse`, `publish`, `check`: from logs to numbers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from runners.cli.common import HERE, AsJson, Root, example, harmless, say_to, show, split_name
from runners.errors import UsageError

importing = typer.Typer(help="Bring in replies that were recorded elsewhere.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(importing, name="import")
    app.command(epilog=example("countersign reuse court/v4 court/v2"))(reuse)
    app.command(epilog=example("countersign publish court/v4"))(publish)
    app.command(
        epilog=example("countersign check court/v4"),
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": ["--help"]},
    )(check)


@importing.command("court", epilog=example("countersign import court dataset.json --version v2"))
def import_court(
    file: Annotated[Path, typer.Argument(help="A Court of Facts dataset file.")],
    version: Annotated[str, typer.Option("--version", help="The version whose rules score it.")] = "v4",
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
    show(result, as_json, f"{done.duels} duels in {len(done.logs)} logs: run {done.run}")


def reuse(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="The version whose logs are adopted: court/v4.")],
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
        game, version = split_name(name)
        rules = benchmark(game)
        install_version(place, game, version)
        specs.append(rules.load(place, version))
    done = reuse_logs(*specs)
    lines = [f"{len(done.adopted)} logs adopted from {source} by {target}"]
    lines += [f"refused: {name}: {reason}" for name, reason in done.refused.items()]
    show({"adopted": done.adopted, "refused": done.refused}, as_json, harmless("\n".join(lines)))


def publish(
    version: Annotated[str | None, typer.Argument(metavar="[BENCHMARK/VERSION]", help="All, if not given.")] = None,
    root: Root = HERE,
    as_json: AsJson = False,
) -> None:
    """Compute the builder's numbers, have the checker recompute them in its sandbox, write tables/.

    A new version that asks what an older one asked has its stored replies scored again, without another call.
    """
    from runners.benchmarks import benchmark
    from runners.publish import publish as publish_version
    from runners.reuse import adopt_stored
    from runners.spec import list_versions

    names = [version] if version else [name for name in list_versions(root) if _has_logs(root, name)]
    if not names:
        raise UsageError(f"nothing to publish below {root.resolve() / 'runs'}: no version has a log")
    reports = []
    for name in names:
        game, number = split_name(name)
        if version and (root / "runs" / name / "spec.json").is_file():
            adopted = adopt_stored(root, benchmark(game).load(root, number))
            if adopted:
                say_to(as_json, name)(f"{len(adopted[1].adopted)} stored logs of {adopted[0]} are scored again")
        verdict = publish_version(root, *split_name(name), say_to(as_json, name))
        reports.append({"version": name, "status": verdict.report["status"], "totals": verdict.report["totals"]})
    show(reports, as_json, "\n".join(_published(report) for report in reports))


def check(context: typer.Context, root: Root = HERE, as_json: AsJson = False) -> NoReturn:
    """The checker alone, as `countersign-check` runs it: logs and rules in, verdict out. Takes its options."""
    command = [sys.executable, "-m", "checker", *context.args, "--root", str(root), *(["--json"] if as_json else [])]
    sys.exit(subprocess.run(command, check=False).returncode)


def _has_logs(root: Path, name: str) -> bool:
    return any((root / "runs" / name / "logs").glob("*/*.jsonl"))


def _published(report: dict[str, Any]) -> str:
    totals = report["totals"]
    return f"{report['version']}: {report['status']}, {totals['equal']} of {totals['compared']} fields equal"
