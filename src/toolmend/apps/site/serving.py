"""A site on a port of this machine, until somebody says stop. Knows nothing of its pages."""

from __future__ import annotations

import asyncio
import ipaddress
import signal
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from toolmend.apps.site.entrance import HEADER_SECONDS, YOUNG, Entrance, room
from toolmend.base.errors import BadOption

BACKLOG = 4096
_MUCH = 64 << 10  # bytes that an answer's pieces may have together
READY, TAKEN = b"ready", b"t"  # what a worker tells the door; it writes a byte for each connection
GRACE = 3  # seconds for what is being answered when the server is told to stop; it is kept, or said again


def serve(app: ASGIApp, host: str, port: int, ready: Callable[[str], object]) -> None:
    """Serve until SIGINT or SIGTERM; `ready` is told the address. Raises BadOption for a port that cannot be had."""
    listening = listen(host, port)
    ready(address_of(listening))
    try:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, signal.default_int_handler)  # as SIGINT: what is to be closed is closed
        open_door(app, timeout_graceful_shutdown=GRACE).run(sockets=[listening])
    except KeyboardInterrupt:  # uvicorn raises the signal again once everything is finished
        pass
    finally:
        listening.close()


class HandedServer(uvicorn.Server):
    """uvicorn's, which takes connections from a `channel`, too, where it has one: workers.py."""

    channel: socket.socket | None = None
    waiting: Waiting

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin, and say so."""
        if sys.platform == "win32":  # whose loop watches no listening socket for others
            await super().startup(sockets)
            return
        await super().startup([])
        outside, inside = room()

        def is_full() -> bool:
            return len(self.server_state.connections) + len(self._taking) >= inside and not self.waiting.spare()

        for listening in sockets or ():
            self._entrances.append(Entrance(listening, outside, lambda come, _: self._take(come), is_full))
            self._entrances[-1].open()
        if self.channel is not None:
            asyncio.get_running_loop().add_reader(self.channel, self._handed, self.channel)
            self.channel.send(READY)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept nothing more, and end."""
        for entrance in self._entrances:
            entrance.close()
        await super().shutdown(sockets)

    def _handed(self, channel: socket.socket) -> None:
        """Take a connection; where the door is closed or gone, come to an end."""
        loop, descriptors = asyncio.get_running_loop(), list[int]()
        with suppress(OSError):
            descriptors = socket.recv_fds(channel, 1, 1)[1]
        if not descriptors:
            loop.remove_reader(channel)
            self.should_exit = True
            return

        channel.send(TAKEN)
        if len(self.server_state.connections) + len(self._taking) >= room()[1]:
            self.waiting.spare()
        self._take(socket.socket(fileno=descriptors[0]))

    def _take(self, connection: socket.socket) -> None:
        """Let uvicorn answer a connection."""
        loop = asyncio.get_running_loop()

        def protocol() -> asyncio.Protocol:
            kind: Any = self.config.http_protocol_class
            made: asyncio.Protocol = kind(self.config, self.server_state, self.lifespan.state, _loop=loop)
            return made

        connection.setblocking(False)
        taking = loop.create_task(loop.connect_accepted_socket(protocol, connection))
        self._taking.add(taking)
        taking.add_done_callback(self._taking.discard)

    @cached_property
    def _entrances(self) -> list[Entrance]:
        return []

    @cached_property
    def _taking(self) -> set[asyncio.Task[Any]]:
        return set()


def open_door(app: ASGIApp, *, kind: type[HandedServer] = HandedServer, **options: Any) -> HandedServer:
    """A server of uvicorn's; a connection that is slow to say what it wants has no place in it for long."""
    waiting = Waiting()
    usual = {"log_config": None, "access_log": False, "lifespan": "off", "ws": "none", "server_header": False}
    server = kind(uvicorn.Config(app, http=waiting.protocol(), **{**usual, **options}))
    server.waiting = waiting
    return server


class Together:
    """A transport that sends what is written in one turn of the loop at once: an answer's head with its body."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport, self._held, self._loop = transport, bytearray(), asyncio.get_running_loop()

    def write(self, data: bytes) -> None:
        """Hold it until the turn ends, unless it is much."""
        if data and not self._held:
            self._loop.call_soon(self.go)
        self._held += data
        if len(self._held) > _MUCH:
            self.go()

    def go(self) -> None:
        """Send what is held."""
        if self._held:
            self._transport.write(bytes(self._held))
            self._held.clear()

    def close(self) -> None:
        """Send what is held, and hang up."""
        self.go()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class Waiting:
    """The connections whose request is not complete: `head` seconds until its head is there, `body` for the rest.

    Where there is no room inside for one that comes with a whole head, the one that waited longest makes it (`spare`).
    """

    def __init__(self, head: float = HEADER_SECONDS, body: float = 60.0) -> None:
        self._head, self._body = head, body
        self._waiting: dict[H11Protocol, asyncio.TimerHandle] = {}
        self._sending: dict[H11Protocol, asyncio.TimerHandle] = {}  # the head was there in time

    def protocol(self) -> type[H11Protocol]:
        """The protocol of a server whose connections wait here."""
        waiting = self

        class Prompt(H11Protocol):
            """HTTP/1.1 as uvicorn has it, with a deadline for every request to be there."""

            def connection_made(self, transport: Any) -> None:
                """Begin to wait for the first request."""
                super().connection_made(Together(transport))  # type: ignore[arg-type]
                waiting.begin(self)

            def on_response_complete(self) -> None:
                """Send what is left of an answer."""
                self.transport.go()  # type: ignore[attr-defined]
                super().on_response_complete()

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
        if connection not in self._waiting and connection not in self._sending:
            self._waiting[connection] = self._in(self._head, connection)

    def spare(self) -> bool:
        """Hang up on the one that waited longest, at once; whether there was one."""
        now = asyncio.get_running_loop().time()
        oldest = next((one for one, timer in self._waiting.items() if timer.when() < now + self._head - YOUNG), None)
        oldest = oldest or next(iter(self._sending), None)
        if oldest is None:
            return False
        self.end(oldest)
        oldest.transport.abort()
        oldest.connections.discard(oldest)
        return True

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
        for group in (self._waiting, self._sending):
            if timer := group.pop(connection, None):
                timer.cancel()

    def _in(self, seconds: float, connection: H11Protocol) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(seconds, self._close, connection)

    def _close(self, connection: H11Protocol) -> None:
        self.end(connection)
        connection.transport.close()


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
