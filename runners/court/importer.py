"""Turns a published Court of Facts dataset file into logs, its own numbers kept apart as stated by a third party."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from runners import __version__
from runners.court.logs import log_path
from runners.court.version import Court
from runners.errors import ImportFileError
from runners.log import LogWriter
from runners.records import Call, Fact, Finish, Source, Start, Stated, StatedTotals


class _Turn(msgspec.Struct):
    who: str
    text: str
    answer: str | int | float | None = None
    caved: bool | None = None


class _Result(msgspec.Struct):
    defender: str
    attacker: str
    domain: str
    question: str
    truth: str | int | float
    false: str | int | float
    turns: list[_Turn]
    final_wrong: bool | None = None


class _Config(msgspec.Struct):
    rounds: int
    temperature: float | None = None
    models: list[str] | None = None


class _Dataset(msgspec.Struct):
    results: list[_Result]
    config: _Config
    ts: int | None = None
    champion: str | None = None
    tally: dict[str, int] | None = None


@dataclass(frozen=True)
class Imported:
    """What an import wrote."""

    run: str
    logs: tuple[str, ...]
    duels: int


def import_dataset(spec: Court, path: Path) -> Imported:
    """Write one log for each Defender of a dataset file.

    The run's id comes from the file's digest, so that importing the same file twice is refused instead of doubled.

    Raises:
        ImportFileError: the file is not a dataset that this version can score, or was imported already.
    """
    raw, dataset = _read(path)
    digest = hashlib.sha256(raw).hexdigest()
    run = f"import-{digest[:12]}"
    source = Source("imported", path.name, digest, f"countersign {__version__}")
    facts = _facts(spec, path, dataset)
    duels = _by_defender(spec, path, dataset)
    paths = {defender: log_path(spec, defender, run) for defender in duels}
    if existing := [str(p) for p in paths.values() if p.exists()]:
        raise ImportFileError(f"{path} was imported already: {', '.join(existing)}. Nothing was written.")
    # Written aside and moved when whole: an import that is interrupted leaves nothing half done among the logs.
    with tempfile.TemporaryDirectory(dir=spec.folder, prefix=".import-") as aside:
        for defender, results in duels.items():
            log = LogWriter(Path(aside) / paths[defender].relative_to(spec.folder), spec.sha256)
            _write_log(spec, log, source, defender, results, facts, dataset)
        for path_in_logs in paths.values():
            path_in_logs.parent.mkdir(parents=True, exist_ok=True)
            (Path(aside) / path_in_logs.relative_to(spec.folder)).rename(path_in_logs)
    return Imported(run, tuple(str(p) for p in paths.values()), len(dataset.results))


def _read(path: Path) -> tuple[bytes, _Dataset]:
    try:
        raw = path.read_bytes()
        json.loads(raw, object_pairs_hook=_unique)
        return raw, msgspec.json.decode(raw, type=_Dataset)
    except OSError as error:
        raise ImportFileError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, msgspec.MsgspecError, RecursionError) as error:
        raise ImportFileError(f"{path}: not a Court of Facts dataset: {error}") from error


def _unique(pairs: list[tuple[str, Any]]) -> None:
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError("a key stands twice in one object")


def _facts(spec: Court, path: Path, dataset: _Dataset) -> dict[str, Fact]:
    """The file's facts by domain: its question and values, its time; matched to the version's facts by domain."""
    domains = {item.domain: item for item in spec.items}
    at = datetime.fromtimestamp((dataset.ts or 0) / 1000, UTC).isoformat(timespec="milliseconds")
    facts: dict[str, Fact] = {}
    for number, result in enumerate(dataset.results):
        if result.domain not in domains:
            raise ImportFileError(
                f"{path}: results[{number}].domain is {result.domain!r}; expected one of {', '.join(domains)}."
            )
        item = domains[result.domain]
        fact = Fact(
            fact=item.fact,
            question=result.question,
            truth=str(result.truth),
            lie=str(result.false),
            source=f"imported: {item.source}",
            at=at.replace("+00:00", "Z"),
        )
        if facts.setdefault(result.domain, fact) != fact:
            raise ImportFileError(f"{path}: results[{number}]: question, truth or lie of {result.domain!r} changes.")
    return {item.domain: facts[item.domain] for item in spec.items if item.domain in facts}


def _by_defender(spec: Court, path: Path, dataset: _Dataset) -> dict[str, list[_Result]]:
    if dataset.config.rounds != spec.rounds:
        raise ImportFileError(
            f"{path}: config.rounds is {dataset.config.rounds}, {spec.benchmark}/{spec.version} plays {spec.rounds}."
        )
    duels: defaultdict[str, list[_Result]] = defaultdict(list)
    seen: set[tuple[str, str, str]] = set()
    for number, result in enumerate(dataset.results):
        where = f"{path}: results[{number}]"
        expected = ["attacker" if turn % 2 else "defender" for turn in range(spec.last_turn + 1)]
        if [turn.who for turn in result.turns] != expected:
            raise ImportFileError(f"{where}: expected the turns {', '.join(expected)}.")
        if result.defender == result.attacker:
            raise ImportFileError(f"{where}: {result.defender!r} fights itself (rule R1).")
        if ":" in result.defender:
            raise ImportFileError(f"{where}: the name {result.defender!r} looks like a route of ours.")
        key = (result.defender, result.attacker, result.domain)
        if key in seen:
            raise ImportFileError(f"{where}: the duel {key} stands twice; which one counts would be a guess.")
        seen.add(key)
        duels[result.defender].append(result)
    if not duels:
        raise ImportFileError(f"{path}: no results.")
    return dict(sorted(duels.items()))


def _write_log(
    spec: Court,
    log: LogWriter,
    source: Source,
    defender: str,
    results: Iterable[_Result],
    facts: dict[str, Fact],
    dataset: _Dataset,
) -> None:
    results = list(results)
    attackers = dict.fromkeys(result.attacker for result in results)
    log.append(
        Start(
            benchmark=spec.benchmark,
            version=spec.version,
            model=defender,
            kind="model",
            route="imported",
            settings=None,
            source=source,
            attackers=tuple(attackers),
            facts=tuple(facts[domain] for domain in facts if any(r.domain == domain for r in results)),
            repeats=spec.repeats,
        )
    )
    for result in results:
        fact = facts[result.domain].fact
        for number, turn in enumerate(result.turns):
            log.append(_call(result, fact, number, turn.text))
        log.append(_stated(result, fact))
    if dataset.tally is not None or dataset.champion is not None:
        log.append(StatedTotals((dataset.tally or {}).get(defender), dataset.champion))
    log.append(Finish(len(log.lines), len(results)))
    log.close()


def _call(result: _Result, fact: str, turn: int, text: str) -> Call:
    return Call(
        phase="main",
        round=0,
        attacker=result.attacker,
        fact=fact,
        repeat=0,
        turn=turn,
        attempt=1,
        role="attacker" if turn % 2 else "defender",
        model=result.attacker if turn % 2 else result.defender,
        system=None,
        user=None,
        text=text,
        finish="unknown",
        usage=None,
        cost="unpriced",
        latency_ms=None,
        served=None,
        fingerprint=None,
        provider=None,
        settings=None,
    )


def _stated(result: _Result, fact: str) -> Stated:
    own = [turn for turn in result.turns if turn.who == "defender"]
    answers = tuple(None if turn.answer is None else str(turn.answer) for turn in own)
    return Stated(result.attacker, fact, 0, answers, tuple(turn.caved for turn in own), result.final_wrong)
