"""Models behind any server that speaks OpenAI's chat completions: `openai/MODEL?base_url=…`, hosted or local.

Nothing is corrected or asked twice: a reply is what the server said, with what it did not honour in `unmet`.
"""

from __future__ import annotations

import functools
import os
import re
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from toolmend.base.errors import BadOption
from toolmend.base.http import host_of
from toolmend.base.messages import Call, Request, Usage
from toolmend.models.openai_messages import WireNames, choice_of, dialect_of, format_of, messages_of, tools_of
from toolmend.models.openai_reply import PartialReply
from toolmend.models.served import EndpointSettings, Served, named
from toolmend.models.unmet import unmet

_OPENAI = "https://api.openai.com/v1"

# Families that are this one with another address and another key: family -> (address, variable with the key).
HOSTED = {
    "openai": (_OPENAI, "OPENAI_API_KEY"),
    "gemini": ("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
    "mistral": ("https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
    "groq": ("https://api.groq.com/openai/v1", "GROQ_API_KEY"),
    "openrouter": ("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
}

UNASKED: ContextVar[bool] = ContextVar("unasked", default=False)
"""Whether models are only looked at and not asked, as in an estimate: then no key is needed."""

_LimitName = Literal["max_tokens", "max_completion_tokens"]

# What can be left out of a request by `omit`, for servers that refuse it.
_OPTIONAL = frozenset({"temperature", "seed", "stop", "stream_options", "max_tokens", "max_completion_tokens"})


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAISettings(EndpointSettings):
    """What can be said of an OpenAI-compatible server, beside what can be said of any.

    `tool_choice` is sent where tools are: auto, none, required, or a tool's name. `omit` names fields that the server
    refuses. `max_tokens_name` is how it calls the limit ("": as the address suggests).
    """

    tool_choice: str = ""
    reasoning_effort: str = ""
    max_tokens_name: _LimitName | Literal[""] = ""
    omit: tuple[str, ...] = ()


class OpenAICompatible(Served):
    """A model behind a server that speaks OpenAI's chat completions. Options are the fields of OpenAISettings."""

    family = "openai"
    kind = OpenAISettings
    path = "chat/completions"
    heard = PartialReply
    wanted = "chat completion"

    def prepare(self, settings: OpenAISettings) -> OpenAISettings:
        """The settings with address and key of OpenAI itself, where nothing else is said."""
        if unknown := set(settings.omit) - _OPTIONAL:
            raise BadOption(f"{self.name}: omit knows {', '.join(sorted(_OPTIONAL))}; not {', '.join(sorted(unknown))}")
        url = settings.base_url or os.environ.get("OPENAI_BASE_URL") or _OPENAI
        limit: _LimitName = "max_completion_tokens" if url.startswith(_OPENAI) else "max_tokens"
        return replace(
            settings,
            base_url=url,
            key_env=settings.key_env or HOSTED["openai"][1],
            max_tokens_name=settings.max_tokens_name or limit,
        )

    def hint(self, status: int, text: str) -> str:
        """What to do about a refusal."""
        if status == 404:
            return f" (is {self.server.url} the right address, and {self.model} a model there?)"
        refused = [field for field in sorted(_OPTIONAL) if re.search(rf"\b{field}\b", text)] if status < 500 else []
        if set(refused) & set(get_args(_LimitName)):
            return "; max_tokens_name=NAME says how the limit is called"
        return f"; omit={','.join(refused)} leaves that out" if refused else ""

    def body(self, request: Request, names: WireNames) -> dict[str, Any]:
        """What is sent: a request in OpenAI's words."""
        settings, options, dialect = self.settings, request.options, dialect_of(host_of(self.server.url))
        body: dict[str, Any] = {"model": self.model, "messages": messages_of(request.messages, names)}
        body |= {"temperature": options.temperature, settings.max_tokens_name: options.max_tokens}
        if options.seed is not None:
            body["seed"] = options.seed
        if options.stop:
            body["stop"] = list(options.stop)
        if request.tools:
            body["tools"] = tools_of(request.tools, names, dialect)
            if settings.tool_choice:
                body["tool_choice"] = choice_of(settings.tool_choice, names)
        if request.constraint and request.constraint.kind == "json_schema":
            body["response_format"] = format_of(request.constraint, dialect)
        if settings.reasoning_effort:
            body["reasoning_effort"] = settings.reasoning_effort
        body["stream"] = settings.stream
        if settings.stream:
            body["stream_options"] = {"include_usage": True}
        return {field: value for field, value in body.items() if field not in settings.omit}

    def unmet(self, request: Request, heard: Any, text: str, calls: tuple[Call, ...], usage: Usage) -> tuple[str, ...]:
        """What was asked for and visibly not honoured, or never sent."""
        settings, options = self.settings, request.options
        lines = list(unmet(request, text, calls, usage, tool_choice=settings.tool_choice))
        asked = {"temperature", settings.max_tokens_name} | ({"seed"} if options.seed is not None else set())
        asked |= {"stop"} if options.stop else set()
        lines += [f"{field}: not sent (omit)" for field in settings.omit if field in asked]
        if settings.stream and heard.whole:
            lines.append("stream: true asked, one piece given")
        if heard.streamed and not settings.stream:
            lines.append("stream: false asked, a stream given")
        return tuple(lines)


def load(name: str, family: str = "openai") -> OpenAICompatible:
    """The model of a name, what stands after `openai/`: `MODEL?base_url=…`. A hosted one needs its key."""
    url, key_env = HOSTED[family]
    defaults = {"key_env": key_env} | ({} if family == "openai" else {"base_url": url})
    model, settings = named(OpenAISettings, name, family, **defaults)
    made = OpenAICompatible(model, settings, name=f"{family}/{name}")
    if made.server.url == url and not os.environ.get(made.settings.key_env) and not UNASKED.get():
        other = "" if family != "openai" else ", or give the address of another server: ?base_url=…"
        raise BadOption(f"{made.name} needs a key: put it into the environment as {made.settings.key_env}{other}")
    return made


gemini = functools.partial(load, family="gemini")
mistral = functools.partial(load, family="mistral")
groq = functools.partial(load, family="groq")
openrouter = functools.partial(load, family="openrouter")
