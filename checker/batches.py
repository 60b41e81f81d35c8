"""Ingest, third part: the lines of a batch of logs through DuckDB into narrow rows; their texts are not kept."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import duckdb

from checker import schema
from checker.engine import Engine, sql_text
from checker.errors import CouldNotCheck
from checker.logbytes import LogBytes, slow_lines
from checker.loglines import Fault, examine
from checker.starts import Start

if TYPE_CHECKING:
    from checker.inputs import Inputs

#: Unsound lines of one log that are explained one by one.
EXPLAINED: Final = 200

Report = Callable[[str, Fault, "int | None", Start], None]


class Batch:
    """Some logs, by their numbers.  `fault(path, fault, line, start)` receives what is wrong with a line."""

    def __init__(self, engine: Engine, inputs: Inputs, some: dict[int, tuple[LogBytes, Start]], fault: Report) -> None:
        self.engine, self.inputs, self.some, self.fault = engine, inputs, some, fault
        self.benchmark = inputs.game
        self.view = False

    def read(self) -> None:
        """Lines into the rows that the benchmark keeps, and a finding for every unsound line.

        Raises CouldNotCheck where both passes over a log did not see the same lines.
        """
        engine = self.engine
        self.register()
        try:
            self.load(parallel=True)
            self.judge()
        except duckdb.NotImplementedException:
            # DuckDB's parallel reader gives up, loudly, where a line straddles its buffers in a certain way.
            self.load(parallel=False)
            self.judge()
        self.count()
        for number, line, text in engine.rows(
            "SELECT log, line, text FROM batch WHERE NOT sound"
            " QUALIFY row_number() OVER (PARTITION BY log ORDER BY line) <= ? ORDER BY log, line",
            [EXPLAINED],
        ):
            self.explain(number, line, text)
        self.benchmark.keep_batch(self)
        for table in ("batch", "batch_lines"):
            kind = "VIEW" if table == "batch_lines" and self.view else "TABLE"
            engine.run(f"DROP {kind} {table}")

    def register(self) -> None:
        """The rows of the first lines, which the other lines are read against."""
        self.engine.run("CREATE OR REPLACE TEMP TABLE batch_logs (log INTEGER, path VARCHAR, run VARCHAR)")
        rows = [(number, str(self.inputs.root / log.path), run_of(log.path)) for number, (log, _) in self.some.items()]
        self.engine.load("batch_logs", rows, ["INTEGER", "VARCHAR", "VARCHAR"])
        self.benchmark.register_batch(self)

    def judge(self) -> None:
        """The relation `batch`: which lines are sound."""
        self.relation("batch")

    def relation(self, name: str) -> None:
        """Make the relation `name` from its SQL in the benchmark's ingest/, with the log schema's patterns put in."""
        sql = sql_text(f"{self.benchmark.sql}/ingest/{name}.sql")
        patterns = {
            "INTEGER": schema.INTEGER, "TIME": schema.TIME, "DIGEST": schema.DIGEST, "STRING": schema.STRING,
            **{f"LINE_{version}": self.benchmark.schema.line_pattern(version) for version in schema.VERSIONS},
            **self.benchmark.patterns,
        }  # fmt: skip
        for key, pattern in patterns.items():
            sql = sql.replace("{" + key + "}", pattern.replace("'", "''"))
        self.engine.run(f"CREATE OR REPLACE TEMP TABLE {name} AS\n{sql}")

    def load(self, parallel: bool) -> None:
        """`batch_lines`: straight from the files where their bytes are clean, else line by line."""
        engine = self.engine
        clean = [number for number, (log, _) in self.some.items() if log.clean]
        self.view = len(clean) == len(self.some)
        if self.view:
            engine.run("CREATE OR REPLACE TEMP VIEW batch_lines AS\n" + self.reader(clean, parallel))
            return
        engine.run("CREATE OR REPLACE TEMP TABLE batch_lines (log INTEGER, line INTEGER, text VARCHAR)")
        if clean:
            engine.run("INSERT INTO batch_lines\n" + self.reader(clean, parallel))
        for number, (log, start) in self.some.items():
            if log.clean:
                continue
            some: list[tuple[int, str]] = []
            for line, data in slow_lines(self.inputs.root, log):
                text = self.decoded(log, start, line, data)
                if text:
                    some.append((line, text))
                if len(some) >= 2000:
                    self.insert_lines(number, some)
                    some = []
            self.insert_lines(number, some)

    def count(self) -> None:
        """Both passes must have seen the same lines.  Raises CouldNotCheck."""
        seen = dict(self.engine.rows("SELECT log, count(*) FROM batch GROUP BY log"))
        for number, (log, _) in self.some.items():
            if log.clean and seen.get(number, 0) != log.lines:
                raise CouldNotCheck(f"{log.path}: {log.lines} lines were digested, {seen.get(number, 0)} were read")

    def decoded(self, log: LogBytes, start: Start, line: int, data: bytes) -> str | None:
        """The text of one line, or None and a finding of L2."""
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            self.fault(log.path, Fault("L2", "(bytes)", "UTF-8", "bytes that are not UTF-8"), line, start)
            return None
        for char, name in (("\r", "CR"), ("\0", "NUL")):
            if char in text:
                self.fault(log.path, Fault("L2", "(bytes)", f"no {name} byte", f"a {name} byte"), line, start)
                return None
        return text

    def insert_lines(self, number: int, some: list[tuple[int, str]]) -> None:
        self.engine.run(
            "INSERT INTO batch_lines SELECT ?::INTEGER, unnest(?::INTEGER[]), unnest(?::VARCHAR[])",
            [number, [line for line, _ in some], [text for _, text in some]],
        )

    def reader(self, numbers: list[int], parallel: bool) -> str:
        """SQL that reads whole lines: no quoting, no separator, no inference; the line's number is its `seq` + 1,
        which the pass over the bytes has proved."""
        paths = [str(self.inputs.root / self.some[number][0].path) for number in numbers]
        # DuckDB's buffers are sized by the longest line there is, not by the longest that there may be.
        longest = max(1 << 20, *(self.some[number][0].longest + 2 for number in numbers))
        names = ", ".join("'" + escape_glob(path).replace("'", "''") + "'" for path in paths)
        return (  # names are quoted above, and L1 allows only letters, digits and hyphens in a log's own
            "SELECT batch_logs.log, NULL::INTEGER AS line, text FROM read_csv("  # noqa: S608
            f"[{names}], columns = {{'text': 'VARCHAR'}}, delim = '', quote = '', escape = '', comment = '',"
            " header = false, auto_detect = false, strict_mode = true, ignore_errors = false, null_padding = false,"
            " new_line = '\\n', compression = 'none', hive_partitioning = false, filename = true,"
            f" max_line_size = {longest}, buffer_size = {8 * longest}, parallel = {parallel}"
            ") AS read JOIN batch_logs ON batch_logs.path = read.filename"
        )

    def explain(self, number: int, line: int | None, text: str) -> None:
        """Say which rule a line breaks that the fast pattern refused."""
        log, start = self.some[number]
        if line == 1:
            return  # the start line has been examined already
        _, faults = examine(text, self.benchmark.schema)
        for fault in faults or [Fault("L1", "run", "the file's name", "another run, or another form")]:
            self.fault(log.path, fault, line, start)


def run_of(path: str) -> str:
    """The run's id, from the path of its log (L1)."""
    return path.rsplit("/", 1)[-1].removesuffix(".jsonl")


def escape_glob(path: str) -> str:
    """A path that DuckDB takes literally: glob characters in a file's name would read another file."""
    return re.sub(r"[*?\[]", lambda match: f"[{match[0]}]", path)
