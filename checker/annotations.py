"""Findings as annotations of GitHub Actions: workflow commands on stdout, one a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from checker.report import exit_code, printable, split

#: GitHub shows ten annotations of one level a step; the tenth says how many there are.
SHOWN: Final = 9

#: A checked version: its crosscheck document, and why it could not be checked.
Checked = tuple[dict[str, Any], list[str]]


def commands(checked: list[Checked], folder: str = "") -> Iterator[str]:
    """The commands for some versions.  `folder` leads from the repository to the root of the data, ending in `/`."""
    errors = [error for document, troubles in checked for error in _errors(document, troubles, folder)]
    yield from errors[:SHOWN]
    if len(errors) > SHOWN:
        left_out = len(errors) - SHOWN
        yield _command("error", f"{len(errors)} in all, {left_out} of them not shown here", title="Countersign")
    for document, troubles in checked:
        if exit_code(document, troubles) == 0:
            totals, foreign = document["totals"], len(split(document)[1])
            text = f"{document['status']}: {totals['equal']} of {totals['compared']} fields equal"
            text += f"; {foreign} numbers of an imported dataset differ" if foreign else ""
            yield _command("notice", text, title=f"Countersign {document['benchmark']}/{document['version']}")


def failure(error: Exception) -> str:
    """The command for a check that did not come to a verdict."""
    return _command("error", f"{error} ({type(error).__name__})", title="Countersign could not check")


def _errors(document: dict[str, Any], troubles: list[str], folder: str) -> Iterator[str]:
    name = f"{document['benchmark']}/{document['version']}"
    for text in troubles:
        yield _command("error", text, title=f"Countersign could not check {name}")
    for finding in split(document)[0]:
        place = {"file": folder + finding["file"]}
        if finding["line"] is not None:
            place["line"] = str(finding["line"])
        message = f"expected {finding['expected']}, found {finding['found']}; {finding['fix']}"
        yield _command("error", message, **place, title=f"{finding['rule']} {finding['field']} ({finding['side']})")


def _command(level: str, message: str, **properties: str) -> str:
    """One workflow command.  Only what is escaped here can be read as a part of it."""
    given = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{level} {given}::{_data(message)}"


def _data(text: str) -> str:
    return printable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
