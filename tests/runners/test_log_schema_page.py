"""The log schema's page and the records are the same schema: every event, every field, every order, every type."""

from __future__ import annotations

import re
import types
import typing
from pathlib import Path

import pytest

from runners import records
from runners.schema import FailureKind, Line, as_of_1, field_names

PAGE = (Path(__file__).parents[2] / "site/docs/reference/log-schema.md").read_text("utf-8")


def table_after(heading: str) -> list[tuple[str, str]]:
    """(field, type) of the first table after a heading."""
    section = PAGE.split(heading, 1)[1]
    rows = re.findall(
        r"^\| `([a-z_0-9]+)` \| ([^|]+) \|", section.split("\n#", 1)[0].split("\n\n| kind", 1)[0], re.MULTILINE
    )
    return [(name, kind.strip()) for name, kind in rows]


def since_2(heading: str) -> list[str]:
    """The fields of the first table after a heading that version 2 brought."""
    section = PAGE.split(heading, 1)[1].split("\n#", 1)[0]
    return re.findall(r"^\| `([a-z_]+)` \| [^|]+ \| Since 2\.", section, re.MULTILINE)


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
    assert [field for field, _ in documented] == list(field_names(kind))
    assert since_2(f"### `{name}`") == list(getattr(kind, "SINCE_2", {}))
    assert ("(since 2)" in PAGE.split(f"### `{name}`", 1)[1].split("\n", 1)[0]) == (getattr(kind, "FIRST", 1) == 2)
    for field, text in documented:
        assert word(hints[field]) == set(re.sub(r"list of \w+|list", "list", text).split(" or ")), field


def test_the_common_fields_are_those_of_a_line() -> None:
    documented = [field for field, _ in table_after("## Fields of every line")]
    assert documented == list(field_names(Line))


@pytest.mark.parametrize("kind", [records.Source, records.Fact, records.TokenUsage])
def test_nested_objects_are_described(kind: type) -> None:
    for field in field_names(kind):
        assert f"`{field}`" in PAGE


def test_failure_kinds_are_listed() -> None:
    section = PAGE.split("| kind | what happened |", 1)[1].split("\n\n", 1)[0]
    kinds = dict(re.findall(r"^\| `([a-z_]+)` \| (Since 2\.)?", section, re.MULTILINE))
    assert list(kinds) == list(typing.get_args(FailureKind))
    older = typing.get_type_hints(as_of_1(records.Failure), include_extras=True)["kind"]
    assert [kind for kind, new in kinds.items() if not new] == list(typing.get_args(older))
