"""The system-call filter, run by a small interpreter of classic BPF, for both machines; its attacks are elsewhere."""

from __future__ import annotations

import errno
import struct

import pytest

from checker import seccomp

ALLOWED, KILLED = 0x7FFF0000, 0x80000000
REFUSED, UNKNOWN = (0x00050000 | code for code in (errno.EPERM, errno.ENOSYS))
MACHINES = sorted(seccomp.MACHINES)


def verdict(machine: str, number: int, *arguments: int, architecture: int | None = None) -> int:
    """What the kernel would do with a call."""
    architecture = seccomp.MACHINES[machine][0] if architecture is None else architecture
    data = struct.pack("=iIQ6Q", struct.unpack("=i", struct.pack("=I", number))[0], architecture, 0,
                       *(arguments + (0,) * 6)[:6])  # fmt: skip
    program = seccomp.program(machine)
    place, value = 0, 0
    while True:
        code, if_true, if_false, operand = struct.unpack_from("=HBBI", program, 8 * place)
        place += 1
        if code == 0x06:
            return int(operand)
        if code == 0x20:
            value = struct.unpack_from("=I", data, operand)[0]
        else:
            holds = {0x15: value == operand, 0x25: value > operand, 0x45: bool(value & operand)}[code]
            place += if_true if holds else if_false


def number(machine: str, call: tuple[int | None, int | None]) -> int:
    found = call[seccomp.MACHINES[machine][1]]
    assert found is not None
    return found


@pytest.mark.parametrize("machine", MACHINES)
def test_what_is_named_is_refused(machine: str) -> None:
    column = seccomp.MACHINES[machine][1]
    named = [numbers[column] for numbers in seccomp.CALLS.values() if numbers[column] is not None]
    assert len(named) > 60 and len(set(named)) == len(named)
    assert {verdict(machine, call) for call in named if call is not None} == {REFUSED}


@pytest.mark.parametrize("machine", MACHINES)
def test_another_machine_is_ended(machine: str) -> None:
    """A 32-bit call on a 64-bit kernel has other numbers, so none of them may be looked up here."""
    assert verdict(machine, 1, architecture=0x40000003) == KILLED


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("call", [seccomp.CLONE3, seccomp.OPENAT2, seccomp.NEWEST + 1, 0x40000000 + 39, 0xFFFFFFFF])
def test_what_cannot_be_looked_at_is_unknown(machine: str, call: int) -> None:
    assert verdict(machine, call) == UNKNOWN


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("call", "place", "value", "expected"),
    [
        (seccomp.CLONE, 0, 0x3D0F00, ALLOWED),  # pthread_create of glibc
        (seccomp.CLONE, 0, 17, REFUSED),  # fork: SIGCHLD
        (seccomp.CLONE, 0, 0x4111, REFUSED),  # vfork
        *((seccomp.CLONE, 0, 0x3D0F00 | 1 << bit, REFUSED) for bit in (17, 25, 26, 27, 28, 29, 30)),
        (seccomp.IOCTL, 1, 0x5401, ALLOWED),  # TCGETS: Python asks whether stdout is a terminal
        (seccomp.IOCTL, 1, 0x5412, REFUSED),
        (seccomp.IOCTL, 1, 0x1_0000_5412, REFUSED),  # the kernel takes 32 bits of it
        (seccomp.IOCTL, 1, 0x541C, REFUSED),
        (seccomp.OPENAT, 2, 0o2000000, ALLOWED),  # O_RDONLY | O_CLOEXEC
        (seccomp.OPENAT, 2, 0o1, REFUSED),
        (seccomp.OPENAT, 2, 0o102, REFUSED),
        (seccomp.OPENAT, 2, 0o3, REFUSED),
    ],
)
def test_what_is_looked_at(
    machine: str, call: tuple[int | None, int | None], place: int, value: int, expected: int
) -> None:
    arguments = [0] * 6
    arguments[place] = value
    assert verdict(machine, number(machine, call), *arguments) == expected


def test_the_old_open_is_looked_at_too() -> None:
    assert verdict("x86_64", 2, 0, 0) == ALLOWED and verdict("x86_64", 2, 0, 1) == REFUSED


@pytest.mark.parametrize(("machine", "calls"), [("x86_64", (0, 1, 3, 9, 202)), ("aarch64", (63, 64, 57, 222, 98))])
def test_reading_and_computing_are_allowed(machine: str, calls: tuple[int, ...]) -> None:
    """read, write, close, mmap, futex"""
    assert {verdict(machine, call) for call in calls} == {ALLOWED}


def test_an_unknown_machine() -> None:
    with pytest.raises(LookupError, match="riscv64"):
        seccomp.program("riscv64")
