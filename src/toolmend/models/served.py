"""What models behind a server share: settings out of their name, the key out of the environment, the server itself.

Knows no wire format.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, TypeVar

from toolmend.errors import BadOption
from toolmend.http import Attempt, Retry, Server, Transport, web_address
from toolmend.http.client import Times
from toolmend.http.pace import Pace
from toolmend.messages import Request
from toolmend.models.model import Abilities
from toolmend.options import read_options, split_name


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

_LEAST_BYTES, _BYTES_PER_TOKEN = 4 << 20, 2048


class Served:
    """A model behind a server. What is given by name are fields of its settings.

    `transport` replaces the network; `retry` says how long to pause between attempts (how many: `retries`); `report`
    hears of every attempt that failed and is made again.
    """

    family: ClassVar[str]
    kind: ClassVar[type[EndpointSettings]]
    abilities = Abilities(native_tools=True, streaming=True)

    def __init__(
        self,
        model: str,
        settings: EndpointSettings | None = None,
        *,
        name: str = "",
        transport: Transport | None = None,
        retry: Retry | None = None,
        report: Callable[[Attempt], None] | None = None,
        **given: Any,
    ) -> None:
        self.model, self.name = model, name or f"{self.family}/{model}"
        self.settings: Any = self.prepare(settings or read_options(self.kind, given, self.name))
        if unknown := set(self.settings.can) - CAN:
            raise BadOption(f"{self.name}: can knows {', '.join(sorted(CAN))}; not {', '.join(sorted(unknown))}")
        self.abilities = dataclasses.replace(self.abilities, schemas="schema" in self.settings.can)
        self._made: dict[str, Any] = {"transport": transport, "retry": retry, "report": report}
        self.server = self._connect(self.settings, **self._made)
        self.options: dict[str, Any] = _recorded(self.settings) | {"base_url": self.server.url}

    def prepare(self, settings: Any) -> Any:
        """The settings with what depends on the environment or on each other filled in."""
        return settings

    def hint(self, status: int, text: str) -> str:
        """What to do about a refusal, to be added to the line that reports it."""
        return ""

    def but(self, **changes: Any) -> Self:
        """The same model with other settings."""
        return type(self)(self.model, dataclasses.replace(self.settings, **changes), name=self.name, **self._made)

    def _connect(
        self,
        settings: EndpointSettings,
        transport: Transport | None,
        retry: Retry | None,
        report: Callable[[Attempt], None] | None,
    ) -> Server:
        silence = settings.timeout if settings.silence is None else settings.silence
        return Server(
            web_address(settings.base_url, f"{self.name}: base_url"),
            self.name,
            key=_key(settings.key_env),
            key_env=settings.key_env,
            times=Times(silence=silence, whole=settings.timeout),
            pace=Pace(settings.concurrency, settings.rpm),
            retry=dataclasses.replace(retry or Retry(), most=settings.retries),
            hint=self.hint,
            report=report,
            transport=transport,
        )


def most_bytes(request: Request) -> int:
    """How much of a reply is read before it counts as endless: no token takes two kilobytes."""
    return max(_LEAST_BYTES, _BYTES_PER_TOKEN * request.options.max_tokens)


def named(kind: type[S], name: str, family: str, **defaults: str) -> tuple[str, S]:
    """Model and settings in `MODEL?option=value`. Raises BadOption, also for a password in an address."""
    model, given = split_name(name)
    who = f"{family}/{model}"
    if "base_url" in given and web_address(given["base_url"], f"{who}: base_url").user:
        raise BadOption(f"{who}: base_url has a user or a password in it, and names are stored; use the environment")
    return model, read_options(kind, defaults | given, who)


def _recorded(settings: EndpointSettings) -> dict[str, Any]:
    values = {name: value for name, value in dataclasses.asdict(settings).items() if name not in _REACHING}
    return {name: list(v) if isinstance(v, tuple) else v for name, v in values.items() if v not in ("", None, ())}


def _key(variable: str) -> str:
    key = os.environ.get(variable, "").strip() if variable else ""
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise BadOption(f"the key in {variable} has a space, a line break or a letter in it that no key has")
    return key
