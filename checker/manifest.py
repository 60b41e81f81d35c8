"""MANIFEST.json against the files that are there: its head, its list, the digest of each, and what a freeze adds."""

from __future__ import annotations

import re
from typing import Any, Final

from checker import files, prices
from checker.errors import CouldNotCheck, JsonFault
from checker.findings import clip, show
from checker.inputs import Inputs
from checker.loglines import is_time
from checker.logs import Logs
from checker.published import Document, Published
from checker.schema import DIGEST, TIME
from checker.strictjson import decode, loads

NAME: Final = "MANIFEST.json"
#: The key that `countersign freeze` adds, and its own keys.
FROZEN: Final = "frozen"
KEYS: Final = ("at", "previous", "beside")
#: A log's time without its milliseconds.
_AT: Final = re.compile(TIME.replace(r"\.[0-9]{3}", ""))
_DIGEST: Final = re.compile(DIGEST)
#: The spec of a version whose logs this one adopted: its name is taken apart, so that it leads nowhere else.
_SPEC: Final = re.compile(r"runs/([a-z0-9][a-z0-9.-]*)/([a-z0-9][a-z0-9.-]*)/spec\.json", re.ASCII)
#: What a freeze may name beside such specs: folders, and the lock of the checker.
_BESIDE: Final = (prices.FOLDER + "/", "checker/")
_LOCK: Final = "requirements-check.lock"


class Manifest:
    """The digests of a version's files, taken before the database is locked, where a MANIFEST.json stands there."""

    def __init__(self, inputs: Inputs, published: Published) -> None:
        self.inputs, self.published = inputs, published
        self.real: dict[str, str] = {}
        #: The price tables and specs that a freeze names, as far as they are there.
        self.tables: dict[str, str] = {}
        data = published.data[NAME]
        if data is not None:
            self.digest_all()
            self.digest_tables(data)

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
                self.digest(path, self.real)

    def digest_tables(self, data: bytes) -> None:
        """The digest of every price table and spec that the freeze names: of what no freeze names, nothing is asked."""
        root, folder = self.inputs.root, prices.FOLDER
        beside = _beside(data)
        for name in beside:
            if spec := _SPEC.fullmatch(name):
                places = (root / "runs", root / "runs" / spec[1], root / "runs" / spec[1] / spec[2])
                if {files.kind_of(place) for place in places} == {"folder"} and files.kind_of(root / name) != "absent":
                    self.digest(name, self.tables)
        named = {name for name in beside if name.startswith(folder + "/")}
        # Found from the list, so that no name leads anywhere else and no link is followed.
        if not named or files.kind_of(root / folder) != "folder":
            return
        for name in files.below(root / folder, self.inputs.troubles.append):
            if f"{folder}/{name}" in named:
                self.digest(f"{folder}/{name}", self.tables)

    def digest(self, path: str, into: dict[str, str]) -> None:
        """Note the digest of a file, or what stands in its place."""
        inputs = self.inputs
        try:
            into[path] = inputs.digests.get(path) or files.sha256(inputs.root / path)
        except files.NotRegular as fault:
            into[path] = f"a {fault}"
        except CouldNotCheck as error:
            inputs.troubles.append(str(error))

    def compare(self, digest: str | None, logs: Logs) -> None:
        """Every difference is a finding.  `digest` is that of the inputs; None where it could not be computed."""
        published = self.published
        document = published.document(NAME)
        if document is None:
            return
        found, line = document.value, document.line
        if FROZEN in found:
            self.compare_freeze(document, logs)
            found = {key: value for key, value in found.items() if key != FROZEN}
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

    def compare_freeze(self, document: Document, logs: Logs) -> None:
        """What `countersign freeze` added: its place, its shape, and the data that it names."""
        value, line, keys = document.value[FROZEN], document.line, list(document.value)
        if "files" in keys:
            behind = keys.index(FROZEN) > keys.index("files")
            self.hold(behind, FROZEN, "behind files", "before it", line((FROZEN,)))
        if not isinstance(value, dict):
            self.hold(False, FROZEN, "an object of " + ", ".join(KEYS), show(value), line((FROZEN,)))
            return
        for key in (*KEYS, *(key for key in value if key not in KEYS)):
            if key not in value:
                self.hold(False, f"{FROZEN}.{key}", "the key stands", "the key is missing", line((FROZEN,)))
            elif key not in KEYS:
                self.hold(False, f"{FROZEN}.{clip(key)}", "no such key", show(value[key]), line((FROZEN, key)))
        if set(value) == set(KEYS) and list(value) != list(KEYS):
            self.hold(False, f"{FROZEN}.(keys)", ", ".join(KEYS), ", ".join(value), line((FROZEN,)))
        if "at" in value:
            self.hold(_is_moment(value["at"]), f"{FROZEN}.at", "a UTC time, as 2026-12-01T12:00:00Z",
                      show(value["at"]), line((FROZEN, "at")))  # fmt: skip
        if "previous" in value:
            self.hold(value["previous"] is None or _is_digest(value["previous"]), f"{FROZEN}.previous",
                      "null or 64 lower-case hexadecimal digits", show(value["previous"]),
                      line((FROZEN, "previous")))  # fmt: skip
        if "beside" in value:
            self.compare_beside(value["beside"], document, logs)

    def compare_beside(self, beside: object, document: Document, logs: Logs) -> None:
        """The files outside the version that a freeze names; only the data among them are looked for."""
        field, at = f"{FROZEN}.beside", (FROZEN, "beside")
        if not isinstance(beside, dict):
            self.hold(False, field, "an object of paths and digests", show(beside), document.line(at))
            return
        if list(beside) != sorted(beside):
            self.hold(False, field, "sorted by path", "another order", document.line(at))
        for name, listed in beside.items():
            label, place, fault = f"{field}[{clip(name)}]", document.line((*at, name)), self.path_fault(name)
            if fault is not None:
                self.hold(False, label, fault, show(name), place)
            elif not _is_digest(listed):
                self.hold(False, label, "64 lower-case hexadecimal digits", show(listed), place)
            elif not name.startswith("runs/"):
                self.hold(True, label, "", "", place)  # a record of who checked it then: nothing to compare it with
            elif name not in self.tables:
                self.hold(False, label, "no such file is there", show(listed), place)
            else:
                real = self.tables[name]
                self.hold(listed == real, label, real, show(listed), place)
                if listed != real:
                    self.altered(name, listed, real, logs)

    def path_fault(self, name: str) -> str | None:
        """What is wanted of a path beside the version, where it is not that."""
        if "\\" in name or not all(part not in ("", ".", "..") for part in name.split("/")):
            return "a path relative to the root, with / and without .."
        if name.startswith((self.inputs.runs + "/", self.inputs.tables + "/")):
            return "no path inside the two folders of the version"
        if not name.startswith(_BESIDE) and name != _LOCK and not _SPEC.fullmatch(name):
            return f"a path below {' or '.join(_BESIDE)}, {_LOCK}, or the spec.json of another version"
        return None

    def hold(self, good: bool, field: str, expected: str, found: str, line: int | None) -> None:
        """Count one field of the freeze; where it is not `good`, it is a finding."""
        if good:
            self.published.counts[NAME].add(None, True)
        else:
            self.published.report(NAME, field, expected, found, line)

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


def _beside(data: bytes) -> list[str]:
    """What the freeze in a MANIFEST.json names beside the version; nothing where it says nothing sound."""
    try:
        value: Any = loads(decode(data))
    except JsonFault:
        return []  # `compare` names it
    for key in (FROZEN, "beside"):
        value = value.get(key) if isinstance(value, dict) else None
    return list(value) if isinstance(value, dict) else []


def _is_moment(value: object) -> bool:
    return isinstance(value, str) and _AT.fullmatch(value) is not None and is_time(value)


def _is_digest(value: object) -> bool:
    return isinstance(value, str) and _DIGEST.fullmatch(value) is not None
