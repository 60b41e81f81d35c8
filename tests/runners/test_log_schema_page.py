"""The log schema's page and the records are the same schema: every event, every field, every order, every type."""

from __future__ import annotations

import re
import types
import typing
from pathlib import Path

import pytest

from runners import records

PAGE = (Path(__file__).parents[2] / "site/docs/reference/log-schema.md").read_text("utf-8")


def table_after(heading: str) -> list[tuple[str, str]]:
    """(field, type) of the first table after a heading."""
    section = PAGE.split(heading, 1)[1]
    rows = re.findall(r"^\| `([a-z_]+)` \| ([^|]+) \|", section.split("\n#", 1)[0], re.MULTILINE)
    return [(name, kind.strip()) for name, kind in rows]


def word(kind: object) -> set[str]:
    """The words that the page uses for a type."""
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        return set().union(*(word(part) for part in typing.get_args(kind)))
    if typing.get_origin(kind) is typing.Literal:
        return {"string"} if all(isinstance(value, str) for value in typing.get_args(kind)) else {"integer"}
    simple = {int: "integer", str: "string", bool: "boolean", type(None): "null", float: "float"}
    if kind in simple:
        return {simple[kind]}  # type: ignore[index]
    return {"list"} if typing.get_origin(kind) is tuple else {"object"}


def test_the_page_lists_exactly_the_events() -> None:
    assert re.findall(r"^### `([a-z_]+)`:", PAGE, re.MULTILINE) == list(records.COURT.events)


@pytest.mark.parametrize("name", list(records.COURT.events))
def test_each_event_has_the_fields_of_the_page_in_order(name: str) -> None:
    kind = records.COURT.events[name]
    documented = table_after(f"### `{name}`:")
    hints = typing.get_type_hints(kind)
    assert [field for field, _ in documented] == list(records.field_names(kind))
    for field, text in documented:
        assert word(hints[field]) == set(re.sub(r"list of \w+|list", "list", text).split(" or ")), field


def test_the_common_fields_are_those_of_a_line() -> None:
    documented = [field for field, _ in table_after("## Fields of every line")]
    assert documented == list(records.field_names(records.Line))


@pytest.mark.parametrize("kind", [records.Source, records.Fact, records.TokenUsage])
def test_nested_objects_are_described(kind: type) -> None:
    for field in records.field_names(kind):
        assert f"`{field}`" in PAGE


def test_failure_kinds_are_listed() -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith("| `kind` | string | `config`"))
    assert set(re.findall(r"`([a-z_]+)`", row)) - {"kind"} == set(typing.get_args(records.FailureKind))
