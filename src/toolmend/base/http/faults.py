"""What went wrong on the wire, in one line a person can act on. Knows httpx2's errors and how servers word theirs."""

from __future__ import annotations

import errno
import json
import socket
import ssl
from collections.abc import Iterator
from typing import Any

import httpx2

_EXCERPT = 160


def excerpt(text: str) -> str:
    """The start of a text, on one line."""
    line = " ".join(text[: 4 * _EXCERPT].split())
    return line if len(line) <= _EXCERPT and len(text) <= 4 * _EXCERPT else f"{line[:_EXCERPT].rstrip()}…"


def error_text(value: Any) -> str:
    """What a server says is wrong, in any of the usual shapes; "" if it says nothing.

    `{"error": "…"}`, `{"error": {"message": "…"}}`, `{"detail": "…" or [{"msg": "…"}]}`, `{"message": "…"}`, and
    lists of these.
    """
    if isinstance(value, str):
        inner = _json(value) if value.lstrip().startswith(("{", "[")) else None
        return error_text(inner) or value.strip()
    if isinstance(value, list):
        return "; ".join(text for text in map(error_text, value[:3]) if text)
    if not isinstance(value, dict):
        return ""
    for key in ("error", "message", "detail", "msg", "error_description"):
        if text := error_text(value.get(key)):
            return text
    return ""


def body_text(body: bytes, content_type: str) -> str:
    """What the body of a refusal says, "" for nothing."""
    text = body.decode("utf-8", "replace").strip()
    value = _json(text)
    if value is not None:
        return excerpt(error_text(value) or text)
    if "html" in content_type or text.startswith("<"):
        return "(an HTML page)"
    return excerpt(text)


def unreadable_type(content_type: str) -> bool:
    """Whether a reply of this type is not worth reading: a page, a picture. Servers call JSON many things."""
    kind = content_type.partition(";")[0].strip().lower()
    known = ("json", "event-stream", "ndjson", "jsonl", "text/plain", "octet-stream")
    return bool(kind) and not any(word in kind for word in known)


def no_connection(error: httpx2.TransportError, place: str, seconds: float) -> str:
    """Why there was no connection, or none that lasted until the first byte."""
    causes = list(_causes(error))
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return f"the host of {place} is not known (DNS): is the address right, is there a network?"
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return f"no safe connection to {place} ({line_of(error)}): is it https, is its certificate trusted here?"
    if isinstance(error, httpx2.ConnectTimeout):
        return f"no connection to {place} within {seconds:g} s: is the server running, is the address right?"
    if isinstance(error, httpx2.ConnectError):
        errors = [cause for cause in causes if isinstance(cause, OSError)]
        why = next((cause.strerror for cause in errors if cause.errno not in (None, errno.ECONNREFUSED)), "")
        return f"nobody answers at {place}{f' ({why})' if why else ''}: is the server running, is the address right?"
    if isinstance(error, httpx2.ProxyError):
        return f"the proxy before {place} refused ({line_of(error)}): see HTTP_PROXY, HTTPS_PROXY, NO_PROXY"
    return f"no answer from {place}: the connection broke off, or this is no HTTP ({line_of(error)})"


def refused(error: httpx2.TransportError) -> bool:
    """Whether the machine is there and nobody listens."""
    return any(isinstance(cause, OSError) and cause.errno == errno.ECONNREFUSED for cause in _causes(error))


def line_of(error: BaseException) -> str:
    """What an error says, on one line; its name if it says nothing."""
    return excerpt(str(error)) or type(error).__name__


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        if isinstance(error, BaseExceptionGroup):
            for cause in error.exceptions:
                yield from _causes(cause)
        error = error.__cause__ or error.__context__


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
