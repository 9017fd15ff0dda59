"""The server on a port, until it is told to stop: then it takes nothing new and finishes the answers it has begun."""

from __future__ import annotations

import os
import re
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp

from toolmend.apps.server import logs
from toolmend.apps.server.app import create_app
from toolmend.apps.server.metrics import FOLDER
from toolmend.apps.server.settings import ServerSettings
from toolmend.apps.site.serving import HandedServer, address_of, listen, open_door
from toolmend.apps.site.workers import serve_by

_WHO = re.compile(rb"\r\nauthorization: *([^\r\n]{1,200})", re.IGNORECASE)


def run(settings: ServerSettings, ready: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM; `ready` is told the address. Raises BadOption for a port that cannot be had."""
    options: dict[str, Any] = {
        "kind": _Server,
        "lifespan": "on",
        "date_header": False,
        "timeout_graceful_shutdown": int(settings.seconds) + 1,
        "h11_max_incomplete_event_size": 64 << 10,
    }
    if settings.workers > 1:
        _run_by(settings, ready, options)
        return
    app = create_app(settings)
    listening = listen(settings.host, settings.port)
    logs.to_stderr()
    server = open_door(app, **options)
    ready(address_of(listening))
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:  # uvicorn raises the signal again once everything is finished
        pass
    finally:
        listening.close()


def _run_by(settings: ServerSettings, ready: Callable[[str], None], options: dict[str, Any]) -> None:
    """Several processes. A key has the same one each time: its limits hold. Their figures are summed up in files."""
    keyed = bool(settings.keys and settings.keys.exists())
    with tempfile.TemporaryDirectory(prefix="toolmend-serve-") as folder:
        os.environ[FOLDER] = folder

        def ended(process: int) -> None:
            for file in Path(folder).glob(f"gauge_live*_{process}.db"):  # what it had in flight
                file.unlink()

        place = settings.host, settings.port
        who = _WHO if keyed else None
        try:
            serve_by(partial(_app, settings), settings.workers, place, ready, who=who, ended=ended, **options)
        finally:
            del os.environ[FOLDER]


@contextmanager
def _app(settings: ServerSettings) -> Iterator[ASGIApp]:
    logs.to_stderr()
    yield create_app(settings)


class _Server(HandedServer):
    """A server which says what it waits for."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take nothing new, and wait for what has begun; a second Ctrl-C does not wait."""
        if waiting := len(self.server_state.tasks):
            logs.say("stopping", unfinished=waiting, note="a second Ctrl-C does not wait for them")
        await super().shutdown(sockets)
