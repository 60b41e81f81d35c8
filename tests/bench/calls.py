"""What a call costs besides waiting: `countersign play` and a bare asyncio loop over the same SDK, one endpoint."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile

from tests.bench.endpoint import SECONDS
from tests.bench.measure import Measured, python

AT_ONCE = 64
REPEATS = 176
CALLS = 2 * 2 * REPEATS * 3  # 2 ordered pairs, 2 facts, 3 turns: 11 full waves of 64 duels

BARE = """
import asyncio, json, sys, time
import openai
address, at_once, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
SYSTEM, USER = "You are an expert. " * 12, "What is right, and why do you say so? " * 12

async def main():
    client = openai.AsyncOpenAI(base_url=address, api_key="none", max_retries=0)
    gate = asyncio.Semaphore(at_once)
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": USER}]
    async def one():
        async with gate:
            reply = await client.chat.completions.create(model="a", messages=messages, temperature=0.5, max_tokens=600)
            assert reply.choices[0].message.content
    await one()
    began, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(one() for _ in range(count)))
    print(json.dumps({"seconds": time.perf_counter() - began, "cpu": time.process_time() - cpu}))
    await client.close()
asyncio.run(main())
"""
OURS = """
import asyncio, json, os, sys, time
from pathlib import Path
from runners.court.facts import recorded_facts
from runners.court.play import Tournament
from runners.models import open_model
from runners.models.base import Message
from runners.money import load_prices
from tests.bench.synthetic import bench_version
from tests.till import write_prices

address, at_once, repeats, root = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])
spec = bench_version(root, repeats, rematches=0)
names = ["compatible:a", "compatible:b"]
write_prices(root, names)

async def main():
    models = {name: open_model(name, spec.settings(name), base_url=address) for name in names}
    await models[names[0]].complete([Message("user", "warm up")])
    began, cpu = time.perf_counter(), time.process_time()
    game = Tournament(spec, models, at_once, lambda tally: None, load_prices(root), 10**12)
    tally = await game.play(recorded_facts(spec, ["lambda-concurrency", "t3-micro-vcpus"]), False)
    print(json.dumps({"seconds": time.perf_counter() - began, "cpu": time.process_time() - cpu, "calls": tally.calls}))
    for model in models.values():
        await model.close()
asyncio.run(main())
"""


def calls() -> None:
    """Print throughput against what the latency allows, and our own CPU a call beyond the bare loop's."""
    with (
        subprocess.Popen([sys.executable, "-m", "tests.bench.endpoint"], stdout=subprocess.PIPE, text=True) as endpoint,
        tempfile.TemporaryDirectory() as root,
    ):
        assert endpoint.stdout
        try:
            address = f"http://127.0.0.1:{int(endpoint.stdout.readline())}/v1"
            bare = python(BARE, address, str(AT_ONCE), str(CALLS))
            ours = python(OURS, address, str(AT_ONCE), str(REPEATS), root)
        finally:
            endpoint.kill()
    allowed = AT_ONCE / SECONDS
    print(f"{CALLS:,} calls to an endpoint that answers after {SECONDS * 1000:.0f} ms, {AT_ONCE} at once")
    results = {"bare asyncio loop": _read(bare), "countersign play": _read(ours)}
    assert results["countersign play"]["calls"] == CALLS
    for name, found in results.items():
        rate = CALLS / found["seconds"]
        peak = (bare if name.startswith("bare") else ours).mib
        print(
            f"  {name:20} {found['seconds']:6.2f} s {rate:6.0f} calls/s = {rate / allowed:6.1%} of what the latency"
            f" allows, {1000 * found['cpu'] / CALLS:5.2f} ms CPU a call, {peak:4.0f} MiB"
        )
    one, other = (1000 * found["cpu"] / CALLS for found in results.values())
    print(f"  our own CPU beyond the bare loop: {other - one:.2f} ms a call ({other / one:.2f} x)\n")


def _read(found: Measured) -> dict[str, float]:
    result: dict[str, float] = json.loads(found.printed.strip().splitlines()[-1])
    return result
