"""A request in the words of OpenAI's chat completions: names of tools (`action.add` is no legal function name for most
servers, `action__add` is), messages, and JSON Schemas as a server takes them. Pure; knows no server.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from toolmend.base.messages import Constraint, Message, ToolSpec
from toolmend.base.schemas import followed, levels

_LONGEST = 64
Dialect = Callable[[Mapping[str, Any]], dict[str, Any]]

_GEMINI = "generativelanguage.googleapis.com"
_REFUSED = frozenset(
    "$schema $id $defs definitions additionalProperties patternProperties unevaluatedProperties exclusiveMinimum "
    "exclusiveMaximum multipleOf uniqueItems contains examples title prefixItems".split()
)
_NESTED = frozenset({"properties", "required", "items", "not", "anyOf", "oneOf", "allOf"})
_FORMATS = frozenset({"enum", "date-time"})
_DEEPEST = 12


_LEFT_ON = re.compile(r"<\|?[a-z_]+\|?>.*\Z|:\d+\s*\Z", re.DOTALL)


class WireNames:
    """Names as they are and as they are sent, both ways, for the tools of one request."""

    def __init__(self, names: Iterable[str]) -> None:
        self._sent: dict[str, str] = {}
        self._own: dict[str, str] = {}
        for name in names:
            self.sent(name)

    def sent(self, name: str) -> str:
        """The name to send: letters, digits, `_` and `-`, starting with a letter or `_`, 64 characters at most."""
        if name not in self._sent:
            legal = re.sub(r"[^A-Za-z0-9_-]", "_", name.replace(".", "__"))
            legal = (legal if re.match(r"[A-Za-z_]", legal) else f"_{legal}")[:_LONGEST]
            unique, number = legal, 2
            while unique in self._own:
                unique, number = f"{legal[: _LONGEST - 4]}_{number}", number + 1
            self._sent[name], self._own[unique] = unique, name
        return self._sent[name]

    def knows(self, sent: str) -> bool:
        """Whether a tool was sent under exactly this name."""
        return sent in self._own

    def own(self, sent: str) -> str:
        """The tool's own name, also where a template's prefix, a channel or blanks are left on it; a name that was
        never sent stays as the model wrote it."""
        if sent in self._own:
            return self._own[sent]
        bare = _LEFT_ON.sub("", sent).strip().strip("\"'`")
        return self._own.get(bare.removeprefix("functions."), self._own.get(bare, sent))


def names_of(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> WireNames:
    """The names of the tools of a request, those of earlier calls too."""
    called = [call.tool for message in messages for call in message.calls]
    return WireNames([*(tool.full_name for tool in tools), *called])


def messages_of(messages: Sequence[Message], names: WireNames) -> list[dict[str, Any]]:
    """The messages. Calls are sent as calls only where results follow; in text strategies they stand in the text."""
    answered = {message.call_id for message in messages if message.role == "tool"}
    return [_message(message, names, answered) for message in messages]


def _message(message: Message, names: WireNames, answered: set[str | None]) -> dict[str, Any]:
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": wire_id(message.call_id or ""), "content": message.content}
    calls = [call for call in message.calls if call.id in answered]
    said: dict[str, Any] = {"role": message.role, "content": message.content or (None if calls else "")}
    if calls:
        said["tool_calls"] = [
            {
                "id": wire_id(call.id),
                "type": "function",
                "function": {
                    "name": names.sent(call.tool),
                    "arguments": json.dumps(dict(call.arguments), ensure_ascii=False),
                },
            }
            for call in calls
        ]
    return said


def wire_id(call_id: str) -> str:
    """An id as all servers take it: `c7` becomes `c00000007`, because Mistral wants nine letters and digits."""
    found = re.fullmatch(r"([a-z])(\d{1,8})", call_id)
    return f"{found[1]}{found[2]:0>8}" if found else call_id


def tools_of(tools: Sequence[ToolSpec], names: WireNames, dialect: Dialect) -> list[dict[str, Any]]:
    """The tools, as functions."""
    return [
        {
            "type": "function",
            "function": {
                "name": names.sent(tool.full_name),
                "description": tool.description,
                "parameters": dialect(tool.parameters),
            },
        }
        for tool in tools
    ]


def choice_of(choice: str, names: WireNames) -> Any:
    """`auto`, `none`, `required`, or the one tool that must be called."""
    if choice in ("auto", "none", "required"):
        return choice
    return {"type": "function", "function": {"name": names.sent(choice)}}


def format_of(constraint: Constraint, dialect: Dialect) -> dict[str, Any]:
    """A JSON Schema as `response_format`; strictly where the schema allows it."""
    schema = dialect(constraint.value)
    as_strict = strict(constraint.value)
    return {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema, "strict": as_strict}}


def dialect_of(host: str) -> Dialect:
    """The dialect that a host speaks."""
    return gemini if host == _GEMINI else as_is


def as_is(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema, unchanged."""
    return dict(schema)


def gemini(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema in Gemini's words: references written out, `const` as an `enum` of one, what it refuses left out."""
    return _reduced(schema, schema, levels(schema, _DEEPEST) + 1)


def strict(schema: Any) -> bool:
    """Whether every object in it lists all its properties as required and allows no others (OpenAI's strict mode)."""
    if isinstance(schema, list):
        return all(map(strict, schema))
    if not isinstance(schema, Mapping):
        return True
    if schema.get("type") == "object":
        properties, required = schema.get("properties", {}), schema.get("required", ())
        if schema.get("additionalProperties") is not False or set(properties) != set(required):
            return False
    return all(map(strict, schema.values()))


def _reduced(schema: Any, root: Mapping[str, Any], depth: int) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in followed(schema, root).items():
        if key in _REFUSED or (key in _NESTED and depth == 0) or (key == "format" and value not in _FORMATS):
            continue
        if key == "const":
            result["enum"] = [value]
        elif key == "properties":
            result[key] = {name: _reduced(part, root, depth - 1) for name, part in value.items()}
        elif key in ("items", "not") and isinstance(value, Mapping):
            result[key] = _reduced(value, root, depth - 1)
        elif key in ("anyOf", "oneOf", "allOf"):
            result[key] = [_reduced(part, root, depth - 1) for part in value]
        else:
            result[key] = value
    return result
