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
    """The connections whose request is not complete: `head` seconds until its head is there, `body` for the rest.

    Where more than `most` wait at once, the one that waited longest has `spared` seconds left: half-sent requests lock
    nobody out for long, and of many that come at once none is taken for one of these.
    """

    def __init__(self, most: int, head: float = HEADER_SECONDS, body: float = 60.0, spared: float = 3.0) -> None:
        self._most, self._head, self._body, self._spared = most, head, body, spared
        self._waiting: dict[H11Protocol, asyncio.TimerHandle] = {}
        self._sending: dict[H11Protocol, asyncio.TimerHandle] = {}  # the head was there in time
        self._hurried: dict[H11Protocol, asyncio.TimerHandle] = {}

    def protocol(self) -> type[H11Protocol]:
        """The protocol of a server whose connections wait here."""
        waiting = self

        class Prompt(H11Protocol):
            """HTTP/1.1 as uvicorn has it, with a deadline for every request to be there."""

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
        """Wait for a request from now on, if it is not waited for already."""
        if any(connection in group for group in (self._waiting, self._sending, self._hurried)):
            return
        self._waiting[connection] = self._in(self._head, connection)
        if len(self._waiting) + len(self._sending) > self._most:
            oldest = next(iter(self._waiting if len(self._waiting) > 1 else self._sending))
            self.end(oldest)
            self._hurried[oldest] = self._in(self._spared, oldest)

    def heard(self, connection: H11Protocol) -> None:
        """Something has come: the head, the rest, or one piece more of either."""
        state = connection.conn.their_state
        if state is h11.IDLE:
            self.begin(connection)
        elif state is not h11.SEND_BODY:
            self.end(connection)
        elif timer := self._waiting.pop(connection, None):
            timer.cancel()
            self._sending[connection] = self._in(self._body, connection)

    def end(self, connection: H11Protocol) -> None:
        """It has said what it wants, or is gone."""
        for group in (self._waiting, self._sending, self._hurried):
            if timer := group.pop(connection, None):
                timer.cancel()

    def _in(self, seconds: float, connection: H11Protocol) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(seconds, self._close, connection)

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
