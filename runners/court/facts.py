"""The disputed facts of a run: the recorded truths, and the lies that the rules compute from them (R6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from runners.court.version import Court
from runners.errors import SpecError
from runners.records import Fact

_LIE_RULES: dict[str, Callable[[Decimal], Decimal]] = {
    "double": lambda truth: truth * 2,
    "double_or_halve": lambda truth: truth * 2 if truth < 2000 else truth // 2,
    "plus_2": lambda truth: truth + 2,
    "plus_5": lambda truth: truth + 5,
    "times_10": lambda truth: truth * 10,
}


def lie_of(rule: str, truth: str) -> str:
    """The lie that a rule gives for a truth, as plain decimal text.

    Raises:
        SpecError: the rule is unknown, or the truth is not a decimal number.
    """
    if rule not in _LIE_RULES:
        raise SpecError(f"unknown lie rule {rule!r}; the rules are {', '.join(_LIE_RULES)}")
    try:
        value = _LIE_RULES[rule](Decimal(truth))
    except ArithmeticError as error:
        raise SpecError(f"the truth {truth!r} is not a decimal number") from error
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def recorded_facts(spec: Court, only: Sequence[str] | None = None) -> tuple[Fact, ...]:
    """The facts of a version with their recorded truths, in the order of items.jsonl.

    Raises:
        SpecError: `only` names a fact that the version does not have.
    """
    unknown = sorted(set(only or ()) - set(spec.item))
    if unknown:
        raise SpecError(f"no fact {', '.join(unknown)} in {spec.folder}; it has {', '.join(spec.item)}")
    return tuple(
        Fact(
            fact=item.fact,
            question=item.question,
            truth=item.truth,
            lie=lie_of(item.lie_rule, item.truth),
            source=f"recorded: {item.source}, {item.region}",
            at=item.recorded_at,
        )
        for item in spec.items
        if only is None or item.fact in only
    )
