"""The system-call filter of the sandbox: a classic BPF program that the kernel runs before every call (seccomp(2)).

The namespaces of bubblewrap leave little to reach; the filter takes away the calls that could reach for it, or that
use memory which no limit counts.  What is left: to read files, to compute, to start threads, to answer.
"""

from __future__ import annotations

import errno
import platform
import struct
from typing import Final

#: AUDIT_ARCH_* of linux/audit.h, by the machine's name, and the column of CALLS that holds its numbers.
MACHINES: Final = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}

#: Refused with EPERM: numbers on x86_64 and aarch64, from the kernel's unistd.h; None where a machine has no such call.
CALLS: Final[dict[str, tuple[int | None, int | None]]] = {
    # another process: to start one, to look into one
    "fork": (57, None), "vfork": (58, None), "ptrace": (101, 117), "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271), "process_madvise": (440, 440), "process_mrelease": (448, 448),
    "kcmp": (312, 272), "pidfd_open": (434, 434), "pidfd_getfd": (438, 438), "pidfd_send_signal": (424, 424),
    # the network, and other ends to talk to
    "socket": (41, 198), "socketpair": (53, 199),
    # to open a file for writing; open and openat are looked at below
    "creat": (85, None),
    # namespaces and mounts
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41),
    "chroot": (161, 51), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "statmount": (457, 457), "listmount": (458, 458), "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265), "fanotify_init": (300, 262), "fanotify_mark": (301, 263),
    # memory that counts in no limit of the process
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194), "shmat": (30, 196),
    "semget": (64, 190), "msgget": (68, 186), "mq_open": (240, 180),
    # large and young parts of the kernel
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "add_key": (248, 217), "request_key": (249, 218),
    "keyctl": (250, 219), "personality": (135, 92), "modify_ldt": (154, None),
    # the machine itself
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "init_module": (175, 105), "finit_module": (313, 273),
    "delete_module": (176, 106), "reboot": (169, 142), "swapon": (167, 224), "swapoff": (168, 225),
    "acct": (163, 89), "quotactl": (179, 60), "quotactl_fd": (443, 443), "syslog": (103, 116), "iopl": (172, None),
    "ioperm": (173, None), "settimeofday": (164, 170), "clock_settime": (227, 112), "adjtimex": (159, 171),
    "clock_adjtime": (305, 266), "sethostname": (170, 161), "setdomainname": (171, 162),
}  # fmt: skip
#: These are allowed or refused by their arguments.
CLONE, IOCTL, OPEN, OPENAT = (56, 220), (16, 29), (2, None), (257, 56)
#: These have their arguments in memory, where the filter cannot look.  They are answered as by a kernel without them,
#: so that the C library takes clone and openat instead; and so is every call that is younger than NEWEST.
CLONE3, OPENAT2 = 435, 437
#: mseal, Linux 6.10.  Also the x32 guard: the calls of that ABI are numbered from 0x40000000.
NEWEST: Final = 462

#: clone(2): a thread is welcome, a process or a namespace is not.
CLONE_THREAD: Final = 0x00010000
CLONE_NEW: Final = 0x7E020000  # NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
#: ioctl(2) that puts characters into a terminal's input.
TIOCSTI, TIOCLINUX = 0x5412, 0x541C
#: open(2): O_WRONLY or O_RDWR.  A read-only mount still lets a pipe be written to.
WRITING: Final = 0x3

# Offsets in struct seccomp_data; of a 64-bit argument the lower half, both machines being little-endian.
_NUMBER, _MACHINE, _FIRST, _SECOND, _THIRD = 0, 4, 16, 24, 32
# linux/bpf_common.h and linux/seccomp.h
_LOAD, _EQUAL, _GREATER, _ANY_BIT, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_KILL, _ALLOW, _ERRNO = 0x80000000, 0x7FFF0000, 0x00050000
_REFUSE, _UNKNOWN = _ERRNO | errno.EPERM, _ERRNO | errno.ENOSYS


def program(machine: str | None = None) -> bytes:
    """The filter as an array of struct sock_filter, for `bwrap --seccomp`; by default for this machine.

    Raises LookupError for a machine that it does not know.
    """
    machine = machine or platform.machine()
    if machine not in MACHINES:
        raise LookupError(f"no system-call filter is known for {machine}")
    architecture, column = MACHINES[machine]
    code = [
        _step(_LOAD, _MACHINE), *_unless(_EQUAL, architecture, _KILL),
        _step(_LOAD, _NUMBER), *_where(_GREATER, NEWEST, _UNKNOWN),
        *_where(_EQUAL, CLONE3, _UNKNOWN), *_where(_EQUAL, OPENAT2, _UNKNOWN),
    ]  # fmt: skip
    for numbers in CALLS.values():
        if (number := numbers[column]) is not None:
            code += _where(_EQUAL, number, _REFUSE)
    thread = [*_unless(_ANY_BIT, CLONE_THREAD, _REFUSE), *_where(_ANY_BIT, CLONE_NEW, _REFUSE)]
    typing = [*_where(_EQUAL, TIOCSTI, _REFUSE), *_where(_EQUAL, TIOCLINUX, _REFUSE)]
    writing = _where(_ANY_BIT, WRITING, _REFUSE)
    for numbers, argument, steps in (
        (CLONE, _FIRST, thread), (IOCTL, _SECOND, typing), (OPEN, _SECOND, writing), (OPENAT, _THIRD, writing),
    ):  # fmt: skip
        if (number := numbers[column]) is not None:
            looked_at = [_step(_LOAD, argument), *steps, _step(_RETURN, _ALLOW)]
            code += [_step(_EQUAL, number, 0, len(looked_at)), *looked_at]
    code.append(_step(_RETURN, _ALLOW))
    return b"".join(code)


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _where(test: int, value: int, result: int) -> list[bytes]:
    """Return `result` where the test holds, else go on."""
    return [_step(test, value, 0, 1), _step(_RETURN, result)]


def _unless(test: int, value: int, result: int) -> list[bytes]:
    """Return `result` where the test does not hold, else go on."""
    return [_step(test, value, 1, 0), _step(_RETURN, result)]
