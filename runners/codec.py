"""Turns a log line into bytes and back, canonically: what re-encodes to other bytes is refused (L2 to L5)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import msgspec

from runners.errors import Finding
from runners.records import COURT
from runners.schema import SCHEMA_VERSION, Count, Line, Schema, as_of_1, written_fields

_encoder = msgspec.json.Encoder(order=None)
_HEADER = ("v", "run", "seq", "at", "prev", "event")
_RESTORE = "Restore the line from the original log; a log is never edited."
_AT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z", re.ASCII)
RUN_ID = re.compile(r"[a-z0-9-]{1,64}", re.ASCII)
MAX_LINE_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Header:
    v: Count
    run: str
    seq: Count
    at: str
    prev: str
    event: str


_header_decoder = msgspec.json.Decoder(_Header)
_event_decoders: dict[tuple[type[Any], int], msgspec.json.Decoder[Any]] = {}


def encode_line(line: Line) -> bytes:
    """The canonical bytes of one line, without its LF.

    Raises:
        ValueError: a string is not Unicode text (a lone surrogate) or holds a NUL; rule L2.
    """
    record: dict[str, Any] = {
        "v": line.v,
        "run": line.run,
        "seq": line.seq,
        "at": line.at,
        "prev": line.prev,
        "event": line.event.EVENT,
    }
    record |= {name: getattr(line.event, name) for name in written_fields(type(line.event), line.v)}
    try:
        encoded = _encoder.encode(record)
    except UnicodeEncodeError as error:
        raise ValueError("rule L2: a text holds a lone surrogate, which is not Unicode text") from error
    if b"\\u0000" in encoded and _holds_nul(msgspec.to_builtins(record)):
        raise ValueError("rule L2: a text holds a NUL character")
    if len(encoded) > MAX_LINE_BYTES:
        raise ValueError(f"rule L2: a line of {len(encoded)} bytes is longer than {MAX_LINE_BYTES}")
    return encoded


def decode_line(raw: bytes, file: str, number: int, schema: Schema = COURT) -> Line | Finding:
    """One line's bytes (without LF) as a record, or the finding that says which rule it breaks.

    The proof of rules L3 and L4 is that the record, encoded again, gives the same bytes: an unknown, doubled or
    misplaced key, a blank or another spelling of a number cannot survive that.
    """
    try:
        header = _header_decoder.decode(raw)
        event = _decode_event(schema.kind(header.event, header.v), header.v, raw)
        line = Line(header.v, header.run, header.seq, header.at, header.prev, event)
        if encode_line(line) == raw and _header_holds(header):
            return line
    except (msgspec.MsgspecError, ValueError, KeyError, RecursionError):
        pass  # what exactly is wrong is found out below
    return _diagnose(raw, file, number, schema)


def _decode_event(kind: type[Any], version: int, raw: bytes) -> Any:
    """The event of a line; one of version 1 is lifted to today's record."""
    if (kind, version) not in _event_decoders:  # made once for each event; making one is dear
        _event_decoders[kind, version] = msgspec.json.Decoder(kind if version > 1 else as_of_1(kind))
    event = _event_decoders[kind, version].decode(raw)
    if version > 1:
        return event
    return kind(**{name: getattr(event, name) for name in written_fields(kind, 1)}, **getattr(kind, "SINCE_2", {}))


def _header_holds(header: _Header) -> bool:
    return 1 <= header.v <= SCHEMA_VERSION and bool(_AT.fullmatch(header.at)) and bool(RUN_ID.fullmatch(header.run))


def _diagnose(raw: bytes, file: str, number: int, schema: Schema) -> Finding:
    """Why a line was refused: the first broken rule, in the order of the schema."""

    def broken(rule: str, expected: str, found: str) -> Finding:
        return Finding(file, number, rule, expected, found[:200], _RESTORE)

    if len(raw) > MAX_LINE_BYTES:
        return broken("L2", f"at most {MAX_LINE_BYTES} bytes in a line", f"{len(raw)} bytes")
    if raw.startswith(b"\xef\xbb\xbf"):
        return broken("L2", "no byte order mark", "a byte order mark")
    if b"\r" in raw or b"\0" in raw or not raw:
        return broken("L2", "one JSON object, no CR, no NUL", "an empty line, a CR or a NUL")
    try:
        record: object = msgspec.json.decode(raw)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        return broken("L2", "one JSON object in UTF-8", str(error))
    if not isinstance(record, dict):
        return broken("L4", "a JSON object", type(record).__name__)
    if missing := [key for key in _HEADER if key not in record]:
        return broken("L4", f"the keys {', '.join(_HEADER)}", f"no {', '.join(missing)}")
    try:
        header = msgspec.convert(record, type=_Header, strict=True)
        if not 1 <= header.v <= SCHEMA_VERSION:
            return broken("L5", f"v 1 to {SCHEMA_VERSION}", f"v {header.v}")
        kind = schema.kind(header.event, header.v)
    except msgspec.ValidationError as error:
        return broken("L5", "the types of every line's fields", str(error))
    except KeyError as error:
        return broken("L4", "an event of the line's schema version", str(error))
    if unknown := sorted(set(record) - set(_HEADER) - set(written_fields(kind, header.v))):
        return broken("L4", f"the keys of {header.event}", f"unknown {', '.join(unknown)}")
    try:
        msgspec.convert(record, type=kind if header.v > 1 else as_of_1(kind), strict=True)
    except msgspec.ValidationError as error:
        return broken("L5", f"the types of event {record['event']}", str(error))
    if not _header_holds(header):
        return broken("L5", "a run id, a UTC time with milliseconds", f"{header.run}, {header.at}")
    if b"\\u0000" in raw and _holds_nul(record):
        return broken("L2", "no NUL in a text", "the escape \\u0000")
    return broken("L3", "canonical JSON, each key once, in order", "other bytes for the same values")


def _holds_nul(value: object) -> bool:
    if isinstance(value, str):
        return "\0" in value
    if isinstance(value, dict):
        return any(_holds_nul(part) for pair in value.items() for part in pair)
    return isinstance(value, (list, tuple)) and any(_holds_nul(part) for part in value)
