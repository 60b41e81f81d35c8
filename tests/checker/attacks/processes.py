# ruff: noqa: PTH110
"""Reach other processes and the parts of the kernel that a computation has no use for."""

import ctypes
import errno
import fcntl
import os
import signal
import struct

from attempts import TOLD, attempt, call, data

CALLS = TOLD["calls"]


@attempt("signal the caller")
def _():
    os.kill(TOLD["caller"], 0)


@attempt("signal a process outside")
def _():
    os.kill(TOLD["victim"], signal.SIGCONT)


@attempt("signal everybody")
def _():
    os.kill(-1, 0)  # 0: only whether it would be allowed


@attempt("signal the group of a process outside")
def _():
    os.killpg(TOLD["victim"], signal.SIGCONT)


@attempt("trace a process outside")
def _():
    call(CALLS["ptrace"], 0x4206, TOLD["victim"], 0, 0)  # PTRACE_SEIZE


@attempt("read the memory of a process outside")
def _():
    buffer = ctypes.create_string_buffer(16)
    here = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 16)
    there = (ctypes.c_void_p * 2)(TOLD["memory"], 16)
    call(CALLS["process_vm_readv"], TOLD["victim"], here, 1, there, 1, 0)
    return buffer.raw


@attempt("take hold of a process outside")
def _():
    os.close(os.pidfd_open(TOLD["victim"]))


@attempt("start a process")
def _():
    if os.fork() == 0:
        os._exit(0)
    os.wait()


@attempt("start a program")
def _():
    program = next(path for path in ("/usr/bin/true", "/opt/python/bin/python3") if os.path.exists(path))
    os.waitpid(os.posix_spawn(program, [program, "-c", ""], {}), 0)


@attempt("clone a process")
def _():
    if call(CALLS["clone"], signal.SIGCHLD, 0, 0, 0, 0) == 0:
        os._exit(0)
    os.wait()


@attempt("clone3 a process")
def _():
    arguments = struct.pack("=8Q", 0, 0, 0, 0, signal.SIGCHLD, 0, 0, 0)
    if call(CALLS["clone3"], ctypes.create_string_buffer(arguments, 64), 64) == 0:
        os._exit(0)
    os.wait()


@attempt("a new mount by its own call")
def _():
    os.close(call(CALLS["fsopen"], ctypes.c_char_p(b"tmpfs"), 0))


@attempt("a file by its handle")
def _():
    handle = ctypes.create_string_buffer(struct.pack("=Ii", 128, 0), 256)
    mount = ctypes.c_int()
    call(CALLS["name_to_handle_at"], -100, ctypes.c_char_p(data("runs").encode()), handle, ctypes.byref(mount), 0)
    place = os.open(data("runs"), os.O_RDONLY)
    os.close(call(CALLS["open_by_handle_at"], place, handle, os.O_RDONLY))


@attempt("put a key into the keyring")
def _():
    kind, name = ctypes.c_char_p(b"user"), ctypes.c_char_p(b"countersign-attack")
    call(CALLS["add_key"], kind, name, ctypes.c_char_p(b"1"), 1, -3)


@attempt("read the keyring")
def _():
    call(CALLS["keyctl"], 0, -4, 0)  # KEYCTL_GET_KEYRING_ID of the user's keyring


@attempt("ask for a key")
def _():
    call(CALLS["request_key"], ctypes.c_char_p(b"user"), ctypes.c_char_p(b"countersign-attack"), None, -3)


@attempt("io_uring")
def _():
    os.close(call(CALLS["io_uring_setup"], 1, ctypes.create_string_buffer(120)))


@attempt("a program in the kernel")
def _():
    attributes = ctypes.create_string_buffer(struct.pack("=4I", 2, 4, 4, 1), 120)
    os.close(call(CALLS["bpf"], 0, attributes, 120))


@attempt("performance counters")
def _():
    event = ctypes.create_string_buffer(struct.pack("=IIQ", 1, 120, 0), 120)
    os.close(call(CALLS["perf_event_open"], event, 0, -1, -1, 0))


@attempt("page faults of its own")
def _():
    os.close(call(CALLS["userfaultfd"], 1))


@attempt("set the host's name")
def _():
    name = os.uname().nodename.encode()
    call(CALLS["sethostname"], ctypes.c_char_p(name), len(name))


@attempt("the kernel's messages")
def _():
    return call(CALLS["syslog"], 10, None, 0)


@attempt("type into a terminal of its own")
def _():
    _, slave = os.openpty()
    fcntl.ioctl(slave, 0x5412, b"x")


@attempt("a 32-bit call")
def _():
    return call(0x40000000 + 39)  # getpid of the x32 ABI


@attempt("a call that is younger than the filter")
def _():
    code = None
    try:
        return call(463, -1, 0, 0, 0, 0, 0)
    except OSError as error:
        code = error.errno
    if code == errno.ENOSYS:
        raise OSError(code, "unknown")
    return errno.errorcode[code]


@attempt("a user namespace by clone")
def _():
    if call(CALLS["clone"], signal.SIGCHLD | 0x10000000, 0, 0, 0, 0) == 0:
        os._exit(0)
    os.wait()


@attempt("a mount namespace of its own")
def _():
    call(CALLS["unshare"], 0x00020000)


@attempt("mount")
def _():
    # Without a sandbox root has a mount namespace of its own by now; nothing gets out of it.
    call(CALLS["mount"], None, ctypes.c_char_p(b"/"), None, 0x44000, None)  # MS_REC | MS_PRIVATE
    place = ctypes.c_char_p(TOLD["mount"].encode())
    call(CALLS["mount"], ctypes.c_char_p(b"none"), place, ctypes.c_char_p(b"tmpfs"), 0, None)


@attempt("make the data writable")
def _():
    place = ctypes.c_char_p(data("runs").encode())
    call(CALLS["mount"], place, place, None, 0x1000, None)  # MS_BIND
    call(CALLS["mount"], None, place, None, 0x1000 | 0x20, None)  # MS_BIND | MS_REMOUNT


@attempt("change the root")
def _():
    call(CALLS["chroot"], ctypes.c_char_p(b"/"))


@attempt("a user namespace of its own")
def _():
    call(CALLS["unshare"], 0x10000000)


@attempt("become another user")
def _():
    os.setuid(12345 if os.getuid() != 12345 else 12346)
