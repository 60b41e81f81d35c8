"""MANIFEST.json against the files that are there: its head, its list, and the digest of each."""

from __future__ import annotations

from checker import files
from checker.errors import CouldNotCheck
from checker.findings import clip, show
from checker.inputs import Inputs
from checker.logs import Logs
from checker.published import Published

NAME = "MANIFEST.json"


class Manifest:
    """The digests of a version's files, taken before the database is locked, where a MANIFEST.json stands there."""

    def __init__(self, inputs: Inputs, published: Published) -> None:
        self.inputs, self.published = inputs, published
        self.real: dict[str, str] = {}
        if published.data[NAME] is not None:
            self.digest_all()

    def digest_all(self) -> None:
        """The digest of every file below both folders of the version but MANIFEST.json."""
        inputs = self.inputs
        for folder in (inputs.runs, inputs.tables):
            if files.kind_of(inputs.root / folder) != "folder":
                continue
            for name in files.below(inputs.root / folder):
                path = f"{folder}/{name}"
                if path == self.published.path(NAME):
                    continue
                try:
                    self.real[path] = inputs.digests.get(path) or files.sha256(inputs.root / path)
                except files.NotRegular as fault:
                    self.real[path] = f"a {fault}"
                except CouldNotCheck as error:
                    inputs.troubles.append(str(error))

    def compare(self, digest: str | None, logs: Logs) -> None:
        """Every difference is a finding.  `digest` is that of the inputs; None where it could not be computed."""
        published = self.published
        document = published.document(NAME)
        if document is None:
            return
        found, line = document.value, document.line
        listed = found.get("files")
        if not isinstance(listed, dict):
            published.report(NAME, "files", "an object of paths and digests", show(listed), 1)
            return
        head = {
            "benchmark": self.inputs.benchmark, "version": self.inputs.version,
            "digest": digest if digest is not None else found.get("digest"), "files": None,
        }  # fmt: skip
        published.walk(NAME, head, found | {"files": None}, line)
        if list(listed) != sorted(listed):
            published.report(NAME, "files", "sorted by path", "another order", line(("files",)))
        for name in sorted({*listed, *self.real}):
            real, place = self.real.get(name), line(("files", name))
            if real is None:
                published.report(NAME, f"files[{clip(name)}]", "no such file is there", show(listed[name]), place)
            elif name not in listed:
                published.report(NAME, f"files[{clip(name)}]", real, "the file is not listed", place)
            elif listed[name] != real:
                published.report(NAME, f"files[{clip(name)}]", real, show(listed[name]), place)
                self.altered(name, listed[name], real, logs)
            else:
                published.counts[NAME].add(None, True)

    def altered(self, name: str, listed: object, real: str, logs: Logs) -> None:
        """A file that is not the one that was published: named too, with its line where that is known."""
        log = next((log for log in logs.all if log.path == name), None)
        line = None
        if log is not None and not log.broken:
            # The chain holds, so only what nothing vouches for can have changed: the last line, or what follows it.
            line = log.lines + (1 if log.tail else 0)
        self.inputs.findings.add(
            name, "L7" if log else "R20", "published", "(bytes)", f"{show(listed)}, as MANIFEST.json has it", real,
            "restore the published file, or publish again", line=line,
        )  # fmt: skip
