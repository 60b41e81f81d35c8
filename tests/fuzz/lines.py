"""Logs of thousands of altered lines through the whole check, against the independent reading of `strict`."""

from __future__ import annotations

import hashlib
import random
import traceback
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar
from unittest import mock

from cascades_world import Tiny
from checker_logs import Log, Version, canonical, clock, slug
from checker_world import FACTS, SANDBOX, A
from money_world import of_version_2

from checker.benchmarks import BENCHMARKS
from checker.check import check_version
from checker.findings import Findings
from checker.loglines import examine
from tests.fuzz.mutations import MUTATIONS
from tests.fuzz.strict import STRINGS, Rules

#: Logs of one check, and altered lines of one log: fewer than the unsound lines of a log that the checker explains.
LOGS, ALTERED = 40, 100
_BYTES = ("L1", "L2", "L3", "L4", "L5")
#: Rows of one written log: the bytes and what was done to them (empty: nothing).
Written = list[tuple[bytes, str]]


class Recorder(Findings):
    """Findings before their bound for each file and rule: what was accused, by (file, line)."""

    seen: ClassVar[dict[tuple[str, int | None], list[tuple[str, str]]]] = defaultdict(list)

    def add(self, file: str, rule: str, side: Any, field: str, *more: Any, **names: Any) -> None:
        self.seen[file, names.get("line")].append((rule, field))
        super().add(file, rule, side, field, *more, **names)


@dataclass
class Disagreement:
    """Where two readers do not agree: what, by which mutation, and the bytes."""

    what: str
    mutation: str
    line: bytes
    detail: str

    def __str__(self) -> str:
        shown = repr(self.line) if len(self.line) <= 2000 else repr(self.line[:2000]) + f"… {len(self.line)} bytes"
        return f"{self.what} [{self.mutation}] {self.detail}\n    {shown}"


@dataclass
class Report:
    """What a stretch of fuzzing gave."""

    inputs: int = 0
    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    disagreements: list[Disagreement] = field(default_factory=list)

    def add(self, other: Report) -> None:
        self.inputs += other.inputs
        self.outcomes += other.outcomes
        self.disagreements += other.disagreements


def fuzz_lines(benchmark: str, chance: random.Random, root: Path) -> Report:
    """One world of altered logs below `root` (empty), checked once."""
    rules, report = Rules(benchmark), Report()
    logs = dict(_court(chance, root, rules) if benchmark == "court" else _cascades(chance, root, rules))
    Recorder.seen = defaultdict(list)
    version = "v3" if benchmark == "court" else "tiny"
    try:
        with mock.patch("checker.check.Findings", Recorder):
            outcome = check_version(root, benchmark, version, SANDBOX, {})
    except Exception:  # noqa: BLE001  whatever it is, it is what is looked for here
        report.inputs = sum(bool(mutation) for written in logs.values() for _, mutation in written)
        report.disagreements.append(Disagreement("traceback", "", b"", traceback.format_exc(limit=-3)))
        return report
    troubles = [text for text in outcome.troubles if "builder.json" not in text]
    if troubles:
        report.disagreements.append(Disagreement("could not check", "", b"", str(troubles)))
    unsound = 0
    for path, written in logs.items():
        unsound += _compare(path.relative_to(root).as_posix(), path, written, rules, report)
    if unsound and not any(finding["side"] == "log" for finding in outcome.crosscheck["mismatches"]):
        report.disagreements.append(Disagreement("false equal", "", b"", f"{unsound} unsound lines"))
    return report


def _compare(name: str, path: Path, written: Written, rules: Rules, report: Report) -> int:
    """One log: every line's soundness by both readers; the number of unsound lines."""
    run = path.stem
    names = [mutation for data, mutation in written for _ in range(data.count(b"\n") + 1)]
    lines = path.read_bytes().split(b"\n")[:-1]
    report.inputs += sum(bool(mutation) for _, mutation in written)
    schema, unsound, last, before = BENCHMARKS[rules.benchmark].schema, 0, "", b""
    for number, (line, mutation) in enumerate(zip(lines, names, strict=True), 1):
        why, event = rules.look(line, run)
        if event is not None and _nests(event.get("settings")):
            report.outcomes[mutation or "(unaltered)", "undecided"] += 1
            last, before = max(last, event["at"]), line
            continue
        unsound += why is not None
        report.outcomes[mutation or "(unaltered)", "unsound" if why else "sound"] += 1

        def disagree(what: str, detail: str, line: bytes = line, mutation: str = mutation) -> None:
            report.disagreements.append(Disagreement(what, mutation or "(unaltered)", line, detail))

        if mutation and why != "L1 run" and (slow := _examined(line, schema)) != (why is None):
            disagree("examine differs", f"examine says {'sound' if slow else 'unsound'}, the page: {why or 'sound'}")
        seen = Recorder.seen[name, number]
        accused = [pair for pair in seen if pair[0] in _BYTES and pair != ("L1", "model")]
        if why is not None and not seen:
            disagree("missed", f"line {number}: {why}")
        if why is None and accused:
            disagree("falsely accused", f"line {number}: {accused}")
        if number == 1 and (event or {}).get("event") != "start":
            return unsound  # no log without its start, so nothing is said of the other lines
        if event is not None:
            near = {rule for at in (number - 1, number) for rule, _ in Recorder.seen[name, at]}
            if event["seq"] != number - 1 and not near & {"L6", *_BYTES}:
                disagree("missed", f"line {number}: L6 seq")
            if number > 1 and event["prev"] != hashlib.sha256(before).hexdigest() and "L7" not in near:
                disagree("missed", f"line {number}: L7 prev")
            if event["at"] < last and not any("L8" in dict(Recorder.seen[name, at]) for at in range(1, number + 1)):
                disagree("missed", f"line {number}: L8 at")
            last = max(last, event["at"])
        before = line
    return unsound


def _nests(settings: Any) -> bool:
    """Settings in settings in settings: the page allows them ("object"), the checker's fast reader does not follow."""
    return any(isinstance(item, dict | list) for value in _items(settings) for item in _items(value))


def _items(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []


def _examined(line: bytes, schema: Any) -> bool:
    """What the checker's slow reader says; CR and NUL are looked for before it is asked."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return not set("\r\0") & set(text) and examine(text, schema)[0] is not None


# --- worlds -----------------------------------------------------------------------------------------------------------


def _write(
    chance: random.Random, path: Path, spec: bytes, events: list[dict[str, Any]], pool: list[bytes], first: bool
) -> Written:
    """A chained log of `events`, about half of its lines altered; the first line only where that is asked for."""
    written: Written = []
    before, number = spec, 0
    budget = ALTERED
    for event in events:
        head = {"v": 1, "run": path.stem, "seq": number, "at": clock(number * 5), "prev": ""}
        head |= {key: value for key, value in event.items() if key in head}
        head["prev"] = hashlib.sha256(before).hexdigest()
        data, name = canonical(head | event).encode(), ""
        pool.append(data)
        if (budget and number and chance.random() < 0.6) or (first and not number):
            name = chance.choice(list(MUTATIONS))
            altered = MUTATIONS[name](chance, data, chance.choice(pool))
            data, name = altered, name if altered != data else ""
            budget -= 1
        written.append((data, name))
        number += data.count(b"\n") + 1
        before = data.rsplit(b"\n", 1)[-1]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(data + b"\n" for data, _ in written))
    return written


def _court(chance: random.Random, root: Path, rules: Rules) -> Iterator[tuple[Path, Written]]:
    """Defenders of many duels each, whose replies are strings that tempt a reader, and events of every kind."""
    version = Version(root)
    version.change_spec(repeats=10)
    pool: list[bytes] = []
    for place in range(LOGS):
        first = place % 4 == 3
        log = Log(version, f"scripted:m{place:02}", [A], facts=FACTS)
        for repeat in range(10):
            for fact in FACTS:
                texts = [chance.choice(STRINGS), chance.choice(STRINGS), "ANSWER: 10"]
                log.duel(A, fact, texts, repeat=repeat, cost="unpriced")
        calls = log.events[1:]
        for call in calls:
            call |= {key: chance.choice((None, None, *STRINGS)) for key in ("served", "fingerprint")}
        grown = chance.randrange(len(calls)) if chance.random() < 0.7 else len(calls)
        events = [log.events[0], *calls[:grown], *map(of_version_2, calls[grown:])]
        yield log.path, _write(chance, log.path, version.spec_bytes, _strewn(chance, events, rules), pool, first)


def _cascades(chance: random.Random, root: Path, rules: Rules) -> Iterator[tuple[Path, Written]]:
    """Whole tiny games of many teams, and events of every kind."""
    tiny = Tiny(root)
    spec = (tiny.runs / "spec.json").read_bytes()
    pool: list[bytes] = []
    for place in range(LOGS):
        run = chance.choice(list(tiny.games))
        events = tiny.events(run)
        events[0]["model"] = f"scripted:m{place:02}"
        path = tiny.runs / "logs" / slug(events[0]["model"]) / f"{run}.jsonl"
        yield path, _write(chance, path, spec, _strewn(chance, events, rules), pool, first=place % 4 == 3)


def _strewn(chance: random.Random, events: list[dict[str, Any]], rules: Rules) -> list[dict[str, Any]]:
    """The events with random ones of every kind among them."""
    for _ in range(40):
        sample = rules.sample(chance)
        at = chance.randint(1, len(events))
        low = max((event.get("v", 1) for event in events[:at]), default=1)
        if sample["v"] >= low and (at == len(events) or sample["v"] <= events[at].get("v", 1)):
            events.insert(at, sample)
    return events


def smallest(found: list[Disagreement]) -> list[Disagreement]:
    """Of each kind of disagreement (and mutation) the one with the shortest line."""
    best: dict[tuple[str, str], Disagreement] = {}
    for one in found:
        key = (one.what, one.mutation)
        if key not in best or len(one.line) < len(best[key].line):
            best[key] = one
    return list(best.values())


def table(report: Report) -> str:
    """The counts by mutation and outcome, a line each."""
    kinds = sorted({outcome for _, outcome in report.outcomes})
    rows = [f"{'':28}" + "".join(f"{kind:>12}" for kind in kinds)]
    rows += [
        f"{name:28}" + "".join(f"{report.outcomes[name, kind]:12}" for kind in kinds)
        for name in sorted({mutation for mutation, _ in report.outcomes})
    ]
    return "\n".join(rows)
