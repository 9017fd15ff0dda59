"""The three kinds of line in a data folder, as frozen values: a chat, a pair, a sequence of hindsight.

`to_json` and `from_json` are inverses; whatever does not fit is a ValueError that says where in the line.
Knows no file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, TypeVar, cast

from toolmend.messages import Role, ToolSpec

T = TypeVar("T")
Quality = Literal["bad", "good"]
ROLES = ("system", "user", "assistant")
QUALITIES = ("bad", "good")


@dataclass(frozen=True, slots=True)
class Said:
    """One message, calls as text. `learn` False: an assistant's that is history only, wrong or marked by nobody."""

    role: Role
    content: str
    learn: bool = True


@dataclass(frozen=True, slots=True)
class Chat:
    """A talk. Learned are its assistant's messages but those with `learn` False; `source` says where it is from."""

    id: str
    tools: tuple[ToolSpec, ...]
    messages: tuple[Said, ...]
    source: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two replies to one prompt (`messages`), as DPO takes them; `why` says in English what is wrong with the worse."""

    id: str
    tools: tuple[ToolSpec, ...]
    messages: tuple[Said, ...]
    chosen: tuple[Said, ...]
    rejected: tuple[Said, ...]
    why: str = ""
    source: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One answer of several to the same prompt. `wrong` says in English what is wrong with it, "" for nothing."""

    content: str
    quality: Quality = "good"
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class Hindsight:
    """Answers to one prompt from the worst to the best: Chain of Hindsight (Liu et al. 2023), §2. The last is good."""

    id: str
    tools: tuple[ToolSpec, ...]
    messages: tuple[Said, ...]
    attempts: tuple[Attempt, ...]
    source: Mapping[str, Any] = field(default_factory=dict)


Line: TypeAlias = Chat | Pair | Hindsight
KINDS: Mapping[str, type[Line]] = {"chat": Chat, "pairs": Pair, "hindsight": Hindsight}
"""The name of a file and what its lines are."""


def to_json(line: Line) -> dict[str, Any]:
    """The line as plain JSON-able data, its fields in a fixed order."""
    data: dict[str, Any] = {
        "id": line.id,
        "tools": [_tool_json(tool) for tool in line.tools],
        "messages": [_said_json(said) for said in line.messages],
    }
    if isinstance(line, Pair):
        data["chosen"] = [_said_json(said) for said in line.chosen]
        data["rejected"] = [_said_json(said) for said in line.rejected]
        data["why"] = line.why
    elif isinstance(line, Hindsight):
        data["attempts"] = [_attempt_json(attempt) for attempt in line.attempts]
    return {**data, "from": dict(line.source)}


def chat_from(data: Any) -> Chat:
    """The chat that `to_json` wrote. Raises ValueError."""
    return Chat(_text(data, "id"), _tools(data), _messages(data, "messages"), _source(data))


def pair_from(data: Any) -> Pair:
    """The pair that `to_json` wrote. Raises ValueError."""
    return Pair(
        _text(data, "id"),
        _tools(data),
        _messages(data, "messages"),
        _reply(data, "chosen"),
        _reply(data, "rejected"),
        _text(data, "why", ""),
        _source(data),
    )


def hindsight_from(data: Any) -> Hindsight:
    """The sequence that `to_json` wrote. Raises ValueError, also where no good answer comes last."""
    attempts = _each(data, "attempts", _attempt)
    if len(attempts) < 2 or attempts[-1].quality != "good":
        raise ValueError("attempts: at least two are needed, the last of quality 'good'")
    return Hindsight(_text(data, "id"), _tools(data), _messages(data, "messages"), attempts, _source(data))


FROM_JSON: Mapping[type, Callable[[Any], Line]] = {Chat: chat_from, Pair: pair_from, Hindsight: hindsight_from}


# writing -------------------------------------------------------------------------------------------------------------


def _tool_json(tool: ToolSpec) -> dict[str, Any]:
    about = {"name": tool.full_name, "description": tool.description, "parameters": dict(tool.parameters)}
    return {"type": "function", "function": about}


def _said_json(said: Said) -> dict[str, Any]:
    data: dict[str, Any] = {"role": said.role, "content": said.content}
    if said.role == "assistant" and not said.learn:
        data["learn"] = False
    return data


def _attempt_json(attempt: Attempt) -> dict[str, Any]:
    data = {"content": attempt.content, "quality": attempt.quality}
    return {**data, "wrong": attempt.wrong} if attempt.wrong else data


# reading -------------------------------------------------------------------------------------------------------------


def _field(data: Any, name: str) -> Any:
    if not isinstance(data, Mapping):
        raise ValueError(f"{name}: looked for in {type(data).__name__}, not in an object")
    if name not in data:
        raise ValueError(f"{name}: is missing")
    return data[name]


def _text(data: Any, name: str, default: str | None = None) -> str:
    value = _field(data, name) if default is None else data.get(name, default)
    if not isinstance(value, str):
        raise ValueError(f"{name}: must be text, is {type(value).__name__}")
    return value


def _each(data: Any, name: str, make: Callable[[Any], T]) -> tuple[T, ...]:
    """A list's items, each made into a value; where one cannot be, the error says which."""
    items = _field(data, name)
    if not isinstance(items, Sequence) or isinstance(items, str):
        raise ValueError(f"{name}: must be a list, is {type(items).__name__}")
    made = []
    for number, item in enumerate(items):
        try:
            made.append(make(item))
        except ValueError as error:
            raise ValueError(f"{name}[{number}].{error}") from error
    return tuple(made)


def _source(data: Any) -> Mapping[str, Any]:
    source = data.get("from", {})
    if not isinstance(source, Mapping):
        raise ValueError(f"from: must be an object, is {type(source).__name__}")
    return source


def _tools(data: Any) -> tuple[ToolSpec, ...]:
    return _each(data, "tools", _tool)


def _tool(data: Any) -> ToolSpec:
    function = _field(data, "function")
    receiver, _, name = _text(function, "name").rpartition(".")
    parameters = _field(function, "parameters")
    if not isinstance(parameters, Mapping) or not isinstance(parameters.get("properties", {}), Mapping):
        raise ValueError("parameters: must be a JSON Schema of an object")
    return ToolSpec(name, _text(function, "description", ""), parameters, receiver)


def _messages(data: Any, name: str) -> tuple[Said, ...]:
    messages = _each(data, name, _said)
    if not messages:
        raise ValueError(f"{name}: there is none")
    return messages


def _reply(data: Any, name: str) -> tuple[Said, ...]:
    messages = _messages(data, name)
    if messages[0].role != "assistant":
        raise ValueError(f"{name}[0].role: must be 'assistant', is {messages[0].role!r}")
    return messages


def _said(data: Any) -> Said:
    role = _text(data, "role")
    if role not in ROLES:
        raise ValueError(f"role: {role!r} is none of {', '.join(ROLES)}")
    learn = data.get("learn", True)
    if not isinstance(learn, bool):
        raise ValueError(f"learn: must be true or false, is {learn!r:.40}")
    return Said(cast(Role, role), _content(data), learn)


def _attempt(data: Any) -> Attempt:
    quality = _text(data, "quality")
    if quality not in QUALITIES:
        raise ValueError(f"quality: {quality!r} is none of {', '.join(QUALITIES)}")
    return Attempt(_content(data), cast(Quality, quality), _text(data, "wrong", ""))


def _content(data: Any) -> str:
    if isinstance(data, Mapping) and data.get("tool_calls"):
        raise ValueError("tool_calls: calls are text in these data; `toolmend data build` writes them so")
    return _text(data, "content")
