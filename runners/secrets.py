"""Finds keys, tokens and passwords in text before it is published; says which kind and where, never the value.

Three ways lead to a secret: its own shape (`runners.shapes`), the name before it (a header, an assignment, a URL, the
first line of a private key), and the environment of this process. Every line that is written is searched, so the way
to `nothing` is short: text without a long run of key characters, without a header's name and without a URL that holds
an `@` is left at once, and only the places that remain are looked at closely.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from runners import named, shapes
from runners.errors import Finding, LogError
from runners.shapes import Span

REDACTED = b"[secret]"
LONGEST_PIECE = 1 << 20
"""Bytes of a file that are searched at once, so that a line of any length needs no more memory than this."""
OVERLAP = 1 << 14
"""Bytes that two pieces of a long line share, so that no secret falls between them; more than any key is long."""

# Key characters become `a`, the rest blank: sixteen in a row, and a key may stand there. The dot and the colon join
# what some keys are made of (a JSON Web Token, a Telegram token).
_KEY_BYTES = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+/.:~")
_FLAT = bytes(ord("a") if byte in _KEY_BYTES else ord(" ") for byte in range(256))
_RUN = b"a" * 16
_RUNS = re.compile(_RUN + rb"a*")
# Digests, times and what is made of these letters alone: no anchor of a shape is.
_PLAIN = b"0123456789abcdefTZ:.-sh"


def find(text: str) -> str | None:
    """What secret `text` holds: its kind and character offset, without the value; None if none is found.

    `text` may be plain or a line of JSON, with everything in it that JSON escapes.
    """
    raw = text.encode("utf-8", "surrogatepass")
    spans = _spans(raw)
    return _say(min(spans), raw) if spans else None


def redact(text: str) -> str:
    """`text` with `[secret]` in the place of every secret, and of every other copy of its value."""
    raw = text.encode("utf-8", "surrogatepass")
    for _ in range(4):  # again: what a first secret hid is looked at by itself
        values = {raw[span.start : span.end] for span in _spans(raw)}
        for value in sorted(values, key=len, reverse=True):
            raw = raw.replace(value, REDACTED)
    return raw.decode("utf-8", "surrogatepass")


def find_in_file(path: Path, name: str | None = None) -> list[Finding]:
    """Every secret in a file of any kind, one finding each, with its line; without a line where the file is binary.

    Reads a piece at a time. What a compressed file holds (a Parquet page) is seen only where it is stored plain.
    `name` is how the findings call the file.
    """
    findings: list[Finding] = []
    with path.open("rb") as file:
        binary = b"\x00" in file.read(8192)
        file.seek(0)
        number, skipped, kept = 1, 0, b""
        piece = file.readline(LONGEST_PIECE)
        while piece:
            whole, following = kept + piece, file.readline(LONGEST_PIECE)
            ended = piece.endswith(b"\n") or not following
            for span in _outermost(_spans(whole)):
                cut = not ended and span.end == len(whole) and span.start > len(whole) - OVERLAP
                # What is cut is whole in the next piece; what ends in the part kept was found in the piece before.
                if not cut and span.end > len(kept):
                    found = _say(span, whole, skipped)
                    findings.append(_finding(name or str(path), None if binary else number, found))
            kept = b"" if ended else whole[-OVERLAP:]
            skipped = 0 if ended else skipped + _characters(whole[:-OVERLAP])
            number += ended
            piece = following
    return findings


def gate(root: Path, paths: Iterable[Path]) -> None:
    """Let `paths` (files, or folders with all that is in them) pass, or say everything that must not be published.

    Raises:
        LogError: with a finding for each secret; files are named from `root`.
    """
    findings: list[Finding] = []
    for path in paths:
        place = root / path
        for file in sorted(each for each in place.rglob("*") if each.is_file()) if place.is_dir() else [place]:
            shown = file.relative_to(root) if file.is_relative_to(root) else file
            findings += find_in_file(file, str(shown))
    if findings:
        raise LogError(findings)


def _finding(file: str, line: int | None, found: str) -> Finding:
    fix = "Take it out and revoke it: once it was written down, it counts as known."
    return Finding(file, line, "secrets", "no secret in what is published", found, fix)


def _say(span: Span, raw: bytes, skipped: int = 0) -> str:
    return f"{span.kind} at character {skipped + _characters(raw[: span.start])} of the line"


def _characters(raw: bytes) -> int:
    return len(raw.decode("utf-8", "replace"))


def _outermost(spans: Iterable[Span]) -> list[Span]:
    """The spans in order, without those that overlap an earlier one: a key in a header is one secret, not two."""
    kept: list[Span] = []
    for span in sorted(spans):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return kept


def _spans(raw: bytes) -> set[Span]:
    """Every secret in `raw`; the empty set in about 25 microseconds for a clean line of 4 KB."""
    spans: set[Span] = set()
    before = b""
    flat = raw.translate(_FLAT)
    seek = flat.find
    start = seek(_RUN)
    if start >= 0:
        tokens: set[bytes] = set()
        names = []
        while start >= 0:
            end = seek(b" ", start)
            run = raw[start:end] if end >= 0 else raw[start:]
            if run.translate(None, _PLAIN):  # a digest has no shape of a key; its name may still say that it is one
                tokens.add(run)
            names.append(raw[start - named.BEFORE if start > named.BEFORE else 0 : start])
            start = seek(_RUN, end) if end >= 0 else -1
        joined = b"\n".join(tokens).translate(shapes.DASHES)
        if shapes.ANCHOR.search(joined):
            spans.update(shapes.shaped(raw, joined))
        before = b"\n".join(names).lower()
        for word in named.WORDS:
            if word in before:
                spans.update(named.assigned(raw, _RUNS.finditer(flat)))
                spans.update(named.headers(raw))
                break
    if b"uthorization" in raw or b"ookie" in raw:  # the value of a header may be shorter than a run
        spans.update(named.headers(raw))
    if b"@" in raw and b"://" in raw:
        spans.update(named.urls(raw))
    if b"-----" in before or raw.endswith(named.CUT_AFTER_FIRST_LINE):
        spans.update(named.private_keys(raw))
    for kind, value in _environment():
        if value in raw:
            start = raw.index(value)
            spans.add(Span(start, start + len(value), kind))
    return spans


_SECRET_NAME = re.compile(
    rb"(?i)(?:^|_)(?:KEYS?|TOKENS?|PAT)$|(?:^|_)SECRET|PASSWORD|PASSWD|CREDENTIAL|(?:^|_)(?:API_?KEY|BEARER_TOKEN)(?:_|$)"
)
# A path, a short word or a number under a name such as SSH_KEY is no secret and stands in many a text.
_NO_SECRET = re.compile(
    rb"(?:\.{0,2}|~)/(?![A-Za-z0-9+/]{39}$).*|[A-Za-z]:\\.*|[A-Z]?[a-z]{1,12}|[A-Z]{1,12}|[0-9]{1,11}"
)
_seen: dict[Any, Any] = {}
_values: list[tuple[str, bytes]] = []


def _environment() -> list[tuple[str, bytes]]:
    """What each secret of the environment is called and is, also as JSON escapes it and as a URL holds it."""
    # `os.environ` decodes each name anew, ten microseconds for thirty: the dict below it is compared as a whole.
    now = getattr(os.environ, "_data", None) or dict(os.environb)
    if now != _seen:
        _seen.clear()
        _seen.update(now)
        _values[:] = _secret_values(_seen)
    return _values


def _secret_values(variables: dict[bytes, bytes]) -> list[tuple[str, bytes]]:
    found = []
    for name, value in variables.items():
        if len(value) >= 8 and _SECRET_NAME.search(name) and not _NO_SECRET.fullmatch(value):
            kind = f"the value of the environment variable {name.decode('utf-8', 'replace')}"
            once = _escaped(value)
            forms = dict.fromkeys((value, once, _escaped(once), quote(value, safe="").encode()))
            found += [(kind, form) for form in forms]
    return found


def _escaped(value: bytes) -> bytes:
    escapes = ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n"), (b"\r", b"\\r"), (b"\t", b"\\t"))
    for plain, escape in escapes:
        value = value.replace(plain, escape)
    return value
