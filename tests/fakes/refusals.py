"""Faults that replace the reply: refusals by status, and other things than a reply under 200. One small body each."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from fakes.exchange import Exchange
from fakes.fault import fault

HTML = "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>502</h1>nginx</body></html>"


def _error(exchange: Exchange, text: str) -> str:
    """An error as the API in question says it."""
    error = {"message": text, "type": "fake", "code": None} if exchange.received.api == "openai" else text
    return json.dumps({"error": error})


def _refuse(exchange: Exchange, status: str, text: str, **headers: str) -> None:
    exchange.instead(status, _error(exchange, text), **headers)


@fault("429", "bytes")
def too_many(exchange: Exchange) -> None:
    """Too many requests; Retry-After in seconds."""
    _refuse(exchange, "429 Too Many Requests", "rate limit reached", retry_after=f"{exchange.retry_after:g}")


@fault("429-date", "bytes")
def too_many_until(exchange: Exchange) -> None:
    """Too many requests; Retry-After as a date."""
    until = format_datetime(datetime.now(UTC) + timedelta(seconds=exchange.retry_after), usegmt=True)
    _refuse(exchange, "429 Too Many Requests", "rate limit reached", retry_after=until)


@fault("429-bare", "bytes")
def too_many_bare(exchange: Exchange) -> None:
    """Too many requests; nothing said of when to come back."""
    _refuse(exchange, "429 Too Many Requests", "rate limit reached")


@fault("429-junk", "bytes")
def too_many_junk(exchange: Exchange) -> None:
    """Too many requests; Retry-After is no time."""
    _refuse(exchange, "429 Too Many Requests", "rate limit reached", retry_after="nan, soon")


@fault("429-day", "bytes")
def too_many_today(exchange: Exchange) -> None:
    """Too many requests; come back tomorrow."""
    _refuse(exchange, "429 Too Many Requests", "daily quota reached", retry_after="86400")


@fault("500", "bytes")
def internal_error(exchange: Exchange) -> None:
    """The server fails."""
    _refuse(exchange, "500 Internal Server Error", "the model runner has crashed")


@fault("500-empty", "bytes")
def empty_internal_error(exchange: Exchange) -> None:
    """The server fails and says nothing."""
    exchange.instead("500 Internal Server Error", "")


@fault("502", "bytes")
def bad_gateway(exchange: Exchange) -> None:
    """A proxy fails, in HTML."""
    exchange.instead("502 Bad Gateway", HTML, "text/html")


@fault("503", "bytes")
def unavailable(exchange: Exchange) -> None:
    """The server is loading."""
    _refuse(exchange, "503 Service Unavailable", "loading the model", retry_after=f"{exchange.retry_after:g}")


@fault("400-other", "bytes")
def other_refusal(exchange: Exchange) -> None:
    """A refusal as another framework says it."""
    detail = [{"loc": ["body", "messages"], "msg": "field required", "type": "value_error.missing"}]
    exchange.instead("422 Unprocessable Entity", json.dumps({"detail": detail}))


@fault("401", "bytes")
def unauthorized(exchange: Exchange) -> None:
    """The key is wrong, and is said back."""
    _refuse(exchange, "401 Unauthorized", f"Incorrect API key provided: {exchange.received.key}")


@fault("401-hidden", "bytes")
def unauthorized_in_disguise(exchange: Exchange) -> None:
    """The key is wrong, and is said back in a header, a status line and inside HTML."""
    key = exchange.received.key
    exchange.instead(f"401 No {key}", f"<b>Bearer {key}</b>", "text/html", www_authenticate=f'Bearer realm="{key}"')


@fault("404", "bytes")
def no_such_model(exchange: Exchange) -> None:
    """There is no such model."""
    _refuse(exchange, "404 Not Found", "model 'fake' not found, try pulling it first")


@fault("302", "bytes")
def elsewhere(exchange: Exchange) -> None:
    """The reply is at another address, with the key in it."""
    exchange.instead("302 Found", "", location=f"http://127.0.0.1:9/login?key={exchange.received.key}")


@fault("204", "bytes")
def no_content(exchange: Exchange) -> None:
    """A success without a reply."""
    exchange.instead("204 No Content", "")
    exchange.framing, exchange.headers["content-length"] = "close", "0"


@fault("html-200", "bytes")
def html(exchange: Exchange) -> None:
    """A web page under 200."""
    exchange.instead("200 OK", "<!DOCTYPE html><html><body>Please log in</body></html>", "text/html")


@fault("empty-200", "bytes")
def empty(exchange: Exchange) -> None:
    """200 and no body."""
    exchange.instead("200 OK", "")


@fault("null-200", "bytes")
def null(exchange: Exchange) -> None:
    """200 and the JSON null."""
    exchange.instead("200 OK", "null")


@fault("list-200", "bytes")
def list_(exchange: Exchange) -> None:
    """200 and a JSON list."""
    exchange.instead("200 OK", '[{"message": {"content": "hi"}}]')


@fault("deep-200", "bytes")
def deep(exchange: Exchange) -> None:
    """200 and JSON so deep that Python's reader gives up."""
    exchange.instead("200 OK", '{"choices": ' + "[" * 200_000)


@fault("digits-200", "bytes")
def digits(exchange: Exchange) -> None:
    """200 and an integer of more digits than Python reads."""
    exchange.instead("200 OK", '{"created": ' + "9" * 5_000 + "}")


@fault("error-200", "bytes")
def error(exchange: Exchange) -> None:
    """An error under 200."""
    _refuse(exchange, "200 OK", f"no free slot for {exchange.received.key}")


@fault("other-error-200", "bytes")
def other_error(exchange: Exchange) -> None:
    """Another API's error under 200."""
    overloaded = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    exchange.instead("200 OK", json.dumps(overloaded))


@fault("other-reply-200", "bytes")
def other_reply(exchange: Exchange) -> None:
    """Another API's reply under 200."""
    exchange.instead("200 OK", json.dumps({"type": "message", "content": [{"type": "text", "text": "Hello"}]}))
