"""What is said of submitted runs beside their logs: `runs/<benchmark>/<version>/submissions/<name>.json`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from runners import strict
from runners.errors import SpecError

FOLDER = "submissions"
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,99}\.json", re.ASCII)
LICENCES = ("CC-BY-4.0", "CC0-1.0", "Apache-2.0", "ODC-By-1.0", "provider-terms")
"""Under what the replies are given: SPDX identifiers, or the terms of the model's provider."""


class Model(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A model whose row the submission adds or completes."""

    model: str
    kind: str
    """`model` or `baseline`."""
    settings: dict[str, Any]
    """The request settings that its logs state."""


class Submission(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who ran what, when, at what cost; the logs by path and SHA-256."""

    benchmark: str
    version: str
    models: list[Model]
    by: str
    at: str
    licence: str
    calls: int
    """Attempts in the logs."""
    cost_microusd: int | None
    """What they cost in millionths of a US dollar; null where it is not known."""
    logs: dict[str, str]
    """Path below the version's folder -> SHA-256."""
    cleared: list[str] = []
    """`FILE:LINE` of what looks like personal data and is none, as the submitter states."""
    note: str = ""

    @property
    def names(self) -> set[str]:
        """The names of its models."""
        return {model.model for model in self.models}


def read_submission(path: Path) -> Submission:
    """Read one.

    Raises:
        SpecError: it is not what this module says.
    """
    try:
        found = msgspec.convert(strict.loads(path.read_bytes()), type=Submission, strict=True)
    except (ValueError, msgspec.MsgspecError) as error:
        raise SpecError(f"{path}: not a submission: {error}") from error
    if found.licence not in LICENCES:
        raise SpecError(f"{path}: licence: expected one of {', '.join(LICENCES)}, found {found.licence!r}")
    if not found.by.strip() or not found.models or not found.logs:
        raise SpecError(f"{path}: `by`, `models` and `logs` may not be empty")
    return found


def submission_json(submission: Submission) -> str:
    """The text of the file."""
    return msgspec.json.format(msgspec.json.encode(submission), indent=1).decode() + "\n"
