"""A request in the words of OpenAI's chat completions. Pure; knows no server."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from toolmend.messages import Constraint, Message, ToolSpec
from toolmend.models.dialects import Dialect, strict
from toolmend.models.names import WireNames


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
