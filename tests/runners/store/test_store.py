"""Push and pull over HTTP: complete, verified, resumable; nothing is written twice, overwritten or lost."""

from __future__ import annotations

import hashlib
import json
import threading
from pathlib import Path

import boto3
import pytest

from runners.errors import Refused, SpecError, UsageError
from runners.release.manifest import to_json
from runners.store.bucket import Place, StoreError
from runners.store.pull import pull
from runners.store.push import push
from tests.runners.store.conftest import BUCKET, NAME, bucket_of, contents, make_version, root_of
from tests.runners.store.proxy import Proxy

SIZES = [0, 1, 5_000, 200_000, 700_000]


def tamper(proxy: Proxy, digest: str, content: bytes) -> None:
    """Put other bytes under a digest, as only somebody with the bucket's keys could."""
    client = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{proxy.port}", region_name="us-east-1")
    client.put_object(Bucket=BUCKET, Key=Place.parse(f"s3://{BUCKET}/some/prefix").key(digest), Body=content)
    client.close()


def test_there_and_back(proxy: Proxy, tmp_path: Path) -> None:
    files = make_version(tmp_path / "here", SIZES)
    sent = push(tmp_path / "here", NAME, bucket_of(proxy), 8)
    assert sent.failed == {}
    assert sent.root == root_of(files)
    back = pull(tmp_path / "there", NAME, bucket_of(proxy), 8, root_of(files))
    assert back.failed == {}
    assert contents(tmp_path / "there") == files
    assert back.bytes == sum(len(files[path]) for path in back.done)
    again = push(tmp_path / "here", NAME, bucket_of(proxy), 8)
    assert (again.done, again.bytes) == ([], 0)
    still = pull(tmp_path / "there", NAME, bucket_of(proxy), 8)
    assert still.done == []
    assert set(proxy.written.values()) == {1}
    assert sum(proxy.asked[command, key] for command, key in proxy.asked if command == "DELETE") == 0


def test_the_same_bytes_are_one_object(proxy: Proxy, tmp_path: Path) -> None:
    make_version(tmp_path / "here", [3, 3])
    for path in (tmp_path / "here").glob("runs/*/*/logs/*/*"):
        path.write_bytes(b"abc")
    digests = {
        path.relative_to(tmp_path / "here").as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (tmp_path / "here").rglob("*")
        if path.is_file() and path.name != "MANIFEST.json"
    }
    (tmp_path / "here" / f"tables/{NAME}/MANIFEST.json").write_bytes(to_json(NAME, "d" * 64, digests))
    assert push(tmp_path / "here", NAME, bucket_of(proxy), 8).failed == {}
    assert len(proxy.written) == 3  # abc, {} and the manifest
    root = hashlib.sha256((tmp_path / "here" / f"tables/{NAME}/MANIFEST.json").read_bytes()).hexdigest()
    assert pull(tmp_path / "there", NAME, bucket_of(proxy), 8, root).failed == {}
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


def test_two_at_once_write_nothing_twice(proxy: Proxy, tmp_path: Path) -> None:
    files = make_version(tmp_path / "here", [50_000] * 12)
    proxy.pause = 0.001
    done = []
    threads = [
        threading.Thread(target=lambda: done.append(push(tmp_path / "here", NAME, bucket_of(proxy), 6))) for _ in "ab"
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [each.failed for each in done] == [{}, {}]
    assert set(proxy.written.values()) == {1}
    for path in files:
        if path.startswith("tables/") and path.endswith("MANIFEST.json"):
            (tmp_path / "there" / path).parent.mkdir(parents=True)
            (tmp_path / "there" / path).write_bytes(files[path])
    pulls = [
        threading.Thread(target=lambda: done.append(pull(tmp_path / "there", NAME, bucket_of(proxy), 6))) for _ in "ab"
    ]
    for thread in pulls:
        thread.start()
    for thread in pulls:
        thread.join()
    assert [each.failed for each in done] == [{}] * 4
    assert contents(tmp_path / "there") == files


def test_what_is_not_as_published_is_not_pushed(proxy: Proxy, tmp_path: Path) -> None:
    make_version(tmp_path, SIZES)
    (tmp_path / f"runs/{NAME}/spec.json").write_text("{ }\n")
    (tmp_path / f"tables/{NAME}/leaderboard.json").unlink()
    with pytest.raises(Refused, match=r"(?s)spec\.json.*leaderboard\.json"):
        push(tmp_path, NAME, bucket_of(proxy), 8)
    assert not proxy.written
    with pytest.raises(UsageError, match="not published"):
        push(tmp_path, "court/v9", bucket_of(proxy), 8)


def test_what_is_here_is_never_overwritten(proxy: Proxy, tmp_path: Path) -> None:
    files = make_version(tmp_path / "here", SIZES)
    push(tmp_path / "here", NAME, bucket_of(proxy), 8)
    own = tmp_path / "there" / f"runs/{NAME}/spec.json"
    own.parent.mkdir(parents=True)
    own.write_bytes(b"mine")
    done = pull(tmp_path / "there", NAME, bucket_of(proxy), 8, root_of(files))
    assert list(done.failed) == [f"runs/{NAME}/spec.json"]
    assert "left as it is" in done.failed[f"runs/{NAME}/spec.json"]
    assert contents(tmp_path / "there") == files | {f"runs/{NAME}/spec.json": b"mine"}


@pytest.mark.parametrize("size", ["the same", "another"])
def test_what_was_altered_in_the_store_never_lands(proxy: Proxy, tmp_path: Path, size: str) -> None:
    files = make_version(tmp_path / "here", SIZES)
    push(tmp_path / "here", NAME, bucket_of(proxy), 8)
    path = f"runs/{NAME}/logs/m-03/r.jsonl"
    other = files[path][:-1] + bytes([files[path][-1] ^ 1]) + (b"" if size == "the same" else b"x")
    tamper(proxy, hashlib.sha256(files[path]).hexdigest(), other)
    done = pull(tmp_path / "there", NAME, bucket_of(proxy), 8, root_of(files))
    assert list(done.failed) == [path]
    assert "altered" in done.failed[path]
    assert contents(tmp_path / "there") == {name: content for name, content in files.items() if name != path}
    again = push(tmp_path / "here", NAME, bucket_of(proxy), 8)
    assert list(again.failed) == ([] if size == "the same" else [path])


def test_an_altered_manifest_leads_nowhere(proxy: Proxy, tmp_path: Path) -> None:
    files = make_version(tmp_path / "here", SIZES)
    push(tmp_path / "here", NAME, bucket_of(proxy), 8)
    tamper(proxy, root_of(files), files[f"tables/{NAME}/MANIFEST.json"].replace(b"leaderboard", b"leaderbord"))
    with pytest.raises(StoreError, match="altered"):
        pull(tmp_path / "there", NAME, bucket_of(proxy), 8, root_of(files))
    assert contents(tmp_path) == {f"here/{path}": content for path, content in files.items()}


@pytest.mark.parametrize(
    "path",
    [
        "../../etc/cron.d/x", "/etc/passwd", f"runs/{NAME}/../v3/spec.json", f"runs/{NAME}//x",
        "runs/court/v3/spec.json", f"runs/{NAME}/a\\b", f"runs/{NAME}/a\nb", "checker/check.py", f"runs/{NAME}/./x",
    ],
)  # fmt: skip
def test_a_manifest_leads_only_into_its_version(proxy: Proxy, tmp_path: Path, path: str) -> None:
    evil = to_json(NAME, "d" * 64, {path: hashlib.sha256(b"x").hexdigest()})
    tamper(proxy, hashlib.sha256(b"x").hexdigest(), b"x")
    tamper(proxy, hashlib.sha256(evil).hexdigest(), evil)
    with pytest.raises(SpecError):
        pull(tmp_path / "there", NAME, bucket_of(proxy), 8, hashlib.sha256(evil).hexdigest())
    assert contents(tmp_path) == {}
    fine = to_json("court/v3", "d" * 64, {})
    tamper(proxy, hashlib.sha256(fine).hexdigest(), fine)
    with pytest.raises(SpecError, match="court/v3"):
        pull(tmp_path / "there", NAME, bucket_of(proxy), 8, hashlib.sha256(fine).hexdigest())


def test_nothing_is_written_through_a_link(proxy: Proxy, tmp_path: Path) -> None:
    files = make_version(tmp_path / "here", SIZES)
    push(tmp_path / "here", NAME, bucket_of(proxy), 8)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "there" / "runs" / "court").mkdir(parents=True)
    (tmp_path / "there" / "runs" / NAME).symlink_to(tmp_path / "elsewhere")
    done = pull(tmp_path / "there", NAME, bucket_of(proxy), 8, root_of(files))
    assert len(done.failed) == len(SIZES) + 1
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_stream_that_breaks_is_gone_on_with(proxy: Proxy, tmp_path: Path) -> None:
    files = make_version(tmp_path / "here", [300_000])
    push(tmp_path / "here", NAME, bucket_of(proxy), 8)
    proxy.cut_after = 120_000
    done = pull(tmp_path / "there", NAME, bucket_of(proxy), 2, root_of(files))
    assert done.failed == {}
    assert proxy.cuts == 2
    assert contents(tmp_path / "there") == files
    key = hashlib.sha256(files[f"runs/{NAME}/logs/m-00/r.jsonl"]).hexdigest()
    assert proxy.sent[key] < 300_000 + 3 * 8192, "what had come is not asked for again"


def test_a_part_that_is_wrong_is_fetched_anew(proxy: Proxy, tmp_path: Path) -> None:
    files = make_version(tmp_path / "here", [300_000])
    push(tmp_path / "here", NAME, bucket_of(proxy), 8)
    path = f"runs/{NAME}/logs/m-00/r.jsonl"
    part = (tmp_path / "there" / path).parent / f".{hashlib.sha256(files[path]).hexdigest()}.part"
    for wrong in (b"z" * 1000, b"z" * 400_000):
        part.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(wrong)
        assert pull(tmp_path / "there", NAME, bucket_of(proxy), 2, root_of(files)).failed == {}
        assert contents(tmp_path / "there") == files
        (tmp_path / "there" / path).unlink()


def test_failures_are_told_all_at_once(proxy: Proxy, tmp_path: Path) -> None:
    files = make_version(tmp_path / "here", SIZES)
    with pytest.raises(StoreError, match="push the version first"):
        pull(tmp_path / "there", NAME, bucket_of(proxy), 8, root_of(files))
    (tmp_path / "there" / f"tables/{NAME}").mkdir(parents=True)
    (tmp_path / "there" / f"tables/{NAME}/MANIFEST.json").write_bytes(files[f"tables/{NAME}/MANIFEST.json"])
    done = pull(tmp_path / "there", NAME, bucket_of(proxy), 8)
    assert len(done.failed) == len(SIZES) + 2
    proxy.status = 403
    done = push(tmp_path / "here", NAME, bucket_of(proxy), 8)
    assert all("access is denied" in why for why in done.failed.values())
    assert f"tables/{NAME}/MANIFEST.json" not in done.done, "a manifest in the store names only what is there"


def test_no_bucket_no_server_no_address(proxy: Proxy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_version(tmp_path, [5])
    nowhere = type(bucket_of(proxy))(Place.parse("s3://nowhere-at-all", proxy.address, "us-east-1"))
    assert all(
        "no bucket nowhere-at-all" in why or "404" in why for why in push(tmp_path, NAME, nowhere, 2).failed.values()
    )
    for address in ("http://x/y", "s3://", "s3://A_B/x", "boards"):
        with pytest.raises(UsageError, match="s3://BUCKET"):
            Place.parse(address)
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
    done = push(tmp_path, NAME, bucket_of(proxy), 2)
    assert all("no credentials" in why for why in done.failed.values())


def test_a_frozen_versions_price_tables_come_along(proxy: Proxy, tmp_path: Path) -> None:
    files = make_version(tmp_path / "here", [5])
    price = b'{"rows": []}\n'
    (tmp_path / "here/runs/prices").mkdir()
    (tmp_path / "here/runs/prices/2026-12-01.json").write_bytes(price)
    document = json.loads(files[f"tables/{NAME}/MANIFEST.json"])
    beside = {"checker/check.py": "0" * 64, "runs/prices/2026-12-01.json": hashlib.sha256(price).hexdigest()}
    document["frozen"] = {"at": "2026-12-01T12:00:00Z", "previous": None, "beside": beside}
    raw = json.dumps(document).encode()
    (tmp_path / "here" / f"tables/{NAME}/MANIFEST.json").write_bytes(raw)
    assert push(tmp_path / "here", NAME, bucket_of(proxy), 4).failed == {}
    done = pull(tmp_path / "there", NAME, bucket_of(proxy), 4, hashlib.sha256(raw).hexdigest())
    assert done.failed == {}
    assert (tmp_path / "there/runs/prices/2026-12-01.json").read_bytes() == price
