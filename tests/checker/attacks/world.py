"""What the attacks are after, outside: listeners that answer, a process to look into, a secret, data full of traps."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from attacks.stage import HERE, Actor
from checker import seccomp

#: A process that keeps a secret in its memory and says where.
VICTIM = (
    "import ctypes, time; held = ctypes.create_string_buffer(b'hunter2')\n"
    "print(ctypes.addressof(held), flush=True); time.sleep(60)"
)
#: Folders of the machine or of the sandbox in which a file could be made.
ELSEWHERE = (
    "/", "/tmp", "/dev/shm", "/var/tmp", "/opt", "/etc", "/usr/lib", "/opt/packages", "/opt/packages/checker",
    "/opt/python/lib", "/opt/python/bin",
)  # fmt: skip


@contextmanager
def public_folder() -> Iterator[Path]:
    """A new folder that everybody can enter; pytest's own are for its user alone."""
    place = Path(tempfile.mkdtemp(prefix="countersign-world-"))
    place.chmod(0o755)
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def give(place: Path, actor: Actor) -> None:
    """Make the actor the owner of everything there."""
    if actor.uid is not None:
        for path in (place, *place.rglob("*")):
            os.chown(path, actor.uid, actor.uid, follow_symlinks=False)


@contextmanager
def outside(actor: Actor) -> Iterator[tuple[Path, dict[str, Any]]]:
    """(the root of the data, what the attacks are told); everything belongs to the actor."""
    with ExitStack() as stack:
        place = stack.enter_context(public_folder())
        for folder in ("root/runs/court", "root/tables", "root/runners", "root/site", "mount"):
            (place / folder).mkdir(parents=True)
        root, secret = place / "root", place / "secret"
        secret.write_text("hunter2")
        traps(root / "runs", secret)
        paths = [str(place / "socket"), str(root / "runs" / "socket"), f"\0countersign-{place.name}"]
        for path in paths:
            stack.enter_context(listener(socket.AF_UNIX, socket.SOCK_STREAM, path))
        told = {
            "tcp": stack.enter_context(listener(socket.AF_INET, socket.SOCK_STREAM, ("0.0.0.0", 0))),
            "udp": stack.enter_context(listener(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0))),
            "unix": paths[0], "abstract": paths[2], "address": own_address(), "secret": str(secret),
            "repository": str(HERE.parents[2]), "home": str(Path.home()), "mount": str(place / "mount"),
            "home of root": pwd.getpwuid(0).pw_dir,
            "elsewhere": [*ELSEWHERE, str(place)], "calls": numbers(), "tcp6": 0, "udp6": 0,
        }  # fmt: skip
        if has_ipv6():
            told["tcp6"] = stack.enter_context(listener(socket.AF_INET6, socket.SOCK_STREAM, ("::1", 0)))
            told["udp6"] = stack.enter_context(listener(socket.AF_INET6, socket.SOCK_DGRAM, ("::1", 0)))
        give(place, actor)
        told["victim"], told["memory"] = stack.enter_context(victim(actor))
        yield root, told


def traps(runs: Path, secret: Path) -> None:
    """Everything in runs/ that is no file of it: links out, a pipe, a device."""
    (runs / "log").write_text("a line\n")
    (runs / "link").symlink_to(secret)
    (runs / "relative").symlink_to("../../secret")
    (runs / "folder").symlink_to(secret.parent)
    os.mkfifo(runs / "pipe")
    if os.geteuid() == 0:
        os.mknod(runs / "device", 0o20666, os.makedev(1, 5))  # /dev/zero


@contextmanager
def listener(family: int, kind: int, address: Any) -> Iterator[int]:
    """Answers whoever comes; yields the port (0 for a Unix socket)."""
    with socket.socket(family, kind) as end:
        end.bind(address)
        if kind == socket.SOCK_STREAM:
            end.listen()
        threading.Thread(target=_answer, args=(end, kind), daemon=True).start()
        yield 0 if family == socket.AF_UNIX else end.getsockname()[1]
        end.shutdown(socket.SHUT_RDWR) if kind == socket.SOCK_STREAM else None


def _answer(end: socket.socket, kind: int) -> None:
    try:
        while True:
            if kind == socket.SOCK_DGRAM:
                _, address = end.recvfrom(100)
                end.sendto(b"I am", address)
            else:
                with end.accept()[0] as peer:
                    peer.recv(100)
                    peer.send(b"I am")
    except OSError:
        return  # closed: the test is over


@contextmanager
def victim(actor: Actor) -> Iterator[tuple[int, int]]:
    """A process of the same user: its number, and where in its memory the secret lies."""
    with subprocess.Popen(
        [actor.python, "-I", "-c", VICTIM], stdout=subprocess.PIPE, env=actor.environment, cwd="/", process_group=0,
        **actor.rights,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        try:
            yield process.pid, int(process.stdout.readline())
        finally:
            process.kill()


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as end:
            end.bind(("::1", 0))
    except OSError:
        return False
    return True


def own_address() -> str:
    """An IPv4 address of this machine that is not the loopback's, where it has one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
        try:
            end.connect(("198.51.100.1", 9))  # of a datagram socket: nothing is sent
        except OSError:
            return "127.0.0.1"
        return str(end.getsockname()[0])


def numbers() -> dict[str, int | None]:
    """The system calls of this machine by name."""
    column = seccomp.MACHINES[os.uname().machine][1]
    calls = seccomp.CALLS | {"clone": seccomp.CLONE, "clone3": (seccomp.CLONE3, seccomp.CLONE3)}
    return {name: pair[column] for name, pair in calls.items()}
