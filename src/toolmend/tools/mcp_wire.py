"""The ways to an MCP server, each with an end to what it may send: a command's standard input and output, or HTTP.

The SDK's own way to a command (mcp.client.stdio) keeps a line until it ends, and all that is said on standard error;
over HTTP it limits an event of a stream, and reads everything else whole. Like it this ends a process as the protocol
has it: input closed, then signals to the whole group. Knows no toolbox.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import anyio
import httpx2
from anyio.abc import ByteReceiveStream, Process

from toolmend.base.errors import BadOption
from toolmend.tools.mcp_lenient import readable

GRACE = 2.0
"""Seconds that a process has to end by itself, and again after it was told to."""
LAST_WORDS = 0.5
"""Those for what it said last to be read."""
_SAID = 4_000
_AT_ONCE = 65_536
_BROKEN = (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError, OSError)


class Lost(Exception):
    """The server is gone; its text says whether the call may have been made."""


class TooMuch(Lost):
    """The server sent more than is taken: it is left, and not asked for the same again."""


@dataclass(frozen=True, slots=True)
class McpOptions:
    """Options in the name. `timeout`: seconds for an answer; `output`: characters of a result; `message`: bytes of
    anything the server sends; `hints`: whether what the server says about its tools counts (else each is "danger");
    `receiver`: what precedes the dot in calls; `key_env`: the variable with a bearer token; `env`: variables that a
    command gets."""

    timeout: float = 30.0
    output: int = 65_536
    message: int = 8 * 1024 * 1024
    hints: bool = True
    receiver: str = ""
    key_env: str = ""
    env: tuple[str, ...] = field(default=())

    @property
    def too_much(self) -> TooMuch:
        """What is said of a longer message."""
        return TooMuch(f"the server sent a message of more than {self.message:,} bytes, and was left")


class Gone:
    """Whether the other side is gone, and why, where that is known; `said` is the end of a command's standard error,
    `left` are tools that could not be read, `changed`: it says that it has other tools now; `legacy`: it is to be
    greeted as servers were at first."""

    def __init__(self, *, legacy: bool = False) -> None:
        self.legacy = legacy
        self.over = asyncio.Event()
        self.why: Lost | None = None
        self.said = b""
        self.left: list[str] = []
        self.changed = False

    def __call__(self, why: Lost | None = None) -> None:
        """It is gone; the first reason counts."""
        self.why = self.why or why
        self.over.set()

    async def hear(self, message: Any) -> None:
        """Note that the server says it changed its tools."""
        if getattr(message, "method", "") == "notifications/tools/list_changed":
            self.changed = True

    def told(self, most: int) -> str:
        """What a command said last, in one line, without what would be obeyed by a terminal."""
        text = "".join(filter(str.isprintable, " ".join(self.said.decode("utf-8", "replace").split())))
        return f"; it said: {text[-most:]}" if text else ""


def variable(name: str) -> str:
    """A variable of the environment that a server is to get. Raises BadOption for one there is not."""
    value = os.environ.get(name)
    if value is None:
        raise BadOption(f"the environment has no variable {name}, which an MCP server is to get")
    return value


@asynccontextmanager
async def over_stdio(command: str, reach: McpOptions, gone: Gone) -> AsyncIterator[Any]:
    """The two streams of messages. A command sees no variable but harmless ones and those named: keys of this program
    are none of its business. Raises OSError for a command there is not."""
    from mcp.client.stdio import get_default_environment

    program, *arguments = shlex.split(command)
    env = get_default_environment() | {name: variable(name) for name in reach.env}
    process = await anyio.open_process(
        [shutil.which(program) or program, *arguments], env=env, start_new_session=sys.platform != "win32"
    )
    heard, reading = anyio.create_memory_object_stream[Any](0)
    writing, sent = anyio.create_memory_object_stream[Any](0)
    async with anyio.create_task_group() as group:
        group.start_soon(_listen, process, heard, reach, gone)
        group.start_soon(_speak, process, sent, heard)
        group.start_soon(_note, process, gone, noted := anyio.Event())
        try:
            yield reading, writing
        finally:
            with anyio.CancelScope(shield=True):
                for stream in (reading, writing, heard, sent):
                    await stream.aclose()
                await _end(process, noted, at_once=gone.why is not None)
            group.cancel_scope.cancel()


async def _listen(process: Process, heard: Any, reach: McpOptions, gone: Gone) -> None:
    """Each line as a message; what comes when nobody listens any more is dropped, so that the process can end."""
    from mcp.shared.message import SessionMessage
    from mcp_types import jsonrpc_message_adapter

    assert process.stdout is not None, "it was opened with pipes"
    with suppress(*_BROKEN):
        async with heard:
            async for line in _lines(process.stdout, reach, gone):
                try:
                    message: Any = SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
                    _mend(message, gone)
                except ValueError as error:  # for the session to answer
                    message = error
                await heard.send(message)
    with suppress(*_BROKEN):
        while gone.why is None:
            await process.stdout.receive(_AT_ONCE)


async def _lines(stream: ByteReceiveStream, reach: McpOptions, gone: Gone) -> AsyncIterator[bytes]:
    """Lines, until one is too long. Raises what the stream does at its end."""
    line = bytearray()
    while True:
        *ends, rest = (await stream.receive(_AT_ONCE)).split(b"\n")
        for end in ends:
            line += end
            if len(line) > reach.message:
                break
            yield bytes(line)
            line.clear()
        else:
            line += rest
        if len(line) > reach.message:
            gone(reach.too_much)
            return


async def _speak(process: Process, sent: Any, heard: Any) -> None:
    """Each message as a line; where nobody reads them the session hears that it is over."""
    assert process.stdin is not None, "it was opened with pipes"
    try:
        async for item in sent:
            text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
            await process.stdin.send(f"{text}\n".encode())
    except _BROKEN:
        await heard.aclose()


async def _note(process: Process, gone: Gone, noted: anyio.Event) -> None:
    """Its standard error, the last of it kept; `noted` when there is no more."""
    assert process.stderr is not None, "it was opened with pipes"
    with suppress(*_BROKEN):
        while True:
            gone.said = (gone.said + await process.stderr.receive(_AT_ONCE))[-_SAID:]
    noted.set()


async def _end(process: Process, noted: anyio.Event, *, at_once: bool) -> None:
    """End the process and all it started; it has time to do so by itself, unless it was left for what it sent."""
    assert process.stdin is not None, "it was opened with pipes"
    with suppress(*_BROKEN):
        await process.stdin.aclose()
    if not at_once:
        await _wait(process)
    if process.returncode is None and sys.platform != "win32":
        from mcp.os.posix.utilities import terminate_posix_process_tree

        await terminate_posix_process_tree(process, GRACE)
    elif process.returncode is None:
        process.terminate()
    await _wait(process)
    with anyio.move_on_after(LAST_WORDS):
        await noted.wait()
    # A descendant that left the group may hold the pipes open: they are closed here all the same.
    transport = getattr(getattr(process, "_process", None), "_transport", None)
    if transport is not None:
        with suppress(PermissionError):
            transport.close()


async def _wait(process: Process) -> None:
    """Until it has ended, or its time is up. Not `process.wait()`: that waits for descendants' pipes too."""
    with anyio.move_on_after(GRACE):
        while process.returncode is None:
            await anyio.sleep(0.01)


@asynccontextmanager
async def over_http(url: str, reach: McpOptions, gone: Gone) -> AsyncIterator[Any]:
    """The two streams of messages. Answers are asked for as they are: a compressed one is small only until it is read.

    Raises what httpx2 does where there is nobody.
    """
    from mcp.client.streamable_http import streamable_http_client

    async def limited(response: httpx2.Response) -> None:
        if response.headers.get("content-encoding", "identity") != "identity":
            gone(why := TooMuch("the server sent a compressed answer, which was not asked for, and was left"))
            raise why
        if not _events(response):
            response.stream = _Limited(response.stream, reach, gone)

    headers = {"accept-encoding": "identity"}
    if reach.key_env:
        headers["authorization"] = f"Bearer {variable(reach.key_env)}"
    hooks: dict[str, list[Any]] = {"response": [limited]}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=httpx2.Timeout(reach.timeout), event_hooks=hooks) as http,
        streamable_http_client(url, http_client=http, max_sse_event_size=reach.message) as streams,
    ):
        heard, reading = anyio.create_memory_object_stream[Any](0)

        async def pass_on() -> None:
            with suppress(*_BROKEN):
                async with heard, streams[0]:
                    async for message in streams[0]:
                        _mend(message, gone)
                        await heard.send(message)

        async with anyio.create_task_group() as group:
            group.start_soon(pass_on)
            yield reading, *streams[1:]
            group.cancel_scope.cancel()


def _mend(message: Any, gone: Gone) -> None:
    """Make a list of tools such as the SDK reads it."""
    answer: Any = getattr(message, "message", None)
    if hasattr(answer, "result"):
        answer.result = readable(answer.result, gone.left)


def _events(response: httpx2.Response) -> bool:
    """Whether it is read an event at a time, each of which the SDK limits: such a stream may be as long as it likes."""
    kind = response.headers.get("content-type", "").lower()
    return kind.startswith("text/event-stream") and response.is_success and response.request.method != "DELETE"


class _Limited(httpx2.AsyncByteStream):
    """The bytes of an answer, up to a limit."""

    def __init__(self, stream: Any, reach: McpOptions, gone: Gone) -> None:
        self._stream, self._reach, self._gone = stream, reach, gone

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Raises TooMuch."""
        taken = 0
        async for piece in self._stream:
            taken += len(piece)
            if taken > self._reach.message:
                self._gone(why := self._reach.too_much)
                raise why
            yield piece

    async def aclose(self) -> None:
        """Leave the rest."""
        await self._stream.aclose()
