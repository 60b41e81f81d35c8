"""Nothing that stands in the data plays with the terminal, and no file that stands in runs/ leads out of it."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import socket
import subprocess
import termios
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from attacks.stage import Actor, actor, program
from attacks.world import give, public_folder
from checker_logs import Log, Version
from checker_world import FACTS, A

USERS = ("root", "ordinary")
#: CSI, OSC 52 (the clipboard), OSC 8 (a link), a one-byte CSI, bidirectional controls, carriage return, line separator.
CODES = "\x1b[31m\x1b[2J\x1b]52;c;aGk=\x07\x1b]8;;http://x.invalid\x1b\\x\x1b]8;;\x1b\\\x9b31m\u202e\u2066\u200f\r\b\x7f\u2028"
MODEL = f"scripted:{CODES}'); COPY (SELECT 1) TO '/tmp/countersign-injected'; --"
SECRET = "hunter2-in-a-file"
START = "import sys; sys.path.append(sys.argv.pop(1)); from checker.cli import main; sys.exit(main())"


@pytest.fixture(scope="module")
def root() -> Iterator[Path]:
    """A version whose every text and file name is hostile, with every kind of file that is none."""
    with public_folder() as place:
        version = Version(place)
        (place / "secret").write_text(SECRET)
        for name in (MODEL, A):
            log = Log(version, name, [A, MODEL], facts=FACTS)
            log.duel(
                A if name == MODEL else MODEL, FACTS[0], [f"{CODES}ANSWER: 10", f"It is 20 {CODES}", f"ANSWER: {CODES}"]
            )
            log.events[0][CODES] = CODES
            log.finish()
            log.write()
        logs = version.runs / "logs"
        folder = logs / f"evil{CODES}\nCROSS-CHECKED".replace("/", "")
        folder.mkdir()
        (folder / "run-1.jsonl").write_text(CODES)
        (logs / os.fsdecode(b"\xff\xfe")).mkdir()
        traps = logs / "traps"
        traps.mkdir()
        (traps / "link.jsonl").symlink_to(place / "secret")
        (traps / "up.jsonl").symlink_to("../../../../../secret")
        (logs / "folder").symlink_to(place)
        os.mkfifo(traps / "pipe.jsonl")
        if os.geteuid() == 0:
            os.mknod(traps / "device.jsonl", 0o20666, os.makedev(1, 5))  # /dev/zero
        with socket.socket(socket.AF_UNIX) as end:
            end.bind(str(traps / "socket.jsonl"))
        for name in (f"v\x1b[31m{CODES}".replace("/", ""), "v9"):
            (place / "runs" / "court" / name).mkdir()
        (place / "runs" / "court" / "v9" / "spec.json").symlink_to(place / "secret")
        yield place


def on_a_terminal(who: Actor, root: Path, *arguments: str) -> tuple[int, bytes]:
    """countersign-check with a terminal for stdout and stderr: its exit code, and what the terminal was sent."""
    master, slave = pty.openpty()
    command = [who.python, "-I", "-c", START, str(who.packages), "--root", str(root), *arguments]
    with subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=who.environment, cwd="/", **who.rights
    ) as process:
        os.close(slave)
        sent = bytearray()

        def listen() -> None:
            with suppress(OSError):
                while block := os.read(master, 65536):
                    sent.extend(block)

        thread = threading.Thread(target=listen)
        thread.start()
        process.wait(120)
        thread.join(10)
    os.close(master)
    return process.returncode, bytes(sent)


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("arguments", [(), ("--json",)], ids=" ".join)
def test_hostile_data_on_a_terminal(user: str, arguments: tuple[str, ...], root: Path) -> None:
    who = actor(user)
    give(root, who)
    code, sent = on_a_terminal(who, root, *arguments)
    text = sent.decode("utf-8").replace("\r\n", "\n")
    assert code in (1, 2) and ("could not check" in text or "MISMATCH" in text)
    assert {char for char in text if not char.isprintable()} <= {"\n"}
    assert not any(line.startswith("CROSS-CHECKED") for line in text.split("\n"))
    assert SECRET not in text and "x.invalid\n" not in text
    assert not Path("/tmp/countersign-injected").exists()


@pytest.mark.parametrize("user", USERS)
def test_the_terminal_of_the_caller(user: str, root: Path) -> None:
    """The check is started on a controlling terminal; without a sandbox it can be written to."""
    who = actor(user)
    master, slave = pty.openpty()

    def take() -> None:
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

    found = {
        task: who.found(who.run(task, root, program=program("terminal"), world={}, filtered=True, preexec_fn=take))
        for task in ("attack", "control")
    }
    os.close(slave)
    os.close(master)
    assert {text.split(":")[0] for text in found["attack"].values()} == {"refused"}
    assert found["control"]["write to the terminal"] == "done"


def test_links_out_of_the_root(tmp_path: Path) -> None:
    """Whoever makes the data must not choose what of this machine the sandbox is shown."""
    from checker import sandbox

    for folder in ("runs", "tables"):
        root = tmp_path / folder
        root.mkdir()
        (root / folder).symlink_to("/")
        with pytest.raises(sandbox.InnerFailed, match=f"{folder}/ is a link that leads out of"):
            sandbox.run(sandbox.Request(root, [("court", "v3")], False, {}))


def test_json_of_hostile_data_is_json(root: Path) -> None:
    who = actor("ordinary")
    give(root, who)
    done = who.start(["-c", START, str(who.packages), "--root", str(root), "--json", "court/v3"])
    assert json.loads(done.stdout)["status"] != "CROSS-CHECKED" and SECRET not in done.stdout + done.stderr
