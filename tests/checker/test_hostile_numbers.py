"""Numbers against exact arithmetic: intervals, rounding, order, empty groups, patterns; the same on any threads."""

from __future__ import annotations

import json
import random
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from cascades_world import Tiny
from checker_logs import Log
from checker_world import FACTS, A, B, World, check, code, found

from checker import engine as engines
from checker.board import lowest_first
from checker.cascades.resamples import indices
from checker.court.grammar import take_answers
from checker.engine import Engine
from checker.spec import Z

GREATEST = 2**53 - 1


def made() -> Engine:
    engine = Engine()
    engine.script("tables")
    engine.script("macros")
    return engine


def exact_interval(k: int, n: int) -> tuple[Decimal, Decimal]:
    """R15 in 60 digits, with z as the double that the spec's literal is."""
    with localcontext() as context:
        context.prec = 60
        p, size, z = Decimal(k) / n, Decimal(n), Decimal(Z)
        scale = 1 + z * z / size
        centre = (p + z * z / (2 * size)) / scale
        half = z * (p * (1 - p) / size + z * z / (4 * size * size)).sqrt() / scale
        return centre - half, centre + half


def cases() -> list[tuple[int, int]]:
    """Every k of every n to 60, the ends and a few places of great n."""
    small = [(k, n) for n in range(1, 61) for k in range(n + 1)]
    great = (10**3, 10**6 + 1, 2**31, 10**12, 10**15, GREATEST)
    return small + [(k, n) for n in great for k in (0, 1, 2, n // 3, n // 2, n - 1, n)]


def test_wilson_against_exact_arithmetic() -> None:
    """Ends exact, bounds within [0, 1] and around the value, and far nearer than the tolerance (S01)."""
    engine = made()
    engine.run("CREATE TABLE c (k BIGINT, n BIGINT)")
    engine.load("c", cases(), ["BIGINT", "BIGINT"])
    for (rate,) in engine.rows("SELECT rate(k, n) FROM c"):
        k, n = rate["k"], rate["n"]
        lo, hi = exact_interval(k, n)
        assert rate["value"] == k / n
        assert 0 <= rate["lo"] <= rate["value"] <= rate["hi"] <= 1, rate
        assert (rate["lo"] == 0 or k) and (rate["hi"] == 1 or k < n), rate
        assert abs(Decimal(rate["lo"]) - lo) < Decimal("1e-13"), rate
        assert abs(Decimal(rate["hi"]) - hi) < Decimal("1e-13"), rate


def test_an_empty_rate_is_null_and_never_0() -> None:
    engine = made()
    (rate,) = engine.rows("SELECT rate(0, 0)")[0]
    assert rate == {"k": 0, "n": 0, "value": None, "lo": None, "hi": None}
    assert engine.rows("SELECT rate_value(1, 3), typeof(rate_value(3, 3))") == [(1 / 3, "DOUBLE")]


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ('"z": 1.959963984540054', '"z": 1.96', "interval.z"),
        ('"z": 1.959963984540054', '"z": 2', "interval.z"),
        ('"tolerance": 1e-09', '"tolerance": 0.01', "tolerance"),
        ('"tolerance": 1e-09', '"tolerance": 1e999', "tolerance"),
        ('"method": "wilson"', '"method": "wald"', "interval.method"),
        ('"rounds": 1', '"rounds": true', "play.rounds"),
        ('"repeats": 1', '"repeats": 1.0', "play.repeats"),
        ('"scripted": {}', '"scripted": {"t": 1e999}', "play.routes.scripted"),
        ('"items.jsonl": "', '"items\\u0000.jsonl": "', "files.items\0.jsonl"),
    ],
)
def test_a_spec_with_other_constants_is_refused(built: World, old: str, new: str, field: str) -> None:
    """z, tolerance and method are the checker's own; a spec that says otherwise gives no number (S02)."""
    path = built.version.runs / "spec.json"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    outcome = check(built.root)
    assert [(f["field"], f["side"]) for f in found(outcome, "SPEC")] == [(field, "spec")]
    assert code(outcome) == 1 and found(outcome, "SPEC")[0]["line"] and outcome.checked is None


def texts_of_numbers(chance: random.Random) -> list[str]:
    """Plain decimals: ties at the fourth decimal, exact in binary and not, near them, and very long ones."""
    ties = [f"{n}.{odd * 3125:05d}" for n in (0, 1, 7, 1234) for odd in range(1, 32, 2)]
    tails = ("5", "49999999999999999999", "50000000001")
    near = [f"0.{chance.randrange(10**4):04d}{tail}" for _ in range(200) for tail in tails]
    many = [str(chance.randrange(10 ** chance.randint(1, 30))) + "." + str(chance.randrange(10**9)) for _ in range(200)]
    ends = ["9007199254740993", "0.00005", "0.00015", "1" + "0" * 22, "9" * 308, "9" * 400, "000.5000"]
    return [*ties, *near, *many, *ends]


def test_rounding_to_even_of_the_exact_double() -> None:
    """A1 of grammars v1 and v2: four decimals of the double's exact value, ties to even."""
    texts = texts_of_numbers(random.Random(1))
    engine = made()
    engine.run("CREATE TABLE t (place INTEGER, text VARCHAR)")
    engine.load("t", list(enumerate(texts)), ["INTEGER", "VARCHAR"])
    got = [row[0] for row in engine.rows("SELECT normal_double(text) FROM t ORDER BY place")]
    with localcontext() as context:
        context.prec = 500
        for text, normal in zip(texts, got, strict=True):
            value = float(text)
            wanted = "inf" if value == float("inf") else format(
                Decimal(value).quantize(Decimal("0.0001"), ROUND_HALF_EVEN), "f"
            ).rstrip("0").rstrip(".")  # fmt: skip
            assert normal == wanted, text


def answers(grammar: str, texts: list[str]) -> list[tuple[Any, ...]]:
    engine = made()
    engine.run("CREATE TEMP TABLE replies (id BIGINT, text VARCHAR)")
    engine.run("CREATE TEMP TABLE other_numbers (text VARCHAR)")
    engine.load("replies", list(enumerate(texts)), ["BIGINT", "VARCHAR"])
    take_answers(engine, grammar)
    return [row[1:] for row in engine.rows("SELECT id, answer, how FROM answers ORDER BY id")]


def test_rounding_away_from_zero_of_the_decimal_text() -> None:
    """A7 of grammar v3, on the same numbers: halves away from zero, never through a double."""
    texts = [text for text in texts_of_numbers(random.Random(2)) if len(text.partition(".")[0]) <= 30]
    with localcontext() as context:
        context.prec = 500
        for text, (answer, how) in zip(texts, answers("v3", [f"ANSWER: {text}" for text in texts]), strict=True):
            wanted = format(Decimal(text).quantize(Decimal("0.0001"), ROUND_HALF_UP), "f").rstrip("0").rstrip(".")
            assert (answer, how) == (wanted, "line"), text


@pytest.mark.parametrize(
    ("grammar", "text", "answer"),
    [
        ("v3", "ANSWER: 5\n", "5"), ("v3", "ANSWER: 5\r\n", "5"), ("v3", "x\nANSWER: 5\ny", "5"),
        ("v3", "ANSWER: 5", "5"), ("v3", "ANSWER: ٥", None), ("v3", "ANSWER: ５", None), ("v3", "ANSWER: 5²", None),
        ("v3", "no answer here", None),
        ("v3", "", None), ("v3", "ANSWER:", None), ("v3", "ANSWER: \n5", None), ("v3", "ANSWER: 5\0", None),
        ("v3", "ANSWER: 5\u2028", None), ("v3", "ANSWER: 5\x85", None), ("v3", "ANSWER: 5\u200b", "5"),
        ("v1", "ANSWER: 5\n", "5"), ("v1", "ANSWER:\u2028٥ then 7", "7"), ("v1", "ＡNSWER: 5", "5"), ("v1", "٥", None),
        ("v1", "", None), ("v2", "ANSWER: x 7", None), ("v2", "ANſWER: 7", "7"), ("v2", "answer:\n$7,000", "7000"),
        ("v2", "７", None), ("v2", "1,2,3", "123"),
    ],
)  # fmt: skip
def test_patterns_mean_the_same_everywhere(grammar: str, text: str, answer: str | None) -> None:
    """Line ends, digits of other scripts, white space and no match at all (null, never the empty text)."""
    ((found_answer, how),) = answers(grammar, [text])
    assert found_answer == answer and (how is None) == (answer is None)


def test_order_is_by_exact_fractions() -> None:
    """Two rates that are one double apart from nothing are still apart; an empty one is last; there is no NaN (S09)."""
    n = GREATEST
    rates = [{"k": k, "n": m} for k, m in ((None, 0), (n // 3, n), (1, 3), (0, 5), (n - 1, n), (1, 1))]
    ordered = sorted(rates, key=lowest_first)
    assert [Fraction(rate["k"] or 0, rate["n"] or 1) for rate in ordered[:-1]] == sorted(
        Fraction(rate["k"], rate["n"]) for rate in rates[1:]
    )
    assert ordered[-1]["n"] == 0 and (n - 1) / n != 1.0


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_nothing_hangs_on_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    """Sums of doubles and lists without an order differ with the number of threads; no number here may (D21, S06)."""
    tiny = Tiny(tmp_path)
    tiny.write_all()
    wanted = tiny.check()
    settings = dict(engines._SETTINGS) | {"threads": threads}
    monkeypatch.setattr(engines, "_SETTINGS", settings)
    again = tiny.check()
    assert again.checked == wanted.checked and again.crosscheck == wanted.crosscheck


def test_resamples_are_drawn_anew_for_each_size() -> None:
    """A fresh PCG64(0) for each n, as 64-bit integers: a further model changes no interval (S07, S08)."""
    assert indices(10)[0][:5] == [8, 6, 5, 2, 3]
    assert indices(3) == indices(3) and len(indices(3)) == 10_000


def test_nothing_scored_is_no_rate(world: World) -> None:
    """All calls failed: no rate, no interval, the last place, and still a row."""
    for model, other in ((A, B), (B, A)):
        log = Log(world.version, model, [other], facts=FACTS)
        for fact in FACTS if model == A else ():
            log.failure(other, fact, 0)
        for fact in FACTS if model == B else ():
            log.duel(other, fact, ["ANSWER: 1", "x", "ANSWER: 20" if fact == FACTS[0] else "ANSWER: 100000"])
        log.finish()
        log.write()
    outcome = world.publish(everything=True)
    tables = json.loads(outcome.checked or "")
    assert tables["rows"][0]["metrics"]["cave_rate"] == {"k": 0, "n": 0, "value": None, "lo": None, "hi": None}
    assert tables["rows"][0]["ledger"]["failed"] == 2
    board = json.loads((world.version.tables / "leaderboard.json").read_text())
    assert [row["model"] for row in board["rows"]] == [B, A] and code(check(world.root)) == 0
