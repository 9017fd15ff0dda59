"""Models in Ollama, through its own `/api/chat`: `ollama/MODEL?num_ctx=8192`.

Its OpenAI-compatible address ignores `num_ctx` and cuts conversations without a word; this one is told how long the
window is, asked not to cut, and watched.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from anyio import to_thread

from toolmend.errors import ModelError
from toolmend.http import DONE, error_text, excerpt
from toolmend.messages import Finish, Message, Reply, Request, Usage, Wire
from toolmend.models.deltas import Calls
from toolmend.models.dialects import as_is
from toolmend.models.model import Abilities, OnDelta
from toolmend.models.names import WireNames
from toolmend.models.openai_messages import names_of, tools_of
from toolmend.models.openai_reply import counted, texts_of
from toolmend.models.served import EndpointSettings, Served, most_bytes, named
from toolmend.models.unmet import unmet

_PORT = 11434
_LONGEST_TOKEN = 8
"""Characters. A text of more than so many per counted token was not read as a whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OllamaSettings(EndpointSettings):
    """What can be said of Ollama, beside what can be said of any server.

    `num_ctx` is the window in tokens, always sent; `keep_alive` how long the model stays loaded ("5m", "-1"); `think`
    true, false, or low, medium, high, where the model has it. One request at a time, as Ollama does unless told.
    """

    num_ctx: int = 8192
    keep_alive: str = ""
    think: str = ""
    concurrency: int | None = 1


class Ollama(Served):
    """A model in Ollama. Options are the fields of OllamaSettings."""

    family = "ollama"
    kind = OllamaSettings

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

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        """One reply. Raises ModelError when there is none, or only half of one."""
        names, chat = names_of(request.messages, request.tools), _Chat(on_delta)
        exchange = await self.server.post("api/chat", self._body(request, names), chat.take, most_bytes(request))
        self._check(chat)
        calls = tuple(replace(call, tool=names.own(call.tool)) for call in chat.calls.done())
        hide = self.server.secrets.hide
        text, last = hide("".join(chat.text)), chat.last
        usage = Usage(counted(last.get("prompt_eval_count")), counted(last.get("eval_count")), exchange.seconds)
        finish: Finish = "length" if last.get("done_reason") == "length" else "stop"
        told = request, text, calls, usage
        return Reply(
            text,
            calls,
            hide("".join(chat.thoughts)),
            usage,
            finish if text.strip() or calls else "empty",
            self.name,
            self._truncated(request, usage),
            await to_thread.run_sync(unmet, *told) if request.constraint else unmet(*told),
            Wire(exchange.request, exchange.reply),
        )

    def _body(self, request: Request, names: WireNames) -> dict[str, Any]:
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
        if settings.keep_alive:
            body["keep_alive"] = _duration(settings.keep_alive)
        if settings.think:
            body["think"] = {"true": True, "false": False}.get(settings.think.lower(), settings.think)
        return body

    def _check(self, chat: _Chat) -> None:
        """Raise unless this is a whole reply."""
        hide = self.server.secrets.hide_all
        if chat.error:
            line = hide(excerpt(chat.error)) + self.hint(0, chat.error)
            raise ModelError(f"{self.name}: the server says: {line}", retryable=True)
        if chat.last:
            return
        if chat.unknown:
            raise ModelError(f"{self.name}: no reply of Ollama's but {hide(excerpt(chat.unknown))}", retryable=True)
        came = f"{sum(map(len, chat.text))} characters and {len(chat.calls.done())} calls"
        raise ModelError(f"{self.name}: the reply ended after {came}, without saying that this was all", retryable=True)

    def _truncated(self, request: Request, usage: Usage) -> bool:
        """Whether the conversation was cut: the window is full, or far fewer tokens were read than its text has.

        A count of 0 says nothing: servers leave it out where the prompt was in their cache.
        """
        if not usage.input_tokens:
            return False
        full = usage.input_tokens >= self.settings.num_ctx
        return full or sum(len(m.content) for m in request.messages) > _LONGEST_TOKEN * usage.input_tokens


class _Chat:
    """What has come so far."""

    def __init__(self, on_delta: OnDelta | None) -> None:
        self.text: list[str] = []
        self.thoughts: list[str] = []
        self.calls = Calls()
        self.last: Mapping[str, Any] = {}
        self.error = self.unknown = ""
        self._on_delta = on_delta

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
        if value.get("done") is True:
            self.last = value
        return value.get("done") is True

    def _said(self, message: Mapping[str, Any]) -> None:
        if text := texts_of(message.get("content"))[0]:
            self.text.append(text)
            if self._on_delta:
                self._on_delta(text)
        self.thoughts.append(texts_of(message.get("thinking"))[0])
        calls = message.get("tool_calls")
        for call in calls if isinstance(calls, list) else ():
            self.calls.whole(call)


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


def _duration(text: str) -> int | str:
    """Ollama reads a bare number as seconds, and only as a number."""
    return int(text) if text.lstrip("-").isdigit() else text


def load(name: str) -> Ollama:
    """The model of a name, what stands after `ollama/`: `MODEL?num_ctx=…`."""
    model, settings = named(OllamaSettings, name, "ollama")
    return Ollama(model, settings, name=f"ollama/{name}")
