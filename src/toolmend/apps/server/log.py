"""The server's log: what is remembered of a request while it runs, and a line of JSON for it on standard error.

Lines have no key, no header and no contents of a conversation.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import time
import traceback
from datetime import UTC, datetime
from typing import Any

from toolmend.apps.server.keys import Key
from toolmend.apps.server.refusals import ApiError, broken
from toolmend.base.messages import Usage

NAME, APPROVALS = "toolmend.server", "toolmend.approval"
GONE = 499
"""The status that is written down for a client that went away; it is never sent."""
logger = logging.getLogger(NAME)
logger.addHandler(logging.NullHandler())  # silent until somebody asks for the log


class LedgerEntry:
    """One request. `finished`: the last byte of its answer went out; `about` is what else its line says."""

    def __init__(self, method: str, path: str) -> None:
        self.path, self.id, self.began = path, f"req_{secrets.token_hex(12)}", time.perf_counter()
        self.key: Key | None = None
        self.status, self.usage = 0, Usage()
        self.disconnected = self.finished = False
        self.about: dict[str, Any] = {"method": method, "path": path}

    def begun(self, status: int) -> None:
        """The first byte of the answer goes out."""
        self.status = status
        self.about["first"] = round(time.perf_counter() - self.began, 4)

    def failed(self, error: Exception) -> ApiError:
        """The error for the client; for a fault of toolmend's own, where it was raised is remembered."""
        if isinstance(error, ApiError):
            self.about["error"] = error.code or error.kind
            return error
        self.about |= {"error": type(error).__name__, "trace": _frames(error)}
        return broken()

    def written(self) -> None:
        """Write its line; an error where the fault is the server's. What says nothing is left out."""
        made = {
            "request": self.id,
            "status": self.status or (GONE if self.disconnected else 0),
            "seconds": round(time.perf_counter() - self.began, 4),
            "key": self.key and self.key.name,
            "input_tokens": self.usage.input_tokens,
            "output_tokens": self.usage.output_tokens,
            "disconnected": self.disconnected,
            **self.about,
        }
        level = logging.ERROR if self.status == 500 else logging.WARNING if self.status > 500 else logging.INFO
        say("request", level, **{name: value for name, value in made.items() if value})


class JsonLines(logging.Formatter):
    """A record as one line of JSON; what `extra={"fields": …}` has stands beside time, level and event."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        made: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            made |= {"error": type(record.exc_info[1]).__name__, "trace": list(_frames(record.exc_info[1]))}
        return json.dumps(made, ensure_ascii=True, default=str)


def to_stderr() -> None:
    """Write the lines of this server, and of what serves it, to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    handler.addFilter(_is_told)
    for name in (NAME, APPROVALS, "uvicorn"):
        log = logging.getLogger(name)
        log.handlers, log.propagate = [handler], False
        log.setLevel(logging.WARNING if name == "uvicorn" else logging.INFO)


def say(event: str, level: int = logging.INFO, **fields: Any) -> None:
    """A line about what happened."""
    if logger.isEnabledFor(level):
        # No frame is looked for that said it: no line tells one.
        logger.handle(logger.makeRecord(NAME, level, "", 0, event, (), None, extra={"fields": fields}))


def _is_told(record: logging.LogRecord) -> bool:
    """Whether a line is worth it: that an answer was cut off, because a second Ctrl-C did not wait for it, is not."""
    cut = record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError)
    return not cut and not record.getMessage().rstrip().endswith("asyncio.exceptions.CancelledError")


def _frames(error: BaseException) -> tuple[str, ...]:
    """Where an error was raised, innermost last. Not what it says: that may quote a conversation."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    found = traceback.extract_tb(error.__traceback__)
    return tuple(f"{frame.filename.rpartition('/site-packages/')[2]}:{frame.lineno} {frame.name}" for frame in found)
