"""The ASGI app: its routes, and what they share. Puts the parts together; knows no uvicorn."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

import anyio
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from toolmend.apps.server import logs
from toolmend.apps.server.body import ChatBody, read_body
from toolmend.apps.server.client_tools import were_read
from toolmend.apps.server.completion import Envelope, encoded
from toolmend.apps.server.gate import ENTRY, Gate, headers_of
from toolmend.apps.server.job import JSON, AnswerFormat, AnswerJob
from toolmend.apps.server.keys import KeyFile
from toolmend.apps.server.ledger import LedgerEntry
from toolmend.apps.server.metrics import CONTENT_TYPE, Metrics
from toolmend.apps.server.openapi import described
from toolmend.apps.server.own_tools import OwnTools
from toolmend.apps.server.plan import RequestPlan, plan_of
from toolmend.apps.server.refusals import ApiError
from toolmend.apps.server.responses import ResponseForm
from toolmend.apps.server.responses_body import in_the_words_of_responses, read_response
from toolmend.apps.server.served import ServedModels
from toolmend.apps.server.settings import ServerSettings, check_exposure
from toolmend.apps.server.stream import stream, until_gone
from toolmend.session import Policy

IGNORED = "x-toolmend-ignored"
_SHORT = 32 << 10
"""Bytes of a request that is understood in a millisecond."""

Reader = Callable[[bytes], tuple[ChatBody, tuple[str, ...], Callable[[RequestPlan], AnswerFormat]]]


def create_app(settings: ServerSettings | None = None) -> ASGIApp:
    """The server as an ASGI app. Raises what is wrong with the settings: an unknown model, a host open to all."""
    settings = settings or ServerSettings()
    keys = KeyFile(settings.keys) if settings.keys else None
    check_exposure(settings, len(keys.keys) if keys else 0)
    server = Endpoints(settings)
    routes = [
        Route("/v1/chat/completions", Endpoint(server.chat), methods=["POST"]),
        Route("/v1/responses", Endpoint(server.responses), methods=["POST"]),
        Route("/v1/models", server.models, methods=["GET"]),
        Route("/v1/models/{name:path}", server.model, methods=["GET"]),
        Route("/openapi.json", server.description, methods=["GET"]),
        Route("/healthz", server.health, methods=["GET"]),
        Route("/metrics", server.figures, methods=["GET"]),
    ]
    router = Router(routes, redirect_slashes=False, lifespan=_lifespan)
    return Gate(router, settings, keys, server.metrics)


class _Gone(Exception):
    """The client went away before its request was complete."""


class Endpoint:
    """An ASGI endpoint of its own: it sends its answer itself."""

    def __init__(self, answer: ASGIApp) -> None:
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        await self._answer(scope, receive, send)


class Endpoints:
    """What the routes share."""

    def __init__(self, settings: ServerSettings) -> None:
        self.settings, self.metrics = settings, Metrics()
        self.served = ServedModels(settings.models, settings.strategy)
        terms = Policy.of(settings.approve), settings.approval_seconds, settings.mend
        self.own_tools = OwnTools(settings.toolbox, *terms) if settings.toolbox else None

    async def chat(self, scope: Scope, receive: Receive, send: Send) -> None:
        """POST /v1/chat/completions."""

        def read(raw: bytes) -> tuple[ChatBody, tuple[str, ...], Callable[[RequestPlan], AnswerFormat]]:
            body, ignored = read_body(raw)
            usage = bool(body.stream_options and body.stream_options.include_usage)
            return body, ignored, lambda plan: Envelope(plan.served.name, f"fp_{plan.strategy.prompt_hash}", usage)

        await self._answer(scope, receive, send, read)

    async def responses(self, scope: Scope, receive: Receive, send: Send) -> None:
        """POST /v1/responses."""

        def read(raw: bytes) -> tuple[ChatBody, tuple[str, ...], Callable[[RequestPlan], AnswerFormat]]:
            asked = read_response(raw, places)
            return asked.body, asked.ignored, lambda plan: ResponseForm(plan.served.name, asked)

        with in_the_words_of_responses() as places:
            await self._answer(scope, receive, send, read)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, read: Reader) -> None:
        entry = entry_of(scope)
        try:
            raw = await self._raw(scope, receive)
            body, entry.ignored, form = read(raw)
        except _Gone:
            entry.disconnected = True
            return
        # New schemas and long talks are read beside the event loop.
        if body.response_format or len(raw) > _SHORT or not were_read(body.tools or ()):
            plan = await to_thread.run_sync(plan_of, body, self.served, self.settings)
        else:
            plan = plan_of(body, self.served, self.settings)
        entry.model, entry.strategy = plan.served.name, plan.strategy.name
        entry.stream = bool(body.stream)
        if self.settings.log_contents:
            entry.contents["messages"] = [each.model_dump(exclude_none=True) for each in body.messages]
        headers = [(IGNORED.encode(), ", ".join(entry.ignored).encode())] if entry.ignored else []
        job = AnswerJob(self.settings, self.own_tools, plan, body.n or 1, form(plan), entry)
        if body.stream:
            await stream(job.stream, receive, send, entry, self.settings.keep_alive, headers)
        else:
            await until_gone(partial(job.whole, send, headers), receive, entry)

    async def models(self, request: Request) -> Response:
        """GET /v1/models."""
        return _json({"object": "list", "data": [self._model(name) for name in self.served.names()]})

    async def model(self, request: Request) -> Response:
        """GET /v1/models/NAME."""
        name = request.path_params["name"]
        self.served.find(name)
        return _json(self._model(name))

    async def health(self, request: Request) -> Response:
        """GET /healthz: the server answers."""
        return _json({"status": "ok"})

    async def description(self, request: Request) -> Response:
        """GET /openapi.json."""
        return _json(described())

    async def figures(self, request: Request) -> Response:
        """GET /metrics."""
        return Response(self.metrics.text(), media_type=CONTENT_TYPE)

    async def _raw(self, scope: Scope, receive: Receive) -> bytes:
        """The body, as far as it may go. Raises ApiError: 415, 413, 408."""
        headers = headers_of(scope)
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != JSON:
            text = f"Unsupported content type {kind!r:.60}: send the body as {JSON}."
            raise ApiError(415, text, code="unsupported_content_type")
        most, raw = self.settings.body_bytes, bytearray()
        length = headers.get("content-length", "")
        if length.isdigit() and int(length) > most:
            raise _too_large(most)
        with anyio.move_on_after(self.settings.body_seconds):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise _Gone
                raw += message.get("body", b"")
                if len(raw) > most:
                    raise _too_large(most)
                if not message.get("more_body", False):
                    return bytes(raw)
        raise ApiError(408, f"The body did not arrive within {self.settings.body_seconds:g} s.", code="timeout")

    def _model(self, name: str) -> dict[str, object]:
        return {"id": name, "object": "model", "created": 0, "owned_by": "toolmend"}


def entry_of(scope: Scope) -> LedgerEntry:
    """What is remembered of a request."""
    entry = scope[ENTRY]
    assert isinstance(entry, LedgerEntry), "the gate makes it"
    return entry


@asynccontextmanager
async def _lifespan(_app: object) -> AsyncIterator[None]:
    logs.say("started")
    yield
    logs.say("stopped")


def _too_large(most: int) -> ApiError:
    return ApiError(413, f"The body is larger than {most:,} bytes.", code="request_too_large")


def _json(data: object) -> Response:
    return Response(encoded(data), media_type=JSON)
