"""A version in memory: its files, its logs line by line, and what a forger would mend after a change."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from checker.loglines import canonical
from checker.strictjson import decode, loads

Event = dict[str, Any]


@dataclass(frozen=True)
class Link:
    """A symbolic link in a file's place."""

    target: str


#: What stands at a path: bytes, a link, or nothing.
Content = bytes | Link | None
Files = dict[str, Content]
#: The tables that state digests of what they were made from.
STATING: Final = ("builder.json", "checked.json", "leaderboard.json", "crosscheck.json")
#: When frozen versions were frozen.
FREEZE: Final = "2026-12-03T00:00:00Z"


def sha256(data: bytes) -> str:
    """Lower-case hexadecimal SHA-256."""
    return hashlib.sha256(data).hexdigest()


#: The checker and its lock, of which a freeze is but a record.
RECORDED: Final = {path: sha256(path.encode()) for path in ("checker/check.py", "requirements-check.lock")}


def document(value: object) -> bytes:
    """A JSON file as people write it."""
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


@dataclass
class Log:
    """One log, taken apart; `tail` is what follows its last LF."""

    path: str
    lines: list[Event]
    tail: bytes = b""

    @classmethod
    def read(cls, path: str, data: bytes) -> Log:
        """The log in the bytes of a sound file."""
        *lines, tail = data.split(b"\n")
        return cls(path, [json.loads(line) for line in lines], tail)

    @property
    def closing(self) -> Event | None:
        """The line that closes the log, if one does."""
        last = self.lines[-1]
        return last if last["event"] in ("finish", "abort") else None

    def recount(self, last_turn: int | None) -> None:
        """Let the closing line count right; `last_turn` is Court of Facts' 2·rounds."""
        closing = self.closing
        if closing is not None:
            closing["lines"] = len(self.lines) - 1
        if closing is not None and "duels" in closing:
            closing["duels"] = sum(line["event"] == "call" and line["turn"] == last_turn for line in self.lines)

    def chained(
        self, first: str | None = None, renumber: bool = True, written: dict[int, bytes] | None = None
    ) -> bytes:
        """The log's bytes with the whole chain made anew (L6, L7), from `first` or the digest that it began from;
        `written` are lines, by their place, that stand there as they are."""
        out, prev = [], first or self.lines[0]["prev"]
        for seq, line in enumerate(self.lines):
            line["prev"] = prev
            if renumber:
                line["seq"] = seq
            text = (written or {}).get(seq) or canonical(line).encode()
            out.append(text + b"\n")
            prev = sha256(text)
        return b"".join(out) + self.tail


@dataclass
class World:
    """One version of a root: `files` are those of the whole root, by path."""

    benchmark: str
    version: str
    files: dict[str, bytes]
    #: Whether its MANIFEST.json is a freeze.
    is_frozen: bool = False
    #: The digests that the published tables state, of the spec and of the inputs.
    stated: list[str] = field(default_factory=list)
    _read: dict[str, Log] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.runs, self.tables = (f"{tree}/{self.benchmark}/{self.version}" for tree in ("runs", "tables"))
        self.stated = self.digests(self.files)
        self.spec: dict[str, Any] = json.loads(self.files[f"{self.runs}/spec.json"])

    @property
    def name(self) -> str:
        """`benchmark/version`."""
        return f"{self.benchmark}/{self.version}"

    @property
    def last_turn(self) -> int:
        """Of Court of Facts: the last turn of a duel."""
        return int(2 * self.spec["play"]["rounds"])

    def below(self, *folders: str) -> list[str]:
        """The paths below some folders, sorted."""
        return sorted(path for path in self.files if path.startswith(tuple(folder + "/" for folder in folders)))

    @property
    def logs(self) -> list[str]:
        """The paths of the version's logs."""
        return self.below(f"{self.runs}/logs")

    def log(self, path: str) -> Log:
        """A log, to be altered."""
        return Log.read(path, self.files[path])

    def look(self, path: str) -> Log:
        """A log, to be looked at only: it is taken apart once."""
        if path not in self._read:
            self._read[path] = self.log(path)
        return self._read[path]

    def digests(self, files: dict[str, Any]) -> list[str]:
        """The digest of the spec, and that of the inputs (tables.md), of this version in `files`."""
        spec = files.get(f"{self.runs}/spec.json")
        try:
            named = set(loads(decode(spec))["files"]) if isinstance(spec, bytes) else set()
        except (ValueError, KeyError, TypeError):
            named = set()
        named |= {"spec.json", "REUSED.json", "AMENDMENTS.json"}
        inputs = {
            path.removeprefix(self.runs + "/"): sha256(data)
            for path, data in files.items()
            if isinstance(data, bytes) and path.startswith(self.runs + "/")
        }
        text = "".join(f"{inputs[p]}  {p}\n" for p in sorted(inputs) if p in named or p.startswith("logs/"))
        return [inputs.get("spec.json", "none"), sha256(text.encode())]

    def signed(self, changes: Files) -> Files:
        """The changes, and what hides them from the digests: those that the tables state, and MANIFEST.json."""
        signed = self.reused(changes)
        files: Files = {**self.files, **signed}
        digests = self.digests(files)
        for name in STATING:
            path = f"{self.tables}/{name}"
            data = files.get(path)
            if isinstance(data, bytes) and digests != self.stated:
                for old, new in zip(self.stated, digests, strict=True):
                    data = data.replace(old.encode(), new.encode())
                signed[path] = data
        return signed | {f"{self.tables}/MANIFEST.json": self.manifest(files | signed, digests[1])}

    def reused(self, changes: Files) -> Files:
        """The changes, and REUSED.json with the digests of the logs among them."""
        path = f"{self.runs}/REUSED.json"
        if path not in self.files or path in changes:
            return dict(changes)
        data = self.files[path]
        for log, content in changes.items():
            if log in self.files and isinstance(content, bytes):
                data = data.replace(sha256(self.files[log]).encode(), sha256(content).encode())
        return dict(changes) if data == self.files[path] else changes | {path: data}

    def manifest(self, files: Files, digest: str) -> bytes:
        """MANIFEST.json as tables.md describes it."""
        own = f"{self.tables}/MANIFEST.json"
        listed = {
            path: sha256(data)
            for path, data in sorted(files.items())
            if isinstance(data, bytes) and path.startswith((self.runs + "/", self.tables + "/")) and path != own
        }
        head = {"benchmark": self.benchmark, "version": self.version, "digest": digest, "files": listed}
        return document(head | {"frozen": self.freeze(files)} if self.is_frozen else head)

    def freeze(self, files: Files) -> dict[str, Any]:
        """What a freeze adds to MANIFEST.json."""
        tables = {
            path: sha256(data)
            for path, data in files.items()
            if isinstance(data, bytes) and path.startswith("runs/prices/")
        }
        beside = dict(sorted((RECORDED | tables).items()))
        return {"at": FREEZE, "previous": sha256(b"an earlier one"), "beside": beside}


class Disk:
    """A root on disk that holds a world's files, and takes changes for a while."""

    def __init__(self, root: Path, files: dict[str, bytes]) -> None:
        self.root, self.files = root, files
        self.put(files)

    def put(self, files: Mapping[str, Content]) -> None:
        """Write, link and delete."""
        for path, content in files.items():
            place = self.root / path
            place.unlink(missing_ok=True)
            if content is not None:
                place.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, Link):
                place.symlink_to(content.target)
            elif content is not None:
                place.write_bytes(content)
        for folder in sorted({parent for path in files for parent in Path(path).parents}, key=lambda p: -len(p.parts)):
            place = self.root / folder
            if place != self.root and place.is_dir() and not any(place.iterdir()):
                place.rmdir()  # a folder that nothing is left in

    def restore(self, paths: Iterable[str]) -> None:
        """Undo changes of these paths."""
        self.put({path: self.files.get(path) for path in paths})
