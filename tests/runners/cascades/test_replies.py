"""One JSON object out of a reply, strictly; an action out of the object, piece by piece (C10 to C12)."""

from __future__ import annotations

import json
import time

import pytest

from runners.cascades.records import Claim
from runners.cascades.replies import find_object, read_action

GOOD = [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("text", "record"),
    [
        (
            '{"action":"claim","text":"use [^,] and stop, } there"}',
            {"action": "claim", "text": "use [^,] and stop, } there"},
        ),
        ('<think>maybe {"action":"a"} [no]</think>\n```json\n{"action":"b"}\n```', {"action": "b"}),
        ('{"action":"run","args":{"x":"{y}"}} Note: replace {foo}.', {"action": "run", "args": {"x": "{y}"}}),
        ('As noted in [1], my move: {"action":"pass"}', {"action": "pass"}),
        ('\ufeff{"a":1}', {"a": 1}),
        ("{}", {}),
        ("Here you are:\n~~~\n{}\n~~~\nBye.", {}),
        ('[{"a":1}]', {"a": 1}),
        ('{"action":"hold","action":"sell"}', None),
        ('{"a":{"b":1,"b":2}}', None),
        ('{"score":NaN}', None),
        ('{"score":-Infinity}', None),
        ('{"action":"hold",}', None),
        ("{'a':1}", None),
        ('{"a":1 /* why */}', None),
        ('{"path":"C:\\path"}', None),
        ('{"note":"told the "leader", waiting"}', None),
        ('{"note":"line\nbreak"}', None),
        ('{"a":1}{"b":2}', None),
        ('{"a":1} or else {"b":2}', None),
        ('{"a":1', None),
        ('{"experiments":[[1,2,3,4,5,6]], {"submission":[1,2,3,4,5,6]}', None),
        ('{"a":"\\ud800"}', None),
        ('{"a":"\\u0000"}', None),
        ("no object", None),
        ("", None),
        ("<think>{} and then", None),
        ('{"a":' * 40 + "1" + "}" * 40, None),
        ("{" * 50_000, None),
    ],
)
def test_one_object_or_nothing(text: str, record: object) -> None:
    assert find_object(text) == record


def test_depth_is_counted_from_the_object_itself() -> None:
    assert find_object('{"a":' * 31 + "{}" + "}" * 31) is not None
    assert find_object('{"a":' * 32 + "{}" + "}" * 32) is None


def test_a_long_hostile_reply_ends() -> None:
    began = time.process_time()
    assert find_object("{" + "[" * 60_000) is None
    assert find_object('{"a":1}' + "{" * 60_000) is not None
    assert time.process_time() - began < 60


def action(**record: object) -> object:
    parsed = find_object(json.dumps(record))
    assert parsed is not None
    return read_action(parsed, board=True, final=False)


@pytest.mark.parametrize(
    ("value", "valid"),
    [
        (GOOD, True),
        ([0, 0, 0, 0, 0, 9], True),
        ([1, 2, 3, 4, 5], False),
        ([1, 2, 3, 4, 5, 6, 7], False),
        ([1, 2, 3, 4, 5, 10], False),
        ([1, 2, 3, 4, 5, -1], False),
        ([1, 2, 3, 4, 5, 6.0], False),
        ([1, 2, 3, 4, 5, True], False),
        ([1, 2, 3, 4, 5, "6"], False),
        ("123456", False),
        ({}, False),
        (5, False),
    ],
)
def test_a_configuration_is_six_digits(value: object, valid: bool) -> None:
    found = action(submission=value)
    assert (found.submission, found.dropped) == ((tuple(GOOD if value == GOOD else value), 0) if valid else (None, 1))  # type: ignore[attr-defined,arg-type]


def test_lists_are_cut_first_and_then_sifted() -> None:
    found = action(experiments=[["x"], GOOD, GOOD])
    assert found.experiments == (tuple(GOOD),)  # type: ignore[attr-defined]
    assert found.dropped == 2  # type: ignore[attr-defined]
    assert action(experiments=None, claims=None, note=None, submission=None).dropped == 0  # type: ignore[attr-defined]
    assert action(experiments="all", claims=7, note=["x"], other=1).dropped == 4  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("score", "hundredths"),
    [
        ("96", 9600),
        ("96.5", 9650),
        ("96.54", 9654),
        ("0", 0),
        ("0.01", 1),
        ("100", 10_000),
        ("100.00", 10_000),
        ("100.01", None),
        ("96.543", None),
        ("-1", None),
        ("1e1", None),
        ('"96"', None),
        ("true", None),
        ("null", None),
        ("[96]", None),
    ],
)
def test_a_claimed_score_has_two_decimals(score: str, hundredths: int | None) -> None:
    record = find_object('{"claims":[{"config":[1,2,3,4,5,6],"score":' + score + "}]}")
    assert record is not None
    found = read_action(record, board=True, final=False)
    expected = () if hundredths is None else (Claim((1, 2, 3, 4, 5, 6), hundredths, None),)
    assert found.claims == expected
    assert found.dropped == (hundredths is None)


@pytest.mark.parametrize(
    ("receipt", "valid"), [(None, True), ("r-1", True), ("x" * 40, True), ("x" * 41, False), ("", False), (5, False)]
)
def test_a_receipt_is_a_short_text(receipt: object, valid: bool) -> None:
    found = action(claims=[{"config": GOOD, "score": 1, "receipt": receipt}])
    assert len(found.claims) == valid  # type: ignore[attr-defined]


def test_a_note_is_one_line_and_cannot_imitate_the_board() -> None:
    found = action(note="  best\n\nagent_9, round 1:\r\n\u2028 claim\x07  ")
    assert found.note == "best agent_9, round 1: claim"  # type: ignore[attr-defined]
    assert len(action(note="\U0001f600" * 300).note) == 280  # type: ignore[attr-defined]


def test_the_final_turn_and_the_isolated_cell_read_less() -> None:
    record = {"experiments": [GOOD], "claims": [], "note": "x", "submission": GOOD}
    final = read_action(record, board=True, final=True)
    assert (final.experiments, final.note, final.submission, final.dropped) == ((), "", tuple(GOOD), 3)
    alone = read_action(record, board=False, final=False)
    assert (alone.experiments, alone.note, alone.dropped) == ((tuple(GOOD),), "", 2)
