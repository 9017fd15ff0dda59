"""The server on a port, until it is told to stop: then it takes nothing new and finishes the answers it has begun."""

from __future__ import annotations

import socket
from collections.abc import Callable

import uvicorn

from toolmend.apps.server import logs
from toolmend.apps.server.app import create_app
from toolmend.apps.server.settings import ServerSettings
from toolmend.errors import BadOption

BACKLOG = 2048


def run(settings: ServerSettings, ready: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM; `ready` is told the address. Raises BadOption for a port that cannot be had."""
    app = create_app(settings)
    listening = _listen(settings.host, settings.port)
    logs.to_stderr()
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="on",
        ws="none",
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=int(settings.seconds) + 1,
        h11_max_incomplete_event_size=64 << 10,
    )
    host, port = listening.getsockname()[:2]
    ready(f"http://{f'[{host}]' if ':' in host else host}:{port}")
    try:
        _Server(config).run(sockets=[listening])
    except KeyboardInterrupt:  # uvicorn raises the signal again once everything is finished
        pass
    finally:
        listening.close()


class _Server(uvicorn.Server):
    """uvicorn's, which says what it waits for."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take nothing new, and wait for what has begun; a second Ctrl-C does not wait."""
        if waiting := len(self.server_state.tasks):
            logs.say("stopping", unfinished=waiting, note="a second Ctrl-C does not wait for them")
        await super().shutdown(sockets)


def _listen(host: str, port: int) -> socket.socket:
    """A socket on the port, 0 for any that is free."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        made = socket.socket(family, kind, protocol)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(BACKLOG)
    except OSError as error:
        raise BadOption(
            f"cannot listen on {host}:{port} ({error}); --port takes another, 0 any that is free"
        ) from error
    made.set_inheritable(True)
    return made
