"""Answers in the format of chat completions, whole and in chunks. Pure; knows no HTTP and no model."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from pydantic_core import to_json

from toolmend.apps.server.answering import ServedAnswer
from toolmend.apps.server.plan import RequestPlan
from toolmend.base.messages import RAW, Call

PIECE = 64
"""Characters in a chunk of a text that was finished before it could be shown."""


class AnswerForm(Protocol):
    """A format of one answer: chat completions (here) or responses (responses.py)."""

    def whole(self, answer: ServedAnswer) -> dict[str, Any]:
        """The answer in one piece."""
        ...

    def add(self, piece: str) -> bytes:
        """The events of a piece of text that is shown while it comes."""
        ...

    def rest(self, answer: ServedAnswer) -> Iterator[bytes]:
        """The events that are left once the answer is known."""
        ...


class ShownText:
    """A text while it is shown: up to the first of the texts that end it, of which nothing may be seen."""

    def __init__(self, stops: Sequence[str]) -> None:
        self._stops, self._held = stops, max(map(len, stops), default=1) - 1
        self._text, self.sent = "", ""

    def add(self, piece: str) -> str:
        """What of it can be shown by now: not what may still turn out to be a stop."""
        self._text += piece
        safe = cut(self._text, self._stops)
        end = len(safe) if len(safe) < len(self._text) else max(len(self.sent), len(safe) - self._held)
        return self._upto(safe, end)

    def rest(self, text: str) -> Iterator[str]:
        """What is left of the whole text, in pieces."""
        text = cut(text, self._stops)
        if not text.startswith(self.sent):  # a strategy may trim what its model said
            bare = self.sent.strip()
            text = self.sent + text[len(bare) :] if text.startswith(bare) else self.sent
        while len(self.sent) < len(text):
            yield self._upto(text, min(len(text), len(self.sent) + PIECE))

    def _upto(self, text: str, end: int) -> str:
        piece = text[len(self.sent) : end]
        self.sent += piece
        return piece


class ChatForm:
    """A chat completion. Its `model` is the name the client used."""

    def __init__(self, plan: RequestPlan, usage: bool) -> None:
        self._stops, self._usage, self._shown = plan.stops, usage, ShownText(plan.stops)
        self._begun = False
        self._frame = {
            "id": f"chatcmpl-{secrets.token_hex(12)}",
            "object": "chat.completion",
            "created": int(time.time()),
            "model": plan.served.name,
            "system_fingerprint": f"fp_{plan.strategy.prompt_hash}",
        }

    def whole(self, answer: ServedAnswer) -> dict[str, Any]:
        """`chat.completion`."""
        text = cut(answer.text, self._stops)
        said = text or (None if answer.calls else "")
        message: dict[str, Any] = {"role": "assistant", "content": said, "refusal": None}
        if answer.calls:
            message["tool_calls"] = [call_of(call) for call in answer.calls]
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _reason(answer)}
        return {**self._frame, "choices": [choice], "usage": _usage(answer)}

    def add(self, piece: str) -> bytes:
        """Who speaks, and the piece."""
        return self._begin() + self._content(self._shown.add(piece))

    def rest(self, answer: ServedAnswer) -> Iterator[bytes]:
        """The rest of the text, the calls, how it ended, and the usage where it is asked for."""
        yield self._begin()
        for piece in self._shown.rest(answer.text):
            yield self._content(piece)
        for number, call in enumerate(answer.calls):
            yield from self._call(number, call)
        yield self._chunk({}, _reason(answer))
        if self._usage:
            yield event({**self._frame, "object": "chat.completion.chunk", "choices": [], "usage": _usage(answer)})
        yield b"data: [DONE]\n\n"

    def _begin(self) -> bytes:
        begun, self._begun = self._begun, True
        return b"" if begun else self._chunk({"role": "assistant", "content": ""})

    def _content(self, piece: str) -> bytes:
        return self._chunk({"content": piece}) if piece else b""

    def _call(self, number: int, call: Call) -> Iterator[bytes]:
        made = call_of(call)
        arguments = made["function"]["arguments"]
        made["function"]["arguments"] = ""
        yield self._chunk({"tool_calls": [{"index": number, **made}]})
        for start in range(0, len(arguments), PIECE):
            delta = {"index": number, "function": {"arguments": arguments[start : start + PIECE]}}
            yield self._chunk({"tool_calls": [delta]})

    def _chunk(self, delta: dict[str, Any], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        more = {"usage": None} if self._usage else {}
        return event({**self._frame, "object": "chat.completion.chunk", "choices": [choice], **more})


def event(data: Any) -> bytes:
    """A server-sent event."""
    return b"data: " + encoded(data) + b"\n\n"


def encoded(data: Any) -> bytes:
    """JSON in UTF-8; half a character, which UTF-8 does not have, as an escape."""
    try:
        return to_json(data)  # a sixth of what json takes: every piece of a stream passes here
    except ValueError:
        return json.dumps(data, separators=(",", ":")).encode()


def cut(text: str, stops: Sequence[str]) -> str:
    """A text up to the first of the texts that end it."""
    return text[: min((at for stop in stops if (at := text.find(stop)) >= 0), default=len(text))]


def call_of(call: Call) -> dict[str, Any]:
    """A call as the client gets it. Arguments that were no JSON object go out as the model wrote them."""
    raw = call.arguments.get(RAW)
    arguments = raw if isinstance(raw, str) else json.dumps(dict(call.arguments), ensure_ascii=False)
    function = {"name": call.tool, "arguments": arguments}
    return {"id": f"call_{secrets.token_hex(12)}", "type": "function", "function": function}


def _usage(answer: ServedAnswer) -> dict[str, int]:
    """Tokens of every request that the answer took."""
    prompt, completion = answer.usage.input_tokens, answer.usage.output_tokens
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def _reason(answer: ServedAnswer) -> str:
    return "tool_calls" if answer.calls else "length" if answer.finish == "length" else "stop"
