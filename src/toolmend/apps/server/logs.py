"""The server's log: a line of JSON on standard error for every request and for what the server itself does.

Lines have no key, no header and no contents of a conversation, unless contents were asked for.
"""

from __future__ import annotations

import asyncio
import json
import logging
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

NAME, APPROVALS = "toolmend.server", "toolmend.approval"
logger = logging.getLogger(NAME)
logger.addHandler(logging.NullHandler())  # silent until somebody asks for the log


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
            made |= {"error": type(record.exc_info[1]).__name__, "trace": list(frames(record.exc_info[1]))}
        return json.dumps(made, ensure_ascii=True, default=str)


def told(record: logging.LogRecord) -> bool:
    """Whether a line is worth it: that an answer was cut off, because a second Ctrl-C did not wait for it, is not."""
    cut = record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError)
    return not cut and not record.getMessage().rstrip().endswith("asyncio.exceptions.CancelledError")


def to_stderr() -> None:
    """Write the lines of this server, and of what serves it, to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    handler.addFilter(told)
    for name in (NAME, APPROVALS, "uvicorn"):
        log = logging.getLogger(name)
        log.handlers, log.propagate = [handler], False
        log.setLevel(logging.WARNING if name == "uvicorn" else logging.INFO)


def say(event: str, level: int = logging.INFO, **fields: Any) -> None:
    """A line about what happened."""
    if logger.isEnabledFor(level):
        logger.log(level, event, extra={"fields": fields})


def request_line(fields: Mapping[str, Any], status: int) -> None:
    """The line of a request: an error where the fault is the server's."""
    level = logging.ERROR if status == 500 else logging.WARNING if status > 500 else logging.INFO
    say("request", level, **fields)


def frames(error: BaseException) -> tuple[str, ...]:
    """Where an error was raised, innermost last. Not what it says: that may quote a conversation."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    found = traceback.extract_tb(error.__traceback__)
    return tuple(f"{frame.filename.rpartition('/site-packages/')[2]}:{frame.lineno} {frame.name}" for frame in found)
