"""Answers in the format of chat completions, whole and in chunks. Pure; knows no HTTP and no model."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_core import to_json

from toolmend.apps.server.answering import ServedAnswer, cut
from toolmend.apps.server.paused import PREFIX as APPROVAL
from toolmend.messages import RAW, Call, Usage

PIECE = 64
"""Characters in a chunk of a text that was finished before it could be shown."""
DONE = b"data: [DONE]\n\n"
KEEP_ALIVE = b": keep-alive\n\n"


@dataclass(frozen=True, slots=True)
class Envelope:
    """What all chunks of an answer have in common. `model` is the name the client used."""

    model: str
    fingerprint: str
    usage: bool = False
    id: str = field(default_factory=lambda: f"chatcmpl-{secrets.token_hex(12)}")
    created: int = field(default_factory=lambda: int(time.time()))

    def whole(self, answers: Sequence[ServedAnswer], stops: Sequence[str]) -> dict[str, Any]:
        """`chat.completion`."""
        choices = [_choice(place, each, stops) for place, each in enumerate(answers)]
        return self._frame("chat.completion", choices) | {"usage": usage_of(answers)}

    def chunk(self, place: int, delta: dict[str, Any], finish: str | None = None) -> bytes:
        """An event with a delta of one choice."""
        choice = {"index": place, "delta": delta, "logprobs": None, "finish_reason": finish}
        more = {"usage": None} if self.usage else {}
        return event(self._frame("chat.completion.chunk", [choice]) | more)

    def counted(self, answers: Sequence[ServedAnswer]) -> bytes:
        """The event with the usage, which comes last."""
        return event(self._frame("chat.completion.chunk", []) | {"usage": usage_of(answers)})

    def shown(self, place: int, stops: Sequence[str]) -> ShownChoice:
        """What streams one choice."""
        return ShownChoice(self, place, stops)

    def end(self, answers: Sequence[ServedAnswer]) -> bytes:
        """The last of a stream."""
        return (self.counted(answers) if self.usage else b"") + DONE

    def _frame(self, kind: str, choices: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            "id": self.id,
            "object": kind,
            "created": self.created,
            "model": self.model,
            "system_fingerprint": self.fingerprint,
            "choices": choices,
        }


class ShownChoice:
    """One choice as it is streamed: its text up to a stop, and then what is left of the answer."""

    def __init__(self, envelope: Envelope, place: int, stops: Sequence[str]) -> None:
        self._envelope, self._place, self._stops = envelope, place, stops
        self._held = max(map(len, stops), default=1) - 1
        self._text, self._sent = "", 0

    def begin(self) -> bytes:
        """The first event: who speaks."""
        return self._envelope.chunk(self._place, {"role": "assistant", "content": ""})

    def add(self, piece: str) -> bytes:
        """The event of a piece of text, b"" for what may still turn out to be a stop."""
        self._text += piece
        safe = cut(self._text, self._stops)
        end = len(safe) if len(safe) < len(self._text) else max(self._sent, len(safe) - self._held)
        return self._upto(safe, end)

    def rest(self, answer: ServedAnswer) -> Iterator[bytes]:
        """The rest of the text, the calls, and how it ended."""
        text = cut(answer.text, self._stops)
        shown = cut(self._text, self._stops)[: self._sent]
        if not text.startswith(shown):  # a strategy may trim what its model said
            text = shown + text[len(shown.strip()) :] if text.startswith(shown.strip()) else shown
        while self._sent < len(text):
            yield self._upto(text, min(len(text), self._sent + PIECE))
        for number, call in enumerate(answer.calls):
            yield from self._call(number, call)
        yield self._envelope.chunk(self._place, {}, reason(answer))

    def _upto(self, text: str, end: int) -> bytes:
        piece, self._sent = text[self._sent : end], max(self._sent, end)
        return self._envelope.chunk(self._place, {"content": piece}) if piece else b""

    def _call(self, number: int, call: Call) -> Iterator[bytes]:
        made = call_of(call)
        arguments = made["function"]["arguments"]
        made["function"]["arguments"] = ""
        yield self._envelope.chunk(self._place, {"tool_calls": [{"index": number, **made}]})
        for start in range(0, len(arguments), PIECE):
            delta = {"index": number, "function": {"arguments": arguments[start : start + PIECE]}}
            yield self._envelope.chunk(self._place, {"tool_calls": [delta]})


def event(data: Any) -> bytes:
    """A server-sent event."""
    return b"data: " + encoded(data) + b"\n\n"


def encoded(data: Any) -> bytes:
    """JSON in UTF-8; half a character, which UTF-8 does not have, as an escape."""
    try:
        return to_json(data)  # a sixth of what json takes: every piece of a stream passes here
    except ValueError:
        return json.dumps(data, separators=(",", ":")).encode()


def call_of(call: Call) -> dict[str, Any]:
    """A call as the client gets it. Arguments that were no JSON object go out as the model wrote them."""
    raw = call.arguments.get(RAW)
    arguments = raw if isinstance(raw, str) else json.dumps(dict(call.arguments), ensure_ascii=False)
    function = {"name": call.tool, "arguments": arguments}
    number = call.id if call.id.startswith(APPROVAL) else f"call_{secrets.token_hex(12)}"
    return {"id": number, "type": "function", "function": function}


def usage_of(answers: Sequence[ServedAnswer]) -> dict[str, int]:
    """Tokens of all choices, those of every request that an answer took."""
    usage = sum((each.usage for each in answers), Usage())
    prompt, completion = usage.input_tokens, usage.output_tokens
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def reason(answer: ServedAnswer) -> str:
    """`finish_reason`."""
    return "tool_calls" if answer.calls else "length" if answer.finish == "length" else "stop"


def _choice(place: int, answer: ServedAnswer, stops: Sequence[str]) -> dict[str, Any]:
    text = cut(answer.text, stops)
    message: dict[str, Any] = {"role": "assistant", "content": text or (None if answer.calls else ""), "refusal": None}
    if answer.calls:
        message["tool_calls"] = [call_of(call) for call in answer.calls]
    return {"index": place, "message": message, "logprobs": None, "finish_reason": reason(answer)}
