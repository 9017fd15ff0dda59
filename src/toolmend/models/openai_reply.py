"""A reply of OpenAI's chat completions, put together from its chunks or taken whole. Pure; knows no server.

Servers send null where the specification has text, leave out what it demands and add what it does not know: everything
is looked at before it is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolmend.base.http import DONE, error_text
from toolmend.base.messages import Call
from toolmend.models.deltas import Calls
from toolmend.models.model import OnDelta
from toolmend.models.served import HeardReply

_REASONING = ("reasoning_content", "reasoning")


class PartialReply(HeardReply):
    """What has come so far, of one choice."""

    def __init__(self, on_delta: OnDelta | None) -> None:
        super().__init__(on_delta)
        self.whole = self.streamed = False
        self.others = Calls()

    def take(self, value: Any) -> bool:
        """Take a chunk, or the whole reply; True when no more will come."""
        if value is DONE:
            self.complete = True
            return True
        record = value[0] if isinstance(value, list) and value else value
        if not isinstance(record, Mapping):
            self.unknown = self.unknown or str(value)
            return False
        if record.get("error"):
            self.error = error_text(record["error"]) or str(record["error"])
            return True
        self._usage(record.get("usage"))
        choices = record.get("choices")
        if not isinstance(choices, list):
            self.unknown = self.unknown or error_text(record) or str(record)
            return False
        first = next((choice for choice in choices if isinstance(choice, Mapping)), {}).get("index")
        for place, choice in enumerate(choices):
            if isinstance(choice, Mapping) and choice.get("index") in (0, None) and (place == 0 or first is not None):
                self._choice(choice)
            elif isinstance(choice, Mapping):
                self._beside(choice)
        return False

    def _choice(self, choice: Mapping[str, Any]) -> None:
        delta, message = choice.get("delta"), choice.get("message")
        if isinstance(delta, Mapping):
            self.streamed = True
            self._said(delta)
            for call in _list(delta.get("tool_calls")):
                self.calls.add(call)
        elif "message" in choice and not self.streamed:  # after a stream, some servers say all of it again
            self.whole = self.complete = True
            message = message if isinstance(message, Mapping) else {}
            self._said(message)
            for call in _list(message.get("tool_calls")):
                self.calls.whole(call)
        if isinstance(choice.get("finish_reason"), str):
            self.finish = choice["finish_reason"]
            self.complete = self.complete or bool(self.finish)

    def _beside(self, choice: Mapping[str, Any]) -> None:
        """Calls in another choice, which nobody asked for: some servers put them there, apart from the text."""
        for key, take in (("delta", self.others.add), ("message", self.others.whole)):
            said = choice.get(key)
            for call in _list(said.get("tool_calls")) if isinstance(said, Mapping) else ():
                take(call)

    def made(self) -> tuple[Call, ...]:
        """The calls, those of another choice where the first made none."""
        own = self.calls.done()
        if not own and (others := self.others.done()):
            self.calls.quirks["tool_calls: the calls stood in another choice"] = None
            return others
        return own

    def _said(self, message: Mapping[str, Any]) -> None:
        text, thought = texts_of(message.get("content"))
        self.say(text or texts_of(message.get("refusal"))[0])
        thought = thought or next((found for key in _REASONING if (found := texts_of(message.get(key))[0])), "")
        if thought:
            self.reasoning.append(thought)

    def _usage(self, usage: Any) -> None:
        """The last counts that came: some servers count up with every chunk."""
        if isinstance(usage, Mapping):
            self.input_tokens = counted(usage.get("prompt_tokens")) or self.input_tokens
            self.output_tokens = counted(usage.get("completion_tokens")) or self.output_tokens


def counted(value: Any) -> int:
    """A count that a server gave; 0 for anything that is none."""
    whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return int(value) if whole and not isinstance(value, bool) and value > 0 else 0


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def texts_of(content: Any) -> tuple[str, str]:
    """Text and thoughts of a content: a string, nothing, or a list of parts."""
    if isinstance(content, str):
        return content, ""
    text, thought = "", ""
    for part in _list(content):
        if isinstance(part, str):
            text += part
        elif isinstance(part, Mapping):
            text += part["text"] if isinstance(part.get("text"), str) else ""
            thought += "".join(texts_of(part.get("thinking")))
    return text, thought
