"""The three answer grammars give exactly what the specs' vectors say, and numbers are normalised exactly."""

from __future__ import annotations

import json
import random
from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_UP, Context, Decimal

import pytest
from checker_logs import SPECS

from checker.court.grammar import take_answers, vector_faults
from checker.engine import Engine


def engine() -> Engine:
    made = Engine()
    made.script("tables")
    made.script("macros")
    return made


@pytest.mark.parametrize("version", ["v1", "v2", "v3"])
def test_spec_vectors(version: str) -> None:
    vectors = json.loads((SPECS / version / "spec.json").read_text())["answer"]["vectors"]
    assert len(vectors) >= 16
    assert vector_faults(engine(), version, vectors) == []


def answers(version: str, texts: list[str]) -> list[tuple[str | None, str | None, str | None]]:
    made = engine()
    made.run("CREATE TEMP TABLE replies (id BIGINT, text VARCHAR)")
    made.run("CREATE TEMP TABLE other_numbers (text VARCHAR)")
    made.insert("replies", list(enumerate(texts)))
    take_answers(made, version)
    return [row[1:] for row in made.rows("SELECT id, answer, how, fallback FROM answers ORDER BY id")]


@pytest.mark.parametrize(
    ("text", "answer", "fallback"),
    [
        ("ANSWER: 9999999999999999999999999999999999.99995", "1" + "0" * 34, None),
        ("ANSWER: 5\u212a", None, "5"),  # the Kelvin sign is no K, and no unit either
        ("ANSWER: 5 \u212aB", None, "5"),
        ("<thin\u212a>ANSWER: 1</think>\nANSWER: 2", "2", None),
        ("in\u017ftead ANSWER: 5", "5", None),  # a long s is not an s
        ("instead: ANSWER: 5", None, "5"),
        ("knot ANSWER: 5", "5", None),
        ("not_ ANSWER: 5", "5", None),
        ("ANSWER: USD/hour 5", None, "5"),
        ("ANSWER: 5USD/hour", None, None),
        ("ANSWER: 5 USD/hour", "5", None),
        ("ANSWER: 5usd", "5", None),
        ("ANSWER: usd 5", None, "5"),
        ("ANSWER: <<10>>", None, "10"),
        ("ANSWER: <>", None, None),
        ("ANSWER: 1e-999", "0", None),
        ("ANSWER: 1,000e2", "100000", None),
        ("ANSWER: 12,34", None, None),
        ("a\nANSWER: 5\r\nb", "5", None),
        ("ANSWER: 5\u2028x", None, "5"),
        ("<think>a<think>b</think> 7 ANSWER: 4", "4", None),
        ("ANSWER: 10 </think> so 7", None, "7"),
        ("x 1e34 and 12 and 1e35", None, "12"),
    ],
)
def test_v3_edges(text: str, answer: str | None, fallback: str | None) -> None:
    assert answers("v3", [text]) == [(answer, "line" if answer else None, fallback)]


def test_v3_normalises_like_decimal_text() -> None:
    """The same rule in Python's decimal, over random numbers with groups, points and exponents."""
    chance = random.Random(7)
    exact = Context(prec=4000, Emax=MAX_EMAX, Emin=MIN_EMIN)

    def number() -> str:
        whole = str(chance.randint(0, 10 ** chance.randint(0, 36)))
        if chance.random() < 0.2:
            whole = f"{chance.randint(0, 10**12):,}"
        part = "." + "".join(chance.choice("0123456789") for _ in range(chance.randint(0, 9)))
        exponent = (
            chance.choice("eE") + chance.choice(["", "+", "-"]) + str(chance.randint(0, chance.choice([5, 40, 999])))
        )
        return chance.choice(["", "-", "+"]) + whole + chance.choice(["", part]) + chance.choice(["", "", exponent])

    def normal(text: str) -> str | None:
        value = Decimal(text.replace(",", ""))
        if value and value.adjusted() >= 34:
            return None
        rounded = format(value.quantize(Decimal("0.0001"), rounding=ROUND_HALF_UP, context=exact), "f")
        short = rounded.rstrip("0").rstrip(".")
        return "0" if short in ("-0", "") else short

    numbers = [number() for _ in range(3000)]
    got = answers("v3", [f"ANSWER: {text}" for text in numbers])
    assert [(text, normal(text)) for text in numbers] == [(t, a) for t, (a, _, _) in zip(numbers, got, strict=True)]


def test_v1_normalises_through_doubles() -> None:
    chance = random.Random(8)
    numbers = [str(chance.randint(0, 10 ** chance.randint(1, 300))) for _ in range(300)]
    numbers += [f"{chance.randint(0, 9999)}.{chance.randint(0, 9999):04}5" for _ in range(1000)]
    numbers += ["9" * 308, "9" * 400, "0." + "0" * 400 + "1", "00012.50000"]
    wanted = [f"{float(text):.4f}".rstrip("0").rstrip(".") for text in numbers]
    assert [answer for answer, _, _ in answers("v1", [f"answer:{text}" for text in numbers])] == wanted
