"""Request settings of single models, made before any result of theirs (`AMENDMENTS.json`; log schema, rule P11)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import msgspec

from runners import strict
from runners.errors import SpecError
from runners.files import write_whole
from runners.records import Settings

FILE = "AMENDMENTS.json"


class Amendment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of every model that `models` names, in place of its route's."""

    at: str
    models: str
    settings: dict[str, int | float | str]
    reason: str

    def names(self, model: str) -> bool:
        """Whether `models` matches the whole name; each `*` in its id stands for any characters."""
        pattern = ".*".join(map(re.escape, self.models.split("*")))
        return re.fullmatch(pattern, model, re.DOTALL) is not None


def read_amendments(folder: Path) -> tuple[Amendment, ...]:
    """The amendments of the version in `folder`; none without a file.

    Raises:
        SpecError: the file is not what the log schema says.
    """
    path = folder / FILE
    if not path.is_file():
        return ()
    try:
        return tuple(msgspec.convert(strict.loads(path.read_bytes()), type=list[Amendment], strict=True))
    except (ValueError, msgspec.MsgspecError) as error:
        raise SpecError(f"{path}: not a list of amendments: {error}") from error


def amended(amendments: Sequence[Amendment], model: str) -> Settings | None:
    """The settings that an amendment gives to a model; None if none names it.

    Raises:
        SpecError: two amendments name it.
    """
    found = [amendment for amendment in amendments if amendment.names(model)]
    if len(found) > 1:
        raise SpecError(f"{FILE}: {model} is named by {found[0].models!r} and by {found[1].models!r}; one may name it")
    return found[0].settings if found else None


def write_amendment(folder: Path, amendment: Amendment) -> None:
    """Append an amendment to the version's file."""
    entries = [*map(msgspec.to_builtins, read_amendments(folder)), msgspec.to_builtins(amendment)]
    lines = ",\n".join(" " + json.dumps(entry, ensure_ascii=False) for entry in entries)
    write_whole(folder / FILE, f"[\n{lines}\n]\n")
