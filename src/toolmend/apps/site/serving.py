"""A site on a port of this machine, until somebody says stop. Knows nothing of its pages."""

from __future__ import annotations

import ipaddress
import signal
import socket
import threading
from collections.abc import Callable

import uvicorn
from starlette.types import ASGIApp

from toolmend.errors import BadOption

BACKLOG = 2048
_GRACE = 3  # seconds for what is being answered when the server is told to stop; it is kept, or said again


def serve(app: ASGIApp, host: str, port: int, ready: Callable[[str], object]) -> None:
    """Serve until SIGINT or SIGTERM; `ready` is told the address. Raises BadOption for a port that cannot be had."""
    listening = listen(host, port)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="off",
        ws="none",
        server_header=False,
        timeout_graceful_shutdown=_GRACE,
    )
    ready(address_of(listening))
    try:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, signal.default_int_handler)  # as SIGINT: what is to be closed is closed
        uvicorn.Server(config).run(sockets=[listening])
    except KeyboardInterrupt:  # uvicorn raises the signal again once everything is finished
        pass
    finally:
        listening.close()


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
