"""Secrets that only the text around them gives away: a name, a header, a URL, the first line of a private key.

Model text is hostile: no pattern here or in `shapes` may need more than time in proportion, so repeats are bounded.
What stands there in prose, in documentation and in code (`Bearer <token>`, `password: hunter2`) must pass: a value
counts only where it looks like what a generator of keys makes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from runners.shapes import Span, whole

BEFORE = 64
"""Bytes before a value in which its name would stand."""

# What stands around a value: quotes, escaped as often as JSON was put into JSON, and what assigns.
_Q = rb"""(?:\\*u002[27]|\\*["'`])?"""
_SEP = rb"""(?:%s\s{0,3}(?:=>|:=|==?|:|,)\s{0,3}\[?b?%s)""" % (_Q, _Q)
_VALUE = rb"""(?P<s>[A-Za-z0-9+/_=.~%!@#^&*-]{8,4096})"""

WORDS = tuple(b"key token secret passw pwd cred bearer signature sig= authorization cookie".split())
"""One of them stands before every value that `assigned` and `headers` find."""
_NAMED = [
    # A word of its own: `arn:aws:secretsmanager:…:secret:name` and `next_token` are no names of secrets.
    rb"(?<![A-Za-z_:-])(?:secret|token|passw(?:or)?d|passwd|pwd|credentials?)",
    rb"(?:access|account|admin|api|app|auth|client|deploy|encryption|license|master|oauth|private|refresh|secret"
    rb"|service|session|shared|signing|storage|subscription)[ _-]?(?:access[ _-]?)?(?:key|secret|passw(?:or)?d)s?",
    rb"(?:access|api|auth|bearer|bot|csrf|id|oauth|private|refresh|security|session|vault)[ _-]?tokens?",
    rb"(?-i:[A-Z][A-Z0-9_]{0,40}_(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PWD|CREDENTIALS?)(?:_[A-Z0-9]+)?)",
    rb"x-amz-signature|[?&]sig|aws4-hmac-sha256[^\r\n]{16,300}?signature",
]
_ASSIGNED = re.compile(rb"(?i)(?:%s)%s%s" % (b"|".join(_NAMED), _SEP, _VALUE))
_BEARER = re.compile(rb"(?i)(?<![a-z])bearer(?:\s|\\+[nrt]|%%20){1,3}%s" % _VALUE)
# A key without any shape, near the name of its provider.
_PROVIDER = re.compile(
    rb"(?i)(?:mistral|cohere|together|deepinfra|azure|openai|ai21|voyage|zhipu|api)[ a-z_.'\"-]{0,24}?(?:key|token)"
    rb"[ \"'`:=\\]{1,6}(?:is[ \"'`\\:]{1,4})?(?P<s>[A-Za-z0-9]{32,256})"
)
_AUTHORIZATION = re.compile(
    rb"(?i)authorization%s(?:(?P<scheme>bearer|basic|token|api-?key|key|bot|negotiate|ntlm)(?:\s|%%20){1,3})?"
    rb"(?P<s>[^\s\"'`\\<>{}$\[\](),;|*]{8,4096})" % _SEP
)
_API_KEY = re.compile(rb"(?i)(?P<scheme>api[-_]?key)%s(?P<s>[^\s\"'`\\<>{}$\[\](),;|*]{10,4096})" % _SEP)
_COOKIE = re.compile(rb"(?i)cookie%s(?P<s>[^\s=;,\"'\\]{1,80}=[^\"'\\\r\n]{8,4096})" % _SEP)
_HEADERS = (
    (b"authorization", _AUTHORIZATION),
    (b"cookie", _COOKIE),
    (b"api-key", _API_KEY),
    (b"api_key", _API_KEY),
    (b"apikey", _API_KEY),
)
_COOKIE_ATTRIBUTES = frozenset({b"path", b"domain", b"expires", b"max-age", b"samesite", b"version"})
_USERINFO = re.compile(
    rb"://[^\s/@:\"'`\\<>{}\[\]]{0,128}:(?![$*%]|x+@|\[[a-z]+\]@)(?P<s>[^\s/@\"'`\\<>{}]{3,256})@[A-Za-z0-9\[]"
)
_NEWLINE = rb"(?:\s|\\+[nrt]|\\+u000[aAdD9]|[\"'+,])"
_PRIVATE_KEY = re.compile(
    rb"-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----(?:\s*\Z|%s{0,8}"
    rb"(?:[A-Za-z][A-Za-z-]{2,30}: [^\r\n\\]{0,120}%s{1,8}){0,6}[A-Za-z0-9+/=]{16,}"
    rb"(?:%s{1,8}[A-Za-z0-9+/=]{1,128})*(?:%s{0,8}-----END [A-Z0-9 ]{1,60}-----)?)"
    % (_NEWLINE, _NEWLINE, _NEWLINE, _NEWLINE)
)
CUT_AFTER_FIRST_LINE = (b"-----", b"-----\n", b"-----\r\n")
_PLACEHOLDER = re.compile(
    rb"(?i)(?:^|[^a-z])(?:your|example|placeholder|redacted|dummy)|api_?key|x{4,}|\.{3}|\*{3}"
    rb"|^(?:(?:access|auth|api|id|bearer)_?)?(?:token|key|secret|password)s?$"
)


def assigned(raw: bytes, runs: Iterable[re.Match[bytes]]) -> Iterator[Span]:
    """Values named as secrets among the long `runs` of key characters in `raw`."""
    for start, end in (run.span() for run in runs):
        for pattern, kind in ((_ASSIGNED, "a value named as a secret"), (_BEARER, "a bearer token")):
            for match in pattern.finditer(raw, max(0, start - 2 * BEFORE), end):
                if _random(match["s"]):
                    yield Span(match.start("s"), whole(raw, match.end()), kind)
        for match in _PROVIDER.finditer(raw, max(0, start - 2 * BEFORE), end):
            if _random(match["s"]):
                yield Span(match.start("s"), whole(raw, match.end()), "an API key named as one")


def headers(raw: bytes) -> Iterator[Span]:
    """Values of the headers that carry credentials, in any way that headers are written down."""
    low = raw.lower()
    for name, pattern in _HEADERS:
        start = low.find(name)
        while start >= 0:
            match = pattern.match(raw, start)
            if match and name == b"cookie" and _cookie(match["s"]):
                yield Span(*match.span("s"), "the value of a header cookie")
            elif match and name != b"cookie" and _credential(match["s"], (match["scheme"] or b"").lower()):
                kind = f"the value of a header {name.decode()}"
                yield Span(match.start("s"), whole(raw, match.end()), kind)
            start = low.find(name, start + len(name))


def urls(raw: bytes) -> Iterator[Span]:
    """The passwords of URLs."""
    for match in _USERINFO.finditer(raw):
        yield Span(*match.span("s"), "a URL with a password")


def private_keys(raw: bytes) -> Iterator[Span]:
    """Blocks of private keys, as far as they go; a first line alone only where the text ends there."""
    for match in _PRIVATE_KEY.finditer(raw):
        yield Span(*match.span(), "a private key block")


def _random(value: bytes) -> bool:
    """Whether a value is what a generator of keys makes, as against words, paths and names."""
    value = value[:128]
    if len(value) < 16 or _PLACEHOLDER.search(value):
        return False
    digits = sum(byte in b"0123456789" for byte in value)
    letters = sum(byte in b"abcdefghijklmnopqrstuvwxyz" for byte in value)
    capitals = sum(byte in b"ABCDEFGHIJKLMNOPQRSTUVWXYZ" for byte in value)
    if letters + capitals < 4:
        return False
    return digits >= 4 or bool(digits and letters and capitals) or (capitals >= 5 and letters >= 5)


def _credential(value: bytes, scheme: bytes) -> bool:
    """Whether a header's value is a credential: `Bearer tokens` and `Authorization: permissions` are prose."""
    if _random(value) or re.fullmatch(rb"(?!x+$)[A-Za-z0-9]{24,}=*", value):
        return True
    if not scheme or _PLACEHOLDER.search(value) or not re.search(rb"[A-Za-z]", value):
        return False
    if scheme == b"basic":
        return bool(re.search(rb"[a-z][A-Z]|[A-Z]{2}[a-z]|[0-9]", value))
    return len(value) >= 10 and bool(re.search(rb"[0-9]", value))


def _cookie(value: bytes) -> bool:
    pairs = [pair.strip().partition(b"=") for pair in value.split(b";")]
    return any(
        len(held) >= 8 and b"<" not in held and re.search(rb"[0-9]", held) and not _PLACEHOLDER.search(held)
        for name, _, held in pairs
        if name.lower() not in _COOKIE_ATTRIBUTES
    )
