"""The way to an MCP server over streamable HTTP, with an end to what it may send.

The SDK limits an event of a stream, and reads everything else whole. Answers are asked for as they are: a compressed
one would be small only until it is read.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2

from toolmend.tools.mcp_reach import Gone, Reach, TooMuch, variable


@asynccontextmanager
async def over_http(url: str, reach: Reach, gone: Gone) -> AsyncIterator[Any]:
    """The two streams of messages. Raises what httpx2 does where there is nobody."""
    from mcp.client.streamable_http import streamable_http_client

    async def limited(response: httpx2.Response) -> None:
        if response.headers.get("content-encoding", "identity") != "identity":
            raise _left(gone, TooMuch("the server sent a compressed answer, which was not asked for, and was left"))
        if not _events(response):
            response.stream = _Limited(response.stream, reach, gone)

    headers = {"accept-encoding": "identity"}
    if reach.key_env:
        headers["authorization"] = f"Bearer {variable(reach.key_env)}"
    hooks: dict[str, list[Any]] = {"response": [limited]}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=httpx2.Timeout(reach.seconds), event_hooks=hooks) as http,
        streamable_http_client(url, http_client=http, max_sse_event_size=reach.message) as streams,
    ):
        yield streams


def _events(response: httpx2.Response) -> bool:
    """Whether it is read an event at a time, each of which the SDK limits: such a stream may be as long as it likes."""
    kind = response.headers.get("content-type", "").lower()
    return kind.startswith("text/event-stream") and response.is_success and response.request.method != "DELETE"


class _Limited(httpx2.AsyncByteStream):
    """The bytes of an answer, up to a limit."""

    def __init__(self, stream: Any, reach: Reach, gone: Gone) -> None:
        self._stream, self._reach, self._gone = stream, reach, gone

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Raises TooMuch."""
        taken = 0
        async for piece in self._stream:
            taken += len(piece)
            if taken > self._reach.message:
                raise _left(self._gone, self._reach.too_much)
            yield piece

    async def aclose(self) -> None:
        """Leave the rest."""
        await self._stream.aclose()


def _left(gone: Gone, why: TooMuch) -> TooMuch:
    gone(why)
    return why
