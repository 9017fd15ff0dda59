"""The ASGI app: who is let in, and a request from its bytes to the bytes of its answer. `run` has it on a port.

A body is read (`body`, `responses_body`), planned (`plan`), answered (`answering`) and written out in the form that was
asked for (`completion`, `responses`). Whatever goes wrong leaves as an error in the API's shape, never as a stack.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

import anyio
from anyio import to_thread
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from toolmend.apps.server import log
from toolmend.apps.server.answering import ServedAnswer, Show, answered
from toolmend.apps.server.body import ChatBody, read_body
from toolmend.apps.server.client_tools import are_quick
from toolmend.apps.server.completion import AnswerForm, ChatForm, encoded
from toolmend.apps.server.keys import Key, KeyFile, Rates
from toolmend.apps.server.log import LedgerEntry
from toolmend.apps.server.own_tools import OwnTools
from toolmend.apps.server.plan import RequestPlan, plan_of
from toolmend.apps.server.refusals import SERVER, ApiError, timed_out
from toolmend.apps.server.responses import ResponseForm
from toolmend.apps.server.responses_body import in_its_words, read_response
from toolmend.apps.server.served import ServedModels
from toolmend.apps.server.settings import ServerSettings, check_exposure
from toolmend.apps.server.stream import Headers, Take, stream, until_gone
from toolmend.apps.site.guard import is_own_host, is_same_origin
from toolmend.apps.site.serving import HandedServer, address_of, listen, open_door
from toolmend.apps.site.workers import serve_by
from toolmend.session import Policy

IGNORED = b"x-toolmend-ignored"
JSON = "application/json"
CHAT, RESPONSES, MODELS, HEALTH = "/v1/chat/completions", "/v1/responses", "/v1/models", "/healthz"
SLOW_READER = 30.0
"""Seconds beyond the limit for an answer that a client gets to read it."""
_SHORT = 32 << 10
"""Bytes of a request that is understood in a millisecond."""
_WHO = re.compile(rb"\r\nauthorization: *([^\r\n]{1,200})", re.IGNORECASE)


def create_app(settings: ServerSettings | None = None) -> ASGIApp:
    """The server as an ASGI app. Raises what is wrong with the settings: an unknown model, a host open to all."""
    return ApiServer(settings or ServerSettings())


def run(settings: ServerSettings, ready: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM; `ready` is told the address. Told to stop, it takes nothing new and finishes the
    answers it has begun. Raises BadOption for a port that cannot be had.

    With several processes a key has the same one each time: its limits hold."""
    options: dict[str, Any] = {
        "kind": _Server,
        "date_header": False,
        "timeout_graceful_shutdown": int(settings.seconds) + 1,
        "h11_max_incomplete_event_size": 64 << 10,
    }
    if settings.workers > 1:
        who = _WHO if settings.keys and settings.keys.exists() else None
        place = settings.host, settings.port
        serve_by(partial(_worker_app, settings), settings.workers, place, ready, who=who, **options)
        return
    app, listening = create_app(settings), listen(settings.host, settings.port)
    log.to_stderr()
    server = open_door(app, **options)
    ready(address_of(listening))
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:  # uvicorn raises the signal again once everything is finished
        pass
    finally:
        listening.close()


@contextmanager
def _worker_app(settings: ServerSettings) -> Iterator[ASGIApp]:
    log.to_stderr()
    yield create_app(settings)


class ApiServer:
    """The app: keys, limits, routes. Nothing of a conversation is kept between two requests."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings, self._rates, self._now = settings, Rates(), 0
        self._keys = KeyFile(settings.keys) if settings.keys else None
        self._guarded = bool(self._keys and self._keys.keys)
        check_exposure(settings, self._guarded)
        self._served = ServedModels(settings.models, settings.strategy)
        policy = Policy.of(settings.approve)
        self._own_tools = OwnTools(settings.toolbox, policy, settings.mend) if settings.toolbox else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        assert scope["type"] == "http", "it has no lifespan and no websockets"
        entry = LedgerEntry(scope["method"], _route(scope["path"]))
        sending = _Sending(send, entry)
        self._now += 1
        try:
            self._admit(scope, entry)
            most = self._settings.seconds + SLOW_READER
            with anyio.move_on_after(most) as timer:
                await self._routed(scope, receive, sending, entry)
            if timer.cancelled_caught:
                raise timed_out(most)
        except Exception as error:
            await sending.refuse(entry.failed(error))
        finally:
            self._now -= 1
            if entry.key:
                self._rates.spent(entry.key, entry.usage.input_tokens + entry.usage.output_tokens)
            if entry.path != HEALTH or entry.status >= 400:
                entry.written()

    def _admit(self, scope: Scope, entry: LedgerEntry) -> None:
        """Raise ApiError for a request that is not let in."""
        headers = headers_of(scope)
        if entry.path == HEALTH:
            return
        # Where there were keys when the server started, revoking the last one lets nobody in.
        self._guarded = self._guarded or bool(self._keys and self._keys.keys)
        if self._guarded:
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

    async def _routed(self, scope: Scope, receive: Receive, send: Send, entry: LedgerEntry) -> None:
        """What is at its address. Raises ApiError: 404, 405."""
        method, path = scope["method"], scope["path"]
        posted = path in (CHAT, RESPONSES)
        if not posted and path not in (MODELS, HEALTH) and not path.startswith(f"{MODELS}/"):
            there = f"There are {CHAT}, {RESPONSES} and {MODELS}; a client's base URL ends in /v1."
            raise ApiError(404, f"Unknown request URL: {method} {path[:100]}. {there}", code="unknown_url")
        if method != ("POST" if posted else "GET"):
            allowed = {"allow": "POST" if posted else "GET"}
            text = f"Not allowed to {method} {path[:100]}."
            raise ApiError(405, text, code="method_not_allowed", headers=allowed)
        if posted:
            await self._answer(scope, receive, send, entry)
        elif path == HEALTH:
            await _send_json(send, {"status": "ok"})
        elif path == MODELS:
            await _send_json(send, {"object": "list", "data": [_model(name) for name in self._served.names()]})
        else:
            await _send_json(send, _model(self._served.find(path.removeprefix(f"{MODELS}/")).name))

    async def _answer(self, scope: Scope, receive: Receive, send: Send, entry: LedgerEntry) -> None:
        """A completion or a response."""
        raw = await self._raw(scope, receive)
        if raw is None:
            entry.disconnected = True
            return
        with in_its_words(entry.path == RESPONSES):
            data: Mapping[str, Any] | None = None
            if entry.path == RESPONSES:
                body, ignored, data = read_response(raw)
            else:
                body, ignored = read_body(raw)
            plan = await self._planned(body, len(raw))
        about = {"model": plan.served.name, "strategy": plan.strategy.name, "stream": body.stream, "ignored": ignored}
        entry.about |= about
        form: AnswerForm = ChatForm(plan, body.usage_wanted) if data is None else ResponseForm(plan, data)
        headers: Headers = [(IGNORED, ", ".join(ignored).encode())] if ignored else []
        work = partial(self._made, plan, entry)
        if body.stream:
            await stream(partial(_streamed, form, work), receive, send, entry, self._settings.keep_alive, headers)
        else:
            await until_gone(partial(_sent_whole, form, work, send, headers), receive, entry)

    async def _planned(self, body: ChatBody, length: int) -> RequestPlan:
        """The plan; long talks, and schemas that can take long, are read beside the event loop."""
        if body.response_format or length > _SHORT or not are_quick(body.tools or ()):
            return await to_thread.run_sync(plan_of, body, self._served, self._settings)
        return plan_of(body, self._served, self._settings)

    async def _made(self, plan: RequestPlan, entry: LedgerEntry, show: Show | None) -> ServedAnswer:
        """The answer, within the time there is; `show` gets pieces of its text. Raises ApiError."""
        with anyio.move_on_after(self._settings.seconds):
            if self._own_tools is not None and plan.own:
                answer = await self._own_tools.answer(plan, entry.key.id if entry.key else "")
            else:
                answer = await answered(plan, show)
            entry.usage = answer.usage
            entry.about |= {"calls": len(answer.calls), "flags": answer.flags}
            return answer
        raise timed_out(self._settings.seconds)

    async def _raw(self, scope: Scope, receive: Receive) -> bytes | None:
        """The body, as far as it may go; None where the client went away. Raises ApiError: 415, 413, 408."""
        headers = headers_of(scope)
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != JSON:
            text = f"Unsupported content type {kind!r:.60}: send the body as {JSON}."
            raise ApiError(415, text, code="unsupported_content_type")
        most, raw = self._settings.body_bytes, bytearray()
        too_large = ApiError(413, f"The body is larger than {most:,} bytes.", code="request_too_large")
        length = headers.get("content-length", "")
        if length.isdigit() and int(length) > most:
            raise too_large
        with anyio.move_on_after(self._settings.body_seconds):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return None
                raw += message.get("body", b"")
                if len(raw) > most:
                    raise too_large
                if not message.get("more_body", False):
                    return bytes(raw)
        raise ApiError(408, f"The body did not arrive within {self._settings.body_seconds:g} s.", code="timeout")


async def _sent_whole(form: AnswerForm, work: Any, send: Send, headers: Headers) -> None:
    await _send_json(send, form.whole(await work(None)), headers=headers)


async def _streamed(form: AnswerForm, work: Any, take: Take) -> None:
    answer = await work(lambda piece: take(form.add(piece)))
    for event in form.rest(answer):
        take(event)


class _Sending:
    """Sends an answer, with the request's number in its head; knows whether it has begun."""

    def __init__(self, send: Send, entry: LedgerEntry) -> None:
        self._send, self._entry, self._begun = send, entry, False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._begun = True
            self._entry.begun(message["status"])
            message["headers"] = [*message.get("headers", ()), (b"x-request-id", self._entry.id.encode())]
        elif not message.get("more_body", False):
            self._entry.finished = True  # what is heard of the client from now on says nothing about this answer
        await self._send(message)

    async def refuse(self, error: ApiError) -> None:
        """The error as an answer; where one has begun already, its end is all that can be said."""
        if self._begun:
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in error.headers.items()]
        await _send_json(self, error.as_dict(), error.status, headers)


class _Server(HandedServer):
    """A server which says what it waits for."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take nothing new, and wait for what has begun; a second Ctrl-C does not wait."""
        if waiting := len(self.server_state.tasks):
            log.say("stopping", unfinished=waiting, note="a second Ctrl-C does not wait for them")
        await super().shutdown(sockets)


async def _send_json(send: Send, data: object, status: int = 200, headers: Headers | None = None) -> None:
    content = encoded(data)
    own = [(b"content-type", JSON.encode()), (b"content-length", str(len(content)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": [*own, *(headers or ())]})
    await send({"type": "http.response.body", "body": content})


def _model(name: str) -> dict[str, object]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "toolmend"}


def headers_of(scope: Scope) -> dict[str, str]:
    """The headers, names in small letters; of a header that is sent twice the last."""
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}


def _route(path: str) -> str:
    """The route of a path, "other" for what there is not: what a client makes up does not stand in the log."""
    routes = (CHAT, RESPONSES, MODELS, HEALTH)
    return next((route for route in routes if path == route or path.startswith(f"{route}/")), "other")
