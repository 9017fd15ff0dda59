"""What models behind a server share: settings out of their name, the key out of the environment, the server itself,
and how a reply comes to be. What is sent and how an answer is read is a subclass's.
"""

from __future__ import annotations

import dataclasses
import os
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, TypeVar

from anyio import to_thread

from toolmend.base.errors import BadOption, ModelError
from toolmend.base.http import Retry, Server, Transport, excerpt, web_address
from toolmend.base.http.client import Times
from toolmend.base.http.pace import Pace
from toolmend.base.messages import Call, Finish, Reply, Request, Usage, Wire
from toolmend.base.options import read_options, split_name
from toolmend.models.deltas import Calls
from toolmend.models.model import Abilities, OnDelta
from toolmend.models.openai_messages import WireNames, names_of
from toolmend.models.unmet import unmet


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointSettings:
    """What can be said of any server. Seconds; `None` for no limit.

    `silence` is how long the server may send nothing, before the first byte or between two (None: `timeout`);
    `concurrency` requests run at once, `rpm` are begun in a minute, `retries` are made where the transport failed.
    `can` is what is known of it (`toolmend probe` finds it): that it keeps to a `schema`.
    """

    base_url: str = ""
    key_env: str = ""
    timeout: float = 600.0
    silence: float | None = None
    concurrency: int | None = None
    rpm: float | None = None
    retries: int = field(default=4, metadata={"least": 0, "most": 100})
    stream: bool = True
    can: tuple[str, ...] = ()


S = TypeVar("S", bound=EndpointSettings)
CAN = frozenset({"schema"})

# What changes how a model is reached, and not what it answers: no part of a run's record.
_REACHING = frozenset({"key_env", "timeout", "silence", "concurrency", "rpm", "retries"})

_LEAST_BYTES, _BYTES_PER_TOKEN = 4 << 20, 2048  # a reply of more counts as endless: no token takes two kilobytes


class HeardReply:
    """What has come of a reply so far; a subclass takes it in. `complete` is set once the server said that this was
    all, `error` and `unknown` are what came instead."""

    def __init__(self, on_delta: OnDelta | None) -> None:
        self.text: list[str] = []
        self.reasoning: list[str] = []
        self.calls = Calls()
        self.finish = self.error = self.unknown = ""
        self.input_tokens = self.output_tokens = 0
        self.complete = False
        self._on_delta = on_delta

    def take(self, value: Any) -> bool:
        """Take a record, or the whole reply; True when no more will come."""
        raise NotImplementedError

    def made(self) -> tuple[Call, ...]:
        """The calls that have come."""
        return self.calls.done()

    def say(self, text: str) -> None:
        """More of the text."""
        if text:
            self.text.append(text)
            if self._on_delta:
                self._on_delta(text)


class Served:
    """A model behind a server. What is given by name are fields of its settings.

    `transport` replaces the network; `retry` says how long to pause between attempts (how many: `retries`).
    """

    family: ClassVar[str]
    kind: ClassVar[type[EndpointSettings]]
    path: ClassVar[str]
    heard: ClassVar[type[HeardReply]]
    wanted: ClassVar[str]
    abilities = Abilities(native_tools=True, streaming=True)

    def __init__(
        self,
        model: str,
        settings: EndpointSettings | None = None,
        *,
        name: str = "",
        transport: Transport | None = None,
        retry: Retry | None = None,
        **given: Any,
    ) -> None:
        self.model, self.name = model, name or f"{self.family}/{model}"
        self.settings: Any = self.prepare(settings or read_options(self.kind, given, self.name))
        if unknown := set(self.settings.can) - CAN:
            raise BadOption(f"{self.name}: can knows {', '.join(sorted(CAN))}; not {', '.join(sorted(unknown))}")
        self.abilities = dataclasses.replace(self.abilities, schemas="schema" in self.settings.can)
        self._made: dict[str, Any] = {"transport": transport, "retry": retry}
        known = self.settings
        self.server = Server(
            web_address(known.base_url, f"{self.name}: base_url"),
            self.name,
            key=_key(known.key_env),
            key_env=known.key_env,
            times=Times(silence=known.timeout if known.silence is None else known.silence, whole=known.timeout),
            pace=Pace(known.concurrency, known.rpm),
            retry=dataclasses.replace(retry or Retry(), most=known.retries),
            hint=self.hint,
            transport=transport,
        )
        self.options: dict[str, Any] = _recorded(self.settings) | {"base_url": self.server.url}

    def prepare(self, settings: Any) -> Any:
        """The settings with what depends on the environment or on each other filled in."""
        return settings

    def hint(self, status: int, text: str) -> str:
        """What to do about a refusal, to be added to the line that reports it."""
        return ""

    def body(self, request: Request, names: WireNames) -> dict[str, Any]:
        """What is sent."""
        raise NotImplementedError

    def truncated(self, request: Request, usage: Usage) -> bool:
        """Whether a reply shows that the conversation was cut."""
        return False

    def unmet(self, request: Request, heard: Any, text: str, calls: tuple[Call, ...], usage: Usage) -> tuple[str, ...]:
        """What was asked for and visibly not honoured."""
        return unmet(request, text, calls, usage)

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        """One reply. Raises ModelError when there is none, or only half of one."""
        names, heard = names_of(request.messages, request.tools), self.heard(on_delta)
        most = max(_LEAST_BYTES, _BYTES_PER_TOKEN * request.options.max_tokens)
        exchange = await self.server.post(self.path, self.body(request, names), heard.take, most)
        self._check(heard)
        made = heard.made()
        calls = tuple(dataclasses.replace(call, tool=names.own(call.tool)) for call in made)
        if any(names.own(call.tool) != call.tool and not names.knows(call.tool) for call in made):
            heard.calls.quirks["tool_calls: a name had more on it than was sent"] = None
        hide = self.server.secrets.hide
        text, usage = hide("".join(heard.text)), Usage(heard.input_tokens, heard.output_tokens, exchange.seconds)
        finish: Finish = "length" if heard.finish == "length" else "stop"
        told = request, heard, text, calls, usage
        return Reply(
            text,
            calls,
            hide("".join(heard.reasoning)),
            usage,
            finish if text.strip() or calls else "empty",
            self.name,
            self.truncated(request, usage),
            # Only a schema can take long.
            (
                *(await to_thread.run_sync(self.unmet, *told) if request.constraint else self.unmet(*told)),
                *heard.calls.quirks,
            ),
            Wire(exchange.request, exchange.reply),
        )

    def _check(self, heard: HeardReply) -> None:
        """Raise unless this is a whole reply."""
        hide, problem = self.server.secrets.hide_all, ""
        if heard.error:
            problem = f"the server says: {hide(excerpt(heard.error))}{self.hint(0, heard.error)}"
        elif heard.complete:
            return
        elif heard.unknown:
            problem = f"no {self.wanted} but {hide(excerpt(heard.unknown))}"
        else:
            came = f"{sum(map(len, heard.text))} characters and {len(heard.calls.done())} calls"
            problem = f"the reply ended after {came}, without saying that this was all"
        raise ModelError(f"{self.name}: {problem}", retryable=True)

    def but(self, **changes: Any) -> Self:
        """The same model with other settings."""
        return type(self)(self.model, dataclasses.replace(self.settings, **changes), name=self.name, **self._made)


def named(kind: type[S], name: str, family: str, **defaults: str) -> tuple[str, S]:
    """Model and settings in `MODEL?option=value`. Raises BadOption."""
    model, given = split_name(name)
    who = f"{family}/{model}"
    if "base_url" in given:  # before the whole name, which could have a password in it, is told of
        web_address(given["base_url"], f"{who}: base_url")
    return model, read_options(kind, defaults | given, who)


def _recorded(settings: EndpointSettings) -> dict[str, Any]:
    values = {name: value for name, value in dataclasses.asdict(settings).items() if name not in _REACHING}
    return {name: list(v) if isinstance(v, tuple) else v for name, v in values.items() if v not in ("", None, ())}


def _key(variable: str) -> str:
    key = os.environ.get(variable, "").strip() if variable else ""
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise BadOption(f"the key in {variable} has a space, a line break or a letter in it that no key has")
    return key
