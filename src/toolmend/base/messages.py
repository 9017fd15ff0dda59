"""The values that travel: messages, tools as a model sees them, calls, results, requests, replies.

All frozen. Nothing here knows how a model is reached, how text is read or where anything is stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Role = Literal["system", "user", "assistant", "tool"]
Effect = Literal["read", "write", "danger"]
Fault = Literal["", "unknown_tool", "arguments", "refused", "failed"]

RAW = "*raw"
"""The key under which a call keeps arguments that are no JSON object, as text. No parameter can have that name."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model sees it.

    `parameters` is a JSON Schema object whose `properties` stand in the order of the signature;
    `receiver` is what precedes the dot in Python notation ("action" in `action.add(...)`), "" if nothing does.
    """

    name: str
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=lambda: {"type": "object", "properties": {}})
    receiver: str = ""
    effect: Effect = "write"

    @property
    def full_name(self) -> str:
        """The name as it is called: `action.add_calendar_entry`."""
        return f"{self.receiver}.{self.name}" if self.receiver else self.name

    @property
    def properties(self) -> Mapping[str, Any]:
        """JSON Schema of each parameter, in the order of the signature."""
        return self.parameters.get("properties") or {}

    @property
    def required(self) -> tuple[str, ...]:
        """Names of the parameters that have no default."""
        return tuple(self.parameters.get("required") or ())


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool. `tool` is the name as written, receiver included.

    A positional argument without a parameter to bind to is kept under `*N` (N counts from 1).
    `id` is unique in its conversation and given by the session; `amends` is the id of the call this one replaces.
    `said` are the words that arguments were computed from, by name, `rules` what computed them.
    """

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    id: str = ""
    amends: str | None = None
    said: Mapping[str, str] = field(default_factory=dict, compare=False)
    rules: Mapping[str, str] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class CallResult:
    """What a call did. `value` is JSON-able; `error` is text for the model; `coerced` says what was converted.

    `fault` is the class of an error: what the model may do about it differs. `foreign` tells that the value, or the
    error, is text from outside, to be told to a model as data (strategies/history.py).
    """

    call_id: str
    value: Any = None
    error: str | None = None
    coerced: tuple[str, ...] = ()
    fault: Fault = ""
    foreign: bool = field(default=False, repr=False)

    @property
    def ok(self) -> bool:
        """Whether the tool ran and the world may have changed."""
        return self.error is None


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation. `calls` and their `results` only on assistant messages, `call_id` only on tool
    messages. `own` is what the model said where the person was told something else ("" where not)."""

    role: Role
    content: str
    calls: tuple[Call, ...] = ()
    call_id: str | None = None
    results: tuple[CallResult, ...] = ()
    own: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Constraint:
    """What the reply must look like, for engines that can enforce it: a JSON Schema, a Lark grammar or a regex."""

    kind: Literal["json_schema", "lark", "regex"]
    value: Any


@dataclass(frozen=True, slots=True)
class Options:
    """How to sample. `temperature` 0 is greedy; `seed` makes sampling repeatable where the engine honours it."""

    temperature: float = 0.0
    seed: int | None = None
    max_tokens: int = 256
    stop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Wrong:
    """A reply that a person has just called wrong. Where the words say what in it: another begins with `head`, too, and
    does not have `part` in it."""

    text: str
    head: str = ""
    part: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """Everything a model needs for one reply. `avoid` are replies a person has just called wrong."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    options: Options = Options()
    constraint: Constraint | None = None
    avoid: tuple[Wrong, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the engine counted them and wall seconds."""

    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        """Sum of both, field by field."""
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.seconds + other.seconds,
        )


@dataclass(frozen=True, slots=True)
class Wire:
    """What went over the wire: the request as sent and the reply as it came, keys redacted."""

    request: str
    reply: str

    @property
    def key(self) -> str:
        """32 hexadecimal digits, the same for the same content."""
        import hashlib  # a tenth of what importing toolmend takes

        return hashlib.sha256(f"{self.request}\0{self.reply}".encode("utf-8", "surrogatepass")).hexdigest()[:32]


Finish = Literal["stop", "length", "empty"]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered: text, native calls if it made any, and what it cost.

    `finish` is "empty" when nothing came although tokens were spent. `unmet` names what was asked for and visibly not
    honoured ("max_tokens: 8 asked, 16 given"). `wire` is what a server was sent and said; `cached` that it was not
    asked at all.
    """

    text: str
    calls: tuple[Call, ...] = ()
    reasoning: str = ""
    usage: Usage = Usage()
    finish: Finish = "stop"
    model: str = ""
    truncated: bool = False
    unmet: tuple[str, ...] = ()
    wire: Wire | None = None
    cached: bool = False

    def __str__(self) -> str:
        """The raw text, so that printing a reply shows what the model said."""
        return self.text
