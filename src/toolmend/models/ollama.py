"""Models in Ollama, through its own `/api/chat`: `ollama/MODEL?num_ctx=8192`.

Its OpenAI-compatible address ignores `num_ctx` and cuts conversations without a word; this one is told how long the
window is, asked not to cut, and watched.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from toolmend.base.http import DONE, error_text, excerpt
from toolmend.base.messages import Message, Request, Usage
from toolmend.models.model import Abilities
from toolmend.models.openai_messages import WireNames, as_is, tools_of
from toolmend.models.openai_reply import counted, texts_of
from toolmend.models.served import EndpointSettings, HeardReply, Served, named

_PORT = 11434
_LONGEST_TOKEN = 8
"""Characters. A text of more than so many per counted token was not read as a whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OllamaSettings(EndpointSettings):
    """What can be said of Ollama, beside what can be said of any server.

    `num_ctx` is the window in tokens, always sent; `think` true, false, or low, medium, high, where the model has it.
    One request at a time, as Ollama does unless told.
    """

    num_ctx: int = 8192
    think: str = ""
    concurrency: int | None = 1


class _Chat(HeardReply):
    """What has come so far."""

    def take(self, value: Any) -> bool:
        """Take a line, or the whole reply; True when no more will come."""
        if value is DONE or not isinstance(value, Mapping):
            self.unknown = self.unknown or excerpt(str(value))
            return False
        if value.get("error"):
            self.error = error_text(value["error"]) or str(value["error"])
            return True
        message = value.get("message")
        if isinstance(message, Mapping):
            self._said(message)
        elif "message" not in value and not value.get("done"):
            self.unknown = self.unknown or error_text(value) or str(dict(value))
        if value.get("done") is not True:
            return False
        self.complete, self.finish = True, str(value.get("done_reason"))
        self.input_tokens, self.output_tokens = (
            counted(value.get("prompt_eval_count")),
            counted(value.get("eval_count")),
        )
        return True

    def _said(self, message: Mapping[str, Any]) -> None:
        self.say(texts_of(message.get("content"))[0])
        self.reasoning.append(texts_of(message.get("thinking"))[0])
        calls = message.get("tool_calls")
        for call in calls if isinstance(calls, list) else ():
            self.calls.whole(call)


class Ollama(Served):
    """A model in Ollama. Options are the fields of OllamaSettings."""

    family = "ollama"
    kind = OllamaSettings
    path = "api/chat"
    heard = _Chat
    wanted = "reply of Ollama's"

    def prepare(self, settings: OllamaSettings) -> OllamaSettings:
        """The settings with the address out of OLLAMA_HOST, where nothing else is said."""
        self.abilities = Abilities(native_tools=True, streaming=True, window=settings.num_ctx)
        url = settings.base_url or host_address(os.environ.get("OLLAMA_HOST", ""))
        return replace(settings, base_url=url, key_env=settings.key_env or "OLLAMA_API_KEY")

    def hint(self, status: int, text: str) -> str:
        """What to do about a refusal."""
        if status == 404 and "not found" in text:
            return f"; get it with: ollama pull {self.model}"
        if "context" in text and ("exceed" in text or "length" in text):
            return f"; a longer window is asked for with num_ctx (now {self.settings.num_ctx})"
        return ""

    def body(self, request: Request, names: WireNames) -> dict[str, Any]:
        """What is sent, with the window."""
        settings, options = self.settings, request.options
        sampling: dict[str, Any] = {"num_ctx": settings.num_ctx, "num_predict": options.max_tokens}
        sampling["temperature"] = options.temperature
        if options.seed is not None:
            sampling["seed"] = options.seed
        if options.stop:
            sampling["stop"] = list(options.stop)
        body: dict[str, Any] = {"model": self.model, "messages": _messages(request.messages, names)}
        body |= {"stream": settings.stream, "options": sampling}
        body |= {"truncate": False, "shift": False}  # a server that knows these refuses what it would have to cut
        if request.tools:
            body["tools"] = tools_of(request.tools, names, as_is)
        if request.constraint and request.constraint.kind == "json_schema":
            body["format"] = request.constraint.value
        if settings.think:
            body["think"] = {"true": True, "false": False}.get(settings.think.lower(), settings.think)
        return body

    def truncated(self, request: Request, usage: Usage) -> bool:
        """Whether the conversation was cut: the window is full, or far fewer tokens were read than its text has.

        A count of 0 says nothing: servers leave it out where the prompt was in their cache.
        """
        if not usage.input_tokens:
            return False
        full = usage.input_tokens >= self.settings.num_ctx
        return full or sum(len(m.content) for m in request.messages) > _LONGEST_TOKEN * usage.input_tokens


def host_address(host: str) -> str:
    """The address in OLLAMA_HOST, which may be a host, a port, both, or a whole address."""
    text = host.strip().strip("'\"")
    scheme, sign, rest = text.rpartition("://")
    place, slash, path = rest.partition("/")
    name, _, port = place.rpartition(":") if ":" in place.rpartition("]")[2] else (place, "", "")
    if name in ("", "0.0.0.0", "[::]"):  # where a server listens is no place to call
        name = "127.0.0.1"
    usual = {"http": 80, "https": 443}.get(scheme, _PORT) if sign else _PORT
    return f"{scheme or 'http'}://{name}:{port or usual}{slash}{path}"


def _messages(messages: Sequence[Message], names: WireNames) -> list[dict[str, Any]]:
    """The messages. Calls are sent as calls only where results follow; in text strategies they stand in the text."""
    answered = {message.call_id for message in messages if message.role == "tool"}
    tools = {call.id: names.sent(call.tool) for message in messages for call in message.calls}
    sent = []
    for message in messages:
        said: dict[str, Any] = {"role": message.role, "content": message.content}
        if message.role == "tool":
            said["tool_name"] = tools.get(message.call_id or "", "")
        elif calls := [call for call in message.calls if call.id in answered]:
            functions = [{"name": tools[call.id], "arguments": dict(call.arguments)} for call in calls]
            said["tool_calls"] = [{"function": function} for function in functions]
        sent.append(said)
    return sent


def load(name: str) -> Ollama:
    """The model of a name, what stands after `ollama/`: `MODEL?num_ctx=…`."""
    model, settings = named(OllamaSettings, name, "ollama")
    return Ollama(model, settings, name=f"ollama/{name}")
