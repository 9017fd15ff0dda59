"""The body of POST /v1/responses as the chat completion it amounts to: the subset that agents use, nothing kept.

Items become messages, `instructions` the system text, flat tools nested ones. What needs a memory of the server's
(`previous_response_id`, `conversation`, `background`) or tools of OpenAI's is refused by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from toolmend.apps.server.body import ChatBody, chat_body, ignored, read_object, refusal
from toolmend.apps.server.refusals import ApiError, invalid

_KEPT = frozenset(("previous_response_id", "conversation", "background", "prompt"))
_HARMLESS = frozenset(
    "metadata store user truncation include service_tier reasoning safety_identifier prompt_cache_key "
    "prompt_cache_retention top_logprobs max_tool_calls stream_options".split()
)
_KINDS = {"input_text": "text", "output_text": "text", "text": "text", "refusal": "refusal"}
_WORDS = (
    (re.compile(r"^messages\b(\[\d+\])?"), "input"),
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


def read_response(raw: bytes) -> tuple[ChatBody, tuple[str, ...], Mapping[str, Any]]:
    """The request as a chat completion, the names of fields that are not honoured, and the request as it came, which an
    answer repeats in part. Raises ApiError (400)."""
    data = read_object(raw)
    for name in _KEPT:
        if data.get(name):
            what = f"Unsupported parameter: '{name}' is not supported here: nothing is kept. Send all items as 'input'."
            raise invalid(what, name, "unsupported_parameter")
    try:
        given = ResponseBody.model_validate(data)
    except ValidationError as error:
        raise refusal(error.errors(include_url=False, include_context=False), data) from error
    body, _ = chat_body(_as_chat(given))
    return body, ignored(data, ResponseBody.model_fields.keys() | _HARMLESS | _KEPT), data


@contextmanager
def in_its_words(responses: bool) -> Iterator[None]:
    """Errors about a response name the parameters as that endpoint calls them."""
    try:
        yield
    except ApiError as error:
        for old, new in _WORDS if responses else ():
            error.param = error.param and old.sub(new, error.param)
        raise


def _as_chat(given: ResponseBody) -> dict[str, Any]:
    system = [{"role": "system", "content": given.instructions}] if given.instructions else []
    items = [{"role": "user", "content": given.input}] if isinstance(given.input, str) else given.input
    made: dict[str, Any] = {"model": given.model, "messages": [*system, *_messages(items)]}
    if given.tools:
        made["tools"] = [_tool(tool, place) for place, tool in enumerate(given.tools)]
    same = ("parallel_tool_calls", "stream", "temperature")
    made |= {name: getattr(given, name) for name in same if getattr(given, name) is not None}
    if given.max_output_tokens is not None:
        made["max_completion_tokens"] = given.max_output_tokens
    if given.tool_choice is not None:
        made["tool_choice"] = _choice(given.tool_choice)
    if given.text is not None and given.text.format is not None:
        made["response_format"] = _format(given.text.format)
    return made


def _messages(items: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Messages of items; calls that follow each other, and the words before them, are one message."""
    made: list[dict[str, Any]] = []
    called: list[Any] = []
    for place, item in enumerate(items):
        where, kind, number = f"input[{place}]", item.get("type", "message"), item.get("call_id")
        if kind == "message":
            made.append({"role": item.get("role"), "content": _content(item.get("content"), where)})
        elif kind == "function_call":
            if not (made and made[-1]["role"] == "assistant"):
                made.append({"role": "assistant", "content": None})
            function = {"name": item.get("name"), "arguments": item.get("arguments")}
            made[-1].setdefault("tool_calls", []).append({"id": number, "type": "function", "function": function})
            called.append(number)
        elif kind == "function_call_output":
            if number not in called:
                what = f"No call is found before this {kind} for call_id {number!r:.80}"
                raise invalid(f"{what}: nothing is kept here, so send the call, too.", f"{where}.call_id")
            made.append({"role": "tool", "tool_call_id": number, "content": _content(item.get("output"), where)})
        elif kind != "reasoning":
            what = f"Invalid value: {kind!r:.60}. Items here are messages, function calls and their outputs."
            raise invalid(what, f"{where}.type", "unsupported_content")
    return made


def _content(content: Any, where: str) -> Any:
    """Text as it is; of parts those that are text, under the names that chat completions have for them."""
    if not isinstance(content, list):
        return content
    made = []
    for place, part in enumerate(content):
        kind = part.get("type") if isinstance(part, dict) else None
        if not isinstance(kind, str) or kind not in _KINDS:
            what = f"Invalid value: {kind!r:.60}. Only text is supported here."
            raise invalid(what, f"{where}.content[{place}].type", "unsupported_content")
        made.append({"type": _KINDS[kind], _KINDS[kind]: part.get(_KINDS[kind])})
    return made


def _tool(tool: Mapping[str, Any], place: int) -> dict[str, Any]:
    if tool.get("type") != "function":
        what = f"Invalid value: {tool.get('type')!r:.60}. Tools here are functions."
        raise invalid(what, f"tools[{place}].type", "unsupported_parameter")
    named = {name: tool[name] for name in ("name", "description", "parameters") if name in tool}
    return {"type": "function", "function": named}


def _choice(given: Any) -> Any:
    if isinstance(given, dict) and given.get("type") == "function":
        return {"type": "function", "function": {"name": given.get("name")}}
    return given


def _format(given: Mapping[str, Any]) -> dict[str, Any]:
    if given.get("type") != "json_schema":
        return {"type": given.get("type")}
    return {"type": "json_schema", "json_schema": {name: given[name] for name in ("name", "schema") if name in given}}
