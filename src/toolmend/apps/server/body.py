"""The body of POST /v1/chat/completions: read, typed, and refused in the API's own words where it is wrong.

Fields that are known and not used here are listed by `ignored`, so that nobody is left to guess. Knows no strategy.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping, Sequence, Set
from itertools import islice
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails, from_json

from toolmend.apps.server.refusals import ApiError, invalid
from toolmend.base.budget import Budget, OverBudget

_DEEPEST, _NODES = 64, 100_000  # objects and lists in a body: nested, and all of them
_IGNORED_AT_MOST = 32  # fields that are told to be ignored: they stand in a header and in the log

_SHOULD = re.compile(r"^(?:Input|List|String) should\b")  # how pydantic begins what is wrong with a value
_KINDS = {str: "a string", bool: "a boolean", int: "an integer", float: "a number", list: "an array", dict: "an object"}
_UNSUPPORTED = {"n": 1, "logprobs": False, "top_logprobs": 0, "functions": None, "function_call": None, "audio": None}
# What changes nothing about an answer: bookkeeping of whoever sends it.
_HARMLESS = frozenset(
    "user metadata store service_tier safety_identifier prompt_cache_key prompt_cache_retention prediction verbosity "
    "stream_options".split()
)
_NEUTRAL: Mapping[str, Any] = {
    "top_p": 1,
    "frequency_penalty": 0,
    "presence_penalty": 0,
    "logit_bias": {},
    "modalities": ["text"],
    **_UNSUPPORTED,
}


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


class FunctionBody(_Part):
    """A function of `tools`."""

    name: Annotated[str, Field(pattern=r"^[a-zA-Z0-9_.-]{1,128}$")]
    description: str | None = None
    parameters: dict[str, Any] | None = None


class ToolBody(_Part):
    """An entry of `tools`."""

    type: Literal["function"]
    function: FunctionBody


class CalledBody(_Part):
    """What an earlier call called."""

    name: str
    arguments: str


class CallBody(_Part):
    """A call in an earlier assistant message."""

    id: Annotated[str, Field(min_length=1)]
    type: Literal["function"] = "function"
    function: CalledBody


class MessageBody(_Part):
    """A message."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | list[dict[str, Any]] | None = None
    tool_calls: list[CallBody] | None = None
    tool_call_id: str | None = None


class SchemaBody(_Part):
    """The schema of `response_format`."""

    name: Annotated[str, Field(pattern=r"^[a-zA-Z0-9_-]{1,64}$")]
    schema_: Annotated[dict[str, Any] | None, Field(alias="schema")] = None


class FormatBody(_Part):
    """`response_format`."""

    type: Literal["text", "json_object", "json_schema"]
    json_schema: SchemaBody | None = None


class StreamOptions(_Part):
    """`stream_options`."""

    include_usage: bool | None = None


class ChatBody(_Part):
    """What is used of a request."""

    model: Annotated[str, Field(min_length=1)]
    messages: Annotated[list[MessageBody], Field(min_length=1)]
    tools: Annotated[list[ToolBody], Field(max_length=512)] | None = None
    tool_choice: Any = None
    parallel_tool_calls: bool | None = None
    response_format: FormatBody | None = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    seed: Annotated[int, Field(ge=-(2**63), lt=2**63)] | None = None
    stop: str | Annotated[list[str], Field(max_length=4)] | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    max_completion_tokens: Annotated[int, Field(ge=1)] | None = None

    @property
    def stops(self) -> tuple[str, ...]:
        """The texts before which the answer ends."""
        given = [self.stop] if isinstance(self.stop, str) else self.stop or []
        return tuple(text for text in given if text)

    @property
    def usage_wanted(self) -> bool:
        """Whether a stream tells its usage."""
        return bool(self.stream_options and self.stream_options.include_usage)


def read_body(raw: bytes) -> tuple[ChatBody, tuple[str, ...]]:
    """The request, and the names of fields that are not honoured. Raises ApiError (400)."""
    return chat_body(read_object(raw))


def read_object(raw: bytes) -> dict[str, Any]:
    """A JSON object that is not too deep. Raises ApiError (400)."""
    try:
        data = from_json(raw, allow_inf_nan=False)
    except ValueError as error:
        raise ApiError(400, f"The body is not valid JSON: {error}.", code="invalid_json") from error
    if not isinstance(data, dict):
        raise ApiError(400, f"The body must be a JSON object, not {_kind(data)}.", code="invalid_type")
    try:
        deque(Budget("The body", depth=_DEEPEST, nodes=_NODES).nodes(data), maxlen=0)
    except OverBudget as error:
        raise ApiError(400, f"{error}.", code="invalid_value") from error
    return data


def chat_body(data: dict[str, Any]) -> tuple[ChatBody, tuple[str, ...]]:
    """The request that a JSON object is, as `read_body` gives it."""
    for name, neutral in _UNSUPPORTED.items():
        if data.get(name) not in (None, neutral):
            raise invalid(f"Unsupported parameter: '{name}' is not supported here.", name, "unsupported_parameter")
    try:
        body = ChatBody.model_validate(data)
    except ValidationError as error:
        raise refusal(error.errors(include_url=False, include_context=False), data) from error
    if body.stream_options is not None and not body.stream:
        text = "The 'stream_options' parameter is only allowed when 'stream' is enabled."
        raise ApiError(400, text, param="stream_options")  # in OpenAI's words, and like theirs without a code
    return body, ignored(data, ChatBody.model_fields.keys() | _HARMLESS)


def ignored(data: Mapping[str, Any], known: Set[str]) -> tuple[str, ...]:
    """The fields that ask for something and are not honoured; header values, so plain names only."""
    asking = (name for name, value in data.items() if value is not None and value != _NEUTRAL.get(name, _NEUTRAL))
    plain = (name for name in asking if name.isascii() and name.isidentifier() and len(name) <= 40)
    return tuple(islice((name for name in plain if name not in known), _IGNORED_AT_MOST))


def text_of(content: str | Sequence[Mapping[str, Any]] | None, where: str) -> str:
    """The text of a content: a string or text parts. Raises ApiError for parts that are something else."""
    if content is None or isinstance(content, str):
        return content or ""
    pieces = []
    for place, part in enumerate(content):
        kind = part.get("type")
        text = part.get("text" if kind == "text" else "refusal")
        if kind not in ("text", "refusal"):
            what = f"Invalid value: {kind!r:.60}. Only text is supported here."
            raise invalid(what, f"{where}[{place}].type", "unsupported_content")
        if not isinstance(text, str):
            raise invalid(
                f"Missing text in '{where}[{place}]'.", f"{where}[{place}].text", "missing_required_parameter"
            )
        pieces.append(text)
    return "".join(pieces)


def refusal(errors: Sequence[ErrorDetails], data: Any) -> ApiError:
    """The first thing that pydantic found, as OpenAI would say it; of a union's branches the nearest."""
    param, value = _place(errors[0]["loc"], data)
    here = [fault for fault in errors if _place(fault["loc"], data)[0] == param]
    error = next((fault for fault in here if not fault["type"].endswith("_type")), here[0])
    kind = error["type"]
    if kind == "missing":
        return invalid(f"Missing required parameter: '{param}'.", param, "missing_required_parameter")
    wanted = error["msg"].removeprefix("Input should be ").rstrip(".")
    if kind.endswith("_type"):
        text = (
            f"Invalid type for '{param}': expected {wanted.removeprefix('a valid ')}, but got {_kind(value)} instead."
        )
        return invalid(text, param, "invalid_type")
    must = _SHOULD.sub("it must", error["msg"]).replace(" after validation", "")
    return invalid(f"Invalid value for '{param}': {must}.", param)


def _place(loc: Sequence[str | int], data: Any) -> tuple[str, Any]:
    """`messages[0].role`, and what stands there. Pydantic's names for the branches of a union are left out."""
    path, value = "", data
    for step in loc:
        if isinstance(value, dict) and isinstance(step, str):
            path += f".{step}" if path else step
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            path += f"[{step}]"
            value = value[step]
        else:
            break
    return path, value


def _kind(value: Any) -> str:
    return "null" if value is None else _KINDS.get(type(value), "something else")
