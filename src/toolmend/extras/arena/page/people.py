"""Who somebody is: an opaque id in a signed cookie, set with the first answer. No name, no account, nothing else."""

from __future__ import annotations

import secrets
import time
from http.cookies import CookieError, SimpleCookie

from itsdangerous import BadSignature, Signer
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from toolmend.apps.site.bucket import Buckets, Clock

COOKIE = "toolmend_arena"
PERSON = "toolmend.person"
ASKED = 120
"""Things a visitor may ask for in a minute."""
NEW = 240
"""Visitors without a cookie from one address in a minute, their style sheets counted."""
_YEAR = 365 * 24 * 3600


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


def person_of(request: Request) -> str:
    """The person behind a request."""
    return str(request.scope[PERSON])


class PersonMiddleware:
    """Around an ASGI app: who asks is known in it, and asks no more in a minute than one person would.

    Whoever drops the cookie is somebody new, and of these an address has only so many in a minute.
    """

    def __init__(self, app: ASGIApp, people: People, clock: Clock = time.monotonic) -> None:
        self._app, self._people = app, people
        self._asking, self._coming = Buckets(ASKED, clock), Buckets(NEW, clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        known = self._people.read(_cookie(Headers(scope=scope)))
        seconds = 0.0 if known else self._coming.take((scope.get("client") or ("",))[0])
        if known and scope["method"] == "POST":
            seconds = self._asking.take(known)
        if seconds:
            text = f"That is more than one person asks in a minute. Try again in {seconds:.0f} s."
            await PlainTextResponse(text, 429, {"Retry-After": str(int(seconds) + 1)})(scope, receive, send)
            return
        person = scope[PERSON] = known or self._people.new()
        await self._app(scope, receive, send if known else self._setting(scope, person, send))

    def _setting(self, scope: Scope, person: str, send: Send) -> Send:
        """`send` that sets the cookie of somebody new."""
        secure = "; Secure" if scope.get("scheme") == "https" else ""
        cookie = f"{COOKIE}={self._people.sign(person)}; Path=/; Max-Age={_YEAR}; HttpOnly; SameSite=Lax{secure}"

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.append("Set-Cookie", cookie)
                headers["Connection"] = "close"  # the next one says from its beginning who comes: workers.py
            await send(message)

        return sending


def _cookie(headers: Headers) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""
