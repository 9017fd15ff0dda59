"""Doors: who asks in another's name, who never says what they want, whose tool takes another's calls."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest

pytest.importorskip("starlette")
pytest.importorskip("mcp")

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from toolmend.apps.mcp import McpSettings, OfferedTools
from toolmend.apps.server.app import create_app
from toolmend.apps.server.body import read_body
from toolmend.apps.server.keys import KeyFile
from toolmend.apps.server.settings import ServerSettings
from toolmend.apps.site.entrance import Entrance
from toolmend.apps.site.guard import SiteGuard, is_own_host
from toolmend.apps.site.serving import Waiting, listen, open_door
from toolmend.base.errors import BadOption
from toolmend.tools import Toolbox

OTHERS = ["[::1].evil.example", "localhost:80@evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "a"]


async def greet(scope: Scope, receive: Receive, send: Send) -> None:
    with suppress(ClientDisconnect):
        await PlainTextResponse(f"hello {await Request(scope, receive).body()!r}")(scope, receive, send)


def asked(app: ASGIApp, method: str, path: str, **headers: str) -> httpx2.Response:
    async def sent() -> httpx2.Response:
        client = httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http" + "://localhost:7860")
        async with client:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            return await client.request(method, path, headers=named, content=b"{}" if method == "POST" else None)

    return asyncio.run(sent())


@contextmanager
def open_to(seconds: float, outside: int, inside: int = 100) -> Iterator[tuple[str, int]]:
    """A server with room for so many that have not sent a head, and so many that have."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("toolmend.apps.site.serving.Waiting", lambda: Waiting(seconds, body=60))
        patch.setattr("toolmend.apps.site.serving.Entrance", partial(Entrance, seconds=seconds))
        patch.setattr("toolmend.apps.site.serving.room", lambda: (outside, inside))
        listening = listen("127.0.0.1", 0)
        server = open_door(greet)
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield listening.getsockname()[:2]
        finally:
            server.should_exit = server.force_exit = True
            thread.join()
            listening.close()


def is_gone(waiting: socket.socket) -> bool:
    try:
        return waiting.recv(1) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


def said(address: tuple[str, int], text: str) -> socket.socket:
    made = socket.create_connection(address, timeout=30)
    made.sendall(text.encode())
    return made


def test_a_head_that_never_ends_is_not_waited_for() -> None:
    with open_to(0.2, 100) as address, said(address, "GET / HTTP/1.1\r\nHost: x\r\n") as slow:
        assert is_gone(slow)


@pytest.mark.parametrize(
    ("text", "outside", "inside"),
    [
        ("GET /", 8, 100),
        ("", 8, 100),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n", 100, 8),
    ],
)
def test_more_that_wait_than_there_is_room_for_push_each_other_out(text: str, outside: int, inside: int) -> None:
    with open_to(60, outside, inside) as address:
        slow = [said(address, text) for n in range(40)]
        with said(address, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n") as prompt:
            assert prompt.recv(1000).startswith(b"HTTP/1.1 200")
        gone = 0
        for each in slow:
            each.settimeout(0.05)
            gone += is_gone(each)
            each.close()
        assert gone == 33  # the prompt one took a place, too


def test_a_head_in_pieces_is_waited_for_and_read_once() -> None:
    with open_to(60, 8) as address, said(address, "POST / HTTP/1.1\r\nHo") as slow:
        for piece in (b"st: x\r\nContent-", b"Length: 2\r\n", b"\r\nab"):
            threading.Event().wait(0.05)
            slow.sendall(piece)
        assert b"hello b'ab'" in slow.recv(1000)


def test_a_second_request_waits_inside() -> None:
    with open_to(60, 8) as address, said(address, "GET / HTTP/1.1\r\nHost: x\r\n\r\n") as kept:
        assert b"hello" in kept.recv(1000)
        kept.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b"hello" in kept.recv(1000)


def test_an_answer_that_takes_long_is_waited_for() -> None:
    with open_to(0.2, 1) as address, said(address, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{") as slow:
        threading.Event().wait(0.5)
        slow.sendall(b"}")
        assert slow.recv(1000).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("host", OTHERS)
def test_a_host_that_only_looks_like_this_machine_is_another(host: str) -> None:
    assert not is_own_host(host)
    assert asked(SiteGuard(greet, local=True), "GET", "/", host=host).status_code == 421
    app = create_app(ServerSettings())
    assert asked(app, "GET", "/v1/models", host=host).json()["error"]["code"] == "host_not_allowed"


@pytest.mark.parametrize("path", ["/openapi.json", "/docs", "/"])
def test_nothing_but_health_is_told_without_a_key(tmp_path: Path, path: str) -> None:
    keys = KeyFile(tmp_path / "keys.json")
    keys.add("ann")
    app = create_app(ServerSettings(keys=keys.path))
    assert [asked(app, "GET", each).status_code for each in (path, "/v1/models", "/healthz")] == [401, 401, 200]


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:7860", "[::1]:8000", "LOCALHOST:1"])
def test_this_machine_is_itself(host: str) -> None:
    assert is_own_host(host)


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http" + "://evil.example"},
        {"origin": "null"},
        {"origin": "http" + "://localhost:9999"},
        {"origin": "http" + "://evil.example", "sec_fetch_site": "same-origin"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
    ],
)
def test_a_page_of_another_site_does_nothing_in_somebodys_name(headers: dict[str, str]) -> None:
    assert asked(SiteGuard(greet, local=True), "POST", "/do", **headers).status_code == 403
    app = create_app(ServerSettings())
    refused = asked(app, "POST", "/v1/chat/completions", content_type="application/json", **headers)
    assert refused.json()["error"]["code"] == "origin_not_allowed"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http" + "://evil.example"}, 403),
        ({"sec_fetch_site": "cross-site", "sec_fetch_mode": "no-cors"}, 403),
        ({"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate", "origin": "null"}, 403),
        ({"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate"}, 200),
        ({"sec_fetch_site": "none", "sec_fetch_mode": "navigate"}, 200),
        ({"sec_fetch_site": "same-origin", "sec_fetch_mode": "cors"}, 200),
    ],
)
def test_nothing_is_read_for_a_page_of_another_site_but_by_links(headers: dict[str, str], status: int) -> None:
    assert asked(SiteGuard(greet, local=True), "GET", "/", **headers).status_code == status


def test_its_own_page_may() -> None:
    own = asked(
        SiteGuard(greet, local=True), "POST", "/do", origin="http" + "://localhost:7860", sec_fetch_site="same-origin"
    )
    assert own.status_code == 200


def test_fields_that_are_ignored_do_not_fill_a_header() -> None:
    many = ", ".join(f'"field{number}": 1' for number in range(5_000))
    _, ignored = read_body(f'{{"model": "a", "messages": [{{"role": "user", "content": "b"}}], {many}}}'.encode())
    assert len(ignored) == 32


def box(receiver: str, *names: str) -> Toolbox:
    def tool(text: str) -> str:
        "Say it."
        return text

    made = []
    for name in names:
        function: Any = lambda text: tool(text)  # noqa: E731
        function.__name__, function.__doc__, function.__annotations__ = name, "Say it.", {"text": str, "return": str}
        made.append(function)
    return Toolbox.of(*made, receiver=receiver)


def offered(monkeypatch: pytest.MonkeyPatch, **boxes: Toolbox) -> list[str]:
    known = {name.replace("_cmd", "mcp:uvx server --token=1"): made for name, made in boxes.items()}
    monkeypatch.setattr(Toolbox, "load", staticmethod(known.__getitem__))
    *names, ask = (each.name for each in OfferedTools(McpSettings(tuple(known), "scripted/echo")).tools())
    assert ask == "ask"
    return names


def test_no_tool_takes_the_name_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadOption, match="two tools would be called 'calendar_add'; serve one of their toolboxes alone"):
        offered(monkeypatch, calendar=box("a", "add"), shop=box("b", "add", "calendar_add"))


def test_a_command_line_is_no_part_of_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert offered(monkeypatch, calendar=box("a", "add"), _cmd=box("b", "add")) == ["calendar_add", "tools2_add"]


def test_links_out_of_a_folder_are_not_followed(tmp_path: Path) -> None:
    files_in = pytest.importorskip("toolmend.extras.knowledge.collect").files_in
    folder, secret = tmp_path / "given", tmp_path / "secret.md"
    folder.mkdir()
    secret.write_text("A secret.")
    (folder / "a.md").write_text("A text.")
    (folder / "link.md").symlink_to(secret)
    (folder / "up").symlink_to(tmp_path, target_is_directory=True)
    (folder / "same.md").symlink_to(folder / "a.md")
    assert [path.name for path in files_in(folder)] == ["a.md", "same.md"]


def test_a_request_that_is_no_http_writes_one_line(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG), open_to(60, 8) as address, said(address, "\0\0\0\r\n\r\n") as odd:
        assert odd.recv(100).startswith(b"HTTP/1.1 400")
    assert [record.levelname for record in caplog.records if "Invalid HTTP" in record.getMessage()] == ["WARNING"]
