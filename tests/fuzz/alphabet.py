"""What is put into lines: bytes, escapes, values, times and spaces that a lenient reader takes for something else."""

from __future__ import annotations

from typing import Final

#: Bytes that are no UTF-8, or that a reader of lines or text may take for something else.
BYTES: Final = (
    b"\0", b"\r", b"\n", b"\x80", b"\xff", b"\xc0\x80", b"\xc1\xbf", b"\xe0\x80\x80", b"\xf0\x80\x80\x80",
    b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xed\xa0\xbd\xed\xb8\x80", b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80\x80",
    b"\xe2\x82", b"\xf0\x9f\x98", b"\xef\xbb\xbf", b"\xef\xbf\xbe", b"\xe2\x80\xa8", b"\xc2\x85", b"\x7f", b"\x1f",
    b"\x0b", b"\x0c", b"\x1a", b"\x1b", b"\t", b" ", b'"', b"\\", b"{", b"}", b",", b":", b"'", b";", b"#",
)  # fmt: skip
ESCAPES: Final = (
    rb"\u0000", rb"\ud800", rb"\udfff", rb"\udc00\ud800", rb"\ud83d\ude00", rb"\/", rb"\u0041", rb"\u001F", rb"\u001f",
    rb"\u007f", rb"\u0008", rb"\b", rb"\n", rb"\u000a", rb"\x41", rb"\'", rb"\0", rb"\u12", rb"\U0001f600", rb"\u0022",
    rb"\\", rb"\"", rb"\\u0000", rb"\u005c", rb"\ufeff", rb"\u2028", rb"\N", rb",\"usage\":null", rb"\",\"v\":2,\"",
)  # fmt: skip
VALUES: Final = (
    b"0", b"1", b"-0", b"-1", b"+1", b"01", b"00", b"0.0", b"1.0", b"1.", b".5", b"1e2", b"1E2", b"1e400", b"-1e400",
    b"1e-400", b"1e0", b"9007199254740991", b"9007199254740992", b"9007199254740993", b"9223372036854775807",
    b"9223372036854775808", b"18446744073709551616", b"1" * 40, b"1" * 5000, b"0x10", b"1_000", b"1,000", b"NaN",
    b"Infinity", b"-Infinity", b"nan", b"null", b"Null", b"None", b"true", b"false", b"True", b"undefined", b"[]",
    b"{}", b"[1]", b"[null]", b'[""]', b'{"a":1}', b'{"a":1,"a":1}', b'{"a":1,"A":2}', b'{"":null}', b'""', b'"1"',
    b'"null"', b'"NaN"', b'" "', b"'a'", b"", b'{"a":{"b":{"c":1}}}', b'{"a":[{"b":1}]}', b'{"a":1.50}', b'{"a":01}',
    b'{"a":1e5}', b"\xc2\xb2", b"\xd9\xa1", "１".encode(), b'"unsettled"', b'"unpriced"', b'"stop"', b'"main"',
    b'"main" ', b'"Main"', b'"main\\u0000"', b'"interrupted"', b'"agent_7"', b'"\xd0\xb0gent_1"', b"10000", b"10001",
    b"[0,1,2,3,4,5]", b"[0,1,2,3,4,10]", b"[0,1,2,3,4]", b"[0,1,2,3,4,5,6]", b"[[0,1,2,3,4,5]]", b"2", b"3",
)  # fmt: skip
TIMES: Final = (
    b"2026-02-29", b"2026-02-30", b"2024-02-29", b"2100-02-29", b"2026-13-01", b"2026-00-10", b"2026-04-31",
    b"0000-01-01", b"0001-01-01", b"9999-12-31", b"1999-01-01", b"2026-12-32", b"2026-1-011",
)  # fmt: skip
CLOCKS: Final = (
    b"24:00:00.000Z", b"23:59:60.000Z", b"23:59:59.999Z", b"00:60:00.000Z", b"00:00:00.000z", b"00:00:00.0000",
    b"00:00:00,000Z", b"00:00:00+00:0", b"00:00:00.00Z", b"00:00:00.000",
)  # fmt: skip
SPACES: Final = (b" ", b"\t", b"\r", b"\x0b", b"\x0c", b"\xc2\xa0", b"\xe2\x80\xa8", b"\xef\xbb\xbf", b"  ", b"\0")
LOOK_ALIKES: Final = {b"a": "а", b"e": "е", b"o": "ο", b"i": "ı", b"s": "ſ", b"k": "K", b"c": "с", b"p": "р"}
