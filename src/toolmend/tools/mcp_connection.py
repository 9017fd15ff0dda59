"""A connection to an MCP server: opened when it is first needed, anew when it was lost, closed with its toolbox.

All connections live in one event loop in a thread of their own: their tasks outlast whoever calls, and any thread and
any loop may call. A call is sent once. Knows no toolbox.
"""

from __future__ import annotations

import asyncio
import atexit
import threading
import weakref
from collections.abc import AsyncIterator, Awaitable
from contextlib import ExitStack, asynccontextmanager
from typing import Any, TypeVar

import anyio

from toolmend.base.errors import BadOption, MissingExtra
from toolmend.tools.mcp_wire import Gone, Lost, McpOptions, TooMuch, over_http, over_stdio

T = TypeVar("T")

MOST_PAGES = 64
"""Pages of a list of tools that are read."""
START = 60.0
"""Seconds until a server must have answered for the first time: a command may have to be fetched first."""
_SAID = 400
_CLOSED = -32000
_ENDED = "Connection closed"  # how the SDK words its own
_EVENT = "byte limit"  # how the SDK words an event that is too long

_lock = threading.Lock()
_stack = ExitStack()
_portal: Any = None


class Connection:
    """One server, by its address, its command line, or (in tests) a server object of the SDK."""

    def __init__(self, target: Any, reach: McpOptions) -> None:
        self.target, self.reach = target, reach
        self._held = _Held()
        self._opening: asyncio.Lock | None = None
        self._legacy = False
        weakref.finalize(self, _close, self._held)

    def tools(self) -> tuple[str, list[Any], list[str]]:
        """The server's name, its tools, as the SDK gives them, and a line for each that cannot be read. Blocks.

        Raises Lost, or what the server refuses.
        """
        found: tuple[str, list[Any], list[str]] = _running().start_task_soon(self._list).result()
        return found

    async def news(self) -> tuple[list[Any], list[str]] | None:
        """The tools as they are now, where the server said that it changed them, or was lost and found again."""
        return await asyncio.wrap_future(_running().start_task_soon(self._news))

    async def call(self, tool: str, arguments: dict[str, Any]) -> Any:
        """The SDK's result of a call. Raises Lost, TimeoutError."""
        return await asyncio.wrap_future(_running().start_task_soon(self._call, tool, arguments))

    def close(self) -> None:
        """Let go of the server; a command's process ends. The next call opens it again."""
        _close(self._held)

    async def _news(self) -> tuple[list[Any], list[str]] | None:
        if self._held.gone is not None and not self._held.gone.changed:
            return None
        _, found, broken = await self._list()
        return found, broken

    async def _list(self) -> tuple[str, list[Any], list[str]]:
        from mcp_types import PaginatedRequestParams

        client, found, cursor = await self._client(), list[Any](), None
        gone = self._held.gone or Gone()
        gone.left, gone.changed = [], False
        size = 0
        for _ in range(MOST_PAGES):
            asking = client.session.list_tools(params=PaginatedRequestParams(cursor=cursor))
            page = await self._asked(asking)
            found += page.tools
            size += sum(len(tool.model_dump_json()) for tool in page.tools)
            if size > self.reach.message:
                self._held.let_go()
                raise TooMuch(f"its list of tools has more than {self.reach.message:,} bytes")
            cursor = page.next_cursor
            if not cursor:
                break
        info = client.server_info
        return (info.name if info else ""), found, gone.left

    async def _call(self, tool: str, arguments: dict[str, Any]) -> Any:
        from mcp.shared.exceptions import MCPError

        client = await self._client()
        try:
            with anyio.fail_after(self.reach.timeout):
                return await self._asked(client.call_tool(tool, arguments))
        except TimeoutError:
            raise TimeoutError(f"no answer in {self.reach.timeout:g} s; the call may have been made") from None
        except TooMuch:
            raise
        except MCPError as error:
            if error.code != _CLOSED or _ENDED not in str(error):  # servers say −32000 of errors of their own
                raise
            self._held.let_go()
            raise Lost("the server went away during the call, which may have been made") from error
        except Exception as error:  # whatever a transport raises when there is nobody
            self._held.let_go()
            raise Lost(f"the server cannot be reached: {_first(error)}") from error

    async def _asked(self, asking: Awaitable[T]) -> T:
        """What the server answers. Raises TooMuch, having left it, and whatever else the SDK does."""
        gone = self._held.gone
        try:
            return await asking
        except Exception as error:
            why = gone.why if gone else None
            if why is None and _EVENT in str(error):
                why = self.reach.too_much
            if why is None:
                raise
            self._held.let_go()
            raise why from error

    async def _client(self) -> Any:
        """The client, connected. Raises Lost."""
        self._opening = self._opening or asyncio.Lock()
        async with self._opening:
            if self._held.client is None:
                await self._open()
            return self._held.client

    async def _open(self) -> None:
        """Open it. A command that ends when it is asked what it can do is started again and greeted as of old: servers
        of the SDK's first year die of a method that they do not know."""
        try:
            await self._greet()
        except Lost as error:
            if self._legacy or not isinstance(self.target, str) or _ENDED not in str(error):
                raise
            self._legacy = True
            await self._greet()

    async def _greet(self) -> None:
        held, opened, gone = self._held, asyncio.get_running_loop().create_future(), Gone(legacy=self._legacy)

        async def hold() -> None:
            """The whole life of a connection is in one task: its parts may only be left where they were entered."""
            try:
                async with _made(self.target, self.reach, gone) as client:
                    opened.set_result(client)
                    await gone.over.wait()
            except BaseException as error:
                if not opened.done():
                    opened.set_exception(error if isinstance(error, Exception) else Lost("it was stopped"))
                elif not isinstance(error, Exception):
                    raise
            finally:
                gone()

        task = asyncio.get_running_loop().create_task(hold())
        try:
            with anyio.fail_after(START):
                client = await asyncio.shield(opened)
        except TimeoutError:
            opened.cancel()
            task.cancel()
            raise Lost(f"no connection in {START:g} s{gone.told(_SAID)}") from None
        except (MissingExtra, BadOption):
            raise
        except Exception as error:
            if gone.why:
                raise gone.why from error
            raise Lost(f"no connection: {_first(error)}{gone.told(_SAID)}") from error
        held.client, held.gone, held.loop = client, gone, asyncio.get_running_loop()


class _Held:
    """What is open: shared with whoever closes it when the connection itself is gone."""

    def __init__(self) -> None:
        self.client: Any = None
        self.gone: Gone | None = None
        self.loop: asyncio.AbstractEventLoop | None = None

    def let_go(self) -> None:
        """End it; in its loop."""
        if self.gone is not None:
            self.gone()
        self.client = self.gone = None


@asynccontextmanager
async def _made(target: Any, reach: McpOptions, gone: Gone) -> AsyncIterator[Any]:
    """A client of the SDK, connected to an address, into a command's process, or to a server object."""
    try:
        from mcp import Client
    except ModuleNotFoundError as error:
        raise MissingExtra("tools of an MCP server", "mcp") from error
    if isinstance(target, str):
        way = over_http if target.startswith(("http://", "https://")) else over_stdio
        target = way(target, reach, gone)
    mode = "legacy" if gone.legacy else "auto"
    async with Client(target, read_timeout_seconds=START, message_handler=gone.hear, mode=mode) as client:
        yield client


def _first(error: BaseException) -> str:
    """What the innermost error says."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{str(error) or type(error).__name__}"[:_SAID]


def _close(held: _Held) -> None:
    if held.loop is not None and not held.loop.is_closed():
        held.loop.call_soon_threadsafe(held.let_go)


def _running() -> Any:
    """The loop, started by the first who needs it."""
    global _portal
    with _lock:
        if _portal is None:
            from anyio.from_thread import start_blocking_portal

            _portal = _stack.enter_context(start_blocking_portal(name="toolmend-mcp"))
            atexit.register(_stack.close)  # what is open is cancelled with the loop
        return _portal
