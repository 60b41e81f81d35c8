"""One log line, looked at slowly and strictly: which of L2 to L5 it breaks, and its event if it breaks none."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from checker.errors import JsonFault
from checker.findings import show
from checker.schema import MAX_INTEGER, NEWEST, VERSIONS, Fields, Schema, item_of
from checker.strictjson import MAX_DEPTH, loads


@dataclass(frozen=True)
class Fault:
    """One broken rule of one line."""

    rule: str
    field: str
    expected: str
    found: str


def canonical(value: object) -> str:
    """The canonical text of L3: Python's own escapes are exactly those that L3 names."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def examine(text: str, schema: Schema) -> tuple[dict[str, Any] | None, list[Fault]]:
    """The event of one line (without its LF) and no faults, or None and the faults that it has."""
    try:
        event = loads(text)
    except JsonFault as fault:
        rule = "L4" if "twice in one object" in str(fault) or "only in case" in str(fault) else "L3"
        return None, [
            Fault("L2" if "surrogate" in str(fault) else rule, "(line)", "one strict JSON object", str(fault))
        ]
    if not isinstance(event, dict):
        return None, [Fault("L3", "(line)", "one JSON object", show(event))]
    if _too_deep(event, MAX_DEPTH):
        return None, [Fault("L3", "(line)", f"at most {MAX_DEPTH} values in each other", "more")]
    version = event.get("v", NEWEST)
    if type(version) is not int or version not in VERSIONS:
        return None, [Fault("L5", "v", "a version of the schema: " + " or ".join(map(str, VERSIONS)), show(version))]
    faults = _keys(event, schema, version)
    if not faults:
        fields = schema.fields(event["event"], version)
        faults = [fault for name, kind in fields for fault in _value(name, kind, event[name], schema)]
    if not faults and "\\u0000" in text and _holds_nul(event):
        faults.append(Fault("L2", "(line)", "no NUL", "the escape \\u0000"))
    if not faults:
        try:
            wanted = canonical(event)
        except ValueError:  # 1e999 is a number of JSON, and infinite
            return None, [Fault("L3", "(line)", "numbers that can be written", "one that is infinite")]
        if wanted != text:
            faults.append(_spelling(text, wanted))
    return (event, []) if not faults else (None, faults)


def _too_deep(value: object, levels: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels == 0 or any(_too_deep(item, levels - 1) for item in inner)


def _holds_nul(value: object) -> bool:
    if isinstance(value, str):
        return "\0" in value
    if isinstance(value, dict):
        return any(_holds_nul(item) for pair in value.items() for item in pair)
    return isinstance(value, list) and any(_holds_nul(item) for item in value)


def _spelling(text: str, wanted: str) -> Fault:
    at = next((i for i, (a, b) in enumerate(zip(text, wanted, strict=False)) if a != b), min(len(text), len(wanted)))
    return Fault(
        "L3",
        f"(line), character {at + 1}",
        show(wanted[max(0, at - 20) : at + 20]),
        show(text[max(0, at - 20) : at + 20]),
    )


def _keys(event: dict[str, Any], schema: Schema, version: int) -> list[Fault]:
    """L4: exactly the keys of the event in this version, and (L3) in their order."""
    name = event.get("event")
    known = schema.names(version)
    if not isinstance(name, str) or name not in known:
        return [Fault("L4", "event", f"one of {', '.join(known)} (version {version})", show(name))]
    wanted = [key for key, _ in schema.fields(name, version)]
    return _compare_keys("", wanted, list(event))


def _compare_keys(where: str, wanted: list[str], found: list[str]) -> list[Fault]:
    faults = [Fault("L4", where + key, "the key stands", "it is missing") for key in wanted if key not in found]
    faults += [Fault("L4", where + (key or '""'), "no such key", "it stands") for key in found if key not in wanted]
    if not faults and wanted != found:
        faults.append(Fault("L3", where + "(keys)", "the order " + ", ".join(wanted), ", ".join(found)))
    return faults


def _value(field: str, kind: str, value: Any, schema: Schema) -> list[Fault]:
    """L5: one value of one type of the schema."""
    if value is None and kind.endswith(" or null"):
        return []
    base = kind.removesuffix(" or null")
    if base in schema.objects:
        return _object(field, schema.objects[base], value, schema)
    if base.startswith("list of ") and isinstance(value, list):
        return [f for i, item in enumerate(value) for f in _value(f"{field}[{i}]", item_of(base), item, schema)]
    if base == "event":
        return []  # L4 has seen it
    if base == "string":
        fits = isinstance(value, str)
    elif base == "settings":
        fits = isinstance(value, dict)
    else:
        fits = type(value) is not float and _matches(base, value, schema)
    if fits and base == "time":
        fits = is_time(value)
    return [] if fits else [Fault("L5", field, "a value of type: " + kind, show(value))]


def _matches(kind: str, value: Any, schema: Schema) -> bool:
    if type(value) is int and kind.startswith("integer"):
        return 0 <= value <= MAX_INTEGER
    try:
        return schema.matches(kind, canonical(value))
    except ValueError:  # NaN, or a number too long to be written
        return False


def _object(where: str, fields: Fields, value: Any, schema: Schema) -> list[Fault]:
    if not isinstance(value, dict):
        return [Fault("L5", where, "an object", show(value))]
    faults = _compare_keys(where + ".", [name for name, _ in fields], list(value))
    return faults or [f for name, kind in fields for f in _value(f"{where}.{name}", kind, value[name], schema)]


def is_time(text: str) -> bool:
    """Whether a text of the form of L5's times is a time."""
    try:
        datetime.fromisoformat(text)  # the pattern has seen its form; here only its day can be wrong
    except ValueError:
        return False
    return True
