"""The three answer grammars give the right value for every vector of their specs and every reported failure."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from runners.court.answers import GRAMMARS

RUNS = Path(__file__).parents[3] / "runs/court"
SPECS = {version: json.loads((RUNS / version / "spec.json").read_bytes())["answer"] for version in ("v1", "v2", "v3")}
VECTORS = [(version, vector) for version, answer in SPECS.items() for vector in answer["vectors"]]


@pytest.mark.parametrize(("version", "vector"), VECTORS, ids=[f"{v}-{x['text'][:30]!r}" for v, x in VECTORS])
def test_the_vectors_of_the_spec(version: str, vector: dict[str, str | None]) -> None:
    answer = GRAMMARS[SPECS[version]["grammar"]].read(str(vector["text"]))
    assert (answer.value, answer.how, answer.fallback) == (vector["answer"], vector["how"], vector["fallback"])


def test_every_rule_of_the_hardened_grammar_has_vectors_on_both_sides() -> None:
    vectors = SPECS["v3"]["vectors"]
    assert sum(vector["answer"] is None for vector in vectors) > 40
    assert sum(vector["answer"] is not None for vector in vectors) > 40


# The inputs of public bug reports (answer extraction) with the value that may be given, or None for "no answer".
REPORTED: list[tuple[str, str | None]] = [
    ("ANSWER: 1.234,56", None),
    ("ANSWER: 1,5", None),
    ("ANSWER: 727,242", "727242"),
    ("ANSWER: 4.255.142", None),
    ("ANSWER: 1\u202f234\u202f567", None),
    ("ANSWER: 1\u00a0234", None),
    ("ANSWER: 1\u2009234", None),
    ("ANSWER: 42\u00a0", "42"),
    ("ANSWER:\u300042", "42"),
    ("ANSWER: \u00bd", None),
    ("ANSWER: 2\u00b2", None),
    ("ANSWER: (5)", "5"),
    ("ANSWER: 711", "711"),
    ("ANSWER: 2 \u00d7 10^3", None),
    ("The answer is (42).", None),
    ("ANSWER: 3k", None),
    ("I first had \\boxed{2}, corrected: \\boxed{\\frac{1}{2}}", None),
    ("</think></think> ANSWER: 8", "8"),
    ("<think> so far 41 and then", None),
    ("\\boxed{H = 12}\n\nANSWER: 9", "9"),
    ("The answer is 42. I verified it in 3 steps.", None),
    ("ANSWER: 9007199254740992", "9007199254740992"),
    ("ANSWER: 0.12345", "0.1235"),
    ("x\r\nANSWER: 5\r\ny", "5"),
    ("ANSWER: 5\u2028", None),
    ("ANSWER: 1e3", "1000"),
    ("ANSWER: 1E+3", "1000"),
    ("ANSWER: 5 or more", None),
    ("ANSWER: 5 +- 1", None),
    ("ANSWER: 5..", "5"),
    ("ANSWER: 1,000,00", None),
    ("ANSWER: 0,100", "100"),
    ("ANSWER: 12,345,678", "12345678"),
    ("ANSWER: 1234,567", None),
    ("ANSWER: \u0435 5", None),
    ("\u0410NSWER: 5", None),
    ("ANSWER: 10\u20e3", None),
    ("ANSWER: NOT 10", None),
    ("ANSWER: 10%!", "10"),
    ("ANSWER: \u20ac10", "10"),
    ("ANSWER: 10 \u20ac", "10"),
    ("Final ANSWER: 10", "10"),
    ("ANSWER: 10\n\nANSWER: 20", "20"),
    ("ANSWER: 20\nANSWER: I cannot say", None),
]


@pytest.mark.parametrize(("text", "value"), REPORTED, ids=[repr(text)[:40] for text, _ in REPORTED])
def test_reported_failures_of_other_parsers(text: str, value: str | None) -> None:
    assert GRAMMARS["v3"].read(text).value == value


@pytest.mark.parametrize(
    "text",
    [
        "ANSWER: (" + " " * 300_000 + "x",
        "<think>" * 200_000,
        "<think>" * 100_000 + "</think>",
        "ANSWER" * 200_000 + ":",
        "ANSWER:" * 100_000,
        "ANSWER: " + "9" * 1_000_000,
        "ANSWER: " + "1," * 200_000,
        "1,234" * 100_000,
        "* " * 200_000,
    ],
    ids=lambda text: text[:12],
)
@pytest.mark.parametrize("version", ["v1", "v2", "v3"])
def test_hostile_text_costs_one_pass(version: str, text: str) -> None:
    began = time.process_time()
    GRAMMARS[version].read(text)
    assert time.process_time() - began < 5  # a quadratic scan of these would take hours


def test_equal_values_compare_equal_whatever_their_spelling() -> None:
    normalise = GRAMMARS["v3"].normalise
    assert {normalise(x) for x in ("0.0104", "0.01040", ".0104", "1.04e-2", "00.0104")} == {"0.0104"}
    assert normalise("9007199254740993") != normalise("9007199254740992")
