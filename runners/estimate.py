"""`countersign estimate`: calls, tokens and dollars before a cent is spent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from runners.benchmarks import benchmark
from runners.forecast import Ahead
from runners.log import Log
from runners.models import ROUTES, canonical
from runners.money import MESSAGE_OVERHEAD, MILLION, UNBOUNDED_OUTPUT, dollars, load_prices
from runners.records import Price
from runners.spec import install_prices, install_version

BYTES_A_TOKEN = 4
"""A rule of thumb for English text; only the likely figures rest on it."""


@dataclass
class Sums:
    """What one model would be asked: calls and tokens, the likely ones and the most there can be."""

    calls: int = 0
    calls_at_most: int = 0
    text_bytes: int = 0
    quoted: int = 0
    input_at_most: int = 0
    output_at_most: int = 0


def estimate_play(
    root: Path,
    name: str,
    version: str,
    models: Sequence[str],
    cells: Sequence[str] | None,
    seeds: Sequence[int] | None,
    budget_usd: float | None,
) -> dict[str, Any]:
    """What `play` with the same options would ask, in the shape `{rows, total, budget_usd, notes}`.

    Each attempt is counted once: retries after failures come on top, and under a budget they are covered by it.

    Raises:
        UsageError, SpecError, LogError: as for `play`.
    """
    install_version(root, name, version)
    install_prices(root)
    rules = benchmark(name)
    spec = rules.load(root, version)
    names = [canonical(model) for model in models]
    sums = {model: Sums() for model in names}
    for ahead in import_module(f"runners.{name}.forecast").forecast(spec, names, cells, seeds):
        settings = spec.settings(ahead.model)
        scripted = ahead.model.startswith("scripted:")  # says a line or two, and for nothing
        limit = 0 if scripted else int(settings.get("max_tokens", UNBOUNDED_OUTPUT))
        _add(sums.setdefault(ahead.model, Sums()), ahead, limit)
    logs = rules.read_logs(spec)
    prices = load_prices(root)
    rows = [_row(model, of, prices.get(model), _mean_output(logs, model)) for model, of in sums.items()]
    priced = [row for row in rows if row["dollars_at_most"] is not None]
    billed = [row for row in rows if ROUTES[row["model"].partition(":")[0]].billed]
    return {
        "benchmark": name,
        "version": version,
        "rows": rows,
        "total": {
            "calls": sum(row["calls"] for row in rows),
            "calls_at_most": sum(row["calls_at_most"] for row in rows),
            "dollars_likely": _total([row["dollars_likely"] for row in billed]),
            "dollars_at_most": _total([row["dollars_at_most"] for row in billed]),
        },
        "budget_usd": budget_usd,
        "covered": None
        if budget_usd is None or len(priced) < len(billed)
        else budget_usd >= sum(row["dollars_at_most"] for row in priced),
    }


def table(forecast: dict[str, Any]) -> str:
    """The estimate for a reader."""
    lines = [f"{'model':<40} {'calls':>11} {'tokens in, likely/most':>24} {'out':>19} {'dollars, likely/most':>24}"]
    for row in forecast["rows"]:
        money = f"{_money(row['dollars_likely'])} / {_money(row['dollars_at_most'])}"
        lines.append(
            f"{row['model']:<40} {row['calls']:>5}-{row['calls_at_most']:<5}"
            f" {_count(row['input_likely']):>11} / {_count(row['input_at_most']):<10}"
            f" {_count(row['output_likely']):>8} / {_count(row['output_at_most']):<8}"
            f" {money if row['price'] else row['why_unpriced']:>24}"
        )
    total = forecast["total"]
    lines.append(
        f"All billed models: {_money(total['dollars_likely'])} likely, {_money(total['dollars_at_most'])} most."
    )
    if forecast["covered"] is not None:
        verb = "covers" if forecast["covered"] else "may not cover"
        lines.append(f"A budget of ${forecast['budget_usd']:g} {verb} the most that can be asked.")
    lines.append(
        "Likely: 4 bytes a token, replies as long as those of real models in this version's logs (? where none reports "
        "its tokens). Most: every byte a token, every reply as long as allowed. Retries after failures come on top."
    )
    return "\n".join(lines)


def _add(sums: Sums, ahead: Ahead, limit: int) -> None:
    sums.calls_at_most += 1
    sums.input_at_most += ahead.text_bytes + ahead.messages * MESSAGE_OVERHEAD + ahead.quoted_replies * limit
    sums.output_at_most += limit
    if not ahead.only_if_needed:
        sums.calls += 1
        sums.text_bytes += ahead.text_bytes
        sums.quoted += ahead.quoted_replies


def _row(model: str, sums: Sums, price: Price | None, reply: float | None) -> dict[str, Any]:
    if model.startswith("scripted:"):
        reply = 0.0
    likely_in = None if reply is None else round(sums.text_bytes / BYTES_A_TOKEN + sums.quoted * reply)
    likely_out = None if reply is None else round(sums.calls * reply)
    billed = ROUTES[model.partition(":")[0]].billed
    return {
        "model": model,
        "calls": sums.calls,
        "calls_at_most": sums.calls_at_most,
        "input_likely": likely_in,
        "input_at_most": sums.input_at_most,
        "output_likely": likely_out,
        "output_at_most": sums.output_at_most,
        "price": None if price is None else {"table": price.table, "date": price.date, "source": price.source},
        "why_unpriced": None if price else "unpriced: no price" if billed else "not billed by use",
        "dollars_likely": _dollars(price, likely_in, likely_out),
        "dollars_at_most": _dollars(price, sums.input_at_most, sums.output_at_most),
    }


def _mean_output(logs: Iterable[Log], model: str) -> float | None:
    """Mean output tokens of a reply: of the model itself if its logs report them, else of all real models."""
    own: list[int] = []
    others: list[int] = []
    for log in logs:
        for event in log.events():
            if event.EVENT == "call" and event.usage is not None and event.usage.output is not None:
                (own if getattr(event, "model", log.start.model) == model else others).append(event.usage.output)
    counts = own or others
    return sum(counts) / len(counts) if counts else None


def _dollars(price: Price | None, tokens_in: int | None, tokens_out: int | None) -> float | None:
    if price is None or tokens_in is None or tokens_out is None:
        return None
    return (tokens_in * price.input + tokens_out * price.output) / MILLION / MILLION


def _total(parts: Sequence[float | None]) -> float | None:
    """The sum, or None where a part of it is not known."""
    return None if None in parts else sum(part for part in parts if part is not None)


def _money(amount: float | None) -> str:
    return "?" if amount is None else dollars(round(amount * MILLION))


def _count(tokens: int | None) -> str:
    return "?" if tokens is None else str(tokens)
