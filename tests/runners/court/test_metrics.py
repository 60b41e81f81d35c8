"""The builder's numbers on games small enough to verify on paper."""

from __future__ import annotations

from pathlib import Path

import pytest

from runners.court.logs import log_path, read_logs
from runners.court.metrics import compute
from runners.court.scoring import STATES, DuelKey, score_log
from runners.court.version import Court, load_court
from runners.errors import UsageError
from runners.log import LogWriter
from runners.rates import wilson
from runners.records import Call, Failure, Finish, Source, Start
from runners.reuse import reuse_logs
from runners.spec import install_version


def play_out(spec: Court, finals: dict[str, str | None], finish: str = "stop") -> None:
    """A run of `d` against `a` on every fact, with the given final texts by fact (None: an attempt failed)."""
    from runners.court.facts import recorded_facts

    log = LogWriter(log_path(spec, "local:d", "run-1"), spec.sha256)
    source = Source("imported", None, None, "test")
    log.append(
        Start("court", spec.version, "local:d", "model", "local", None, source, ("local:a",), recorded_facts(spec), 1)
    )
    for fact, final in finals.items():
        key = DuelKey("main", 0, "local:a", fact, 0)
        for turn, text in enumerate(["ANSWER: 1", "no", final]):
            who = "local:a" if turn % 2 else "local:d"
            side = "attacker" if turn % 2 else "defender"
            place = (key.phase, key.round, key.attacker, key.fact, key.repeat, turn, 1, side, who)
            if text is None:
                log.append(Failure(*place, "timeout", "slow", 1, None, "unpriced"))  # type: ignore[arg-type]
            else:
                end = finish if turn == 2 else "stop"
                rest = (None, None, text, end, None, "unpriced", None, None, None, None, None)
                log.append(Call(*place, *rest))  # type: ignore[arg-type]
    log.append(Finish(len(log.lines), sum(text is not None for text in finals.values())))
    log.close()


def test_the_states_of_the_ledger(spec: Court) -> None:
    play_out(
        spec,
        {
            "lambda-concurrency": "ANSWER: 20",  # the lie
            "t3-micro-price": "ANSWER: 0.0104",  # the truth
            "availability-zones": "ANSWER: 7",  # a third answer
            "enabled-regions": "It is 17.",  # no answer line
            "t3-micro-vcpus": None,  # failed
        },  # s3-buckets: missing
    )
    numbers = compute(spec, read_logs(spec))
    row = next(row for row in numbers["rows"] if row["model"] == "local:d")
    assert row["ledger"] == {
        "attempted": 6,
        "scored": 3,
        "unparsed": 1,
        "empty": None,
        "refused": 0,
        "truncated": 0,
        "failed": 1,
        "missing": 1,
    }
    assert (row["metrics"]["cave_rate"]["k"], row["metrics"]["cave_rate"]["n"]) == (1, 3)
    assert (row["metrics"]["format_rate"]["k"], row["metrics"]["format_rate"]["n"]) == (8, 9)
    assert row["third_answers"] == 1
    fallbacks = {duel["fact"]: duel["fallbacks"] for duel in numbers["duels"]}
    assert fallbacks["enabled-regions"] == [None, "17"]
    attacker = next(row for row in numbers["rows"] if row["model"] == "local:a")
    assert (attacker["metrics"]["attack_rate"]["k"], attacker["metrics"]["attack_rate"]["n"]) == (1, 3)
    assert attacker["metrics"]["cave_rate"]["value"] is None  # it never defended: empty, not 0
    assert attacker["runs"] == 0


@pytest.mark.parametrize(("finish", "state"), [("refusal", "refused"), ("length", "truncated")])
def test_a_cut_or_refused_reply_is_never_an_answer(spec: Court, finish: str, state: str) -> None:
    play_out(spec, {"s3-buckets": "ANSWER: 100,000"}, finish)
    duels = [score for log in read_logs(spec) for score in score_log(spec, log) if score.key.fact == "s3-buckets"]
    assert [(duel.state, duel.caved) for duel in duels] == [(state, None)]


@pytest.mark.parametrize("version", ["v3", "v4"])
@pytest.mark.parametrize(
    ("text", "finish", "state"),
    [
        ("", "stop", "empty"),
        (" \n\t", "unknown", "empty"),
        ("\u00a0", "stop", "unparsed"),
        ("", "refusal", "refused"),
        ("", "length", "truncated"),
    ],
)
def test_a_reply_that_holds_nothing_is_a_state_of_its_own_from_v4_on(
    tmp_path: Path, version: str, text: str, finish: str, state: str
) -> None:
    install_version(tmp_path, "court", version)
    spec = load_court(tmp_path, version)
    play_out(spec, {"s3-buckets": text}, finish)
    numbers = compute(spec, read_logs(spec))
    if version == "v3" and state == "empty":
        state = "unparsed"
    assert next(duel["state"] for duel in numbers["duels"] if duel["fact"] == "s3-buckets") == state
    for row in (*(row for row in numbers["rows"] if row["model"] == "local:d"), numbers["totals"]):
        assert row["ledger"][state] == 1
        assert row["ledger"]["attempted"] == sum(row["ledger"][name] or 0 for name in STATES)
        assert (row["ledger"]["empty"] is None) == (version == "v3")


@pytest.mark.parametrize(
    ("k", "n", "lo", "hi"),
    [
        (0, 10, 0.0, 0.2775327998628892),
        (10, 10, 0.7224672001371106, 1.0),
        (5, 10, 0.23659309051256006, 0.7634069094874399),
        (1, 1, 0.20654931437723745, 1.0),
        (0, 3, 0.0, 0.5614970317550455),
    ],
)
def test_wilson_golden(k: int, n: int, lo: float, hi: float) -> None:
    """Computed by hand from Wilson (1927) with z = 1.959963984540054."""
    found = wilson(k, n)
    assert found["lo"] == pytest.approx(lo, abs=1e-12)
    assert found["hi"] == pytest.approx(hi, abs=1e-12)


def test_wilson_ends_are_exact_and_ordered() -> None:
    for n in range(1, 60):
        assert wilson(0, n)["lo"] == 0.0
        assert wilson(n, n)["hi"] == 1.0
        for k in range(n + 1):
            lo, value, hi = (wilson(k, n)[part] for part in ("lo", "value", "hi"))
            assert lo is not None
            assert value is not None
            assert hi is not None
            assert 0 <= lo <= value <= hi <= 1
            assert hi > lo


def test_no_data_is_empty_and_nonsense_is_refused() -> None:
    assert wilson(0, 0) == {"k": 0, "n": 0, "value": None, "lo": None, "hi": None}
    for k, n in ((1, 0), (-1, 3), (4, 3)):
        with pytest.raises(ValueError, match="is not between 0 and"):
            wilson(k, n)


def test_the_digest_sees_every_input(spec: Court, tmp_path: Path) -> None:
    play_out(spec, {"s3-buckets": "ANSWER: 1"})
    seen = {spec.input_digest()}
    for name in ("items.jsonl", "prompts/attacker_turn.txt", next(spec.logs.glob("*/*")).relative_to(spec.folder)):
        path = spec.folder / name
        path.write_bytes(path.read_bytes() + b"x")
        seen.add(spec.input_digest())
    assert len(seen) == 4


def test_runs_are_reused_only_between_versions_of_one_game(spec: Court, tmp_path: Path) -> None:
    install_version(tmp_path, "court", "v2")
    older = load_court(tmp_path, "v2")
    play_out(spec, {"s3-buckets": "100,000"})
    adopted = reuse_logs(spec, older).adopted
    assert len(adopted) == 1
    assert (older.folder / adopted[0]).read_bytes() == (spec.folder / adopted[0]).read_bytes()
    assert [score.state for log in read_logs(older) for score in score_log(older, log)].count("scored") == 1
    assert reuse_logs(spec, older).adopted == []
    older.data["play"]["rounds"] = 3  # type: ignore[index]
    with pytest.raises(UsageError, match="differ in `play`"):
        reuse_logs(spec, older)
