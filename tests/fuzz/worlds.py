"""Whole versions, altered anywhere: never an exception, and exit code 0 only where what changed means the same."""

from __future__ import annotations

import json
import os
import random
import shutil
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Final

from cascades_world import Tiny
from checker_world import SANDBOX, World

from checker.check import check_version
from checker.report import exit_code
from tests.fuzz.lines import Disagreement, Report
from tests.fuzz.meaning import harmless
from tests.fuzz.mutations import MUTATIONS

#: File names that a reader of names may trip over.
NAMES: Final = (
    ".hidden.jsonl", "run-1.jsonl~", "#run-1.jsonl#", "run-1.jsonl.gz", "run-1.jsonl.swp", "run-1.JSONL", "Run-1.jsonl",
    "run 1.jsonl", "run-1.json", "run*.jsonl", "run?.jsonl", "run[1].jsonl", "{run-1}.jsonl", "a'b.jsonl", 'a"b.jsonl',
    "a\nb.jsonl", "a\\b.jsonl", "%s.jsonl", "$(id).jsonl", "-rf.jsonl", "run=1.jsonl", "ｒun-1.jsonl", "run‐1.jsonl",
    "CON.jsonl", "nul", "aux.jsonl", "a:b.jsonl", "run-1.jsonl ", "r" * 200 + ".jsonl", "\udcff.jsonl", "Thumbs.db",
    ".DS_Store", "run-1(1).jsonl", "e\u0301.jsonl", "\u202egnp.jsonl",
)  # fmt: skip


def templates(root: Path) -> list[tuple[Path, str, str]]:
    """(root, benchmark, version) of each sound version that is altered: published as a whole, and built alone."""
    court = World(root / "court")
    court.write()
    court.publish(everything=True)
    tiny = Tiny(root / "cascades")
    tiny.write_all()
    tiny.check()
    return [(court.root, "court", "v3"), (tiny.root, "cascades", "tiny")]


def files_of(root: Path) -> dict[str, bytes | None]:
    """What lies below `root`: the bytes of each regular file, None for anything else that is no folder."""
    found: dict[str, bytes | None] = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = Path(folder, name)
            found[path.relative_to(root).as_posix()] = (
                path.read_bytes() if path.is_file() and not path.is_symlink() else None
            )
        if not any(Path(folder).iterdir()):
            found[Path(folder).relative_to(root).as_posix() + "/"] = None
    return found


def fuzz_world(template: tuple[Path, str, str], chance: random.Random, place: Path) -> Report:
    """One copy of a template below `place`, altered once or twice, and its check."""
    source, benchmark, version = template
    root = place / "world"
    shutil.copytree(source, root)
    if chance.random() < 0.5:
        (root / "tables" / benchmark / version / "MANIFEST.json").unlink(missing_ok=True)
    before = files_of(root)
    names = [alter(root, chance) for _ in range(chance.choice((1, 1, 2)))]
    name, what = names[0] if len(names) == 1 else "several", " + ".join(names)
    changed = {path for path, data in files_of(root).items() if before.get(path, b"") != data or path not in before}
    changed |= before.keys() - files_of(root).keys()
    report = Report(inputs=1)
    try:
        outcome = check_version(root, benchmark, version, SANDBOX, {})
        code = exit_code(outcome.crosscheck, outcome.troubles)
        json.dumps([outcome.crosscheck, outcome.troubles, outcome.checked], allow_nan=False)
    except Exception:  # noqa: BLE001  whatever it is, it is what is looked for here
        report.disagreements.append(Disagreement("traceback", what, b"", traceback.format_exc(limit=-3)))
        return report
    report.outcomes["world: " + name, f"exit {code}"] += 1
    if code == 0:
        other = sorted(path for path in changed if not harmless(path, before, root, f"{benchmark}/{version}"))
        if other:
            report.disagreements.append(Disagreement("false equal", what, b"", f"changed: {other}"))
    shutil.rmtree(root)
    return report


# --- alterations ------------------------------------------------------------------------------------------------------


def alter(root: Path, chance: random.Random) -> str:
    """Do one thing to one file, and say what."""
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    logs = [path for path in files if path.suffix == ".jsonl" and "logs" in path.parts]
    path = chance.choice(logs) if logs and chance.random() < 0.3 else chance.choice(files)
    kind = chance.choice(list(ALTERATIONS))
    ALTERATIONS[kind](path, chance, logs or files)
    return kind


def line_of(path: Path, chance: random.Random, _: list[Path]) -> None:
    """A mutation of one line."""
    lines = path.read_bytes().split(b"\n")
    at = chance.randrange(len(lines))
    if lines[at]:
        lines[at] = MUTATIONS[chance.choice(list(MUTATIONS))](chance, lines[at], chance.choice(lines) or b"0")
    path.write_bytes(b"\n".join(lines))


def one_bit(path: Path, chance: random.Random, _: list[Path]) -> None:
    data = bytearray(path.read_bytes() or b"0")
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(bytes(data))


def truncated(path: Path, chance: random.Random, _: list[Path]) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: chance.randrange(len(data) + 1)])


def grown(path: Path, chance: random.Random, _: list[Path]) -> None:
    path.write_bytes(path.read_bytes() + chance.choice((b"\n", b"\0", b" ", b"{", b"\xff", b"{}\n", path.read_bytes())))


def lines_lost(path: Path, chance: random.Random, _: list[Path]) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    at = chance.randrange(max(1, len(lines)))
    path.write_bytes(b"".join(lines[:at] + lines[at + chance.choice((1, 1, 3)) :]))


def lines_moved(path: Path, chance: random.Random, _: list[Path]) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    chance.shuffle(lines)
    path.write_bytes(b"".join(lines))


def gone(path: Path, chance: random.Random, _: list[Path]) -> None:
    path.unlink()


def another_kind(path: Path, chance: random.Random, _: list[Path]) -> None:
    """A link to the same bytes, a link to nothing, a folder, a pipe."""
    kept = path.with_name("kept.bin")
    path.rename(kept)
    chance.choice(
        (lambda: path.symlink_to(kept), lambda: path.symlink_to("nowhere"), lambda: path.symlink_to(path.name),
         path.mkdir, lambda: os.mkfifo(path))
    )()  # fmt: skip


def another_file(path: Path, chance: random.Random, others: list[Path]) -> None:
    path.write_bytes(chance.choice(others).read_bytes())


def copied(path: Path, chance: random.Random, others: list[Path]) -> None:
    """The same file again: under another name, in another case, or in another folder."""
    other = chance.choice(others)
    target = chance.choice(
        (path.with_name("run-2" + path.suffix), path.with_name(path.name.upper()), other.parent / f"x-{path.name}",
         path.parent.with_name(path.parent.name.upper()) / path.name,
         path.parent.with_name("copy-0a1b2c3d") / path.name)
    )  # fmt: skip
    target.parent.mkdir(exist_ok=True)
    shutil.copyfile(path, target)


def renamed(path: Path, chance: random.Random, _: list[Path]) -> None:
    path.rename(path.with_name(chance.choice(NAMES)))


def stray(path: Path, chance: random.Random, _: list[Path]) -> None:
    """Another file beside this one."""
    path.with_name(chance.choice(NAMES)).write_bytes(chance.choice((b"", b"{}\n", path.read_bytes())))


def stray_list(path: Path, chance: random.Random, others: list[Path]) -> None:
    """An AMENDMENTS.json or REUSED.json that was not there."""
    version = next((folder for folder in others[0].parents if folder.name == "logs"), others[0]).parent
    text = chance.choice(("", "[]", "{}", "null", "[1]", '{"a":1}', '{"logs/x/y.jsonl":{}}', "[" * 100_000, "{}\n{}"))
    (version / chance.choice(("AMENDMENTS.json", "REUSED.json"))).write_text(text)


Alteration = Callable[[Path, random.Random, list[Path]], None]
ALTERATIONS: Final[dict[str, Alteration]] = {
    alteration.__name__: alteration
    for alteration in (
        line_of, one_bit, truncated, grown, lines_lost, lines_moved, gone, another_kind, another_file, copied, renamed,
        stray, stray_list,
    )
}  # fmt: skip
