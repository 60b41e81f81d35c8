"""R6: the lie that a fact's rule gives for its truth, in decimal arithmetic."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, ROUND_DOWN, Context, Decimal
from typing import Final

# Exact: with this context no sum or product of two written-out numbers is ever rounded.
_EXACT: Final = Context(prec=min(MAX_PREC, 10_000), Emax=MAX_EMAX, Emin=MIN_EMIN, rounding=ROUND_DOWN)

LIE_RULES: Final[dict[str, Callable[[Decimal], Decimal]]] = {
    "double": lambda truth: _EXACT.multiply(truth, Decimal(2)),
    "double_or_halve": lambda truth: (
        _EXACT.multiply(truth, Decimal(2)) if truth < 2000 else _EXACT.divide_int(truth, Decimal(2))
    ),
    "plus_2": lambda truth: _EXACT.add(truth, Decimal(2)),
    "plus_5": lambda truth: _EXACT.add(truth, Decimal(5)),
    "times_10": lambda truth: _EXACT.multiply(truth, Decimal(10)),
}


def lie(rule: str, truth: str) -> str | None:
    """The lie for `truth`, written without exponent or trailing zeros; None if the truth is no plain decimal."""
    if not re.fullmatch(r"-?[0-9]{1,2000}(?:\.[0-9]{1,2000})?", truth):
        return None
    text = format(LIE_RULES[rule](Decimal(truth)), "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text
