"""A CalDAV server of one calendar in this process, honest until a test gives it a quirk."""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from xml.sax.saxutils import escape

NAMES = 'xmlns="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"'


@dataclass
class FakeDav:
    """What it holds (path to bytes), what it was asked, how it misbehaves: `quirk` gives status, headers and body
    instead of the honest answer, None for that, or raises Breaks."""

    url: str = ""
    held: dict[str, bytes] = field(default_factory=dict)
    asked: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    quirk: Callable[[str, str, dict[str, str]], tuple[int, dict[str, str], bytes] | None] = lambda *_: None
    etags: bool = True

    def etag(self, path: str) -> str:
        """The version of what stands there."""
        return f'"{hash(self.held[path]) & 0xFFFFFFFF:x}"'

    def answer(self, method: str, path: str, headers: dict[str, str], body: bytes) -> tuple[int, dict[str, str], bytes]:
        """As RFC 4791 has it."""
        if method == "PROPFIND":
            kind = "<resourcetype><collection/><c:calendar/></resourcetype>"
            return 207, {}, _multistatus(f"<response><href>/own/</href>{_prop(kind)}</response>")
        if method == "REPORT":
            rows = []
            for name, data in self.held.items():
                props = f"<getetag>{escape(self.etag(name))}</getetag>" if self.etags else ""
                props += f"<c:calendar-data>{escape(data.decode())}</c:calendar-data>"
                rows.append(f"<response><href>{name}</href>{_prop(props)}</response>")
            return 207, {}, _multistatus("".join(rows))
        there = path in self.held
        if method == "GET":
            return (200, self._version(path), self.held[path]) if there else (404, {}, b"")
        match = headers.get("if-match")
        if (match and not (there and match == self.etag(path))) or ("if-none-match" in headers and there):
            return 412, {}, b""
        if method == "DELETE":
            return (204, {}, b"") if self.held.pop(path, None) else (404, {}, b"")
        self.held[path] = body
        return 201, self._version(path), b""

    def _version(self, path: str) -> dict[str, str]:
        return {"ETag": self.etag(path)} if self.etags else {}


class Breaks(Exception):
    """The connection goes, before or after what was asked is done."""

    def __init__(self, *, done: bool) -> None:
        super().__init__(done)
        self.done = done


def _prop(inner: str) -> str:
    return f"<propstat><prop>{inner}</prop><status>HTTP/1.1 200 OK</status></propstat>"


def _multistatus(inner: str) -> bytes:
    return f'<?xml version="1.0" encoding="utf-8"?><multistatus {NAMES}>{inner}</multistatus>'.encode()


@contextmanager
def dav() -> Iterator[FakeDav]:
    """A running one."""
    fake = FakeDav()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _any(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            body = self.rfile.read(int(headers.get("content-length", 0)))
            if len(body) < int(headers.get("content-length", 0)):  # the client is gone
                self.close_connection = True
                return
            fake.asked.append((self.command, self.path, headers))
            try:
                answer = fake.quirk(self.command, self.path, headers)
            except Breaks as how:
                if how.done:
                    fake.answer(self.command, self.path, headers, body)
                self.close_connection = True
                return
            status, extra, data = answer or fake.answer(self.command, self.path, headers, body)
            self.send_response(status)
            for name, value in {**extra, "Content-Length": str(len(data))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_PUT = do_DELETE = do_PROPFIND = do_REPORT = _any

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:  # a client that hangs up, or is killed
            pass

    server = Server(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    fake.url = f"caldav+http://ada:sesame@127.0.0.1:{server.server_port}/own/"
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def said_password(headers: dict[str, str]) -> str:
    """The user and password that a request carries; "" for none."""
    kind, _, word = headers.get("authorization", "").partition(" ")
    return base64.b64decode(word).decode() if kind == "Basic" else ""
