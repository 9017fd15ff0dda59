"""The parts of a line of JSON: its tools, its reply, what it expects. Knows one line at a time, and grades nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from toolmend.grading.bfcl import read_bfcl
from toolmend.grading.expected import Expected, ExpectedCall, accepted
from toolmend.grading.foreign import json_schema, openai_calls, possible_answers
from toolmend.grading.schemas import Shape
from toolmend.messages import Call, Reply, ToolSpec
from toolmend.reading import Reading, read

NOTATIONS = ("auto", "python", "json", "tags", "native")
"""How calls stand in a text; in `native` ones they never do: calls come as calls, and text is words."""
ANY = "any"
KEYS = frozenset(
    {"tools", "reply", "calls", "tool_calls", "expected", "ground_truth", "ordered", "asks", "bare", "id"}
    | {"notation", "rules", "say"}
)
_REPLIES = ("reply", "calls", "tool_calls")
_KIND_NAMES = {list: "a list", str: "a text", dict: "an object", bool: "true or false"}


class BadLine(Exception):
    """What is wrong with a line, said in one sentence."""


def loaded(line: str | bytes, known: frozenset[str] = KEYS) -> dict[str, Any]:
    """The object that a line is, of known keys only. Raises Wrong."""
    try:
        data = json.loads(line)
    except UnicodeDecodeError as fault:
        raise BadLine(f"not UTF-8 text ({fault.reason})") from None
    except (ValueError, RecursionError) as fault:
        raise BadLine(f"no JSON: {fault}") from None
    if not isinstance(data, dict):
        raise BadLine(f"a line is an object, got {type(data).__name__}")
    if unknown := sorted(set(data) - known):
        raise BadLine(f"unknown key {unknown[0]!r}; known: {', '.join(sorted(known))}")
    return data


def typed(data: Mapping[str, Any], key: str, kind: type, default: Any) -> Any:
    """The value under a key, of that kind. Raises Wrong."""
    value = data.get(key, default)
    if not isinstance(value, kind):
        raise BadLine(f"{key!r} must be {_KIND_NAMES[kind]}, got {value!r:.60}")
    return value


def tools_of(data: Mapping[str, Any]) -> tuple[tuple[ToolSpec, ...], list[str]]:
    """The tools of a line, and what to warn of: types that are no JSON Schema's."""
    specs, foreign = [], set[str]()
    for tool in typed(data, "tools", list, None):
        inner = tool.get("function", tool) if isinstance(tool, dict) else None
        if not isinstance(inner, dict) or not isinstance(inner.get("name"), str):
            raise BadLine(f"'tools': {tool!r:.60} has no name")
        parameters = typed(inner, "parameters", dict, {})
        if not isinstance(parameters.get("properties", {}), dict):
            raise BadLine(f"'tools': the parameters of {inner['name']} are no JSON Schema object with properties")
        about = inner.get("description")
        schema = json_schema(parameters, foreign)
        specs.append(
            ToolSpec(inner["name"], about if isinstance(about, str) else "", schema, typed(inner, "receiver", str, ""))
        )
    told = f"types that are no JSON Schema's are read as such: {', '.join(sorted(foreign))}"
    return tuple(specs), [told] if foreign else []


def notation_of(data: Mapping[str, Any], default: str | None, rules: str) -> str:
    """How the line's text is read. Raises Wrong."""
    notation = data.get("notation", default)
    if notation is None:
        return "bfcl" if rules == "bfcl" else "auto"
    if notation not in NOTATIONS:
        raise BadLine(f"notation: {notation!r:.60} is unknown; known: {', '.join(NOTATIONS)}")
    return "bfcl" if rules == "bfcl" and notation == "python" else str(notation)


def reply_of(data: Mapping[str, Any], specs: tuple[ToolSpec, ...], notation: str) -> Reading | Reply | list[Call]:
    """What was replied: calls as they were made, or a text that is read. Raises Wrong."""
    given = [key for key in _REPLIES if key in data]
    if given != ["tool_calls"] and set(given) != {"tool_calls", "reply"} and len(given) != 1:
        raise BadLine(
            "give either 'reply' (a text), 'calls' (a list) or 'tool_calls' (OpenAI's; 'reply' may go with it)"
        )
    if "calls" in data:
        return [Call(*_call(item, "calls")) for item in typed(data, "calls", list, None)]
    text: str = typed(data, "reply", str, "") if data.get("reply") is not None or "tool_calls" not in data else ""
    if "tool_calls" in data:
        return openai_calls(typed({"tool_calls": data["tool_calls"] or []}, "tool_calls", list, None), text)
    if notation == "native":
        return Reading((), text.strip(), problem="no_call")
    return read_bfcl(text) if notation == "bfcl" else read(text, specs, notation)


def _call(item: Any, key: str) -> tuple[str, dict[str, Any]]:
    if not isinstance(item, dict) or not isinstance(item.get("tool"), str):
        raise BadLine(f"{key!r}: {item!r:.60} has no tool")
    return item["tool"], typed(item, "arguments", dict, {})


def expected_of(data: Mapping[str, Any], specs: tuple[ToolSpec, ...]) -> Expected:
    """What a line expects, in toolmend's notation or BFCL's. Raises Wrong and BadOption."""
    if ("expected" in data) and ("ground_truth" in data):
        raise BadLine("give either 'expected' or 'ground_truth' (BFCL's possible answers)")
    asks = tuple(str(name) for name in typed(data, "asks", list, []))
    ordered, bare = typed(data, "ordered", bool, False), typed(data, "bare", bool, True)
    if data.get("expected") == ANY:
        return Expected((), ordered, asks, bare, any_call=True)
    if "ground_truth" in data:
        return Expected(possible_answers(typed(data, "ground_truth", list, None), specs), ordered, asks, bare)
    calls = []
    for item in typed(data, "expected", list, None):
        tool, arguments = _call(item, "expected")
        spec = next((spec for spec in specs if tool in (spec.full_name, spec.name)), None)
        shapes = {name: Shape(spec.properties.get(name), spec.parameters) for name in arguments} if spec else {}
        calls.append(ExpectedCall(tool, {name: accepted(value, shapes.get(name)) for name, value in arguments.items()}))
    return Expected(tuple(calls), ordered, asks, bare)
