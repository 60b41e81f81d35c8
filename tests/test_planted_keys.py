"""Planted keys, end to end: in replies, error bodies, headers and prompts; none reaches a log, a table or a page."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle
from pathlib import Path

import pytest

from runners import asking
from runners.court.facts import recorded_facts
from runners.court.logs import read_logs
from runners.court.play import Tournament
from runners.court.version import load_court
from runners.errors import LogError
from runners.models import open_model
from runners.pages import build_pages
from runners.publish import publish
from runners.records import Call, Failure
from runners.session import Options, play_court
from runners.spec import install_version
from tests.runners.test_secrets import PLANTED

KEYS = list(PLANTED.values())


@contextmanager
def leaking(keys: list[str]) -> Iterator[str]:
    """A provider that puts the keys, one after the other, into its replies, its errors and its headers."""
    places = cycle(["reply", "served", "error", "header", "clean"])
    source = cycle(keys)
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            with lock:
                place, key = next(places), next(source)
            message = {"role": "assistant", "content": "I keep to it. ANSWER: 10"}
            body = {"model": "leaky", "choices": [{"finish_reason": "stop", "message": message}]}
            status = 200
            if place == "reply":
                message["content"] = f"The key is {key}\nANSWER: 10"
            elif place == "served":
                body["model"] = key
            elif place == "error":
                status, body = 500, {"error": {"message": f"Incorrect key provided: {key}. See the page."}}
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            if place == "header":
                self.send_header("X-Upstream-Key", key)
                self.send_header("Set-Cookie", f"session={key}")
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def everything(root: Path) -> Iterator[tuple[Path, str]]:
    """Every file below `root` as text, JSON's escapes undone where they would hide a key."""
    for path in root.rglob("*"):
        if path.is_file():
            yield path, path.read_bytes().decode("utf-8", "replace").replace("\\/", "/")


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tournament in which the provider leaked every key at least once."""
    monkeypatch.setattr(asking, "BACKOFF_SECONDS", 0.001)
    monkeypatch.setenv("COUNTERSIGN_COMPATIBLE_KEY", "")
    with leaking(KEYS) as address:
        monkeypatch.setenv("COUNTERSIGN_COMPATIBLE_URL", address)
        models = ["compatible:leaky", "compatible:other", "scripted:steadfast"]
        for _ in range(6):
            play_court(tmp_path, "v3", Options(models, quiet=True))
        play_court(tmp_path, "v3", Options(models, quiet=True, close_failed=True))
    return tmp_path


def test_no_planted_key_reaches_a_log_a_table_or_a_page(played: Path) -> None:
    events = [event for log in read_logs(load_court(played, "v3")) for event in log.events()]
    withheld = [event for event in events if isinstance(event, Failure) and event.kind == "withheld"]
    assert len(withheld) >= 30
    assert any(isinstance(event, Failure) and event.kind == "overloaded" for event in events)
    assert any(isinstance(event, Call) and event.model.startswith("compatible:") for event in events)
    publish(played, "court", "v3", lambda step: None)
    build_pages(played, played / "html")
    for path, text in everything(played):
        for kind, key in PLANTED.items():
            assert key not in text, f"{path}: {kind}"


def test_a_key_in_a_prompt_stops_the_run_before_anything_is_asked(tmp_path: Path) -> None:
    install_version(tmp_path, "court", "v3")
    spec = load_court(tmp_path, "v3")
    fact = recorded_facts(spec)[0]
    leaky = (replace(fact, question=f"{fact.question} My key is {KEYS[0]}."),)
    models = {name: open_model(name, {}) for name in ("scripted:steadfast", "scripted:persuader")}
    with pytest.raises(LogError) as caught:
        asyncio.run(Tournament(spec, models, 1, lambda tally: None).play(leaky, False))
    assert ".jsonl:1: rule secrets" in str(caught.value)
    assert not any(KEYS[0] in text for text in (str(caught.value), *(text for _, text in everything(tmp_path))))


@pytest.mark.parametrize("place", ["log", "notes", "table", "prices"])
def test_publish_and_site_refuse_a_planted_file_by_name_and_line(tmp_path: Path, place: str) -> None:
    play_court(tmp_path, "v3", Options(["scripted:steadfast", "scripted:persuader"], quiet=True))
    publish(tmp_path, "court", "v3", lambda step: None)
    log = read_logs(load_court(tmp_path, "v3"))[0].path
    planted = {
        "log": log,
        "notes": tmp_path / "runs/court/v3/AMENDMENTS.md",
        "table": tmp_path / "tables/court/v3/notes.txt",
        "prices": tmp_path / "runs/prices/2026-11-30.json",
    }[place]
    lines = planted.read_bytes().splitlines(keepends=True) if planted.exists() else []
    planted.write_bytes(b"".join(lines[:4]) + b"\n" * (4 - len(lines[:4])) + f'"{KEYS[0]}"\n'.encode())
    refusals = [lambda: build_pages(tmp_path, tmp_path / "html")]
    if place != "table":
        refusals.append(lambda: publish(tmp_path, "court", "v3", lambda step: None))  # type: ignore[arg-type, return-value]
    for refused in refusals:
        with pytest.raises(LogError) as caught:
            refused()
        assert f"{planted.name}:5" in str(caught.value)
        assert KEYS[0] not in str(caught.value)
    assert not any(KEYS[0] in text for _, text in everything(tmp_path / "html"))
