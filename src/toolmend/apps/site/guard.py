"""What no page of a local site should be asked: bodies that are too large, requests that other sites make in somebody's
name, and on a server for this machine alone every other host's name (DNS rebinding). Stands before everything."""

from __future__ import annotations

import re
from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODY_BYTES = 1 << 20
_SAFE = ("GET", "HEAD", "OPTIONS")
_OWN = re.compile(r"(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?", re.ASCII | re.IGNORECASE)


class SiteGuard:
    """Around an ASGI app. `local` refuses requests for any other host than this machine."""

    def __init__(self, app: ASGIApp, *, local: bool, body_bytes: int = BODY_BYTES) -> None:
        self._app, self._local, self._most = app, local, body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request; lifespan events go through."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope, Headers(scope=scope))
        if refusal is not None:
            await refusal(scope, receive, send)
        else:
            await self._limited(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope, headers: Headers) -> PlainTextResponse | None:
        """The answer to what must not go on."""
        if self._local and not is_own_host(headers.get("host", "")):
            return PlainTextResponse("This site answers on this machine only.", 421)
        safe = scope["method"] in _SAFE
        if not (_may_read(headers) if safe else is_same_origin(headers)):
            return PlainTextResponse("Another site made this request: refused.", 403)
        if not safe:
            length = headers.get("content-length", "")
            if length.isdigit() and int(length) > self._most:
                return _too_large(self._most)
        return None

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The app, which hears no more of a body than it may; one without a length is counted as it comes."""
        heard, begun = 0, False

        async def hearing() -> Message:
            nonlocal heard
            message = await receive()
            heard += len(message.get("body", b"")) if message["type"] == "http.request" else 0
            return {"type": "http.disconnect"} if heard > self._most else message

        async def sending(message: Message) -> None:
            nonlocal begun
            if heard <= self._most or begun:
                begun = True
                await send(message)

        try:
            await self._app(scope, hearing, sending)
        except Exception:
            if heard <= self._most:
                raise
        if heard > self._most and not begun:
            await _too_large(self._most)(scope, receive, send)


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.setdefault("X-Content-Type-Options", "nosniff")
            headers.setdefault("Referrer-Policy", "same-origin")
        await send(message)

    return sending


def _too_large(most: int) -> PlainTextResponse:
    return PlainTextResponse(f"That is too much: {most:,} bytes are the most.", 413)


def is_own_host(header: str) -> bool:
    """Whether a Host header is a name of this machine, the whole of it: what only begins or ends like one is none."""
    return _OWN.fullmatch(header) is not None


def _may_read(headers: Mapping[str, str]) -> bool:
    """Whether these pages ask, or a person came by a link; no page elsewhere has anything read for it."""
    return is_same_origin(headers) or (headers.get("sec-fetch-mode") == "navigate" and "origin" not in headers)


def is_same_origin(headers: Mapping[str, str]) -> bool:
    """Whether a browser says that the request comes from these pages; what is no browser says nothing and may."""
    origin = headers.get("origin")
    if origin is not None and origin.partition("://")[2] != headers.get("host", ""):
        return False
    return headers.get("sec-fetch-site", "none") in ("same-origin", "none")
