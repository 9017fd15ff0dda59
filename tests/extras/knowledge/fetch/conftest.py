"""What the tests of fetching share: a web site on loopback whose pages are told in the test, and what fetches it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from toolmend.extras.knowledge import Library
from toolmend.extras.knowledge.fetch import Manners, Web

Page = tuple[int, Mapping[str, str], bytes] | Callable[[BaseHTTPRequestHandler], None]

PLAIN = {"Content-Type": "text/markdown"}


class Quiet(ThreadingHTTPServer):
    """A server that does not mind when somebody hangs up."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Nothing."""


class Site:
    """A server at 127.0.0.1. `pages` are answers by path, or functions that write one; others are 404."""

    def __init__(self) -> None:
        self.pages: dict[str, Page] = {}
        self.asked: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.over = Event()
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                site.asked.append(self.path)
                site.headers.append({name.lower(): value for name, value in self.headers.items()})
                page = site.pages.get(self.path, (404, {}, b""))
                self.close_connection = True
                if callable(page):
                    page(self)
                    return
                status, headers, body = page
                self.send_response(status)
                for name, value in {"Content-Length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                """Nothing."""

        self._server = Quiet(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        self._thread = Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def __call__(self, path: str) -> str:
        """The address of a path."""
        return f"http://127.0.0.1:{self.port}{path}"

    @property
    def pages_asked(self) -> list[str]:
        """What was asked for besides robots.txt."""
        return [path for path in self.asked if path != "/robots.txt"]

    def put(self, path: str, text: str | bytes = b"", status: int = 200, **headers: str) -> None:
        """A page of Markdown, or what the headers say."""
        body = text.encode() if isinstance(text, str) else text
        told = {name.replace("_", "-"): value for name, value in headers.items()}
        self.pages[path] = (status, {**PLAIN, **told}, body)

    def moved(self, path: str, to: str, status: int = 302) -> None:
        """A redirect."""
        self.pages[path] = (status, {"Location": to}, b"")

    def close(self) -> None:
        """Stop."""
        self.over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def site() -> Iterator[Site]:
    """A site on loopback."""
    made = Site()
    yield made
    made.close()


Fetch = Callable[..., Web]


@pytest.fixture
def fetch(tmp_path: Path) -> Fetch:
    """`fetch(seconds=0.2)`: a web that may reach 127.0.0.1, without pauses, with a cache of the test's own."""

    def made(**given: Any) -> Web:
        return Web(Manners(**{"allow": ("127.0.0.1",), "pause": 0.0, "cache": tmp_path / "cache", **given}))

    return made


Got = Callable[..., tuple[str, str]]


@pytest.fixture
def got(fetch: Fetch, library: Library) -> Got:
    """`got(url)`: name and text of the one outcome of adding an address."""

    def call(url: str, **given: Any) -> tuple[str, str]:
        (outcome,) = fetch(**given).add(library, url)
        assert outcome.place == url
        return outcome.name, outcome.says

    return call
