"""An MCP server's process, spoken to over its standard input and output, a line for each message.

The SDK's own way (mcp.client.stdio) keeps a line until it ends, and all that is said on standard error: here both have
an end. Like it this ends the process as the protocol has it: input closed, then signals to the whole group.
"""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import anyio
from anyio.abc import ByteReceiveStream, Process

from toolmend.tools.mcp_reach import Gone, Reach, variable

GRACE = 2.0
"""Seconds that a process has to end by itself, and again after it was told to."""
LAST_WORDS = 0.5
"""Those for what it said last to be read."""
_SAID = 4_000
_AT_ONCE = 65_536
_BROKEN = (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError, OSError)


class Said:
    """The end of what a command wrote to its standard error."""

    def __init__(self) -> None:
        self._end = b""

    def add(self, more: bytes) -> None:
        """What it wrote last."""
        self._end = (self._end + more)[-_SAID:]

    def __str__(self) -> str:
        """In one line, without what would be obeyed by a terminal."""
        text = " ".join(self._end.decode("utf-8", "replace").split())
        return "".join(filter(str.isprintable, text))


@asynccontextmanager
async def over_stdio(command: str, reach: Reach, said: Said, gone: Gone) -> AsyncIterator[Any]:
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
        group.start_soon(_note, process, said, noted := anyio.Event())
        try:
            yield reading, writing
        finally:
            with anyio.CancelScope(shield=True):
                for stream in (reading, writing, heard, sent):
                    await stream.aclose()
                await _end(process, noted, at_once=gone.why is not None)
            group.cancel_scope.cancel()


async def _listen(process: Process, heard: Any, reach: Reach, gone: Gone) -> None:
    """Each line as a message; what comes when nobody listens any more is dropped, so that the process can end."""
    from mcp.shared.message import SessionMessage
    from mcp_types import jsonrpc_message_adapter

    assert process.stdout is not None, "it was opened with pipes"
    with suppress(*_BROKEN):
        async with heard:
            async for line in _lines(process.stdout, reach, gone):
                try:
                    message: Any = SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
                except ValueError as error:  # for the session to answer
                    message = error
                await heard.send(message)
    with suppress(*_BROKEN):
        while gone.why is None:
            await process.stdout.receive(_AT_ONCE)


async def _lines(stream: ByteReceiveStream, reach: Reach, gone: Gone) -> AsyncIterator[bytes]:
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
        async for each in sent:
            text = each.message.model_dump_json(by_alias=True, exclude_unset=True)
            await process.stdin.send(f"{text}\n".encode())
    except _BROKEN:
        await heard.aclose()


async def _note(process: Process, said: Said, noted: anyio.Event) -> None:
    """Its standard error, the last of it kept; `noted` when there is no more."""
    assert process.stderr is not None, "it was opened with pipes"
    with suppress(*_BROKEN):
        while True:
            said.add(await process.stderr.receive(_AT_ONCE))
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
