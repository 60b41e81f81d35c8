"""Reach the network, or anyone outside through a socket.  For each end there is a listener outside that answers."""

import errno
import socket

from attempts import TOLD, attempt, data


def talk(end):
    with end:
        end.settimeout(2)
        end.send(b"is anyone there?")
        return end.recv(100).decode()


def connected(family, kind, address):
    end = socket.socket(family, kind)
    end.settimeout(2)
    end.connect(address)
    return talk(end)


@attempt("TCP over IPv4")
def _():
    return connected(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", TOLD["tcp"]))


@attempt("TCP to the machine's own address")
def _():
    return connected(socket.AF_INET, socket.SOCK_STREAM, (TOLD["address"], TOLD["tcp"]))


@attempt("TCP over IPv6")
def _():
    return connected(socket.AF_INET6, socket.SOCK_STREAM, ("::1", TOLD["tcp6"]))


@attempt("UDP")
def _():
    return connected(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", TOLD["udp"]))


@attempt("UDP over IPv6")
def _():
    return connected(socket.AF_INET6, socket.SOCK_DGRAM, ("::1", TOLD["udp6"]))


@attempt("Unix socket by path")
def _():
    return connected(socket.AF_UNIX, socket.SOCK_STREAM, TOLD["unix"])


@attempt("Unix socket in runs/")
def _():
    return connected(socket.AF_UNIX, socket.SOCK_STREAM, data("runs/socket"))


@attempt("abstract Unix socket")
def _():
    return connected(socket.AF_UNIX, socket.SOCK_STREAM, TOLD["abstract"])


@attempt("look up a host name")
def _():
    return socket.getaddrinfo("localhost", 80)


@attempt("see the machine's interfaces")
def _():
    names = {name for _, name in socket.if_nameindex()}
    if names <= {"lo"}:
        raise OSError(errno.ENODEV, "only a loopback of its own")
    return names


@attempt("raw socket")
def _():
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP) as end:
        end.settimeout(2)
        end.sendto(b"\x08\x00\xf7\xfe\0\0\0\1", ("127.0.0.1", 0))
        return end.recv(100).hex()


@attempt("packet socket")
def _():
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as end:
        end.bind(("lo", 0))


def just_open(family, kind=socket.SOCK_STREAM, protocol=0):
    socket.socket(family, kind, protocol).close()


@attempt("any IPv4 socket")
def _():
    just_open(socket.AF_INET)


@attempt("any Unix socket")
def _():
    just_open(socket.AF_UNIX)


@attempt("netlink socket")
def _():
    just_open(socket.AF_NETLINK, socket.SOCK_RAW)


@attempt("pair of sockets")
def _():
    for end in socket.socketpair():
        end.close()


@attempt("socket to the hypervisor")
def _():
    just_open(socket.AF_VSOCK)


@attempt("socket of the kernel's ciphers")
def _():
    just_open(socket.AF_ALG, socket.SOCK_SEQPACKET)
