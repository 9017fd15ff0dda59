"""Who somebody is: an opaque id in a signed cookie, set with the first answer. No name, no account, nothing else."""

from __future__ import annotations

import secrets
from http.cookies import CookieError, SimpleCookie

from itsdangerous import BadSignature, Signer
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "toolmend_arena"
PERSON = "toolmend.person"
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
    """Around an ASGI app: who asks is known in it."""

    def __init__(self, app: ASGIApp, people: People) -> None:
        self._app, self._people = app, people

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        known = self._people.read(_cookie(Headers(scope=scope)))
        person = scope[PERSON] = known or self._people.new()
        await self._app(scope, receive, send if known else self._setting(scope, person, send))

    def _setting(self, scope: Scope, person: str, send: Send) -> Send:
        """`send` that sets the cookie of somebody new."""
        secure = "; Secure" if scope.get("scheme") == "https" else ""
        cookie = f"{COOKIE}={self._people.sign(person)}; Path=/; Max-Age={_YEAR}; HttpOnly; SameSite=Lax{secure}"

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).append("Set-Cookie", cookie)
            await send(message)

        return sending


def _cookie(headers: Headers) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""
