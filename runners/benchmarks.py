"""The benchmarks behind one door; each part is imported on use, so that publishing loads no play code and no model."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from runners.errors import UsageError
from runners.log import Log
from runners.spec import Spec

NAMES = ("court", "cascades")


@dataclass(frozen=True)
class Benchmark:
    """What the commands that serve every benchmark need of one."""

    name: str

    def load(self, root: Path, version: str) -> Spec:
        """Load and verify a version.

        Raises:
            UsageError, SpecError: as `runners.spec.load_spec`.
        """
        spec: Spec = getattr(self._part("version"), f"load_{self.name}")(root, version)
        return spec

    def read_logs(self, spec: Spec) -> list[Log]:
        """Every log of a version, sorted by path.

        Raises:
            LogError: with the findings of all logs.
        """
        logs: list[Log] = self._part("logs").read_logs(spec)
        return logs

    def replay(self, spec: Spec, log: Log) -> int:
        """Replay a log exactly; returns its lines.

        Raises:
            ReplayMismatch: names the line and what differs.
        """
        lines: int = self._part("replay").replay(spec, log)
        return lines

    def numbers(self, root: Path, version: str) -> dict[str, Any]:
        """The builder's own numbers of a version, in the shape of `builder.json`.

        Raises:
            UsageError, SpecError, LogError: the version or a log cannot be read.
        """
        spec = self.load(root, version)
        table: dict[str, Any] = self._part("metrics").compute(spec, self.read_logs(spec))
        return table

    @property
    def layout(self) -> Any:
        """What its leaderboard shows (`runners.tables.Layout`)."""
        return self._part("board").LAYOUT

    def _part(self, part: str) -> Any:
        return import_module(f"runners.{self.name}.{part}")


def benchmark(name: str) -> Benchmark:
    """The benchmark of that name.

    Raises:
        UsageError: there is none.
    """
    if name not in NAMES:
        raise UsageError(f"no benchmark {name!r}; there are: {', '.join(NAMES)}")
    return Benchmark(name)
