"""What a call costs besides waiting: `countersign play` beside bare asyncio loops over the SDK and the same client.

`compatible:` needs no SDK, `openai:` goes through OpenAI's; each has the bare loop of its own kind beside it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile

from tests.bench.endpoint import SECONDS
from tests.bench.measure import python

AT_ONCE = 64
REPEATS = 176
CALLS = 2 * 2 * REPEATS * 3  # 2 ordered pairs, 2 facts, 3 turns: 11 full waves of 64 duels

SDK = """
import openai
client = openai.AsyncOpenAI(base_url=address, api_key="none", max_retries=0)
close = client.close
async def ask():
    reply = await client.chat.completions.create(model="a", messages=messages, temperature=0.5, max_tokens=600)
    return reply.choices[0].message.content
"""
CLIENT = """
from runners.models.plain import Plain, parsed
from runners.models.wire import Wire, _heard
client = Plain(Wire(address, None, timeout=60, sdk_error=OSError))
close, url = client.close, parsed(address + "/chat/completions")
async def ask():
    body = {"model": "a", "messages": messages, "temperature": 0.5, "max_tokens": 600}
    _heard.set([])
    reply = await client.post(url, body)
    return json.loads(reply)["choices"][0]["message"]["content"]
"""
BARE = """
import asyncio, gc, json, sys, time
address, at_once, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
SYSTEM, USER = "You are an expert. " * 12, "What is right, and why do you say so? " * 12

messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": USER}]
{ASK}
async def main():
    gate = asyncio.Semaphore(at_once)
    async def one():
        async with gate:
            assert await ask()
    await one()
    gc.collect(); gc.freeze(); gc.set_threshold(20_000, 20, 50)
    began, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(one() for _ in range(count)))
    await close()
    await asyncio.sleep(0)
    print(json.dumps({"seconds": time.perf_counter() - began, "cpu": time.process_time() - cpu}))
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
from runners.session import spare_the_collector
from tests.bench.synthetic import bench_version
from tests.till import write_prices

address, at_once, repeats, root, route = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]), sys.argv[5]
spec = bench_version(root, repeats, rematches=0)
names = [f"{route}:a", f"{route}:b"]
write_prices(root, names)

async def main():
    models = {name: open_model(name, spec.settings(name), base_url=address, api_key="none") for name in names}
    await models[names[0]].complete([Message("user", "warm up")])
    spare_the_collector()
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
    allowed = AT_ONCE / SECONDS
    print(f"{CALLS:,} calls to an endpoint that answers after {SECONDS * 1000:.0f} ms, {AT_ONCE} at once")
    serve = [sys.executable, "-m", "tests.bench.endpoint"]
    with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as endpoint:
        assert endpoint.stdout
        try:
            address = f"http://127.0.0.1:{int(endpoint.stdout.readline())}/v1"
            for route, ask in (("compatible", CLIENT), ("openai", SDK)):
                below = "OpenAI's SDK" if ask is SDK else "its client"
                bare = _line(f"bare loop over {below}", allowed, BARE.replace("{ASK}", ask), address, str(CALLS))
                with tempfile.TemporaryDirectory() as root:
                    ours = _line(f"play {route}:", allowed, OURS, address, str(REPEATS), root, route)
                print(f"    our own CPU beyond that loop: {ours - bare:.2f} ms a call ({ours / bare:.2f} x)")
        finally:
            endpoint.kill()
    print()


def _line(what: str, allowed: float, code: str, address: str, *arguments: str) -> float:
    """Measure and print one way to make the calls; its CPU in ms a call."""
    measured = python(code, address, str(AT_ONCE), *arguments)
    found: dict[str, float] = json.loads(measured.printed.strip().splitlines()[-1])
    assert found.get("calls", CALLS) == CALLS
    rate, cpu = CALLS / found["seconds"], 1000 * found["cpu"] / CALLS
    print(
        f"  {what:28} {found['seconds']:6.2f} s {rate:6.0f} calls/s = {rate / allowed:6.1%} of what the latency allows,"
        f" {cpu:5.2f} ms CPU a call, {measured.mib:4.0f} MiB"
    )
    return cpu
