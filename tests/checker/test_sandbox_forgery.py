"""Answers that try to forge a verdict: whatever a process that reads hostile data may say, it is not believed."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from checker import cli, sandbox
from checker.identity import identity
from checker.inner import READY

Forge = Callable[[dict[str, Any]], Any]


@pytest.fixture(scope="module")
def honest(template: Path) -> tuple[int, bytes, bytes]:
    """What the checking process really says of a sound version."""
    said: list[tuple[int, bytes, bytes]] = []
    talk = sandbox.talk
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sandbox, "talk", lambda *arguments: said.append(talk(*arguments)) or said[-1])
        sandbox.run(sandbox.Request(template, [("court", "v3")], True, identity()))
    assert (
        said[0][0] == 0 and json.loads(said[0][1].decode().split("\n")[2])[0]["crosscheck"]["status"] == "CROSS-CHECKED"
    )
    return said[0]


@pytest.fixture
def check(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str, list[Path]]]:
    """countersign-check with a process that says just this: exit code, stdout, stderr, files written."""

    def run(code: int, out: bytes, err: bytes) -> tuple[int, str, str, list[Path]]:
        monkeypatch.setattr(sandbox, "talk", lambda *_: (code, out, err))
        ended = cli.main(["court/v3", "--root", str(template), "--out", str(tmp_path / "out")])
        said = capsys.readouterr()
        return ended, said.out, said.err, list((tmp_path / "out").rglob("*"))

    return run


def assert_not_believed(result: tuple[int, str, str, list[Path]]) -> None:
    code, out, err, written = result
    assert (code, out, written) == (2, "", [])
    assert err.startswith("countersign-check: could not check: ") and len(err.splitlines()) == 1


def test_the_honest_answer_is_believed(honest: Any, check: Any) -> None:
    code, out, err, written = check(*honest)
    assert code == 0 and out.startswith("court/v3: CROSS-CHECKED") and err == ""
    assert {path.name for path in written if path.is_file()} == {"crosscheck.json", "checked.json", "run.json"}


HEAD = READY.encode()
TEXTS: dict[str, Callable[[bytes, bytes, bytes], bytes]] = {
    "nothing": lambda ready, probes, answers: b"",
    "no READY": lambda ready, probes, answers: probes + answers,
    "another READY": lambda ready, probes, answers: b"countersign-checker 2\n" + probes + answers,
    "text before READY": lambda ready, probes, answers: b"\n" + ready + probes + answers,
    "no probes": lambda ready, probes, answers: ready + answers,
    "no answers": lambda ready, probes, answers: ready + probes,
    "a second answer": lambda ready, probes, answers: ready + probes + answers + b"\n" + answers,
    "a second list of answers": lambda ready, probes, answers: ready + probes + answers[:-1] + b"," + answers[1:],
    "a second everything": lambda ready, probes, answers: 2 * (ready + probes + answers),
    "text after the answers": lambda ready, probes, answers: ready + probes + answers + b"x",
    "half an answer": lambda ready, probes, answers: ready + probes + answers[: len(answers) // 2],
    "deep nesting": lambda ready, probes, answers: ready + probes + b"[" * 200_000,
    "deep nesting of objects": lambda ready, probes, answers: ready + probes + b'{"a":' * 200_000,
    "NaN": lambda ready, probes, answers: (
        ready + probes + answers.replace(b'"compared": ', b'"compared": NaN, "x": ', 1)
    ),
    "Infinity": lambda ready, probes, answers: ready + probes + b"[Infinity]",
    "a huge number": lambda ready, probes, answers: ready + probes + b"[" + b"9" * 1_000_000 + b"]",
    "bytes that are no UTF-8": lambda ready, probes, answers: ready + probes + b"\xff" + answers,
    "null": lambda ready, probes, answers: ready + probes + b"null",
    "an object": lambda ready, probes, answers: ready + probes + b"{}",
    "a list of nothing": lambda ready, probes, answers: ready + probes + b"[]",
    "a list of null": lambda ready, probes, answers: ready + probes + b"[null]",
    "probes that are no object": lambda ready, probes, answers: ready + b"[]\n" + answers,
}


@pytest.mark.parametrize("name", TEXTS)
def test_another_text(name: str, honest: Any, check: Any) -> None:
    ready, probes, answers = honest[1].splitlines(keepends=True)
    assert_not_believed(check(0, TEXTS[name](ready, probes, answers), b""))


@pytest.mark.parametrize("code", [1, 2, 127, 137, -9, -31])
def test_an_answer_with_an_exit_code(code: int, honest: Any, check: Any) -> None:
    assert_not_believed(check(code, *honest[1:]))


def test_a_complaint_cannot_play_with_the_terminal(honest: Any, check: Any) -> None:
    result = check(1, honest[1], b"\x1b]52;c;aGk=\x07 \xc2\x9b31m \xe2\x80\xae \r\n\x1b[2Jlast\r")
    assert_not_believed(result)
    assert result[2].rstrip("\n").isprintable()


def put(*path: Any, value: Any) -> Forge:
    """Set the value at a path of the answer."""

    def forge(answer: dict[str, Any]) -> Any:
        place: Any = answer
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value
        return answer

    return forge


def add(*path: Any, value: Any) -> Forge:
    """Append to the list at a path of the answer."""

    def forge(answer: dict[str, Any]) -> Any:
        place: Any = answer
        for key in path:
            place = place[key]
        place.append(value)
        return answer

    return forge


def every_row(**values: Any) -> Forge:
    def forge(answer: dict[str, Any]) -> Any:
        for row in answer["crosscheck"]["rows"]:
            row |= values
        return answer

    return forge


FINDING = {
    "file": "tables/court/v3/builder.json", "line": 1, "model": "scripted:ann", "run": None, "field": "f",
    "expected": "1", "found": "2", "rule": "R20", "side": "builder", "fix": "mend it",
}  # fmt: skip
C = "crosscheck"
PROBE = (C, "sandbox", "probes")
FORGERIES: dict[str, Forge] = {
    # about something else
    "another version": put(C, "version", value="v2"),
    "another benchmark": put(C, "benchmark", value="cascades"),
    "another checker": put(C, "checker", value={}),
    "another sandbox": put(C, "sandbox", "name", value="none"),
    "a reason for no sandbox": put(C, "sandbox", "why", value="it was too slow"),
    "one probe less": put(*PROBE, value=[]),
    "a probe that found something": put(*PROBE, 0, "found", value="connected"),
    "a sandbox that is no object": put(C, "sandbox", value=[]),
    "a digest that is none": put(C, "digest", value="\x1b[31m"),
    # another shape
    "no trouble": lambda answer: {key: value for key, value in answer.items() if key != "troubles"},
    "one key more": put("verdict", value="CROSS-CHECKED"),
    "one key more in the document": put(C, "verdict", value="CROSS-CHECKED"),
    "a document that is none": put(C, value=[]),
    "rows that are none": put(C, "rows", value=[1]),
    "a row with one key more": every_row(verdict="good"),
    "a number as a text": every_row(compared="1412"),
    "a number as a fraction": every_row(compared=1412.0),
    "a number as true": every_row(equal=True),
    "totals that are none": put(C, "totals", value={}),
    "totals that are texts": put(C, "totals", value={"compared": "\x1b[31m", "equal": "\x1b[0m"}),
    "inputs that are none": put(C, "inputs", value={"runs/court/v3/spec.json": 7}),
    "a tail that is none": add(C, "tails", value={"file": 1, "line": "\x1b[31m", "bytes": None}),
    "a finding that is none": add(C, "mismatches", value=FINDING | {"line": "7"}),
    "a finding of nobody": add(C, "mismatches", value=FINDING | {"side": "nobody"}),
    "troubles that are none": put("troubles", value="none"),
    "a checked.json that is none": put("checked", value=7),
    "a checked.json that is no JSON": put("checked", value="\x1b[31m"),
    "a checked.json of another version": lambda answer: answer | {"checked": answer["checked"].replace('"v3"', '"v2"')},
    "no checked.json": put("checked", value=None),
    "half a character": put(C, "rows", 0, "model", value="\ud800"),
    # a status that the rest does not bear out
    "a status of its own": put(C, "status", value="PERFECT"),
    "a row's status of its own": every_row(status="PERFECT"),
    "good over bad rows": every_row(status="MISMATCH"),
    "good over a finding": add(C, "mismatches", value=FINDING),
    "good with a trouble": put("troubles", value=["a log could not be read"]),
    "good without a row": put(C, "rows", value=[]),
    "good with unequal fields": every_row(equal=0),
    "good with nothing compared": every_row(compared=0, equal=0),
    "more equal than compared": every_row(equal=10**9),
    "less than nothing": every_row(compared=-1, equal=-1),
    "fewer in all than in the rows": put(C, "totals", value={"compared": 1, "equal": 1}),
    "unequal totals": put(C, "totals", "equal", value=0),
    "bad without a finding": put(C, "status", value="MISMATCH"),
    "the same row twice": lambda answer: answer[C]["rows"].append(copy.deepcopy(answer[C]["rows"][0])) or answer,
}


@pytest.mark.parametrize("name", FORGERIES)
def test_another_answer(name: str, honest: Any, check: Any) -> None:
    ready, probes, answers = honest[1].splitlines(keepends=True)
    forged = FORGERIES[name](json.loads(answers)[0])
    assert_not_believed(check(0, ready + probes + json.dumps([forged]).encode(), b""))


@pytest.mark.parametrize("probe", [{"found": "connected", "ok": False}, {"ok": False}, {"found": "connected"}])
def test_a_sandbox_with_a_hole_is_no_sandbox(probe: dict[str, Any], honest: Any, check: Any) -> None:
    """Even where the probes and the document agree: CROSS-CHECKED needs every probe refused."""
    ready, probes, answers = honest[1].splitlines(keepends=True)
    sandbox_, answer = json.loads(probes), json.loads(answers)[0]
    sandbox_["probes"][0] |= probe
    answer["crosscheck"]["sandbox"] = sandbox_
    out = ready + json.dumps(sandbox_).encode() + b"\n" + json.dumps([answer]).encode()
    assert_not_believed(check(0, out, b""))


@pytest.mark.parametrize("count", [0, 2])
def test_another_number_of_answers(count: int, honest: Any, check: Any) -> None:
    ready, probes, answers = honest[1].splitlines(keepends=True)
    assert_not_believed(check(0, ready + probes + json.dumps(json.loads(answers) * count).encode(), b""))
