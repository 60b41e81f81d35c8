# ruff: noqa: PTH101, PTH102, PTH104, PTH106, PTH108, PTH118, PTH123, PTH211
"""Write anything anywhere, above all into the data."""

import ctypes
import mmap
import os
import struct

from attempts import TOLD, attempt, call, data


def create(folder):
    path = os.path.join(folder, f"attack-{os.getpid()}")
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    os.unlink(path)


for folder in ("runs", "runs/court", "tables"):
    attempt(f"create in {folder}/")(lambda folder=folder: create(data(folder)))
for folder in TOLD["elsewhere"]:
    attempt(f"create in {folder}")(lambda folder=folder: create(folder))

FILE = data("runs/log")


@attempt("append to a log")
def _():
    with open(FILE, "ab") as file:
        file.write(b"more")


@attempt("overwrite a log")
def _():
    with open(FILE, "r+b") as file:
        file.write(b"other")


@attempt("truncate a log")
def _():
    os.truncate(FILE, 1)


@attempt("map a log for writing")
def _():
    with open(FILE, "r+b") as file:
        mmap.mmap(file.fileno(), 0)


@attempt("change the mode of a log")
def _():
    os.chmod(FILE, 0o666)


@attempt("change the owner of a log")
def _():
    os.chown(FILE, os.getuid(), os.getgid())


@attempt("change the time of a log")
def _():
    os.utime(FILE, (1, 1))


@attempt("give a log an attribute")
def _():
    os.setxattr(FILE, "user.attack", b"1")


@attempt("rename a log")
def _():
    os.rename(FILE, FILE + "2")
    os.rename(FILE + "2", FILE)


@attempt("make a link in runs/")
def _():
    os.symlink("/", data("runs/new"))
    os.unlink(data("runs/new"))


@attempt("make a hard link in runs/")
def _():
    os.link(FILE, data("runs/new"))
    os.unlink(data("runs/new"))


@attempt("make a pipe in runs/")
def _():
    os.mkfifo(data("runs/new"))
    os.unlink(data("runs/new"))


@attempt("make a folder in runs/")
def _():
    os.mkdir(data("runs/new"))
    os.rmdir(data("runs/new"))


@attempt("a file without a name in runs/")
def _():
    os.close(os.open(data("runs"), os.O_TMPFILE | os.O_RDWR))


@attempt("write through a link in runs/")
def _():
    with open(data("runs/link"), "ab") as file:
        file.write(b"")


@attempt("a file in memory")
def _():
    handle = os.memfd_create("attack")
    os.write(handle, b"1")
    os.close(handle)


@attempt("shared memory")
def _():
    return call(TOLD["calls"]["shmget"], 0, 4096, 0o1600)


@attempt("open a log for writing by openat2")
def _():
    how = struct.pack("=3Q", os.O_RDWR, 0, 0)
    os.close(call(437, -100, ctypes.c_char_p(FILE.encode()), how, 24))


@attempt("remove a log")
def _():
    os.unlink(FILE)
