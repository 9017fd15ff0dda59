"""One request as it came and the reply in the making, which faults change before it is sent. Knows no socket."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from toolmend.base.messages import Reply

CHATS = {"/v1/chat/completions": "openai", "/api/chat": "ollama"}

Event = dict[str, Any]
Merge = Literal[
    "openai", "id", "index", "first id", "nothing", "same index", "wrong index", "shuffled", "whole", "echo"
]


@dataclass(frozen=True)
class Received:
    """A request as it came. `number` counts the chats from 0, other requests have the number of the next chat."""

    number: int
    connection: int
    method: str
    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def api(self) -> str:
        """Whose format it is in: openai, ollama, or "" where it is no chat."""
        return CHATS.get(self.path.partition("?")[0], "")

    @property
    def body(self) -> dict[str, Any]:
        """The JSON object in it; empty where there is none."""
        try:
            found = json.loads(self.raw)
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    @property
    def streaming(self) -> bool:
        """Whether the reply is to come in pieces. Ollama streams unless told not to."""
        return bool(self.body.get("stream", self.api == "ollama"))

    @property
    def key(self) -> str:
        """The key that came with it."""
        return self.headers.get("authorization", "").removeprefix("Bearer ")


@dataclass
class Exchange:
    """A reply in the making: what the model says, then `events` as objects, then `pieces` as bytes."""

    received: Received
    reply: Reply
    retry_after: float = 0.0

    merge: Merge = "openai"
    limited: bool = True
    counted: bool = True
    events: list[Event] = field(default_factory=list)

    status: str = "200 OK"
    headers: dict[str, str] = field(default_factory=dict)
    pieces: list[bytes] = field(default_factory=list)
    framing: Literal["chunked", "length", "close"] = "length"
    closing: bool = False

    before_head: bytes = b""
    drop: Literal["", "before head", "in head", "in body"] = ""
    reset: bool = False
    cut: int = 0
    hold: Literal["", "briefly", "for ever"] = ""
    endless: bytes = b""

    @property
    def streaming(self) -> bool:
        """Whether it goes out in pieces."""
        return self.received.streaming

    @property
    def said(self) -> Iterator[dict[str, Any]]:
        """What holds role, content and calls in every event: message, or delta."""
        for holder in self.holders:
            for name in ("message", "delta"):
                if isinstance(holder.get(name), dict):
                    yield holder[name]

    @property
    def holders(self) -> Iterator[dict[str, Any]]:
        """What holds messages and deltas: the choices, or the events themselves."""
        for event in self.events:
            yield from event.get("choices") or [event]

    def instead(self, status: str, body: str | bytes, kind: str = "application/json", **headers: str) -> None:
        """Say this in one piece and nothing else."""
        self.status = status
        self.pieces = [body.encode() if isinstance(body, str) else body]
        self.headers = {"content-type": kind, **{name.replace("_", "-"): value for name, value in headers.items()}}
        self.framing = "length"
