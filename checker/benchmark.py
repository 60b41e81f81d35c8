"""What a benchmark tells the checker; everything else serves all of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from checker.engine import Engine
from checker.loglines import Fault
from checker.schema import Schema
from checker.spec import Spec
from checker.starts import Start

if TYPE_CHECKING:
    from checker.batches import Batch
    from checker.board import Board
    from checker.inputs import Inputs
    from checker.logs import Logs
    from checker.tables import Shape


class Benchmark(ABC):
    """One benchmark: the events of its logs, its relations and rules as SQL, and the shape of its tables."""

    schema: ClassVar[Schema]
    #: The folders of its SQL files, and the patterns that its SQL of ingest needs beside the log schema's.
    sql: ClassVar[str]
    must_be_empty: ClassVar[str]
    patterns: ClassVar[dict[str, str]] = {}
    #: Each is `must_be_empty/NAME.sql`: (log, line, rule, field, expected, found) of each offending place.
    rules: ClassVar[tuple[str, ...]]
    shape: ClassVar[Shape]
    board: ClassVar[Board]

    # --- ingest ------------------------------------------------------------------------------------------------------

    @abstractmethod
    def read_spec(self, file: str, data: bytes, benchmark: str, version: str) -> Spec:
        """The spec from the bytes of spec.json.  Raises SpecFault."""

    @abstractmethod
    def read_items(self, file: str, data: bytes, spec: Spec) -> list[Any]:
        """The rows of items.jsonl.  Raises SpecFault."""

    def look_at_prompt(self, file: str, key: str, text: str) -> None:  # noqa: B027  a benchmark may have none
        """Raises SpecFault where a prompt is not what a rule wants."""

    @abstractmethod
    def prepare(self, engine: Engine, inputs: Inputs) -> None:
        """What the lines of logs are read against: tables, macros, and the rows of the spec."""

    @abstractmethod
    def start(self, event: dict[str, Any], path: str, inputs: Inputs, played_as: str) -> tuple[Start, list[Fault]]:
        """A sound first line, and its faults.  `played_as` is `benchmark/version` of the spec it was played under."""

    def bound(self, logs: Logs) -> None:  # noqa: B027  a benchmark may have none
        """Raises CouldNotCheck where the logs ask for more than can be checked."""

    @abstractmethod
    def register_batch(self, batch: Batch) -> None:
        """The rows of the first lines of a batch, and what its lines are read against."""

    def doubts(self, batch: Batch) -> list[tuple[Any, ...]]:
        """(log, line) of lines of the relation `batch` that are not sound, though it says so; it is then made anew."""
        return []

    def row(self, event: dict[str, Any], text: str, start: Start, inputs: Inputs) -> dict[str, Any]:
        """The columns of the relation `batch`, beside those of every line, for a line that was examined by itself."""
        return {"text": text}

    @abstractmethod
    def keep_batch(self, batch: Batch) -> None:
        """From the relation `batch` to narrow rows."""

    # --- derive ------------------------------------------------------------------------------------------------------

    @abstractmethod
    def derive(self, engine: Engine, logs: Logs) -> None:
        """Make every relation.  Raises CouldNotCheck where a ledger does not add up (then the checker is wrong)."""

    @abstractmethod
    def document(self, engine: Engine) -> dict[str, Any]:
        """The lists of rows and the totals of checked.json, by key and in order."""

    def assert_spec(self, engine: Engine, inputs: Inputs) -> None:  # noqa: B027  a benchmark may have none
        """Findings of side `spec` that need the relations."""

    def may_lack_empty(self, spec: Spec | None) -> bool:
        """Whether `empty` of a ledger may be null, since the spec has no such state (None: nobody can tell)."""
        return False

    @abstractmethod
    def gaps(self, engine: Engine) -> dict[str, str]:
        """The status, in place of CROSS-CHECKED, of each model of which something is missing."""

    def compare_statements(self, engine: Engine, inputs: Inputs) -> None:  # noqa: B027  a benchmark may have none
        """Findings of side `imported`: a third party's numbers."""
