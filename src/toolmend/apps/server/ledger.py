"""What is remembered of a request while it runs, for log, metrics and limits. No contents unless asked."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field
from typing import Any

from toolmend.apps.server.keys import Key
from toolmend.apps.server.logs import frames
from toolmend.apps.server.refusals import ApiError, broken
from toolmend.messages import Usage


@dataclass(slots=True)
class LedgerEntry:
    """One request; `first` is when the first byte of its answer went out, in seconds; `finished`: the last one, too."""

    method: str
    path: str
    id: str = field(default_factory=lambda: f"req_{secrets.token_hex(12)}")
    key: Key | None = None
    model: str = ""
    strategy: str = ""
    stream: bool = False
    status: int = 0
    error: str = ""
    usage: Usage = Usage()
    calls: int = 0
    flags: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    first: float | None = None
    disconnected: bool = False
    finished: bool = False
    trace: tuple[str, ...] = ()
    contents: dict[str, Any] = field(default_factory=dict)
    began: float = field(default_factory=time.perf_counter)

    @property
    def seconds(self) -> float:
        """Since it began."""
        return time.perf_counter() - self.began

    def begun(self) -> None:
        """The first byte of the answer goes out."""
        if self.first is None:
            self.first = self.seconds

    def failed(self, error: Exception) -> ApiError:
        """The error for the client; for a fault of toolmend's own, where it was raised is remembered."""
        if isinstance(error, ApiError):
            self.error = error.code or error.kind
            return error
        self.error, self.trace = type(error).__name__, frames(error)
        return broken()

    def line(self) -> dict[str, Any]:
        """What the log says of it; what says nothing is left out."""
        made = {
            "request": self.id,
            "method": self.method,
            "path": self.path,
            "status": self.status,
            "seconds": round(self.seconds, 4),
            "first": None if self.first is None else round(self.first, 4),
            "key": self.key.name if self.key else None,
            "model": self.model,
            "strategy": self.strategy,
            "stream": self.stream or None,
            "input_tokens": self.usage.input_tokens,
            "output_tokens": self.usage.output_tokens,
            "calls": self.calls,
            "flags": list(self.flags),
            "ignored": list(self.ignored),
            "error": self.error,
            "disconnected": self.disconnected or None,
            "trace": list(self.trace),
            **self.contents,
        }
        return {name: value for name, value in made.items() if value not in (None, "", [], 0)}
