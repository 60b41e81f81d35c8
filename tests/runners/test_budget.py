"""The budget holds against a provider's own count, through failures, kill -9 and resumes; and the checker agrees."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import shutil
import signal
from collections import Counter
from pathlib import Path

import pytest

from runners import asking
from runners.court.logs import read_logs
from runners.court.version import load_court
from runners.publish import publish
from runners.records import Call, Failure, Request, attempt_key
from runners.session import Options, play_court
from tests.till import till, write_prices

RUNS = 25
BATCHES = [0, *(pytest.param(number, marks=pytest.mark.long) for number in range(1, 20))]


def session(root: Path, address: str, models: list[str], limit: int | None) -> None:
    """One call of `countersign play`."""
    os.environ["COUNTERSIGN_COMPATIBLE_URL"] = address
    dollars = None if limit is None else limit / 1e6
    options = Options(
        models, cells=["lambda-concurrency", "t3-micro-vcpus"], concurrency=4, budget_usd=dollars, quiet=True
    )
    play_court(root, "v3", options)


def killed_after(seconds: float | None, *arguments: object) -> bool:
    """Run a session; kill -9 after so long. Whether it was killed."""
    child = multiprocessing.get_context("fork").Process(target=session, args=arguments)
    child.start()
    child.join(seconds)
    if child.is_alive():
        assert child.pid
        os.kill(child.pid, signal.SIGKILL)
        child.join()
        return True
    assert child.exitcode == 0
    return False


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the sessions need, and what a session in this process would change."""
    monkeypatch.setenv("COUNTERSIGN_COMPATIBLE_KEY", "")
    monkeypatch.setenv("COUNTERSIGN_COMPATIBLE_URL", "")
    monkeypatch.setattr(asking, "BACKOFF_SECONDS", 0.002)


@pytest.fixture(scope="module", autouse=True)
def _warm(tmp_path_factory: pytest.TempPathFactory) -> None:
    """One session here, so that the forked ones find everything imported."""
    root = tmp_path_factory.mktemp("warm")
    write_prices(root, [])
    with till(0) as provider:
        session(root, provider.address, ["compatible:a", "compatible:b"], None)


@pytest.mark.parametrize("batch", BATCHES)
def test_five_hundred_runs_never_spend_more_than_their_limit(tmp_path: Path, batch: int) -> None:
    source = random.Random(batch)
    kills = 0
    together = tmp_path / "together"
    with till(batch) as provider:
        for number in range(RUNS):
            root = tmp_path / str(number)
            pair = [f"compatible:m{number}{side}" for side in "ab"]
            write_prices(root, [f"compatible:m{number}{side}" for number in range(RUNS) for side in "ab"])
            limit = source.randint(0, 60_000)
            for _ in range(3):
                wait = source.uniform(0.0, 0.12)
                if source.random() < 0.5:
                    kills += killed_after(wait, root, provider.address, pair, limit)
            killed_after(None, root, provider.address, pair, limit)
            assert sum(sum(provider.bills[name.partition(":")[2]]) for name in pair) <= limit, pair
            shutil.copytree(root / "runs", together / "runs", dirs_exist_ok=True)
    assert kills > 5
    settled = check_accounts(together, provider.bills)
    checked = publish_and_read(together)
    for name, row in checked.items():
        assert (row["use"]["cost_microusd"] or 0) == settled[name]
    wholly_known = [name for name, row in checked.items() if row["use"]["unsettled_microusd"] == 0]
    assert len(wholly_known) > 2
    for name in wholly_known:  # nothing was lost on the way: the three counts are one number
        assert settled[name] == sum(provider.bills[name.partition(":")[2]])


def check_accounts(root: Path, bills: dict[str, list[int]]) -> Counter[str]:
    """What the logs know for certain, by model; what they do not know, they name attempt by attempt."""
    settled: Counter[str] = Counter()
    known: dict[str, Counter[int]] = {}
    lost: Counter[str] = Counter()
    for log in read_logs(load_court(root, "v3")):
        waiting: dict[object, Request] = {}
        for event in log.events():
            if isinstance(event, Request):
                waiting[attempt_key(event)] = event
            elif isinstance(event, Call | Failure):
                request = waiting.pop(attempt_key(event))
                if event.cost == "unsettled":
                    lost[event.model] += 1
                else:
                    assert isinstance(event.cost, int)
                    assert event.cost <= request.reserve
                    settled[event.model] += event.cost
                    known.setdefault(event.model, Counter())[event.cost] += event.cost > 0
        for request in waiting.values():
            lost[request.model] += 1
    for model, amounts in known.items():
        billed = Counter(bills[model.partition(":")[2]])
        assert amounts <= billed, model
        assert (billed - amounts).total() <= lost[model], model
    return settled


def publish_and_read(root: Path) -> dict[str, dict[str, object]]:
    """The checker's rows by model; builder and checker agree on all of them."""
    verdict = publish(root, "court", "v3", lambda step: None)
    assert verdict.code == 0
    rows = json.loads((root / "tables/court/v3/checked.json").read_bytes())["rows"]
    return {row["model"]: row for row in rows}


@pytest.mark.long
def test_kill_9_a_hundred_times_loses_doubles_and_repeats_nothing(tmp_path: Path) -> None:
    names = [f"compatible:{letter}" for letter in "abcd"]
    write_prices(tmp_path, names)
    source = random.Random(0)
    kept: dict[Path, bytes] = {}
    kills = 0
    with till(7) as provider:
        provider.slowest = 0.05
        while kills < 100:
            kills += killed_after(source.uniform(0.12, 0.3), tmp_path, provider.address, names, None)
            for path in (tmp_path / "runs/court/v3/logs").glob("*/*.jsonl"):
                found = path.read_bytes()
                assert found.startswith(kept.get(path, b"")), path
                kept[path] = found[: found.rfind(b"\n") + 1]
        killed_after(None, tmp_path, provider.address, names, None)
    requests = calls = 0
    for log in read_logs(load_court(tmp_path, "v3")):
        assert log.path.read_bytes().startswith(kept[log.path])
        said: set[object] = set()
        for event in log.events():
            if isinstance(event, Request | Call | Failure):
                turn = attempt_key(event)[:2]  # type: ignore[index]
                assert turn not in said, f"{log.path}: asked again although the reply was logged"
                if isinstance(event, Call):
                    said.add(turn)
                requests += isinstance(event, Request)
                calls += isinstance(event, Call)
    # Every request that the provider saw had been written down before, and every reply in the logs was one of its own.
    assert calls <= sum(provider.requests.values()) <= requests
    check_accounts(tmp_path, provider.bills)
    publish_and_read(tmp_path)
