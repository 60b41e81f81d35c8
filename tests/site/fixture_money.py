"""Prices, costs and what a model used, counted from a fixture's lines by the rules of the documents."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from leaderboard.money import Use

PRICED = "openrouter:maker/fine-model"
OTHER_NAME = "maker/fine-model-2026 <b>x</b>"
PROVIDER = "Cloud & <i>Sons</i>"
HOSTILE_SOURCE = "https://prices.example/<script>alert(8)</script> {{ page }}"
HOSTILE_REASON = "It rejects a temperature. <script>alert(9)</script>"
TABLE = "2026-11-30.json"
AMENDED = {"max_tokens": 512, "temperature": 1}
_RATES = {"input": 250_000, "cached_input": 25_000, "cache_write": None, "output": 2_000_000, "reasoning": None}
_TOKENS = ("input", "cached_input", "cache_write", "output", "reasoning")
_BLANK = set("\t\n\v\f\r ")


UNUSED = Use(0, 0, *[None] * 9, (), (), (), served_differs=False, settings_differ=False)


def price(model: str) -> dict[str, Any]:
    """Give the fields of a `price` line."""
    head = {"model": model, "table": TABLE, "table_sha256": "b" * 64, "date": "2026-11-30", "source": HOSTILE_SOURCE}
    return head | _RATES


def usage(*, cached: int | None = None, reasoning: int | None = None) -> dict[str, Any]:
    return {"input": 90, "cached_input": cached, "cache_write": None, "output": 40, "reasoning": reasoning}


def cost(used: dict[str, Any] | None) -> int | str:
    """Rule B3 for the prices above."""
    if used is None:
        return "unsettled"
    cached = used["cached_input"] or 0
    micro = (used["input"] - cached) * 250_000 + cached * 25_000 + used["output"] * 2_000_000
    return -(-micro // 1_000_000)


def is_blank(call: dict[str, Any]) -> bool:
    return call["finish"] in ("stop", "unknown") and set(call["text"]) <= _BLANK


def logged(folder: Path) -> list[dict[str, Any]]:
    """Read all lines of a version's logs, each with the model that its log is of."""
    found = []
    for path in sorted(folder.glob("logs/*/*.jsonl")):
        lines = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
        found += [line | {"model": line.get("model", lines[0]["model"]), "log": str(path)} for line in lines]
    return found


def use(lines: Iterable[dict[str, Any]], model: str, *, amended: bool = False) -> dict[str, Any]:
    """Count `use` of the tables."""
    own = [line for line in lines if line["model"] == model]
    calls = [line for line in own if line["event"] == "call"]
    failures = [line for line in own if line["event"] == "failure"]
    costs = [line.get("cost", "unpriced") for line in (*calls, *failures)]
    priced = bool(calls) and "unpriced" not in costs
    total = sum(c for c in costs if type(c) is int) if priced else None
    runs = len({line["run"] for line in calls})
    served = _different(calls, "served")
    return {
        "calls": len(calls),
        "failures": len(failures),
        **{name: _tokens(calls, failures, name) for name in _TOKENS},
        "cost_microusd": total,
        "unsettled_microusd": _unsettled(own) if priced else None,
        "cost_per_run_microusd": None if total is None else total / runs,
        "cost_per_1000_calls_microusd": None if total is None else 1000 * total / len(calls),
        "served": served,
        "fingerprints": _different(calls, "fingerprint"),
        "providers": _different(calls, "provider"),
        "served_differs": any(name != model.partition(":")[2] for name in served),
        "settings_differ": amended,
    }


def _different(calls: list[dict[str, Any]], key: str) -> list[str]:
    return sorted({call[key] for call in calls if call.get(key) is not None})


def _tokens(calls: list[dict[str, Any]], failures: list[dict[str, Any]], name: str) -> int | None:
    of_calls = [(call["usage"] or {}).get(name) for call in calls]
    if not of_calls or None in of_calls:
        return None
    return sum(of_calls) + sum((failure.get("usage") or {}).get(name) or 0 for failure in failures)


def _unsettled(own: list[dict[str, Any]]) -> int:
    keys = ("log", "phase", "round", "attacker", "fact", "repeat", "turn", "agent", "ask", "attempt")
    open_ = {}
    for line in own:
        key = tuple(line.get(k) for k in keys)
        if line["event"] == "request":
            open_[key] = line["reserve"]
        elif line["event"] in ("call", "failure") and line.get("cost") != "unsettled":
            open_.pop(key, None)
    return sum(open_.values())
