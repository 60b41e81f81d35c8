"""A published log as a page may read it: the bytes that the version's MANIFEST.json digests, or none."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from leaderboard.errors import SiteError

MANIFEST = "MANIFEST.json"


@dataclass(frozen=True, slots=True)
class LogFile:
    """Where a log lies, and the digest that was published of it. `target` is BENCHMARK/VERSION."""

    path: Path
    sha256: str
    target: str

    def read(self) -> bytes:
        """Give its bytes.

        Raises:
            SiteError: they are not what was published.
        """
        raw = self.path.read_bytes()
        if (found := hashlib.sha256(raw).hexdigest()) != self.sha256:
            raise refusal(self.target, [differs(self.path, self.sha256, found)])
        return raw


def differs(path: Path, expected: str, found: str) -> str:
    return f"{path}: expected SHA-256 {expected}, as {MANIFEST} has it, found {found}."


def refusal(target: str, faults: Sequence[str]) -> SiteError:
    """Say that nothing of the version is shown as it is, and what to do."""
    how = f"No page is made from what was not published. Restore it, or publish it: countersign publish {target}"
    return SiteError("\n".join([*faults, how]))
