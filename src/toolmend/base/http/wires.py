"""Connections for httpx2 straight on asyncio's transports: a third of the CPU that its own take, which go over anyio.

Bytes in and out with a time limit, TLS on top, and whether a server hung up without asking the system. Knows no HTTP.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Iterable
from typing import Any

import httpcore2
import httpx2

_MOST = 256 << 10
"""Bytes that may wait to be read before the server is made to wait, or to be sent before they are."""


def use_wires(client: httpx2.AsyncClient) -> None:
    """Make new connections of this client such ones. Where httpx2 has changed inside, it keeps its own."""
    for transport in [client._transport, *client._mounts.values()]:
        pool = getattr(transport, "_pool", None)
        if pool is not None and hasattr(pool, "_network_backend"):
            pool._network_backend = Wires()


class Wires(httpcore2.AsyncNetworkBackend):
    """Makes connections over TCP."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """A connection; addresses of both families are tried side by side. Raises httpcore2's errors."""
        source = (local_address, 0) if local_address else None
        connect = asyncio.get_running_loop().create_connection
        try:
            async with asyncio.timeout(timeout):
                _, wire = await connect(_Wire, host, port, local_addr=source, happy_eyeballs_delay=0.25)
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout(str(error)) from error
        except OSError as error:
            raise httpcore2.ConnectError(str(error)) from error
        for option in socket_options or ():
            wire.socket.setsockopt(*option)
        return WireStream(wire)

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


class _Wire(asyncio.Protocol):
    """What came and was not read yet, and who waits for more. What is given goes out once something is to be read: the
    head of a request and its body are one piece."""

    def __init__(self) -> None:
        self.came, self.going, self.over, self.broken = bytearray(), bytearray(), False, False
        self.transport: Any = None
        self._held = self._full = False
        self._reader: asyncio.Future[None] | None = None
        self._writer: asyncio.Future[None] | None = None

    @property
    def socket(self) -> socket.socket:
        own: socket.socket = self.transport.get_extra_info("socket")
        return own

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.came += data
        if len(self.came) > _MOST and not self._held:
            self._held = True
            self.transport.pause_reading()
        _wake(self._reader)

    def eof_received(self) -> None:
        self.over = True
        _wake(self._reader)

    def connection_lost(self, error: Exception | None) -> None:
        self.over, self.broken = True, self.broken or error is not None
        self._full = False
        _wake(self._reader)
        _wake(self._writer)

    def pause_writing(self) -> None:
        self._full = True

    def resume_writing(self) -> None:
        self._full = False
        _wake(self._writer)

    async def take(self, most: int, timeout: float | None) -> bytes:
        """What is there, b"" at the end."""
        self._go()
        while not self.came and not self.over:
            self._reader = asyncio.get_running_loop().create_future()
            await _within(self._reader, timeout)
        if not self.came and self.broken:
            raise httpcore2.ReadError("the connection was reset")
        data = bytes(self.came[:most])
        del self.came[:most]
        if self._held and not self.came:
            self._held = False
            self.transport.resume_reading()
        return data

    async def give(self, data: bytes, timeout: float | None) -> None:
        """Take it for sending, and wait while too much is waiting to be sent."""
        if self.transport.is_closing():
            raise httpcore2.WriteError("the connection is closed")
        self.going += data
        if len(self.going) > _MOST:
            self._go()
        while self._full:
            self._writer = asyncio.get_running_loop().create_future()
            await _within(self._writer, timeout)
        if self.broken:
            raise httpcore2.WriteError("the connection was reset")

    def _go(self) -> None:
        if self.going:
            self.transport.write(bytes(self.going))
            self.going.clear()


class WireStream(httpcore2.AsyncNetworkStream):
    """One connection, as httpx2 uses it."""

    def __init__(self, wire: _Wire) -> None:
        self._wire = wire

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Some bytes, b"" at the end. Raises ReadTimeout, ReadError."""
        try:
            return await self._wire.take(max_bytes, timeout)
        except TimeoutError as error:
            raise httpcore2.ReadTimeout(str(error)) from error

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """All of it, once something is read. Raises WriteTimeout, WriteError."""
        try:
            await self._wire.give(buffer, timeout)
        except TimeoutError as error:
            raise httpcore2.WriteTimeout(str(error)) from error

    async def aclose(self) -> None:
        """Hang up."""
        self._wire.transport.abort()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.AsyncNetworkStream:
        """The same connection under TLS. Raises ConnectTimeout, ConnectError."""
        wire = _Wire()
        upgrade = asyncio.get_running_loop().start_tls
        try:
            async with asyncio.timeout(timeout):
                secured = await upgrade(self._wire.transport, wire, ssl_context, server_hostname=server_hostname)
        except TimeoutError as error:
            self._wire.transport.abort()
            raise httpcore2.ConnectTimeout(str(error)) from error
        except OSError as error:  # ssl.SSLError is one
            self._wire.transport.abort()
            raise httpcore2.ConnectError(str(error)) from error
        assert secured is not None, "no server closed it meanwhile"
        wire.transport = secured
        return WireStream(wire)

    def get_extra_info(self, info: str) -> Any:
        """What httpx2 asks about; whether it is readable is known without asking the system."""
        if info == "is_readable":
            return bool(self._wire.came) or self._wire.over
        names = {"client_addr": "sockname", "server_addr": "peername"}
        return self._wire.transport.get_extra_info(names.get(info, info))


def _wake(waiting: asyncio.Future[None] | None) -> None:
    if waiting is not None and not waiting.done():
        waiting.set_result(None)


async def _within(waiting: asyncio.Future[None], timeout: float | None) -> None:
    """Wait for it. Raises TimeoutError: a timer alone, no task and no scope."""
    if timeout is None:
        return await waiting
    timer = asyncio.get_running_loop().call_later(timeout, _expire, waiting)
    try:
        await waiting
    finally:
        timer.cancel()


def _expire(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_exception(TimeoutError("no time is left"))
