"""One row of a file of chats as others write them: ShareGPT, OpenAI's fine-tuning, Hugging Face's messages, prompt and
completion. Knows no file and no training.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from toolmend.base.messages import Call
from toolmend.reading.render import render

Role: TypeAlias = Literal["system", "user", "assistant"]
_ROLES: Mapping[str, Role] = {
    **dict.fromkeys(("system", "developer"), "system"),
    **dict.fromkeys(("human", "user", "prompter", "tool", "function", "observation", "ipython"), "user"),
    **dict.fromkeys(("gpt", "assistant", "bot", "model", "chatgpt", "bard", "function_call", "tool_call"), "assistant"),
}


@dataclass(frozen=True, slots=True)
class ChatRow:
    """A talk: role, text and whether it is to be learned, of each message; tools as chat completions take them."""

    messages: tuple[tuple[Role, str, bool], ...]
    tools: tuple[dict[str, Any], ...] = ()


def chat_row(data: Any) -> ChatRow | None:
    """The talk in a row; None for a row of another kind. Raises ValueError for one of these that is broken."""
    if not isinstance(data, Mapping):
        return None
    tools = _tools(data.get("tools") or data.get("functions"))
    for key in ("messages", "conversations", "conversation"):
        rows = data.get(key)
        if isinstance(rows, list) and rows and all(isinstance(row, Mapping) for row in rows):
            told = [_message(row, f"{key}[{number}]") for number, row in enumerate(rows)]
            system = data.get("system") or data.get("system_prompt")
            opening = [("system", system, True)] if isinstance(system, str) and told[0][0] != "system" else []
            return ChatRow((*opening, *told), tools)  # type: ignore[arg-type]
    if "prompt" in data and "completion" in data:
        return ChatRow(
            (*_side(data["prompt"], "user", "prompt"), *_side(data["completion"], "assistant", "completion"))
        )
    return None


def _side(given: Any, role: Role, where: str) -> tuple[tuple[Role, str, bool], ...]:
    if isinstance(given, str):
        return ((role, given, True),)
    if isinstance(given, list) and all(isinstance(row, Mapping) for row in given):
        return tuple(_message(row, f"{where}[{number}]") for number, row in enumerate(given))
    raise ValueError(f"{where}: should be text or a list of messages")


def _message(row: Mapping[str, Any], where: str) -> tuple[Role, str, bool]:
    named = row.get("role", row.get("from", row.get("speaker")))
    role = _ROLES.get(str(named).lower())
    if role is None:
        raise ValueError(f"{where}: {named!r} is no role; they are {', '.join(_ROLES)}")
    text = _text(next((row[key] for key in ("content", "value", "text") if row.get(key) is not None), ""), where)
    calls = [_call(call, where) for call in row.get("tool_calls") or ()]
    calls += [_call({"function": row["function_call"]}, where)] if row.get("function_call") else []
    learn = row.get("weight", 1) != 0 and row.get("train", True) is not False
    return role, "\n".join([*([text] if text else []), *calls]), learn


def _text(content: Any, where: str) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):  # parts
        parts = [part if isinstance(part, str) else part.get("text", "") for part in content]
        return "".join(part for part in parts if isinstance(part, str))
    if isinstance(content, Mapping):
        return json.dumps(content, ensure_ascii=False)
    raise ValueError(f"{where}: its content should be text, got {str(content)[:40]!r}")


def _call(call: Any, where: str) -> str:
    function = call.get("function", call) if isinstance(call, Mapping) else {}
    given = function.get("arguments") or {}
    try:
        arguments = json.loads(given) if isinstance(given, str) else given
        return render(Call(str(function["name"]), dict(arguments)))
    except (KeyError, ValueError, TypeError) as error:
        raise ValueError(f"{where}: a call that cannot be read ({type(error).__name__}: {error})") from error


def _tools(given: Any) -> tuple[dict[str, Any], ...]:
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError:
            return ()
    rows = [row for row in given if isinstance(row, Mapping)] if isinstance(given, list) else []
    return tuple(dict(row) if "function" in row else {"type": "function", "function": dict(row)} for row in rows)
