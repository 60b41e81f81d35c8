"""Money is counted in whole micro-dollars, rounded up, and what is not known is never 0."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from runners.errors import BudgetSpent, UsageError
from runners.money import MESSAGE_OVERHEAD, Purse, cost_of, load_prices, reserve_of
from runners.records import Price, TokenUsage

PRICE = Price("openai:m", "t.json", "0" * 64, "2026-11-30", "test", 3_000_000, 300_000, 3_750_000, 15_000_000, None)
ROW: Mapping[str, Any] = {
    "model": "openai:m",
    "source": "test",
    "input": 3_000_000,
    "cached_input": None,
    "cache_write": None,
    "output": 15_000_000,
    "reasoning": None,
}


@pytest.mark.parametrize(
    ("usage", "cost"),
    [
        # 320 plain at $3, 58,000 read at $0.30, 20,000 written at $3.75, 100 out at $15, each for a million tokens
        (TokenUsage(78_320, 58_000, 20_000, 100, None), 960 + 17_400 + 75_000 + 1_500),
        (TokenUsage(1_000_000, None, None, 1_000_000, 400_000), 18_000_000),
        (TokenUsage(1, None, None, 0, None), 3),
        (TokenUsage(1, 1, None, 0, None), 1),  # 0.3 micro-dollars: a call that used something never costs 0
        (TokenUsage(0, 0, 0, 0, 0), 0),
        (TokenUsage(None, None, None, 5, None), "unsettled"),
        (TokenUsage(10, 6, 5, 5, None), "unsettled"),  # more read and written than there was
        (TokenUsage(10, None, None, 5, 6), "unsettled"),
        (TokenUsage(2**53 - 1, None, None, 2**53 - 1, None), "unsettled"),
        (None, "unsettled"),
    ],
)
def test_usage_and_price_give_the_cost(usage: TokenUsage | None, cost: int | str) -> None:
    assert cost_of(PRICE, usage) == cost
    assert cost_of(None, usage) == "unpriced"


@pytest.mark.parametrize(
    ("kind", "cost"),
    [(kind, 0) for kind in ("config", "auth", "rate_limit", "overloaded", "connection")]
    + [(kind, "unsettled") for kind in ("timeout", "cut_stream", "error_body", "invalid_text", "withheld")],
)
def test_a_failure_costs_nothing_only_where_nothing_was_done(kind: str, cost: int | str) -> None:
    assert cost_of(PRICE, None, kind) == cost
    assert cost_of(PRICE, TokenUsage(1_000, None, None, 0, None), kind) == 3_000


def test_a_reserve_covers_every_byte_at_the_dearest_price() -> None:
    tokens = len("é".encode()) + len("ab") + 2 * MESSAGE_OVERHEAD
    assert reserve_of(PRICE, ["é", "ab"], {"max_tokens": 10, "temperature": 0.5}) == -(
        -(tokens * 3_750_000 + 10 * 15_000_000) // 1_000_000
    )


def table(root: Path, name: str, date: str, *rows: Mapping[str, Any], **more: object) -> None:
    path = root / "runs/prices" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"currency": "USD", "date": date, "rows": rows, **more}), "utf-8")


def test_the_newest_table_with_the_model_counts_and_zero_is_no_price(tmp_path: Path) -> None:
    table(tmp_path, "b.json", "2026-06-01", dict(ROW, input=2_000_000), dict(ROW, model="openai:old"))
    table(tmp_path, "a.json", "2026-11-30", ROW, dict(ROW, model="openai:free", input=0, output=0))
    prices = load_prices(tmp_path)
    assert {model: price.table for model, price in prices.items()} == {"openai:m": "a.json", "openai:old": "b.json"}


@pytest.mark.parametrize(
    ("rows", "more", "says"),
    [
        ([ROW, ROW], {}, "stands twice"),
        ([dict(ROW, input=1.5)], {}, "int"),
        ([dict(ROW, input=-1)], {}, ">= 0"),
        ([dict(ROW, note="x")], {}, "note"),
        ([{key: value for key, value in ROW.items() if key != "source"}], {}, "source"),
        ([], {"currency": "EUR"}, "EUR"),
        ([], {"date": "30.11.2026"}, "regex"),
    ],
)
def test_a_table_of_another_shape_is_refused_by_name(
    tmp_path: Path, rows: list[dict[str, Any]], more: dict[str, object], says: str
) -> None:
    table(tmp_path, "bad.json", str(more.pop("date", "2026-11-30")), *rows, **more)
    with pytest.raises(UsageError, match=r"bad\.json: .*" + says):
        load_prices(tmp_path)


def test_a_key_that_stands_twice_in_a_table_is_refused(tmp_path: Path) -> None:
    table(tmp_path, "bad.json", "2026-11-30", ROW)
    path = tmp_path / "runs/prices/bad.json"
    path.write_text(path.read_text().replace('"output"', '"output": 1, "output"'), "utf-8")
    with pytest.raises(UsageError, match="a key stands twice"):
        load_prices(tmp_path)


def test_the_purse_waits_for_what_comes_back_and_never_promises_twice() -> None:
    async def session() -> list[str]:
        purse, told = Purse(100, spent=10), []
        await purse.reserve(60)

        async def second() -> None:
            await purse.reserve(80)
            told.append(f"second after {purse.spent}")
            purse.settle(80, "unsettled")

        waiting = asyncio.create_task(second())
        await asyncio.sleep(0)
        assert not told  # 10 spent, 60 reserved: 80 more are not covered yet
        purse.settle(60, 5)
        await waiting
        assert (purse.spent, purse.reserved) == (95, 0)  # an unknown cost is its whole reserve
        with pytest.raises(BudgetSpent, match=r"\$0\.000095 are spent"):
            await purse.reserve(6)
        await purse.reserve(5)
        return told

    assert asyncio.run(session()) == ["second after 15"]
