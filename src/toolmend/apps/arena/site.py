"""The arena as one ASGI app, and on a port: Gradio's page where it is installed, else the plain pages alone."""

from __future__ import annotations

import importlib.util
import ipaddress
import signal
import socket
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from toolmend.apps.arena.pages import routes
from toolmend.apps.arena.people import People, PersonMiddleware
from toolmend.arena import Arena
from toolmend.errors import BadOption

_GRACE = 3  # seconds for what is being answered when the server is told to stop; it is kept, or said again


def has_gradio() -> bool:
    """Whether the full page can be served."""
    return importlib.util.find_spec("gradio") is not None


def make_app(arena: Arena, *, full: bool | None = None, local: bool = False) -> ASGIApp:
    """The arena's app. `full` is with Gradio (default: where it is), `local` answers to this machine's names only."""
    own = routes(arena)
    inner: ASGIApp
    if has_gradio() if full is None else full:
        from toolmend.apps.arena.page import build

        inner = build(arena, own)
    else:
        inner = Starlette(routes=[Route("/", _plain), *own], lifespan=_lifespan)
    return PersonMiddleware(inner, People(arena.records.secret("cookies")), local=local)


def serve(arena: Arena, host: str, port: int, ready: Callable[[str], None], *, full: bool | None = None) -> None:
    """Serve until SIGINT or SIGTERM; `ready` is told the address. Raises BadOption for a port that cannot be had."""
    app = make_app(arena, full=full, local=is_local(host))
    listening = _listen(host, port)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="on",
        ws="none",
        server_header=False,
        timeout_graceful_shutdown=_GRACE,
    )
    address, taken = listening.getsockname()[:2]
    ready(f"http://{f'[{address}]' if ':' in address else address}:{taken}")
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


async def _plain(_request: Request) -> RedirectResponse:
    return RedirectResponse("/plain", 303)


@asynccontextmanager
async def _lifespan(_app: Starlette) -> AsyncIterator[None]:
    yield


def _listen(host: str, port: int) -> socket.socket:
    """A socket on the port, 0 for any that is free."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        made = socket.socket(family, kind, protocol)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(2048)
    except OSError as error:
        raise BadOption(f"cannot listen on {host}:{port} ({error}); --port takes another, 0 any free") from error
    made.set_inheritable(True)
    return made
