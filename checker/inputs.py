"""Ingest, first part: the spec, what it names, AMENDMENTS.json, REUSED.json and the tables; read once, digested, and
checked against each other."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from checker import files
from checker.amendments import Amendment, read_amendments
from checker.benchmark import Benchmark
from checker.benchmarks import BENCHMARKS
from checker.errors import CouldNotCheck, JsonFault
from checker.findings import Findings, Side, show
from checker.spec import FROZEN, Spec, SpecFault, prompt_text
from checker.strictjson import decode, loads_with_lines

NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_LOG: Final = re.compile(r"logs/[a-z0-9-]{1,64}/[a-z0-9-]{1,64}\.jsonl")


@dataclass
class Inputs:
    """Everything of one version that is not a log.  Paths are relative to `root`, digests are of every file read."""

    root: Path
    benchmark: str
    version: str
    findings: Findings
    digests: dict[str, str] = field(default_factory=dict)
    troubles: list[str] = field(default_factory=list)
    spec: Spec | None = None
    items: list[Any] = field(default_factory=list)
    prompts: dict[str, str] = field(default_factory=dict)
    reused: dict[str, dict[str, str]] = field(default_factory=dict)
    amendments: list[Amendment] = field(default_factory=list)

    @property
    def game(self) -> Benchmark:
        """What the benchmark tells the checker."""
        return BENCHMARKS[self.benchmark]

    @property
    def runs(self) -> str:
        """The version's folder below runs/."""
        return f"runs/{self.benchmark}/{self.version}"

    @property
    def tables(self) -> str:
        """The version's folder below tables/."""
        return f"tables/{self.benchmark}/{self.version}"

    def read(self, path: str) -> bytes | None:
        """The bytes of a file, its digest noted; None if it is absent.  A link or a folder is a finding, what cannot be
        read is a trouble: neither keeps the other files from being looked at."""
        try:
            if files.kind_of(self.root / path) == "absent":
                return None
            data = files.read(self.root / path)
        except CouldNotCheck as error:
            self.troubles.append(f"{path}: {error}")
            return None
        except files.NotRegular as fault:
            side: Side = "spec" if path.startswith("runs/") else "published"
            self.findings.add(
                path, "L1", side, "(file)", "a regular file", f"a {fault}", "replace it by the file itself"
            )
            return None
        self.digests[path] = hashlib.sha256(data).hexdigest()
        return data


def read_inputs(root: Path, benchmark: str, version: str, findings: Findings) -> Inputs:
    """Read spec.json, the files that it names, AMENDMENTS.json and REUSED.json.  A fault in them is a finding of side
    `spec`, and leaves `spec` None where nothing can be computed.

    Raises CouldNotCheck where spec.json cannot be read.
    """
    if not NAME.fullmatch(benchmark) or not NAME.fullmatch(version):
        raise CouldNotCheck(f"{benchmark}/{version}: not a version's name (a-z, 0-9, . _ -)")
    if benchmark not in BENCHMARKS:
        raise CouldNotCheck(f"{benchmark}: this checker knows only {', '.join(BENCHMARKS)}")
    inputs = Inputs(root, benchmark, version, findings)
    path = f"{inputs.runs}/spec.json"
    data = inputs.read(path)
    if data is None:
        raise CouldNotCheck(f"{path}: there is no such file, or it cannot be read as a regular file")
    try:
        inputs.spec = inputs.game.read_spec(path, data, benchmark, version)
        _read_named_files(inputs, inputs.spec)
    except SpecFault as fault:
        findings.add(fault.file, fault.rule, "spec", fault.field, fault.expected, fault.found, FROZEN, line=fault.line)
        inputs.spec = None
    inputs.amendments = read_amendments(inputs)
    _read_reused(inputs)
    return inputs


def _read_named_files(inputs: Inputs, spec: Spec) -> None:
    texts: dict[str, bytes] = {}
    for name, wanted in spec.files.items():
        path = f"{inputs.runs}/{name}"
        data = inputs.read(path)
        found = inputs.digests.get(path, "no such file")
        if found != wanted:
            inputs.findings.add(path, "SPEC", "spec", "sha256", f"{wanted} (spec.json, files)", found, FROZEN,
                                line=_changed_line(data))  # fmt: skip
        if data is not None:
            texts[name] = data
    spec_path = f"{inputs.runs}/spec.json"
    for name in (*spec.prompt_files.values(), spec.items_file):
        if name not in texts:
            raise SpecFault(
                spec_path, spec.lines.get(("files",)), f"files.{name}", "a file that can be read", "none", "SPEC"
            )
    inputs.items = inputs.game.read_items(f"{inputs.runs}/{spec.items_file}", texts[spec.items_file], spec)
    inputs.prompts = {key: prompt_text(texts[name], f"{inputs.runs}/{name}") for key, name in spec.prompt_files.items()}
    for key, text in inputs.prompts.items():
        inputs.game.look_at_prompt(f"{inputs.runs}/{spec.prompt_files[key]}", key, text)


def _changed_line(data: bytes | None) -> int | None:
    """A file of one line has only that line to blame."""
    return 1 if data is not None and data.count(b"\n") <= 1 else None


def _read_reused(inputs: Inputs) -> None:
    """REUSED.json: which logs were played under another spec, and that this spec asked the same questions."""
    path = f"{inputs.runs}/REUSED.json"
    data = inputs.read(path)
    if data is None:
        return
    report = inputs.findings.add
    fix = "see REUSED.json in the log schema; adopt the run again"
    try:
        value, lines = loads_with_lines(decode(data))
    except JsonFault as fault:
        report(path, "L7", "log", "(file)", "strict JSON", str(fault), fix, line=fault.line)
        return
    for log, entry in value.items() if isinstance(value, dict) else [("(file)", value)]:
        line = lines.get((log,), 1)
        if not _LOG.fullmatch(log):
            report(path, "L7", "log", log, "logs/<slug>/<run>.jsonl", show(log), fix, line=line)
            continue
        if not _is_entry(entry):
            report(path, "L7", "log", log, "an object of from, sha256 and spec_sha256", show(entry), fix, line=line)
            continue
        problem = _other_spec_fault(inputs, entry)
        if problem:
            report(path, "L7", "log", f"{log}.{problem[0]}", problem[1], problem[2], fix, line=line)
        if files.kind_of(inputs.root / inputs.runs / log) == "absent":
            report(path, "L7", "log", log, "a log below this folder", "no such file", fix, line=line)
        inputs.reused[f"{inputs.runs}/{log}"] = entry


def _is_entry(entry: Any) -> bool:
    if not isinstance(entry, dict) or set(entry) != {"from", "sha256", "spec_sha256"}:
        return False
    if not all(isinstance(value, str) for value in entry.values()):
        return False
    return all(NAME.fullmatch(part) for part in entry["from"].split("/")) and entry["from"].count("/") == 1


def _other_spec_fault(inputs: Inputs, entry: dict[str, str]) -> tuple[str, str, str] | None:
    """(field, expected, found) where the spec of another version does not ask the same as this one."""
    path = f"runs/{entry['from']}/spec.json"
    if entry["from"] == f"{inputs.benchmark}/{inputs.version}":
        return "from", "another version", "this one"
    data = inputs.read(path)
    if data is None:
        return "from", "a version whose spec can be read", "no such file"
    found = inputs.digests.pop(path)
    if found != entry["spec_sha256"]:
        return "spec_sha256", found, entry["spec_sha256"]
    try:
        other = inputs.game.read_spec(path, data, *entry["from"].split("/"))
    except SpecFault as fault:
        return "from", "a sound spec", str(fault)
    if inputs.spec is not None and (other.play != inputs.spec.play or other.files != inputs.spec.files):
        return "from", "a spec with the same play and files", "another play part, or other digests in files"
    return None
