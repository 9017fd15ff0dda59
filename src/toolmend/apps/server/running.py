"""The server on a port, until it is told to stop: then it takes nothing new and finishes the answers it has begun."""

from __future__ import annotations

import socket
from collections.abc import Callable

import uvicorn

from toolmend.apps.server import logs
from toolmend.apps.server.app import create_app
from toolmend.apps.server.settings import ServerSettings
from toolmend.apps.site.serving import address_of, listen, open_door


def run(settings: ServerSettings, ready: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM; `ready` is told the address. Raises BadOption for a port that cannot be had."""
    app = create_app(settings)
    listening = listen(settings.host, settings.port)
    logs.to_stderr()
    server = open_door(
        app,
        listening,
        kind=_Server,
        lifespan="on",
        date_header=False,
        timeout_graceful_shutdown=int(settings.seconds) + 1,
        h11_max_incomplete_event_size=64 << 10,
    )
    ready(address_of(listening))
    try:
        server.run(sockets=[listening])
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
