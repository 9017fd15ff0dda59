"""MCP servers that send too much: over standard output and HTTP, at the start and in a call. They are left, and asked
anew at the next call. Hostile servers are written here, without the SDK."""

from __future__ import annotations

import gzip
import json
import os
import socketserver
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import anyio
import pytest

pytest.importorskip("mcp")

from toolmend import Toolbox
from toolmend.base.errors import BadOption
from toolmend.base.messages import Call, CallResult
from toolmend.tools.mcp import McpToolbox
from toolmend.tools.mcp_connection import Connection
from toolmend.tools.mcp_wire import Gone, Lost, McpOptions

LEFT = "the server sent a message of more than 100,000 bytes, and was left"
FLOOD = 500_000_000
"""Bytes, far more than a server gets rid of here."""

# A server of few words: what it is asked first is answered as the protocol has it, `flood` with a line without an end.
SERVER = """
import json, sys

TOOL = {"inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}
kind, flood = sys.argv[1], int(sys.argv[2])

def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()

def endless(start):
    write(start)
    sent = open(sys.argv[3], "a")
    for _ in range(flood // 65536):
        write("x" * 65536)
        sent.write("x")
        sent.flush()

for line in sys.stdin:
    asked = json.loads(line)
    method, number = asked["method"], asked.get("id")
    if method == kind:
        endless('{"jsonrpc": "2.0", "id": %d, "result": "' % number)
    if method == "initialize":
        version = asked["params"]["protocolVersion"]
        result = {"protocolVersion": version, "capabilities": {"tools": {}}}
        result["serverInfo"] = {"name": "x", "version": "1"}
    elif method == "tools/list":
        result = {"tools": [{"name": name, **TOOL} for name in ("flood", "pid", "grumble")]}
        if kind == "pages":
            result["nextCursor"] = "more"
    elif method == "tools/call":
        if asked["params"]["name"] == "flood":
            endless('{"jsonrpc": "2.0", "id": %d, "result": "' % number)
        if asked["params"]["name"] == "grumble":
            for _ in range(200):
                sys.stderr.write("e" * 65536)
        import os
        result = {"content": [{"type": "text", "text": str(os.getpid())}]}
    elif number is None:
        continue
    else:
        write(json.dumps({"jsonrpc": "2.0", "id": number, "error": {"code": -32601, "message": "no"}}) + "\\n")
        continue
    write(json.dumps({"jsonrpc": "2.0", "id": number, "result": result}) + "\\n")
"""


def run(box: Toolbox, tool: str) -> CallResult:
    """One call."""
    return anyio.run(box.run, Call(tool))


@pytest.fixture
def command(tmp_path: Path) -> Any:
    """Makes the name of a server that floods where it is asked for a method; and where it counts what it sent."""
    path, sent = tmp_path / "server.py", tmp_path / "sent"
    path.write_text(SERVER, encoding="utf-8")
    return lambda kind="": (f"mcp:{sys.executable} {path} '{kind}' {FLOOD} {sent}?message=100000&timeout=30", sent)


@pytest.fixture
def box(command: Any) -> Iterator[McpToolbox]:
    """Its toolbox, where it floods in a call."""
    made = Toolbox.load(command()[0])
    assert isinstance(made, McpToolbox)
    yield made
    made.close()


def test_an_endless_line_is_left(box: McpToolbox, command: Any) -> None:
    result = run(box, "flood")
    assert (result.fault, result.value) == ("failed", None)
    assert LEFT in str(result.error)
    assert command()[1].stat().st_size * 65_536 < 2_000_000  # one try, and what pipes hold


def test_the_next_call_has_a_new_process(box: McpToolbox) -> None:
    before = run(box, "pid").value
    run(box, "flood")
    after = run(box, "pid").value
    assert before.isdigit() and after.isdigit() and before != after
    with pytest.raises(ProcessLookupError):
        os.kill(int(before), 0)


@pytest.mark.parametrize("kind", ["initialize", "tools/list"])
def test_a_server_that_begins_so_is_one_line(command: Any, kind: str) -> None:
    with pytest.raises(BadOption, match=LEFT) as caught:
        Toolbox.load(command(kind)[0])
    assert "\n" not in str(caught.value)


def test_a_list_without_an_end_is_read_for_so_many_pages(command: Any) -> None:
    made = Toolbox.load(command("pages")[0])
    assert isinstance(made, McpToolbox)
    assert run(made, "pid").ok
    made.close()


def test_what_is_said_on_standard_error_neither_blocks_nor_grows(box: McpToolbox) -> None:
    assert str(run(box, "grumble").value).isdigit()


class Hostile(BaseHTTPRequestHandler):
    """A server over HTTP, stateless, that floods in the way that the tool's name says."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """Nothing."""

    def do_GET(self) -> None:
        """There is no stream."""
        self.send_error(405)

    def do_POST(self) -> None:
        """Answer a message."""
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        method, number, parameters = asked["method"], asked.get("id"), asked.get("params") or {}
        if number is None:
            self.send_response(202)
            self.send_header("content-length", "0")
            self.end_headers()
            return
        result: dict[str, Any] = {}
        if method == "initialize":
            server = {"name": "x", "version": "1"}
            result = {"protocolVersion": parameters["protocolVersion"], "capabilities": {"tools": {}}}
            result["serverInfo"] = server
        elif method == "tools/list":
            names = ("plain", "failed", "events", "gzip", "fine")
            schema = {"inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}
            result = {"tools": [{"name": name, **schema} for name in names]}
        elif method == "tools/call":
            result = {"content": [{"type": "text", "text": "fine"}]}
            if (name := parameters["name"]) != "fine":
                self.server.asked.append(name)  # type: ignore[attr-defined]
                self.flood(name)
                return
        else:
            self.send_error(404)
            return
        self.reply(json.dumps({"jsonrpc": "2.0", "id": number, "result": result}).encode())

    def reply(self, content: bytes, **headers: str) -> None:
        """A whole answer."""
        self.send_response(200)
        for name, value in {"content-type": "application/json", **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def flood(self, name: str) -> None:
        """An answer without an end, or one that is small only until it is read."""
        if name == "gzip":
            self.reply(gzip.compress(b"x" * 50_000_000), content_encoding="gzip")
            return
        self.send_response(500 if name == "failed" else 200)
        self.send_header("content-type", "text/event-stream" if name == "events" else "application/json")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            self.wfile.write(b'data: "' if name == "events" else b'"')
            for _ in range(FLOOD // 65_536):
                self.wfile.write(b"x" * 65_536)
        except OSError:
            return
        raise AssertionError("all of it was read")


class Threads(socketserver.ThreadingMixIn, HTTPServer):
    """A thread for each connection; none outlives the test."""

    daemon_threads = True


@pytest.fixture
def server() -> Iterator[Any]:
    """The server over HTTP."""
    with Threads(("127.0.0.1", 0), Hostile) as made:
        made.asked = []  # type: ignore[attr-defined]
        thread = threading.Thread(target=made.serve_forever, args=(0.01,))
        thread.start()
        yield made
        made.shutdown()
        thread.join()


@pytest.mark.parametrize("tool", ["plain", "failed", "events", "gzip"])
def test_an_endless_answer_over_http_is_left(server: Any, tool: str) -> None:
    box = Toolbox.load(f"mcp:http://127.0.0.1:{server.server_port}/mcp?message=100000&timeout=30")
    assert isinstance(box, McpToolbox)
    why = "a compressed answer, which was not asked for, and was left" if tool == "gzip" else LEFT
    assert why in str(run(box, tool).error)
    assert run(box, "fine").value == "fine"
    assert server.asked == [tool]
    box.close()


def test_a_server_that_is_not_ready_in_time_is_told_with_what_it_said(monkeypatch: pytest.MonkeyPatch) -> None:
    @asynccontextmanager
    async def slow(target: Any, reach: McpOptions, gone: Gone) -> AsyncIterator[Any]:
        gone.said = b"fetching"
        await anyio.sleep_forever()
        yield target

    monkeypatch.setattr("toolmend.tools.mcp_connection._made", slow)
    monkeypatch.setattr("toolmend.tools.mcp_connection.START", 0.01)
    with pytest.raises(Lost, match=r"^no connection in 0\.01 s; it said: fetching$"):
        Connection("slow", McpOptions()).tools()
