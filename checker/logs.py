"""Ingest, second part: the logs, one by one through their bytes, then batch by batch through DuckDB."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from checker import files
from checker.amendments import start_faults
from checker.batches import Batch, look
from checker.engine import Engine
from checker.errors import CouldNotCheck
from checker.findings import clip
from checker.inputs import Inputs
from checker.logbytes import LogBytes, chain_faults, scan
from checker.loglines import Fault
from checker.starts import Start

#: Logs are read in batches of whole files of about this many bytes, so that memory does not grow with their number.
BATCH: Final = 48 * 1024 * 1024
_PLACE: Final = re.compile(r"logs/[a-z0-9-]{1,64}/[a-z0-9-]{1,64}\.jsonl")

FIXES: Final = {
    "L1": "put the log at the path that the log schema gives, as a regular file",
    "L2": "restore the log from its source; a log is never edited",
    "L3": "restore the line as its writer wrote it; a log is never edited",
    "L4": "restore the line as its writer wrote it; a log is never edited",
    "L5": "restore the line as its writer wrote it; a log is never edited",
    "L6": "restore the missing, repeated or altered line",
    "L7": "restore the log from its source, or withdraw the run",
    "L8": "restore the log from its source, or withdraw the run",
    "L9": "restore the log from its source, or withdraw the run",
    "L10": "restore the log from its source; nothing may follow finish",
    "B1": "restore the price table that the log names, and the line as its writer wrote it; or withdraw the run",
    "B3": "restore the line as its writer wrote it: checker/must_be_empty/money/B3_costs.sql computes the cost",
    "P11": "withdraw the run, or play it again after the amendment",
}
RUN_FIX: Final = "play the run again exactly as the spec says, or withdraw it"


class Logs:
    """The logs of one version: `kept` are those with a sound first line, by their number in the tables."""

    def __init__(self, inputs: Inputs, engine: Engine) -> None:
        self.inputs, self.engine = inputs, engine
        self.all: list[LogBytes] = []
        self.kept: dict[int, tuple[LogBytes, Start]] = {}

    def fault(self, path: str, fault: Fault, line: int | None, start: Start | None = None) -> None:
        """Record one finding of side `log`."""
        self.inputs.findings.add(
            path, fault.rule, "log", fault.field, fault.expected, fault.found, FIXES.get(fault.rule, RUN_FIX),
            line=line, model=start.model if start else None, run=start.run if start else None,
        )  # fmt: skip

    # --- bytes -------------------------------------------------------------------------------------------------------

    def read(self) -> None:
        """Read every log into the tables of `sql/tables.sql`."""
        batch: list[int] = []
        size = 0
        for log in self.scanned(list(self.paths())):
            number = self.keep(log)
            if number is None:
                continue
            if batch and size + log.size > BATCH:
                self.batch(batch)
                batch, size = [], 0
            batch.append(number)
            size += log.size
        if batch:
            self.batch(batch)

    def paths(self) -> Iterator[str]:
        """The paths of the logs, each a file where L1 wants it; anything else below logs/ is a finding."""
        folder = f"{self.inputs.runs}/logs"
        kind = files.kind_of(self.inputs.root / folder)
        if kind == "absent":
            return
        if kind != "folder":
            self.fault(folder, Fault("L1", "(file)", "a folder", f"a {kind}"), None)
            return
        for name in files.below(self.inputs.root / folder, self.inputs.troubles.append):
            path = f"{folder}/{name}"
            kind = files.kind_of(self.inputs.root / path)
            if kind != "file":
                self.fault(path, Fault("L1", "(file)", "a regular file", f"a {kind}"), None)
                continue
            if not _PLACE.fullmatch(f"logs/{name}"):
                self.fault(path, Fault("L1", "(path)", "logs/<slug>/<run>.jsonl", clip(name)), None)
                try:
                    self.inputs.digests[path] = files.sha256(self.inputs.root / path)
                except CouldNotCheck as error:
                    self.inputs.troubles.append(str(error))
                continue
            yield path

    def scanned(self, paths: list[str]) -> Iterator[LogBytes]:
        """Each log's bytes; the next log is read while DuckDB works on the one before."""

        def one(path: str) -> LogBytes | str:
            try:
                return scan(self.inputs.root, path)
            except CouldNotCheck as error:
                return str(error)

        with ThreadPoolExecutor(max_workers=1) as ahead:
            for result in ahead.map(one, paths):
                if isinstance(result, str):
                    self.inputs.troubles.append(result)
                else:
                    yield result

    def keep(self, log: LogBytes) -> int | None:
        """Note one log and its findings; its number in the tables if its first line is a sound start."""
        self.all.append(log)
        self.inputs.digests[log.path] = log.sha256
        for altered, field, found in chain_faults(log):
            log.fault("L7", altered, field, "an unbroken chain of digests", found)
        start = self.start(log)
        number = None
        if start is not None:
            number = len(self.kept)
            self.kept[number] = (log, start)
        for fault, line in log.faults:
            self.fault(log.path, fault, line, start)
        return number

    def start(self, log: LogBytes) -> Start | None:
        """What a log's first line registers; None, and faults, where it is no sound start."""
        spec = self.inputs.spec
        if spec is None or not log.first_line:
            return None
        try:
            text = log.first_line.decode("utf-8")
        except UnicodeDecodeError:
            text = None
        event, found = look(text, self.inputs.game.schema)
        log.faults += [(fault, 1) for fault in found]
        if event is None:
            return None
        if event["event"] != "start":
            log.fault("L9", 1, "event", "start", event["event"])
            return None
        reused = self.inputs.reused.get(log.path)
        played_as = reused["from"] if reused else f"{spec.benchmark}/{spec.version}"
        if reused and reused["sha256"] != log.sha256:
            log.fault("L7", None, "(bytes)", f"{reused['sha256']} (REUSED.json)", log.sha256)
        wanted = reused["spec_sha256"] if reused else spec.sha256
        if log.first_prev != wanted:
            log.fault("L7", 1, "prev", f"{wanted}, the digest of the spec", str(log.first_prev))
        start, wrong = self.inputs.game.start(event, log.path, self.inputs, played_as)
        log.faults += [(fault, 1) for fault in (*wrong, *start_faults(self.inputs.amendments, start))]
        return start

    # --- lines -------------------------------------------------------------------------------------------------------

    def batch(self, numbers: list[int]) -> None:
        """The lines of some logs into the tables.  Raises CouldNotCheck where they ask for more than can be checked."""
        self.inputs.game.bound(self)
        some = {number: self.kept[number] for number in numbers}
        Batch(self.engine, self.inputs, some, self.fault).read()
