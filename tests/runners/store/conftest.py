"""moto's S3 over HTTP on loopback, a proxy in front of it, and a small published version to send."""

from __future__ import annotations

import hashlib
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import boto3
import pytest

from runners.release.manifest import to_json
from runners.store.bucket import Bucket, Place
from tests.runners.store.proxy import Proxy, proxied

SERVER = """
import sys
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address="127.0.0.1", port=int(sys.argv[1]), verbose=False)
server.start()
sys.stdin.read()
"""
NAME = "court/v4"
BUCKET = "boards"


@pytest.fixture(scope="session")
def moto_port() -> Iterator[int]:
    """The port of a moto server in a process of its own: nothing of it reaches this one."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    server = subprocess.Popen([sys.executable, "-W", "ignore", "-c", SERVER, str(port)], stdin=subprocess.PIPE)
    for _ in range(300):
        try:
            urlopen(f"http://127.0.0.1:{port}/moto-api/", timeout=1).close()
            break
        except OSError:
            time.sleep(0.1)
    yield port
    server.kill()
    server.wait()
    assert server.stdin is not None
    server.stdin.close()


@pytest.fixture
def proxy(moto_port: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[Proxy]:
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE", "AWS_CA_BUNDLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    urlopen(f"http://127.0.0.1:{moto_port}/moto-api/reset", data=b"", timeout=10).close()
    client = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{moto_port}", region_name="us-east-1")
    client.create_bucket(Bucket=BUCKET)
    client.close()
    with proxied(moto_port) as proxy:
        yield proxy


def bucket_of(proxy: Proxy) -> Bucket:
    return Bucket(Place.parse(f"s3://{BUCKET}/some/prefix", proxy.address, "us-east-1"))


def make_version(root: Path, sizes: list[int], seed: int = 1) -> dict[str, bytes]:
    """A version of files of these sizes, with its manifest; gives all of them by path."""
    chance = random.Random(seed)
    files = {f"runs/{NAME}/logs/m-{n:02}/r.jsonl": chance.randbytes(size) for n, size in enumerate(sizes)}
    files |= {f"runs/{NAME}/spec.json": b"{}\n", f"tables/{NAME}/leaderboard.json": b"{}\n"}
    digests = {path: hashlib.sha256(content).hexdigest() for path, content in files.items()}
    files[f"tables/{NAME}/MANIFEST.json"] = to_json(NAME, "d" * 64, digests)
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)
    return files


def contents(root: Path) -> dict[str, bytes]:
    """Every file below a root, hidden ones included."""
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def root_of(files: dict[str, bytes]) -> str:
    return hashlib.sha256(files[f"tables/{NAME}/MANIFEST.json"]).hexdigest()
