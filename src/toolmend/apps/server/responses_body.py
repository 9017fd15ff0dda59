"""The body of POST /v1/responses as the chat completion it amounts to: the subset that agents use, nothing kept.

Items become messages, `instructions` the system text, flat tools nested ones. What needs a memory of the server's
(`previous_response_id`, `conversation`, `background`) or tools of OpenAI's is refused by name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from toolmend.apps.server.body import IGNORED_AT_MOST, ChatBody, chat_body, read_object, refusal
from toolmend.apps.server.own_tools import APPROVE
from toolmend.apps.server.refusals import ApiError, invalid

_KEPT = ("previous_response_id", "conversation", "background", "prompt")
_HARMLESS = frozenset(
    "metadata store user truncation include service_tier reasoning safety_identifier prompt_cache_key "
    "prompt_cache_retention top_logprobs max_tool_calls stream_options".split()
)
_ANSWERS = {"function_call_output": "call_id", "mcp_approval_response": "approval_request_id"}
_MESSAGE = re.compile(r"^messages\b(?:\[(?P<number>\d+)\])?")
_WORDS = (
    (re.compile(r"^(tools\[\d+\])\.function\b"), r"\1"),
    (re.compile(r"^response_format(\.json_schema)?"), "text.format"),
    (re.compile(r"^max_completion_tokens"), "max_output_tokens"),
)


class _Text(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)
    format: dict[str, Any] | None = None


class ResponseBody(BaseModel):
    """What is used of a request."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)

    model: Annotated[str, Field(min_length=1)]
    input: str | Annotated[list[dict[str, Any]], Field(min_length=1)]
    instructions: str | None = None
    tools: Annotated[list[dict[str, Any]], Field(max_length=512)] | None = None
    tool_choice: Any = None
    parallel_tool_calls: bool | None = None
    text: _Text | None = None
    stream: bool | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    max_output_tokens: Annotated[int, Field(ge=1)] | None = None


@dataclass(frozen=True, slots=True)
class AskedResponse:
    """A request: as a chat completion, and as it came, which an answer repeats in part."""

    body: ChatBody
    ignored: tuple[str, ...]
    data: Mapping[str, Any]


def read_response(raw: bytes, places: list[int]) -> AskedResponse:
    """The request; `places` gets the item that each message of it came from. Raises ApiError (400)."""
    data = read_object(raw)
    for name in _KEPT:
        if data.get(name):
            what = f"Unsupported parameter: '{name}' is not supported here: nothing is kept. Send all items as 'input'."
            raise invalid(what, name, "unsupported_parameter")
    try:
        given = ResponseBody.model_validate(data)
    except ValidationError as error:
        raise refusal(error.errors(include_url=False, include_context=False), data) from error
    body, _ = chat_body(_as_chat(given, places))
    known = {*ResponseBody.model_fields, *_HARMLESS, *_KEPT}
    others = (name for name, value in data.items() if name not in known and value is not None)
    ignored = tuple(name for name in others if name.isascii() and name.isidentifier() and len(name) <= 40)[
        :IGNORED_AT_MOST
    ]
    return AskedResponse(body, ignored, data)


@contextmanager
def in_the_words_of_responses() -> Iterator[list[int]]:
    """Errors name the parameters as this endpoint calls them; the list is for the item that each message came from."""
    places: list[int] = []

    def item(found: re.Match[str]) -> str:
        number = int(found["number"] or -1)
        return f"input[{places[number]}]" if 0 <= number < len(places) and places[number] >= 0 else "input"

    try:
        yield places
    except ApiError as error:
        if error.param:
            error.param = _MESSAGE.sub(item, error.param)
            for old, new in _WORDS:
                error.param = old.sub(new, error.param)
        raise


def _as_chat(given: ResponseBody, places: list[int]) -> dict[str, Any]:
    system = [{"role": "system", "content": given.instructions}] if given.instructions else []
    places += [-1] * len(system)  # the instructions are no item
    items = [{"role": "user", "content": given.input}] if isinstance(given.input, str) else given.input
    made: dict[str, Any] = {"model": given.model, "messages": [*system, *_messages(items, places)]}
    if given.tools:
        made["tools"] = [_tool(each, place) for place, each in enumerate(given.tools)]
    same = ("parallel_tool_calls", "stream", "temperature")
    made |= {name: getattr(given, name) for name in same if getattr(given, name) is not None}
    if given.max_output_tokens is not None:
        made["max_completion_tokens"] = given.max_output_tokens
    if given.tool_choice is not None:
        made["tool_choice"] = _choice(given.tool_choice)
    if given.text is not None and given.text.format is not None:
        made["response_format"] = _format(given.text.format)
    return made


def _messages(items: Sequence[Mapping[str, Any]], places: list[int]) -> list[dict[str, Any]]:
    """Messages of items; calls that follow each other, and the words before them, are one message."""
    made: list[dict[str, Any]] = []
    called: list[Any] = []
    for place, item in enumerate(items):
        where, kind, before = f"input[{place}]", item.get("type", "message"), len(made)
        field = _ANSWERS.get(kind) if isinstance(kind, str) else None
        if field is not None and item.get(field) not in called:
            what = f"No call is found before this {kind} for {field} {item.get(field)!r:.80}"
            raise invalid(f"{what}: nothing is kept here, so send the call, too.", f"{where}.{field}")
        if kind == "message":
            made.append({"role": item.get("role"), "content": _content(item.get("content"), where)})
        elif kind in ("function_call", "mcp_approval_request"):
            if not (made and made[-1]["role"] == "assistant"):
                made.append({"role": "assistant", "content": None})
            made[-1].setdefault("tool_calls", []).append(_call(item, kind))
            called.append(made[-1]["tool_calls"][-1]["id"])
        elif kind == "function_call_output":
            output = _content(item.get("output"), where)
            made.append({"role": "tool", "tool_call_id": item.get("call_id"), "content": output})
        elif kind == "mcp_approval_response":
            verdict = {"approve": item.get("approve"), "reason": item.get("reason")}
            number = item.get("approval_request_id")
            made.append({"role": "tool", "tool_call_id": number, "content": json.dumps(verdict)})
        elif kind != "reasoning":
            what = f"Invalid value: {kind!r:.60}. Items here are messages, function calls and their outputs, approvals."
            raise invalid(what, f"{where}.type", "unsupported_content")
        places += [place] * (len(made) - before)
    return made


def _call(item: Mapping[str, Any], kind: str) -> dict[str, Any]:
    asked = kind == "mcp_approval_request"
    name, number = (APPROVE, item.get("id")) if asked else (item.get("name"), item.get("call_id"))
    return {"id": number, "type": "function", "function": {"name": name, "arguments": item.get("arguments")}}


def _content(content: Any, where: str) -> Any:
    """Text as it is; of parts those that are text, under the names that chat completions have for them."""
    if not isinstance(content, list):
        return content
    kinds = {"input_text": "text", "output_text": "text", "text": "text", "refusal": "refusal"}
    made = []
    for place, part in enumerate(content):
        kind = part.get("type") if isinstance(part, dict) else None
        if not isinstance(kind, str) or kind not in kinds:
            what = f"Invalid value: {kind!r:.60}. Only text is supported here."
            raise invalid(what, f"{where}.content[{place}].type", "unsupported_content")
        made.append({"type": kinds[kind], kinds[kind]: part.get(kinds[kind])})
    return made


def _tool(tool: Mapping[str, Any], place: int) -> dict[str, Any]:
    if tool.get("type") != "function":
        what = f"Invalid value: {tool.get('type')!r:.60}. Tools here are functions."
        raise invalid(what, f"tools[{place}].type", "unsupported_parameter")
    named = {name: tool[name] for name in ("name", "description", "parameters", "strict") if name in tool}
    return {"type": "function", "function": named}


def _choice(given: Any) -> Any:
    if not isinstance(given, dict):
        return given
    if given.get("type") == "function":
        return {"type": "function", "function": {"name": given.get("name")}}
    if given.get("type") == "allowed_tools":
        tools = given.get("tools")
        named = [_choice(each) for each in tools] if isinstance(tools, list) else tools
        return {"type": "allowed_tools", "allowed_tools": {"mode": given.get("mode"), "tools": named}}
    return given


def _format(given: Mapping[str, Any]) -> dict[str, Any]:
    if given.get("type") != "json_schema":
        return {"type": given.get("type")}
    named = {name: given[name] for name in ("name", "schema", "strict") if name in given}
    return {"type": "json_schema", "json_schema": named}
