"""The codec refuses every spelling of a line but the canonical one."""

from __future__ import annotations

import json

import pytest

from runners.codec import decode_line, encode_line
from runners.errors import Finding
from runners.records import Call, Finish, Stated, TokenUsage
from runners.schema import Line

CALL = Call(
    phase="main",
    round=0,
    attacker="scripted:persuader",
    fact="s3-buckets",
    repeat=0,
    turn=0,
    attempt=1,
    role="defender",
    model="local:x",
    system="s",
    user="u",
    text='caf\u00e9 \U0001f600 \u2028 \x01\x1f\x7f "quoted" back\\slash / \n\t',
    finish="stop",
    usage=TokenUsage(10, None, None, 5, None),
    cost="unpriced",
    latency_ms=12,
    served="x",
    fingerprint=None,
    provider=None,
    settings={"temperature": 0.5, "max_tokens": 600},
)
LINE = Line(2, "run-1", 3, "2026-11-30T01:02:03.456Z", "0" * 64, CALL)
RAW = encode_line(LINE)


def test_a_line_survives_the_round_trip() -> None:
    assert decode_line(RAW, "f", 4) == LINE


def test_a_line_of_version_1_is_read_as_it_was_written() -> None:
    older = RAW.replace(b'"v":2', b'"v":1').replace(b',"provider":null', b"")
    line = decode_line(older, "f", 4)
    assert line == Line(1, *(getattr(LINE, name) for name in ("run", "seq", "at", "prev", "event")))
    assert encode_line(line) == older
    unsettled = older.replace(b'"cost":"unpriced"', b'"cost":"unsettled"')
    finding = decode_line(unsettled, "f", 4)
    assert isinstance(finding, Finding)
    assert finding.rule == "L5"


def test_the_bytes_are_what_the_schema_says() -> None:
    """L3: the standard library, told the same rules, writes the same bytes."""
    expected = json.dumps(json.loads(RAW), ensure_ascii=False, separators=(",", ":")).encode()
    assert expected == RAW
    assert b"\\u0001\\u001f\x7f" in RAW  # lower-case hexadecimal; DEL is no control character below U+0020


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        (b'"turn":0', b'"turn":0,"turn":0', "L3"),
        (b'"turn":0', b'"turn": 0', "L3"),
        (b'"turn":0', b'"turn":0.0', "L5"),
        (b'"turn":0', b'"turn":true', "L5"),
        (b'"turn":0', b'"turn":"0"', "L5"),
        (b'"turn":0', b'"turn":-0', "L3"),
        (b'"turn":0', b'"turn":-1', "L5"),
        (b'"turn":0', b'"turn":9007199254740992', "L5"),
        (b'"turn":0', b'"turn":1e0', "L5"),
        (b'"turn":0', b'"turn":NaN', "L2"),
        (b'"turn":0', b'"turn":123456789012345678901234567890', "L5"),
        (b'"turn":0,"attempt":1', b'"attempt":1,"turn":0', "L3"),
        (b'"turn":0', b'"turn":0,"Turn":0', "L4"),
        (b'"turn":0', b'"turn":0,"extra":1', "L4"),
        (b'"turn":0,', b"", "L5"),
        (b'"seq":3,', b"", "L4"),
        (b'"v":2', b'"v":3', "L5"),
        (b'"v":2', b'"v":0', "L5"),
        (b'"v":2', b'"v":1', "L4"),
        (b'"fingerprint":null,"provider":null', b'"fingerprint":null', "L5"),
        (b'"event":"call"', b'"event":"vote"', "L4"),
        (b'"phase":"main"', b'"phase":"final"', "L5"),
        (b'"text":"', b'"text":"\\u0000', "L2"),
        (b'"text":"', b'"text":"\\ud800', "L2"),
        (b'"text":"', b'"text":"\\/', "L3"),
        (b'"text":"', b'"text":"\xff', "L2"),
        (b"caf\xc3\xa9", b"caf\\u00e9", "L3"),
        (b"\\u001f", b"\\u001F", "L3"),
        (b'"at":"2026-11-30T01:02:03.456Z"', b'"at":"2026-11-30 01:02:03"', "L5"),
        (b'{"v"', b'\xef\xbb\xbf{"v"', "L2"),
        (b'{"v"', b'{"v"\r', "L2"),
        (b'{"v":2', b'[{"v":2', "L2"),
        (b'"settings":{"temperature":0.5', b'"settings":{"temperature":0.50', "L3"),
        (b'"input":10', b'"input":10,"input":10', "L3"),
        (b'"max_tokens":600}}', b'"max_tokens":600},}', "L2"),
    ],
)
def test_any_other_spelling_is_refused_with_its_rule(old: bytes, new: bytes, rule: str) -> None:
    altered = RAW.replace(old, new, 1)
    if altered == RAW:
        pytest.fail(f"the alteration {old!r} does not apply")
    found = decode_line(altered, "some/log.jsonl", 4)
    assert isinstance(found, Finding)
    assert (found.file, found.line) == ("some/log.jsonl", 4)
    assert found.rule == rule
    assert found.expected
    assert found.found
    assert found.fix


@pytest.mark.parametrize("raw", [b"", b"null", b"[]", b'"x"', b"{", b"{}", b"[" * 100_000, b'{"a":' * 100_000])
def test_what_is_not_a_line_is_refused(raw: bytes) -> None:
    assert isinstance(decode_line(raw, "f", 1), Finding)


@pytest.mark.parametrize("text", ["a\0b", "lone \ud800 surrogate"])
def test_text_that_no_log_can_hold_is_not_written(text: str) -> None:
    event = Stated("a", "f", 0, (text,), (None,), None)
    with pytest.raises(ValueError, match="rule L2"):
        encode_line(Line(1, "r", 0, "2026-11-30T01:02:03.456Z", "0" * 64, event))


def test_a_backslash_before_u0000_is_text_and_not_a_nul() -> None:
    event = Stated("a", "f", 0, ("\\u0000",), (None,), None)
    line = Line(1, "r", 0, "2026-11-30T01:02:03.456Z", "0" * 64, event)
    assert decode_line(encode_line(line), "f", 1) == line


def test_a_line_has_a_longest_size() -> None:
    event = Stated("a", "f", 0, ("x" * 17_000_000,), (None,), None)
    with pytest.raises(ValueError, match="longer than"):
        encode_line(Line(1, "r", 0, "2026-11-30T01:02:03.456Z", "0" * 64, event))
    assert isinstance(decode_line(b'{"v":' + b" " * 17_000_000 + b"1}", "f", 1), Finding)


def test_finish_is_small_enough_to_read_on_paper() -> None:
    line = Line(1, "r", 1, "2026-11-30T01:02:03.456Z", "ab" * 32, Finish(1, 0))
    assert encode_line(line).decode() == (
        '{"v":1,"run":"r","seq":1,"at":"2026-11-30T01:02:03.456Z","prev":"' + "ab" * 32 + '","event":"finish",'
        '"lines":1,"duels":0}'
    )
