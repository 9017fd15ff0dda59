"""Shuts the doors of Gradio that the arena does not use: files, proxies, calls by name, recordings, run histories.

What stays open is what its own page needs: the page, its scripts, and the queue of events.
"""

from __future__ import annotations

import re

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

_OPEN = r"queue/(join|data)|heartbeat/\w+|startup-events|theme\.css|app_id|cancel|reset|login_check|user"
_PAST_API = re.compile(rf"(?:/battle)?/gradio_api/(?!(?:{_OPEN})/?$)")
_SHUT = re.compile(r"(?:/battle)?/(?:login|logout|monitoring|svelte|custom_component|pwa_icon|proxy=|file=)")


class Shut:
    """ASGI middleware: 404 for what is shut."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        shut = _PAST_API.match(scope["path"]) or _SHUT.match(scope["path"])
        await (PlainTextResponse("There is nothing here.", 404) if shut else self._app)(scope, receive, send)
