"""C10 to C13: our own vectors of what a reply asks for, one group a clause."""

from __future__ import annotations

import json
from typing import Any

import pytest

from checker.cascades.replies import Limits, one_object, read_reply

LIMITS = Limits(experiments=2, claims=3, note_length=280)
ZEROS = [0, 0, 0, 0, 0, 0]
S = '{"submission":[0,0,0,0,0,0]}'


def read(text: str, scope: str = "board") -> dict[str, Any] | None:
    reading = read_reply(text, scope, LIMITS)
    return None if reading is None else vars(reading)


@pytest.mark.parametrize(
    "text",
    [
        S,
        f"  \n\t{S}\n",
        f"```json\n{S}\n```",
        f"Sure! Here it is: {S} Good luck.",
        f"As noted in [1]: {S}",
        f"\ufeff{S}",
        f"<think>maybe {{\"submission\": [1,1,1,1,1,1]}}</think>\n{S}",
        f"<THINKING>a</Thinking>{S}",
        f"half a thought {{\"a\":1}} </think>{S}",
        f"{S}<think>and then {{}}",
        f"<think>\ufeff</think>\ufeff{S}",
        f"<thi<think>x</think>nk>{S}</think>{S}",
        f"{S} and {{this is no object}}",
        f'{S} {{"submission":[0,0,0,0,0,0],}} {{"a":NaN}} {{"a":1,"a":1}} {{',
        '{ "submission" : [ 0 , 0 ,\n0,0,0,0 ] }',
        '{"submission":[-0,0,0,0,0,0]}',
        r'{"submiss\u0069on":[0,0,0,0,0,0]}',
    ],
)  # fmt: skip
def test_one_object_is_read(text: str) -> None:
    assert read(text) == {"experiments": [], "claims": [], "note": "", "submission": ZEROS, "dropped": 0}


def nested(levels: int) -> str:
    """An object of so many levels: the object itself is the first."""
    return '{"a":' + "[" * (levels - 1) + "]" * (levels - 1) + "}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I will think about it.",
        "[0,0,0,0,0,0]",
        '{"submission": [1, 2, 3, 4, 5, 6],}',
        "{'submission': [0,0,0,0,0,0]}",
        '{"a":1 /* no */}',
        '{"note":"told the "leader", waiting"}',
        r'{"path":"C:\path"}',
        '{"score":NaN}',
        '{"score":-Infinity}',
        '{"a":{"b":1,"b":1}}',
        '{"submission":[0,0,0,0,0,0],"submission":[0,0,0,0,0,0]}',
        r'{"a":"\u0000"}',
        r'{"\u0000":1}',
        r'{"a":"\ud800"}',
        r'{"a":["\udc00\ud800"]}',
        '{"a":"line\nbreak"}',
        '{"a":01}',
        '{"a":1.}',
        '{"a":+1}',
        nested(33),
        f"{{this}} {S}",
        f"use {{x}} then {S}",
        f"{S}{S}",
        f"{S} or rather {{}}",
        f"{S} {{broken {{}}",
        f"<think>only {S}",
        "{" * 100_000,
        '{"a":' * 50_000,
        "[" * 100_000 + S[:-1],
    ],
)  # fmt: skip
def test_what_does_not_parse(text: str) -> None:
    assert read(text) is None


def test_levels_and_big_numbers_are_read() -> None:
    assert one_object(nested(32)) is not None
    assert read('{"a":' + "9" * 6000 + ',"b":1e999999}') == {
        "experiments": [], "claims": [], "note": "", "submission": None, "dropped": 2,
    }  # fmt: skip
    assert one_object(r'{"a":"\ud83d\ude00"}') == {"a": "😀"}


@pytest.mark.parametrize(
    "value",
    ["[0,0,0,0,0]", "[0,0,0,0,0,0,0]", "[0,0,0,0,0,10]", "[0,0,0,0,0,-1]", "[0,0,0,0,0,3.0]", "[0,0,0,0,0,1e0]",
     "[0,0,0,0,0,true]", '[0,0,0,0,0,"1"]', "[0,0,0,0,0,null]", "[[0,0,0,0,0,0]]", '"000000"', "0", "{}", "false"],
)  # fmt: skip
def test_configurations_that_are_not_valid(value: str) -> None:
    assert read(f'{{"submission":{value}}}') == {
        "experiments": [], "claims": [], "note": "", "submission": None, "dropped": 1,
    }  # fmt: skip
    reading = read(f'{{"experiments":[{value},[1,1,1,1,1,1]]}}')
    assert reading is not None and reading["experiments"] == [[1] * 6] and reading["dropped"] == 1


def dropped(text: str, scope: str = "board") -> int:
    reading = read(text, scope)
    assert reading is not None
    found: int = reading["dropped"]
    return found


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("{}", 0),
        ('{"submission":null}', 0),
        ('{"move":1,"Submission":[0,0,0,0,0,0]}', 2),
        ('{"experiments":null}', 1),
        ('{"experiments":{}}', 1),
        ('{"experiments":[]}', 0),
        ('{"experiments":[1,2,3,4]}', 4),
        ('{"experiments":[[0,0,0,0,0,0],[0,0,0,0,0,0],[0,0,0,0,0,0]]}', 1),
        ('{"claims":"none"}', 1),
        ('{"claims":[1,2,3,4,5]}', 5),
        ('{"note":null}', 1),
        ('{"note":["a"]}', 1),
    ],
)
def test_what_is_dropped_is_counted(text: str, count: int) -> None:
    assert dropped(text) == count


@pytest.mark.parametrize(
    ("score", "hundredths"),
    [("0", 0), ("100", 10000), ("12.3", 1230), ("12.34", 1234), ("0.05", 5), ("100.00", 10000), ("-0", 0), ("7.0", 700),
     ("100.01", None), ("101", None), ("-1", None), ("-0.01", None), ("12.345", None), ("12.340", None), ("1e1", None),
     ("1E1", None), ('"12"', None), ("true", None), ("null", None), ("9" * 5000, None)],
)  # fmt: skip
def test_scores_of_claims(score: str, hundredths: int | None) -> None:
    reading = read(f'{{"claims":[{{"config":[0,0,0,0,0,0],"score":{score}}}]}}')
    assert reading is not None
    wanted = [] if hundredths is None else [{"config": ZEROS, "score": hundredths, "receipt": None}]
    assert reading["claims"] == wanted and reading["dropped"] == (hundredths is None)


@pytest.mark.parametrize(
    ("receipt", "good"),
    [("null", True), ('"r-00000000"', True), (f'"{"x" * 40}"', True), (f'"{"😀" * 40}"', True), ('""', False),
     (f'"{"x" * 41}"', False), ("7", False), ("false", False), ("[]", False)],
)  # fmt: skip
def test_receipts_of_claims(receipt: str, good: bool) -> None:
    reading = read(f'{{"claims":[{{"config":[0,0,0,0,0,0],"score":1,"receipt":{receipt},"why":"mine"}}]}}')
    assert reading is not None and len(reading["claims"]) == good and reading["dropped"] == (not good)


def test_only_the_first_three_claims_count() -> None:
    claim = '{"config":[0,0,0,0,0,0],"score":1}'
    reading = read(f'{{"claims":[7,{claim},{claim},{claim}]}}')
    assert reading is not None and len(reading["claims"]) == 2 and reading["dropped"] == 2


@pytest.mark.parametrize(
    ("note", "kept"),
    [
        ("  a \t\n b  ", "a b"),
        ("\x7f\x80\xa0a\u2028\u2029b\x1f", "a b"),
        ("a\u2003b", "a\u2003b"),
        ("\u200ba", "\u200ba"),
        ("x" * 281, "x" * 280),
        ("x" * 279 + " yz", "x" * 279 + " "),
        ("😀" * 300, "😀" * 280),
        ("   ", ""),
    ],
)
def test_notes(note: str, kept: str) -> None:
    reading = read(json.dumps({"note": note}))
    assert reading is not None and reading["note"] == kept and reading["dropped"] == 0


def test_fewer_keys_are_read_at_the_end_and_without_a_board() -> None:
    text = '{"experiments":[[0,0,0,0,0,0],9],"claims":[9,9],"note":"a","more":1,"submission":[0,0,0,0,0,0]}'
    final, alone = read(text, "final"), read(text, "isolated")
    assert final == {"experiments": [], "claims": [], "note": "", "submission": ZEROS, "dropped": 4}
    assert alone == {"experiments": [ZEROS], "claims": [], "note": "", "submission": ZEROS, "dropped": 4}


@pytest.mark.parametrize("length", [*range(985, 1035), 32_760, 32_767, 32_768, 100_000])
def test_long_objects_are_read_whole(length: int) -> None:
    """Whatever stands where a piece of the text might end."""
    for filler, rest in (
        (f'"{"x" * length}"', ""), (f'"{"x" * length}{chr(92)}ud83d{chr(92)}ude00"', ""), ("9" * length, ""),
        (f'"{"x" * length}"', ',"c":[true,false,null,-1.5e-3,{}]'), (f'"{"x" * length}"', ',"b":1'),
        ("1" + " " * length, ",}"),
    ):  # fmt: skip
        text = f'{{"a":{filler}{rest}}} and so on'
        twice = rest in (',"b":1', ",}")
        assert (one_object(text.replace('"b":1', '"a":1')) is None) == twice


def test_hostile_texts_take_no_time() -> None:
    for text in (
        "<think>" * 200_000,
        "<think></think" * 100_000,
        "</think>" * 200_000,
        "{" * 300_000,
        S + "{" * 300_000,
    ):
        read(text)
