"""What every request passes: its number, the host it asks for, the key, the limits; and what is written down after it.

Plain ASGI. Whatever goes wrong behind it leaves as an error in the API's shape, never as a stack.
"""

from __future__ import annotations

from collections.abc import Mapping

import anyio
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from toolmend.apps.server import logs
from toolmend.apps.server.completion import encoded
from toolmend.apps.server.keys import Key, KeyFile
from toolmend.apps.server.ledger import LedgerEntry
from toolmend.apps.server.metrics import Metrics
from toolmend.apps.server.rates import Rates
from toolmend.apps.server.refusals import SERVER, ApiError, timed_out
from toolmend.apps.server.settings import ServerSettings
from toolmend.apps.site.guard import is_own_host, is_same_origin

ENTRY = "toolmend.entry"
OPEN = frozenset({"/healthz"})
ROUTES = ("/v1/chat/completions", "/v1/responses", "/v1/models", "/openapi.json", "/metrics", "/healthz")
SLOW_READER = 30.0
"""Seconds beyond the limit for an answer that a client gets to read it."""
GONE = 499
"""The status that is written down for a client that went away; it is never sent."""


class Gate:
    """The ASGI app around the app."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, keys: KeyFile | None, metrics: Metrics) -> None:
        self._app, self._settings, self._keys, self._metrics = app, settings, keys, metrics
        self._rates, self._now = Rates(), 0
        self._guarded = bool(keys and keys.keys)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        entry = scope[ENTRY] = LedgerEntry(scope["method"], _route(scope["path"]))
        self._metrics.begun()
        self._now += 1
        try:
            await self._answer(scope, receive, _Sending(send, entry), entry)
        finally:
            self._now -= 1
            if entry.key:
                self._rates.spent(entry.key, entry.usage.input_tokens + entry.usage.output_tokens)
            if entry.disconnected and not entry.status:
                entry.status = GONE
            self._metrics.ended(entry, entry.path)
            if entry.path not in OPEN or entry.status >= 400:
                logs.request_line(entry.line(), entry.status)

    async def _answer(self, scope: Scope, receive: Receive, send: _Sending, entry: LedgerEntry) -> None:
        try:
            self._admit(scope, entry)
            most = self._settings.seconds + SLOW_READER
            with anyio.move_on_after(most) as timer:
                scope["app"] = (
                    self  # the router then raises what it has no route for, instead of answering in plain text
                )
                await self._app(scope, receive, send)
            if timer.cancelled_caught:
                raise timed_out(most)
        except HTTPException as error:
            await send.refuse(entry.failed(_unrouted(scope, error)))
        except Exception as error:
            await send.refuse(entry.failed(error))

    def _admit(self, scope: Scope, entry: LedgerEntry) -> None:
        """Raise ApiError for a request that is not let in."""
        headers = headers_of(scope)
        if entry.path in OPEN:
            return
        if self._needs_key():
            entry.key = self._key(headers)
            self._rates.admit(entry.key)
        elif not is_own_host(headers.get("host", "")):
            # Without a key, a web page could reach this server under a name of its own that leads here.
            text = "This server asks for no key, and answers on this machine's own names only (localhost, 127.0.0.1)."
            raise ApiError(403, text, code="host_not_allowed")
        elif not is_same_origin(headers):
            text = "This server asks for no key, and answers no page of another site."
            raise ApiError(403, text, code="origin_not_allowed")
        if self._now > self._settings.concurrency:
            text = f"The server is answering {self._settings.concurrency} requests, as many as it may. Try again."
            raise ApiError(503, text, kind=SERVER, code="overloaded", headers={"retry-after": "1"})

    def _needs_key(self) -> bool:
        """Whether there are keys, or were when the server started: revoking the last one lets nobody in."""
        self._guarded = self._guarded or bool(self._keys and self._keys.keys)
        return self._guarded

    def _key(self, headers: Mapping[str, str]) -> Key:
        given = headers.get("authorization", "")
        kind, _, key = given.partition(" ")
        found = self._keys.find(key.strip()) if self._keys and kind.lower() == "bearer" else None
        if found is None:
            what = "Incorrect API key provided." if given else "You didn't provide an API key."
            text = f"{what} Send one in the header Authorization: Bearer KEY."
            headers_ = {"www-authenticate": "Bearer"}
            raise ApiError(401, text, code="invalid_api_key" if given else None, headers=headers_)
        return found


class _Sending:
    """Sends an answer, with the request's number in its head; knows whether it has begun."""

    def __init__(self, send: Send, entry: LedgerEntry) -> None:
        self._send, self._entry, self.begun = send, entry, False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            self._entry.status = message["status"]
            self._entry.begun()
            message["headers"] = [*message.get("headers", ()), (b"x-request-id", self._entry.id.encode())]
        elif not message.get("more_body", False):
            self._entry.finished = True  # what is heard of the client from now on says nothing about this answer
        await self._send(message)

    async def refuse(self, error: ApiError) -> None:
        """The error as an answer; where one has begun already, its end is all that can be said."""
        if self.begun:
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        body = encoded(error.as_dict())
        headers = {"content-type": "application/json", "content-length": str(len(body)), **error.headers}
        pairs = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
        await self({"type": "http.response.start", "status": error.status, "headers": pairs})
        await self._send({"type": "http.response.body", "body": body})


def _unrouted(scope: Scope, error: HTTPException) -> ApiError:
    """404 and 405 in the API's shape."""
    what = f"{scope['method']} {scope['path']}"[:120]
    if error.status_code == 405:
        return ApiError(405, f"Not allowed to {what}.", code="method_not_allowed", headers=error.headers)
    there = "There are /v1/chat/completions, /v1/responses and /v1/models; a client's base URL ends in /v1."
    return ApiError(404, f"Unknown request URL: {what}. {there}", code="unknown_url")


def headers_of(scope: Scope) -> dict[str, str]:
    """The headers, names in small letters; of a header that is sent twice the last."""
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}


def _route(path: str) -> str:
    """The route of a path, "other" for what there is not: what a client makes up is no label."""
    return next((route for route in ROUTES if path == route or path.startswith(f"{route}/")), "other")
