"""`countersign play`, `estimate`, `amend`, `replay`: before, while and after models are asked."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from runners.cli.common import HERE, AsJson, Root, VersionName, example, harmless, show, split_name
from runners.errors import UsageError

BenchmarkName = Annotated[str, typer.Argument(help="court or cascades.")]
Version = Annotated[str, typer.Argument(help="For example v4.")]
Models = Annotated[list[str], typer.Option("--model", help="ROUTE:ID, once for each model.")]
Cells = Annotated[list[str] | None, typer.Option("--cells", help="Only these facts (court) or cells.")]
Seeds = Annotated[str | None, typer.Option("--seeds", help="Only these seeds of cascades: 0-4 or 0,3,7.")]
BudgetUsd = Annotated[
    float | None,
    typer.Option(
        "--budget-usd",
        min=0,
        help="No call that may cost more than is left: of a run of court, of each model of cascades (default: spec).",
    ),
]
Facts = Annotated[
    Literal["recorded", "aws"],
    typer.Option("--facts", help="Truths of court: as recorded with the version, or read from your AWS account now."),
]
Unpriced = Annotated[
    bool,
    typer.Option("--allow-unpriced", help="Play billed models without a price under a budget: nothing is counted."),
]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command(epilog=example("countersign play court v4 --model scripted:steadfast --model local:smollm2-135m"))(play)
    app.command(epilog=example("countersign estimate cascades v1 --model openai:MODEL --seeds 0-4"))(estimate)
    app.command(
        epilog=example('countersign amend court/v4 --model bedrock:ID --set max_tokens=600 --reason "temperature …"')
    )(amend)
    app.command(epilog=example("countersign replay cascades/v1"))(replay)


def play(
    benchmark: BenchmarkName,
    version: Version,
    model: Models,
    cells: Cells = None,
    seeds: Seeds = None,
    facts: Facts = "recorded",
    concurrency: Annotated[int, typer.Option(min=1, max=1024, help="Calls at once.")] = 8,
    close_failed: Annotated[
        bool, typer.Option("--close-failed", help="Close runs although duels of them failed; they stay in the ledger.")
    ] = False,
    budget_usd: BudgetUsd = None,
    allow_unpriced: Unpriced = False,
    root: Root = HERE,
    as_json: AsJson = False,
) -> None:
    """Play what is missing and append it to the logs; goes on where an earlier call stopped."""
    from runners.session import Options, play_cascades, play_court

    _belongs(benchmark, court={"--facts": facts != "recorded", "--close-failed": close_failed}, seeds=seeds)
    options = Options(
        models=model,
        cells=cells,
        seeds=_numbers(seeds),
        facts=facts,
        concurrency=concurrency,
        close_failed=close_failed,
        budget_usd=budget_usd,
        allow_unpriced=allow_unpriced,
        quiet=as_json,
    )
    result = (play_court if benchmark == "court" else play_cascades)(root, version, options)
    show(result, as_json, harmless(_told(result, "duels" if benchmark == "court" else "games", close_failed)))


def estimate(
    benchmark: BenchmarkName,
    version: Version,
    model: Models,
    cells: Cells = None,
    seeds: Seeds = None,
    budget_usd: BudgetUsd = None,
    root: Root = HERE,
    as_json: AsJson = False,
) -> None:
    """Calls, tokens and dollars of what `play` with the same options would still play. Nothing is asked."""
    from runners.estimate import estimate_play, table

    _belongs(benchmark, court={}, seeds=seeds)
    forecast = estimate_play(root, benchmark, version, model, cells, _numbers(seeds), budget_usd)
    show(forecast, as_json, harmless(table(forecast)))


def amend(
    version: VersionName,
    model: Annotated[str, typer.Option("--model", help="ROUTE:ID; a * in the id stands for any characters.")],
    reason: Annotated[str, typer.Option("--reason", help="Why the route's settings cannot be used; published.")],
    setting: Annotated[
        list[str] | None, typer.Option("--set", help="NAME=VALUE, once for each setting that is sent; others are not.")
    ] = None,
    root: Root = HERE,
    as_json: AsJson = False,
) -> None:
    """Give a model request settings of its own, before any result of it: they replace those of its route."""
    from runners.amending import amend_version

    entry = amend_version(root, *split_name(version), model, _settings(setting or []), reason)
    text = f"{version}: {entry['models']} is asked with {entry['settings']} from {entry['at']} on"
    show(entry, as_json, harmless(text))


def replay(
    version: VersionName,
    run: Annotated[str | None, typer.Option("--run", help="Only the logs with this run id.")] = None,
    root: Root = HERE,
    as_json: AsJson = False,
) -> None:
    """Drive logged games through the harness again; every prompt, post, receipt and score must come out the same."""
    from runners.replaying import replay_version

    found = replay_version(root, *split_name(version), run)
    show(found, as_json, f"{found['logs']} logs replayed exactly, {found['lines']} lines")


def _belongs(benchmark: str, court: dict[str, bool], seeds: str | None) -> None:
    """Each option is for a benchmark that has it."""
    if benchmark not in ("court", "cascades"):
        raise UsageError(f"no benchmark {benchmark!r} to play; there are: court, cascades")
    if benchmark == "court" and seeds is not None:
        raise UsageError("--seeds is for cascades")
    if benchmark == "cascades" and (given := [option for option, used in court.items() if used]):
        raise UsageError(f"{', '.join(given)}: for court")


def _told(result: dict[str, Any], what: str, close_failed: bool) -> str:
    text = f"{result['done']} {what} played, {result['unfinished']} could not be finished."
    if result["unfinished"] and not close_failed:
        text += " Run the same command to try them again."
    if result["stopped"]:
        text += f" Stopped by the budget: {', '.join(result['stopped'])}."
    cost = "unpriced" if result["cost_usd"] is None else f"${result['cost_usd']:.6f}"
    text += f" {result['calls']} calls, {result['tokens']} tokens, {cost}."
    if result["unsettled_calls"]:
        text += f" The cost of {result['unsettled_calls']} attempts cannot be known; their reserves count."
    return text


def _numbers(text: str | None) -> list[int] | None:
    """`0-4` or `0,3,7` as numbers."""
    if text is None:
        return None
    try:
        spans = [part.partition("-") for part in text.split(",")]
        return [n for low, dash, high in spans for n in range(int(low), int(high if dash else low) + 1)]
    except ValueError as error:
        raise UsageError(f"--seeds {text!r}: write 0-4 or 0,3,7") from error


def _settings(given: list[str]) -> dict[str, int | float | str]:
    """NAME=VALUE words as settings; a value that reads as a number is one."""
    settings: dict[str, int | float | str] = {}
    for word in given:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise UsageError(f"--set {word!r}: write NAME=VALUE")
        for number in (int, float):
            try:
                settings[name] = number(value)
                break
            except ValueError:
                settings[name] = value
    return settings
