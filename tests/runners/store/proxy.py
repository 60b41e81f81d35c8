"""A server between a program and moto's S3: it counts what is asked and written, and can be slow, cut or lie."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PIECE = 1 << 12


class Proxy(ThreadingHTTPServer):
    """Forwards to `port`; what it saw stands in `asked`, `written` and `sent`."""

    daemon_threads = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.port = port
        self.lock = threading.Lock()
        self.asked: Counter[tuple[str, str]] = Counter()
        self.written: Counter[str] = Counter()
        self.sent: Counter[str] = Counter()
        self.pause = 0.0
        """Seconds after each piece."""
        self.cut_after: int | None = None
        """Bytes of a body after which the connection is closed."""
        self.cuts = 0
        self.status: int | None = None
        """Answered in the place of everything."""

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that was killed is no news."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Proxy

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def forward(self) -> None:
        proxy, key = self.server, self.path.partition("?")[0].rpartition("/")[2]
        with proxy.lock:
            proxy.asked[self.command, key] += 1
        if self.headers.get("Expect") == "100-continue":
            self.send_response_only(100)
            self.end_headers()
        length, body = int(self.headers.get("Content-Length", 0)), b""
        while len(body) < length:
            piece = self.rfile.read(min(PIECE, length - len(body)))
            if not piece:
                self.close_connection = True
                return  # killed half way: nothing reaches the store
            body += piece
            time.sleep(proxy.pause)
        if proxy.status is not None:
            self.send_response(proxy.status)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        link = HTTPConnection("127.0.0.1", proxy.port, timeout=60)
        headers = {name: value for name, value in self.headers.items() if name.lower() != "expect"}
        link.request(self.command, self.path, body, headers)
        answer = link.getresponse()
        content = answer.read()
        link.close()
        if self.command == "PUT" and answer.status == 200:
            with proxy.lock:
                proxy.written[key] += 1
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("connection", "transfer-encoding", "date", "server", "content-length"):
                self.send_header(name, value)
        size = answer.getheader("Content-Length") if self.command == "HEAD" else str(len(content))
        self.send_header("Content-Length", size or "0")
        self.end_headers()
        if self.command == "HEAD":
            return
        for start in range(0, len(content), PIECE):
            if self.command == "GET" and proxy.cut_after is not None and start >= proxy.cut_after:
                proxy.cuts += 1
                self.close_connection = True
                return
            piece = content[start : start + PIECE]
            self.wfile.write(piece)
            with proxy.lock:
                proxy.sent[key] += len(piece)
            time.sleep(proxy.pause)

    do_GET = do_PUT = do_HEAD = do_DELETE = forward  # noqa: N815 - the names that http.server looks for


@contextmanager
def proxied(port: int) -> Iterator[Proxy]:
    proxy = Proxy(port)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    try:
        yield proxy
    finally:
        proxy.shutdown()
        proxy.server_close()
