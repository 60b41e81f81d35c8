# ruff: noqa: PTH114, PTH116, PTH118, PTH123, PTH208
"""Read what lies outside: files, other processes, the caller's secrets."""

import errno
import os

from attempts import TOLD, attempt, data


def read(path):
    with open(path, "rb") as file:
        return repr(file.read(40))


for path in (
    "/etc/passwd",
    "/etc/hostname",
    "/proc/self/environ",
    "/proc/1/environ",
    "/proc/mounts",
    "/sys/kernel/uevent_seqnum",
):
    attempt(path)(lambda path=path: read(path))

for folder in ("/home", "/var", "/dev", "/sys", "/proc", "/tmp", "/usr/bin", "/usr/share"):
    attempt(f"list {folder}")(lambda folder=folder: os.listdir(folder))

attempt("list the home of root")(lambda: os.listdir(TOLD["home of root"]))

for name in ("secret", "repository", "home"):
    attempt(f"look at the {name}")(lambda name=name: os.stat(TOLD[name]).st_mode)

for name in ("environ", "cmdline", "maps", "status"):
    attempt(f"/proc of the caller: {name}")(lambda name=name: read(f"/proc/{TOLD['caller']}/{name}"))
for name in ("root", "cwd", "fd"):
    attempt(f"/proc of the caller: {name}")(lambda name=name: os.listdir(f"/proc/{TOLD['caller']}/{name}"))


@attempt("/proc of the caller: mem")
def _():
    os.close(os.open(f"/proc/{TOLD['caller']}/mem", os.O_RDONLY))


@attempt("the secret")
def _():
    return read(TOLD["secret"])


@attempt("the secret by ..")
def _():
    return read(data("runs/../" + "../" * 20 + TOLD["secret"]))


@attempt("the secret by .. of the working directory")
def _():
    os.chdir(data("runs"))
    return read("../" * 20 + TOLD["secret"])


@attempt("the secret by a link in runs/")
def _():
    return read(data("runs/link"))


@attempt("the secret by a relative link in runs/")
def _():
    return read(data("runs/relative"))


@attempt("the secret by a linked folder in runs/")
def _():
    return read(data("runs/folder/secret"))


@attempt("a pipe in runs/")
def _():
    handle = os.open(data("runs/pipe"), os.O_RDWR | os.O_NONBLOCK)  # a writer waits at the other end
    os.write(handle, b"out")
    os.close(handle)


@attempt("a device in runs/")
def _():
    return read(data("runs/device"))


@attempt("a variable of the caller")
def _():
    for name, value in os.environ.items():
        if "hunter2" in value:
            return name
    raise OSError(errno.ENOENT, "none has it")


@attempt("a descriptor of the caller")
def _():
    for handle in range(3, 1024):
        try:
            os.fstat(handle)
        except OSError:
            continue
        return f"{handle} is open"
    raise OSError(errno.EBADF, "none is open")


@attempt("a terminal")
def _():
    for handle in range(3):
        if os.isatty(handle):
            return f"descriptor {handle}"
    return os.close(os.open("/dev/tty", os.O_RDWR))


@attempt("the secret among all that is visible")
def _():
    for place, folders, names in os.walk("/"):
        for hidden in ("proc", "sys", "usr", "lib", "lib64", "python", "packages"):
            if hidden in folders:
                folders.remove(hidden)
        for name in names:
            if name == "secret" and not os.path.islink(os.path.join(place, name)):
                return os.path.join(place, name)
    raise OSError(errno.ENOENT, "it is nowhere")


@attempt("the machine's name")
def _():
    if os.uname().nodename == "sandbox":
        raise OSError(errno.ENOENT, "another one")
    return os.uname().nodename
