"""Ingest, third part: the lines of a batch of logs through DuckDB into narrow rows; their texts are not kept."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Final

import duckdb

from checker import files, schema
from checker.engine import Engine, batched, sql_text
from checker.errors import CouldNotCheck
from checker.logbytes import LogBytes, slow_lines
from checker.loglines import Fault, examine
from checker.schema import Schema
from checker.starts import Start

if TYPE_CHECKING:
    from checker.inputs import Inputs

#: Unsound lines of one log that are explained one by one; then its other lines that are not proved are not looked at.
EXPLAINED: Final = 200
#: Lines that go to DuckDB together where they do not come from a file.
MANY: Final = 1000

Report = Callable[[str, Fault, "int | None", Start], None]


class Batch:
    """Some logs, by their numbers.  `fault(path, fault, line, start)` receives what is wrong with a line."""

    #: Whether DuckDB may prove lines sound, many at a time.  Else loglines.examine decides over each of them.
    fast: ClassVar[bool] = True

    def __init__(self, engine: Engine, inputs: Inputs, some: dict[int, tuple[LogBytes, Start]], fault: Report) -> None:
        self.engine, self.inputs, self.some, self.fault = engine, inputs, some, fault
        self.benchmark = inputs.game
        self.unsound: Counter[int] = Counter()

    def read(self) -> None:
        """Lines into the rows that the benchmark keeps, and a finding for every unsound line.

        Raises CouldNotCheck where a log changed while it was read.
        """
        self.register()
        self.judge()
        self.count()
        for some in self.unproved():
            self.accept(list(self.examined(some)))
        self.benchmark.keep_batch(self)
        for what in ("TABLE batch", "VIEW batch_lines", "TABLE slow_lines"):
            self.engine.run(f"DROP {what}")

    def register(self) -> None:
        """The rows of the first lines, and what the other lines are read against."""
        rows = [(number, str(self.inputs.root / log.path)) for number, (log, _) in self.some.items()]
        doubts = [(number, line) for number, (log, _) in self.some.items() for line in set(log.doubtful)]
        self.engine.run("CREATE OR REPLACE TEMP TABLE batch_files (log INTEGER, path VARCHAR)")
        self.engine.load("batch_files", rows, ["INTEGER", "VARCHAR"])
        self.engine.run("CREATE OR REPLACE TEMP TABLE batch_doubts (log INTEGER, line INTEGER)")
        self.engine.load("batch_doubts", doubts, ["INTEGER", "INTEGER"])
        self.benchmark.register_batch(self)

    def judge(self) -> None:
        """The relation `batch`: which lines are sound, as far as many can be proved together."""
        try:
            self.prove()
        except (duckdb.InvalidInputException, duckdb.NotImplementedException):
            # DuckDB's reader of files gives up, loudly, on what is not UTF-8, and where a line straddles its buffers in
            # a certain way.
            for log, _ in self.some.values():
                log.clean = False
            self.prove()

    def prove(self) -> None:
        self.load()
        self.relation("batch")
        while doubts := self.benchmark.doubts(self):
            self.engine.load("batch_doubts", doubts, ["INTEGER", "INTEGER"])
            self.relation("batch")

    def load(self) -> None:
        """`batch_lines`: straight from the files where their bytes are clean, else line by line."""
        engine = self.engine
        engine.run("CREATE OR REPLACE TEMP TABLE slow_lines (log INTEGER, line INTEGER, text VARCHAR)")
        for number, (log, _) in self.some.items():
            if not log.clean:
                for some in batched(slow_lines(self.inputs.root, log), MANY):
                    lines, data = zip(*some, strict=True)
                    engine.run(
                        "INSERT INTO slow_lines SELECT ?::INTEGER, line, TRY(decode(bytes))"  # null: not UTF-8
                        " FROM (SELECT unnest(?::INTEGER[]) AS line, unnest(?::BLOB[]) AS bytes)",
                        [number, list(lines), list(data)],
                    )
        clean = [number for number, (log, _) in self.some.items() if log.clean]
        files_of_batch = f"UNION ALL {self.reader(clean)}" if clean else ""
        engine.run(f"CREATE OR REPLACE TEMP VIEW batch_lines AS FROM slow_lines {files_of_batch}")

    def reader(self, numbers: list[int]) -> str:
        """SQL that reads whole lines: no quoting, no separator, no inference; the line's number is its `seq` + 1,
        which the pass over the bytes has proved."""
        paths = [str(self.inputs.root / self.some[number][0].path) for number in numbers]
        # DuckDB's buffers are sized by the longest line there is, not by the longest that there may be.
        longest = max(1 << 20, *(self.some[number][0].longest + 2 for number in numbers))
        names = ", ".join("'" + escape_glob(path).replace("'", "''") + "'" for path in paths)
        log, join = "batch_files.log", "JOIN batch_files ON batch_files.path = read.filename"
        if len(numbers) == 1:  # comparing names costs as much as reading lines
            log, join = str(numbers[0]), ""
        return (  # names are quoted above, and L1 allows only letters, digits and hyphens in a log's own
            f"SELECT {log}, NULL::INTEGER, text FROM read_csv("  # noqa: S608
            f"[{names}], columns = {{'text': 'VARCHAR'}}, delim = '', quote = '', escape = '', comment = '',"
            " header = false, auto_detect = false, strict_mode = true, ignore_errors = false, null_padding = false,"
            " new_line = '\\n', compression = 'none', hive_partitioning = false, filename = true,"
            f" max_line_size = {longest}, buffer_size = {8 * longest}"
            f") AS read {join}"
        )

    def relation(self, name: str) -> None:
        """Make the relation `name` from its SQL in the benchmark's ingest/, with the log schema's patterns put in."""
        sql = sql_text(f"{self.benchmark.sql}/ingest/{name}.sql")
        patterns = {
            "STRING": schema.STRING, "MAX_INTEGER": str(schema.MAX_INTEGER), "FAST": str(self.fast),
            **{f"LINE_{version}": self.benchmark.schema.line_pattern(version) for version in schema.VERSIONS},
            **self.benchmark.patterns,
        }  # fmt: skip
        for key, pattern in patterns.items():
            sql = sql.replace("{" + key + "}", pattern.replace("'", "''"))
        self.engine.run(f"CREATE OR REPLACE TEMP TABLE {name} AS\n{sql}")

    def count(self) -> None:
        """What DuckDB read is what was digested.  Raises CouldNotCheck."""
        seen = dict(self.engine.rows("SELECT log, count(*) FROM batch GROUP BY log"))
        for number, (log, _) in self.some.items():
            if log.clean and seen.get(number, 0) != log.lines:
                raise CouldNotCheck(f"{log.path}: {log.lines} lines were digested, {seen.get(number, 0)} were read")
            if files.stamp(self.inputs.root / log.path) != log.stamp:
                raise CouldNotCheck(f"{log.path}: it changed while it was read; check again when nothing writes to it")

    def unproved(self) -> Iterator[list[tuple[Any, ...]]]:
        """(log, line, text) of the lines that are not proved to be sound, in order, MANY at a time."""
        last: tuple[Any, ...] = (-1, -1)
        while some := self.engine.rows(
            "SELECT log, line, text FROM batch WHERE NOT sound AND (log, line) > (?, ?) ORDER BY log, line LIMIT ?",
            [*last, MANY],
        ):
            yield some
            last = some[-1][:2]

    def examined(self, some: list[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
        """(log, line, event, text) of each of these lines that turns out to be sound; a finding for each other."""
        for number, line, text in some:
            log, start = self.some[number]
            if line == 1 or self.unsound[number] == EXPLAINED:
                continue  # the start line has been examined already
            event, faults = look(text, self.benchmark.schema)
            if event is not None and event["run"] == start.run:
                yield number, line, event, text
                continue
            self.unsound[number] += 1  # an empty line and one of another run have been named by the pass over the bytes
            for fault in faults:
                self.fault(log.path, fault, line, start)

    def accept(self, some: list[tuple[Any, ...]]) -> None:
        """Put lines that were examined beside those that were proved together."""
        rows: dict[tuple[str, ...], list[list[Any]]] = {}
        for number, line, event, text in some:
            row = {"log": number, "line": line, "sound": True, "v": event["v"], "event": event["event"]}
            row |= self.benchmark.row(event, text, self.some[number][1], self.inputs)
            rows.setdefault(tuple(row), []).append(list(row.values()))
        for names, values in rows.items():
            self.engine.load(f"batch ({', '.join(names)})", values, ["VARCHAR"] * len(names))


def look(text: str | None, schema: Schema) -> tuple[dict[str, Any] | None, list[Fault]]:
    """The slow and exact look at one line (None where it is not UTF-8): its event, or what is wrong with it."""
    if not text:  # the pass over the bytes has named an empty line
        return None, [Fault("L2", "(bytes)", "UTF-8", "bytes that are not UTF-8")] if text is None else []
    for char, name in (("\r", "CR"), ("\0", "NUL")):
        if char in text:
            return None, [Fault("L2", "(bytes)", f"no {name} byte", f"a {name} byte")]
    return examine(text, schema)


def run_of(path: str) -> str:
    """The run's id, from the path of its log (L1)."""
    return path.rsplit("/", 1)[-1].removesuffix(".jsonl")


def escape_glob(path: str) -> str:
    """A path that DuckDB takes literally: glob characters in a file's name would read another file."""
    return re.sub(r"[*?\[]", lambda match: f"[{match[0]}]", path)
