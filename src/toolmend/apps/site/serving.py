"""A site on a port of this machine, until somebody says stop. Knows nothing of its pages."""

from __future__ import annotations

import asyncio
import ipaddress
import signal
import socket
import sys
import threading
from collections.abc import Callable
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from toolmend.errors import BadOption

BACKLOG = 2048
HEADER_SECONDS = 10.0
"""Seconds for the head of a request to arrive."""
_WAITING = 512  # connections that have not said yet what they want
_GRACE = 3  # seconds for what is being answered when the server is told to stop; it is kept, or said again


def serve(app: ASGIApp, host: str, port: int, ready: Callable[[str], object]) -> None:
    """Serve until SIGINT or SIGTERM; `ready` is told the address. Raises BadOption for a port that cannot be had."""
    listening = listen(host, port)
    ready(address_of(listening))
    try:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, signal.default_int_handler)  # as SIGINT: what is to be closed is closed
        open_door(app, listening, timeout_graceful_shutdown=_GRACE).run(sockets=[listening])
    except KeyboardInterrupt:  # uvicorn raises the signal again once everything is finished
        pass
    finally:
        listening.close()


def open_door(
    app: ASGIApp, listening: socket.socket, *, kind: type[uvicorn.Server] = uvicorn.Server, **options: Any
) -> uvicorn.Server:
    """A server of uvicorn's on a socket; one that is slow to say what it wants has no place in it for long."""
    waiting = Waiting(_most_waiting())
    usual = {"log_config": None, "access_log": False, "lifespan": "off", "ws": "none", "server_header": False}
    return kind(uvicorn.Config(app, http=waiting.protocol(), **{**usual, **options}))


class Waiting:
    """The connections whose request is not complete: `HEADER_SECONDS` for its head, and only so many at once.

    Where one more comes, the one that waited longest goes: half-sent headers lock nobody out, and no descriptor is
    missing for those who know what they want.
    """

    def __init__(self, most: int, seconds: float = HEADER_SECONDS) -> None:
        self._most, self._seconds = most, seconds
        self._connections: dict[H11Protocol, asyncio.TimerHandle] = {}

    def protocol(self) -> type[H11Protocol]:
        """The protocol of a server whose connections wait here."""
        waiting = self

        class Prompt(H11Protocol):
            """HTTP/1.1 as uvicorn has it, with a deadline for every head of a request."""

            def connection_made(self, transport: Any) -> None:
                """Begin to wait for the first request."""
                super().connection_made(transport)
                waiting.begin(self)

            def data_received(self, data: bytes) -> None:
                """See how far the request is now."""
                super().data_received(data)
                waiting.heard(self)

            def connection_lost(self, exc: Exception | None) -> None:
                """Wait no more."""
                waiting.end(self)
                super().connection_lost(exc)

        return Prompt

    def begin(self, connection: H11Protocol) -> None:
        """Wait for the head of a request, no longer than it may take."""
        if connection not in self._connections:
            loop = asyncio.get_running_loop()
            self._connections[connection] = loop.call_later(self._seconds, self._close, connection)
            if len(self._connections) > self._most:
                self._close(next(iter(self._connections)))

    def heard(self, connection: H11Protocol) -> None:
        """With its head the deadline is met; with its body, whose time the app measures, it is complete."""
        state = connection.conn.their_state
        if state is h11.IDLE:
            self.begin(connection)
        elif state is not h11.SEND_BODY:
            self.end(connection)
        elif timer := self._connections.get(connection):
            timer.cancel()

    def end(self, connection: H11Protocol) -> None:
        """It has said what it wants, or is gone."""
        if timer := self._connections.pop(connection, None):
            timer.cancel()

    def _close(self, connection: H11Protocol) -> None:
        self.end(connection)
        connection.transport.close()


def _most_waiting() -> int:
    """Half of the descriptors that this process may have."""
    if sys.platform == "win32":
        return _WAITING
    import resource

    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return max(16, min(_WAITING, soft // 2)) if soft > 0 else _WAITING


def is_local(host: str) -> bool:
    """Whether only this machine can reach such a host."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def address_of(listening: socket.socket) -> str:
    """The address of a socket, as a browser takes it."""
    host, port = listening.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def listen(host: str, port: int) -> socket.socket:
    """A socket on the port, 0 for any that is free. Raises BadOption for one that cannot be had."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        made = socket.socket(family, kind, protocol)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(BACKLOG)
    except OSError as error:
        text = f"cannot listen on {host}:{port} ({error}); --port takes another, 0 any that is free"
        raise BadOption(text) from error
    made.set_inheritable(True)
    return made
