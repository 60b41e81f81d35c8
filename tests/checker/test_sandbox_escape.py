"""Attacks run as real code in the checker's place: none reaches the network, a secret, the data or another process.

Each attack is run three times: in the sandbox, in the sandbox without its system-call filter, and without a sandbox,
where it must succeed, so that a refusal says something.
"""

from __future__ import annotations

import json

import pytest
from attacks.stage import actor
from attacks.world import outside

from checker.probes import REFUSED

USERS = ("root", "ordinary")
#: What only the filter refuses: nothing of it leads out of the namespaces, but for two ends that somebody outside has
#: put into runs/ to talk to.
FILTERED = {
    "network": {
        "Unix socket in runs/", "any IPv4 socket", "any Unix socket", "netlink socket", "pair of sockets",
        "socket to the hypervisor", "socket of the kernel's ciphers",
    },
    "reading": {"a pipe in runs/"},
    "writing": {"shared memory"},
    "processes": {
        "start a process", "start a program", "clone a process", "clone3 a process", "put a key into the keyring",
        "read the keyring", "ask for a key", "io_uring", "page faults of its own", "a user namespace by clone",
        "a user namespace of its own", "a call that is younger than the filter", "performance counters",
        "type into a terminal of its own",
    },
}  # fmt: skip
#: What any user can do on any machine as long as there is no sandbox.
POSSIBLE = {
    "network": {
        "TCP over IPv4", "TCP to the machine's own address", "UDP", "Unix socket by path", "Unix socket in runs/",
        "abstract Unix socket", "look up a host name", "any IPv4 socket", "any Unix socket", "netlink socket",
        "pair of sockets",
    },
    "reading": {
        "/etc/passwd", "/proc/self/environ", "/proc/mounts", "list /var", "list /dev", "list /sys", "list /proc",
        "list /tmp", "list /usr/bin", "list /usr/share", "/proc of the caller: environ", "/proc of the caller: cmdline",
        "/proc of the caller: maps", "/proc of the caller: status", "/proc of the caller: root",
        "/proc of the caller: cwd", "/proc of the caller: fd", "the secret", "the secret by ..",
        "the secret by .. of the working directory", "the secret by a link in runs/",
        "the secret by a relative link in runs/", "the secret by a linked folder in runs/", "a pipe in runs/",
        "a variable of the caller", "a descriptor of the caller", "the secret among all that is visible",
        "the machine's name",
    },
    "writing": {
        "create in runs/", "create in runs/court/", "create in tables/", "create in /tmp", "append to a log",
        "overwrite a log", "truncate a log", "map a log for writing", "change the mode of a log",
        "change the owner of a log", "change the time of a log", "rename a log", "make a link in runs/",
        "make a hard link in runs/", "make a pipe in runs/", "make a folder in runs/", "write through a link in runs/",
        "a file in memory", "shared memory", "remove a log",
    },
    "processes": {
        "signal the caller", "signal a process outside", "signal everybody", "signal the group of a process outside",
        "take hold of a process outside", "start a process", "start a program", "clone a process",
    },
}  # fmt: skip
#: And what root can do besides.
OF_ROOT = {
    "network": {"raw socket", "packet socket"},
    "reading": {"list the home of root"},
    "writing": {"create in /usr/lib", "create in /etc"},
    "processes": {
        "trace a process outside",
        "read the memory of a process outside",
        "a mount namespace of its own",
        "mount",
        "make the data writable",
        "change the root",
        "a file by its handle",
    },
}


def reached(found: dict[str, str]) -> dict[str, str]:
    return {name: text for name, text in found.items() if not text.startswith("refused")}


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("attack", list(POSSIBLE))
def test_nothing_is_reached(attack: str, user: str) -> None:
    who = actor(user)
    with outside(who) as (root, told):
        assert reached(who.attack(attack, root, told)) == {}
        assert set(reached(who.attack(attack, root, told, filtered=False))) <= FILTERED[attack]
        possible = POSSIBLE[attack] | (OF_ROOT[attack] if user == "root" else set())
        assert possible - set(reached(who.control(attack, root, told))) == set()  # last: it does what it tries


PROBES = """
import json, pathlib, sys
told = json.load(sys.stdin)
sys.path.append(told["packages"])
from checker import probes
places = {name: told[name] for name in ("secret", "home")}
print(json.dumps(probes.run(pathlib.Path(told["data"]), places, told["tcp"])))
"""


@pytest.mark.parametrize("user", USERS)
def test_a_probe_finds_what_it_looks_for(user: str) -> None:
    """In the sandbox all are refused, and without one those that any machine allows are not."""
    who = actor(user)
    with outside(who) as (root, told):
        told |= {"packages": str(who.packages), "home": "/"}
        inside, without = (
            {row["probe"]: row["found"] for row in json.loads(json.loads(done.stdout)["out"])}
            for done in (
                who.run(task, root, program=PROBES, world=told, filtered=True) for task in ("attack", "control")
            )
        )
    assert set(inside.values()) - {REFUSED} == {"visible"} and inside.pop("see home") == "visible"  # "/" is there
    possible = set(without) - {name for name, found in without.items() if found == REFUSED}
    assert possible >= {
        "connect to the parent on 127.0.0.1", "open a network socket", "write to runs/", "write to tables/",
        "write to a temporary or system folder", "see secret", "see runners/ beside runs/", "see site/ beside runs/",
        "see the users in /etc/passwd", "see other processes in /proc", "see the caller's environment",
        "signal another process", "start another process",
    }  # fmt: skip
