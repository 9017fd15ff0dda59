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
MOST = 256 << 10


class Shut:
    """ASGI middleware: 404 for what is shut, 413 for a body that no event of the page has."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path, answer = scope["path"], None
        if _PAST_API.match(path) or _SHUT.match(path):
            answer = PlainTextResponse("not here", 404)
        elif _length(scope) > MOST:
            answer = PlainTextResponse(f"at most {MOST} bytes", 413)
        await (answer or self._app)(scope, receive, send)


def _length(scope: Scope) -> int:
    """The length the client gives; a body without one is as good as too long, where there is a body at all."""
    headers = dict(scope["headers"])
    if b"chunked" in headers.get(b"transfer-encoding", b""):
        return MOST + 1
    given = headers.get(b"content-length", b"0")
    return int(given) if given.isdigit() else MOST + 1
