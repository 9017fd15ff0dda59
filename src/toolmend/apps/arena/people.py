"""Who somebody is: an opaque id in a signed cookie, set with the first answer. No name, no account, nothing else.

The middleware stands before everything, Gradio too: it also refuses bodies that are too large, requests that other
sites make in somebody's name, and on a server for this machine alone every other host's name (DNS rebinding).
"""

from __future__ import annotations

import secrets
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import urlsplit

from itsdangerous import BadSignature, Signer
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "toolmend_arena"
PERSON = "toolmend.person"
BODY_BYTES = 1 << 20
_YEAR = 365 * 24 * 3600
_SAFE = ("GET", "HEAD", "OPTIONS")
_LOCAL = ("localhost", "127.0.0.1", "::1")


class People:
    """Makes ids and signs them with a secret."""

    def __init__(self, secret: str) -> None:
        self._signer = Signer(secret, salt="toolmend arena")

    def new(self) -> str:
        """An id for somebody new."""
        return secrets.token_urlsafe(16)

    def sign(self, person: str) -> str:
        """What the cookie holds."""
        return self._signer.sign(person).decode()

    def read(self, cookie: str) -> str | None:
        """The id in a cookie; None for one that was not signed here."""
        try:
            return self._signer.unsign(cookie).decode()
        except (BadSignature, UnicodeError):
            return None


def person_of(request: Any) -> str:
    """The person behind a request of Starlette, or one of Gradio's, which has Starlette's inside."""
    inner = getattr(request, "request", None) or request
    return str(inner.scope[PERSON])


class PersonMiddleware:
    """Around an ASGI app. `local` refuses requests for any other host than this machine."""

    def __init__(self, app: ASGIApp, people: People, *, local: bool, body_bytes: int = BODY_BYTES) -> None:
        self._app, self._people, self._local, self._most = app, people, local, body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request; lifespan events go through."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if refusal is not None and scope["type"] == "http":
            await refusal(scope, receive, send)
        elif refusal is None:
            known = self._people.read(_cookie(headers))
            person = scope[PERSON] = known or self._people.new()
            await _Limited(self._app, self._most)(scope, receive, self._setting(scope, person, send, known is None))
        else:
            await send({"type": "websocket.close", "code": 1008})

    def _refusal(self, scope: Scope, headers: Headers) -> PlainTextResponse | None:
        """The answer to what must not go on."""
        if self._local and _host(headers.get("host", "")) not in _LOCAL:
            return PlainTextResponse("This arena answers on this machine only.", 421)
        if scope["type"] == "websocket" or scope["method"] not in _SAFE:
            if not _same_origin(headers):
                return PlainTextResponse("Another site made this request: refused.", 403)
            length = headers.get("content-length", "")
            if length.isdigit() and int(length) > self._most:
                return too_large(self._most)
        return None

    def _setting(self, scope: Scope, person: str, send: Send, new: bool) -> Send:
        """`send` that sets the cookie of somebody new, and headers for everybody."""
        secure = "; Secure" if scope.get("scheme") in ("https", "wss") else ""
        cookie = f"{COOKIE}={self._people.sign(person)}; Path=/; Max-Age={_YEAR}; HttpOnly; SameSite=Lax{secure}"

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("X-Content-Type-Options", "nosniff")
                headers.setdefault("Referrer-Policy", "same-origin")
                if new:
                    headers.append("Set-Cookie", cookie)
            await send(message)

        return sending


class _Limited:
    """An app that hears no more of a body than it may; a body without a length is counted as it comes."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app, self._most = app, most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
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
            await too_large(self._most)(scope, receive, send)


def too_large(most: int) -> PlainTextResponse:
    """The answer to a body that is too large."""
    return PlainTextResponse(f"That is too much: {most:,} bytes are the most.", 413)


def _cookie(headers: Headers) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


def _same_origin(headers: Headers) -> bool:
    """Whether a browser says that the request comes from these pages; what is no browser says nothing and may."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host", "")


def _host(name: str) -> str:
    """The host of a Host header, without its port."""
    return urlsplit(f"//{name}").hostname or ""
