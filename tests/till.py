"""A provider on loopback that sends a bill: it answers, fails and breaks off by a seed, and keeps its own count."""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
import random
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

PRICE = {"input": 1_000_000, "cached_input": 100_000, "cache_write": None, "output": 2_000_000, "reasoning": 3_000_000}
"""Micro-dollars for a million tokens, of every model that it serves."""


@dataclass
class Till:
    """What it billed, by model, in micro-dollars, in the order of the requests."""

    seed: int
    address: str = ""
    bills: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    requests: Counter[str] = field(default_factory=Counter)
    """How often each body came, by its digest."""
    slowest: float = 0.01

    def answer(self, body: bytes) -> tuple[bytes | None, float]:
        """The bytes of the response (None: the connection just closes), and after how many seconds they come."""
        asked: dict[str, Any] = json.loads(body)
        digest = hashlib.sha256(body).hexdigest()
        self.requests[digest] += 1
        source = random.Random(f"{self.seed} {digest} {self.requests[digest]}")
        pause = source.uniform(0, self.slowest)
        dice = source.random()
        if dice < 0.08:
            return _response(429, {"error": {"message": "slow down"}}, "Retry-After: 0\r\n"), pause
        if dice < 0.14:
            return _response(500, {"error": {"message": "oops"}}), pause
        size = sum(len(message["content"].encode()) for message in asked["messages"])
        usage = self._usage(source, size, asked["max_tokens"])
        self.bills[asked["model"]].append(bill(usage))
        reply = {"model": asked["model"], "choices": [{"finish_reason": "stop", "message": _say(source)}]}
        if dice < 0.20:
            return _response(200, {"error": {"message": "broke down"}, "usage": usage}), pause
        if dice < 0.26:
            return _response(200, reply), pause  # a bill, but no usage: nobody but the provider knows it
        if dice < 0.30:
            return _response(200, reply | {"usage": usage})[:-20], pause
        if dice < 0.34:
            return None, pause
        return _response(200, reply | {"usage": usage}), pause

    @staticmethod
    def _usage(source: random.Random, size: int, max_tokens: int) -> dict[str, Any]:
        sent, said = source.randint(1, size), source.randint(1, max_tokens)
        return {
            "prompt_tokens": sent,
            "completion_tokens": said,
            "prompt_tokens_details": {"cached_tokens": source.randint(0, sent)},
            "completion_tokens_details": {"reasoning_tokens": source.randint(0, said)},
        }


def bill(usage: dict[str, Any]) -> int:
    """What a usage costs, by fractions: the provider's own way to reckon."""
    cached = usage["prompt_tokens_details"]["cached_tokens"]
    thought = usage["completion_tokens_details"]["reasoning_tokens"]
    parts = (
        (usage["prompt_tokens"] - cached, PRICE["input"]),
        (cached, PRICE["cached_input"]),
        (usage["completion_tokens"] - thought, PRICE["output"]),
        (thought, PRICE["reasoning"]),
    )
    return math.ceil(sum(tokens * Fraction(price or 0, 1_000_000) for tokens, price in parts))


def write_prices(root: Path, models: list[str]) -> None:
    """A price table for these models below `root`."""
    rows = [{"model": model, "source": "the till", **PRICE} for model in models]
    path = root / "runs" / "prices" / "till.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"currency": "USD", "date": "2026-11-30", "rows": rows}), "utf-8")


@contextmanager
def till(seed: int) -> Iterator[Till]:
    """Serve until the end of the block, in a thread of its own."""
    state = Till(seed)
    loop = asyncio.new_event_loop()
    stop: asyncio.Future[None] = loop.create_future()
    ready = threading.Event()

    async def serve() -> None:
        server = await asyncio.start_server(handle, "127.0.0.1", 0, backlog=512)
        state.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        ready.set()
        async with server:
            await stop

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                size = next(int(h[15:]) for h in head.lower().split(b"\r\n") if h.startswith(b"content-length:"))
                answer, pause = state.answer(await reader.readexactly(size))
                await asyncio.sleep(pause)
                if answer is not None:
                    writer.write(answer)
                    await writer.drain()
                if answer is None or not answer.endswith(b"}"):
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # whoever asked was killed
        finally:
            writer.close()

    def run() -> None:
        loop.run_until_complete(serve())
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    ready.wait()
    try:
        yield state
    finally:
        loop.call_soon_threadsafe(stop.set_result, None)
        thread.join()


def _say(source: random.Random) -> dict[str, str]:
    return {"role": "assistant", "content": f"I say so. ANSWER: {source.choice(['2', '4', '10', '20', '0.0208'])}"}


def _response(status: int, body: object, headers: str = "") -> bytes:
    data = json.dumps(body).encode()
    head = f"HTTP/1.1 {status} .\r\nContent-Type: application/json\r\n{headers}Content-Length: {len(data)}\r\n\r\n"
    return head.encode() + data
