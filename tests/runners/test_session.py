"""A session as a user has it: estimate, amend, play over the wire, Ctrl-C, go on; what the display says."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from runners.amending import amend_version
from runners.court.logs import read_logs
from runners.court.version import load_court
from runners.display import display
from runners.errors import SpecError, UsageError
from runners.estimate import estimate_play, table
from runners.money import dollars
from runners.records import Budget, Call, Failure, Price, Request
from runners.session import Options, play_cascades, play_court
from runners.tally import Tally
from tests.till import till, write_prices

ROOT = Path(__file__).parents[2]
PAIR = ["compatible:a", "compatible:b"]


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTERSIGN_COMPATIBLE_KEY", "")
    monkeypatch.setenv("COUNTERSIGN_COMPATIBLE_URL", "http://127.0.0.1:9/v1")


def command(root: Path, address: str, *more: str) -> subprocess.Popen[str]:
    """`countersign play` in a process of its own, not on a terminal."""
    words = ["play", "court", "v3", "--root", str(root), "--concurrency", "4", *more]
    words += [word for name in PAIR for word in ("--model", name)]
    environment = os.environ | {"COUNTERSIGN_COMPATIBLE_URL": address}
    return subprocess.Popen(
        [sys.executable, "-m", "runners.cli", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment,
    )


def test_ctrl_c_lets_the_calls_come_home_and_the_run_goes_on(tmp_path: Path) -> None:
    write_prices(tmp_path, PAIR)
    with till(3) as provider:
        provider.slowest = 0.4
        first = command(tmp_path, provider.address)
        while sum(provider.requests.values()) < 6:
            assert first.poll() is None, first.communicate()
            time.sleep(0.02)
        first.send_signal(signal.SIGINT)
        _, told = first.communicate(timeout=60)
        assert first.returncode == 130
        assert "The logs are whole" in told
        events = [event for log in read_logs(load_court(tmp_path, "v3")) for event in log.events()]
        requests = sum(isinstance(event, Request) for event in events)
        outcomes = sum(isinstance(event, Call | Failure) for event in events)
        assert requests == outcomes == sum(provider.requests.values())  # nothing on its way was dropped
        provider.slowest = 0.01
        second = command(tmp_path, provider.address, "--json")
        said, told = second.communicate(timeout=120)
        assert second.returncode == 0, told
    result = json.loads(said)
    assert result["done"] > 0
    assert result["cost_usd"] > 0
    events = [event for log in read_logs(load_court(tmp_path, "v3")) for event in log.events()]
    assert not any(isinstance(event, Failure) and event.kind == "interrupted" for event in events)


def test_a_budget_is_remembered_by_the_logs(tmp_path: Path) -> None:
    write_prices(tmp_path, PAIR)
    with till(4) as provider:
        os.environ["COUNTERSIGN_COMPATIBLE_URL"] = provider.address
        first = play_court(tmp_path, "v3", Options(PAIR, budget_usd=0.02, quiet=True))
        assert first["stopped"]
        spent = sum(map(sum, provider.bills.values()))
        again = play_court(tmp_path, "v3", Options(PAIR, quiet=True))  # no word of a budget
        assert again["stopped"]
        assert sum(map(sum, provider.bills.values())) <= 20_000
        more = play_court(tmp_path, "v3", Options(PAIR, budget_usd=5, quiet=True))
        assert sum(map(sum, provider.bills.values())) > spent
        assert not more["stopped"]
    logs = read_logs(load_court(tmp_path, "v3"))
    limits = {tuple(e.limit for e in log.events() if isinstance(e, Budget)) for log in logs if log.start.attackers}
    assert limits == {(20_000, 5_000_000)}
    assert all(any(isinstance(event, Price) for event in log.events()) for log in logs)


def test_a_budget_needs_prices_of_what_is_billed(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no price table .* compatible:a, compatible:b"):
        play_court(tmp_path, "v3", Options(PAIR, budget_usd=1, quiet=True))
    with pytest.raises(UsageError, match="--allow-unpriced"):
        play_cascades(tmp_path, "v1", Options(["compatible:a"], seeds=[0], quiet=True))
    with pytest.raises(UsageError, match="named twice: ollama:qwen3:latest"):
        play_court(tmp_path, "v3", Options(["ollama:qwen3", "ollama:qwen3:latest"], quiet=True))


def test_an_estimate_counts_what_is_missing_and_no_more(tmp_path: Path) -> None:
    write_prices(tmp_path, PAIR)
    before = estimate_play(tmp_path, "court", "v3", PAIR, None, None, 5.0)
    assert [row["calls"] for row in before["rows"]] == [12 + 6 + 0, 18]  # 6 duels each way, 2 turns and 1
    assert before["covered"] is True
    assert before["rows"][0]["dollars_likely"] is None  # no real reply to learn from yet
    assert "compatible:a" in table(before)
    with till(5) as provider:
        os.environ["COUNTERSIGN_COMPATIBLE_URL"] = provider.address
        play_court(tmp_path, "v3", Options(PAIR, cells=["s3-buckets"], quiet=True, close_failed=True))
        spent = sum(map(sum, provider.bills.values()))
    assert 0 < spent / 1e6 < before["total"]["dollars_at_most"]
    after = estimate_play(tmp_path, "court", "v3", PAIR, None, None, None)
    assert [row["calls"] for row in after["rows"]] == [15, 15]
    assert after["rows"][0]["output_likely"] > 0


def test_an_estimate_of_cascades_is_above_what_a_talkative_team_uses(tmp_path: Path) -> None:
    write_prices(tmp_path, PAIR)
    row = estimate_play(tmp_path, "cascades", "v1", ["compatible:a"], ["nofix-2"], [0, 1], None)["rows"][0]
    assert (row["calls"], row["calls_at_most"]) == (2 * 36, 4 * 36)
    assert row["input_at_most"] > 4 * 36 * 2_000


def test_an_amendment_comes_before_any_result(tmp_path: Path) -> None:
    entry = amend_version(tmp_path, "court", "v3", "compatible:a", {"max_tokens": 50}, "it rejects a temperature")
    assert load_court(tmp_path, "v3").settings("compatible:a") == {"max_tokens": 50}
    assert load_court(tmp_path, "v3").settings("compatible:b") != {"max_tokens": 50}
    assert entry["reason"] == "it rejects a temperature"
    with pytest.raises(UsageError, match="named by an amendment already"):
        amend_version(tmp_path, "court", "v3", "compatible:a", {}, "again")
    with till(6) as provider:
        os.environ["COUNTERSIGN_COMPATIBLE_URL"] = provider.address
        play_court(tmp_path, "v3", Options(PAIR, cells=["s3-buckets"], quiet=True, close_failed=True))
    calls = [e for log in read_logs(load_court(tmp_path, "v3")) for e in log.events() if isinstance(e, Call)]
    assert {call.settings == {"max_tokens": 50} for call in calls if call.model == "compatible:a"} == {True}
    with pytest.raises(UsageError, match="there is a result of compatible:b already"):
        amend_version(tmp_path, "court", "v3", "compatible:*b*", {}, "too late")
    (tmp_path / "runs/court/v3/AMENDMENTS.json").write_text('[{"at":"x"}]', "utf-8")
    with pytest.raises(SpecError, match=r"AMENDMENTS\.json: not a list of amendments"):
        load_court(tmp_path, "v3").settings("compatible:a")


def test_the_display_without_a_terminal_is_plain_lines(capsys: pytest.CaptureFixture[str]) -> None:
    with display("duels", quiet=False) as show:
        for done in range(101):
            show(Tally(total=100, done=done, calls=3 * done, failures=1, tokens=9, microusd=1_500, priced=True))
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 11
    assert lines[5].startswith("50 of 100 duels, 150 calls, 9 tokens, $0.0015, 1 failed attempt, about ")
    assert "\x1b" not in "".join(lines)
    with display("duels", quiet=True) as show:
        show(Tally(total=1))
    assert capsys.readouterr().err == ""
    assert Tally().money == "unpriced"
    assert dollars(1) == "$0.000001"
