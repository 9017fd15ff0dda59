"""Grading lines of JSON, for programs in any language. A line:

    {"tools": [{"name": "f", "parameters": {JSON Schema}, "receiver": "api"}], "reply": "api.f(1)",
     "expected": [{"tool": "api.f", "arguments": {"x": {"oneof": [1, 2]}}}], "ordered": false, "bare": true}

gives {"line": 1, "mistakes": [{"kind": …, "argument": …}], "mark": "correct", "marks": ["correct"], "leniencies": []}.
Instead of "reply" there may be "calls": [{"tool": …, "arguments": {…}}]. Knows no files and no printing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from toolmend.errors import BadFile, ToolmendError
from toolmend.grading.expected import RULES, Expected, ExpectedCall, accepted
from toolmend.grading.grade import Grade, grade
from toolmend.grading.schemas import Shape
from toolmend.messages import Call, ToolSpec
from toolmend.mistakes import Mistake

_LIKE_OBJECTS = frozenset(RULES) - {"oneof", "value"}
_KEYS = frozenset({"tools", "reply", "calls", "expected", "ordered", "asks", "bare", "id"})


class _Wrong(Exception):
    """What is wrong with a line, said in one sentence."""


def grade_lines(
    lines: Iterable[str],
    *,
    tools: tuple[ToolSpec, ...] | None = None,
    lenience: str = "default",
    source: str = "<lines>",
) -> Iterator[dict[str, Any]]:
    """The graded lines, in order; blank ones are skipped. `tools` are those of lines that name none.

    Raises BadFile naming `source` and the line.
    """
    last: tuple[Any, tuple[ToolSpec, ...]] = (..., ())
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            data = _loaded(line)
            own = data.get("tools", tools)
            if own != last[0]:  # the same tools on every line are made ready once
                last = (own, own if isinstance(own, tuple) else _tools(data))
            graded = grade(_reply(data), _expected(data, last[1]), last[1], lenience=lenience)
        except (_Wrong, ToolmendError) as fault:
            raise BadFile(source, str(fault), number) from None
        yield {"line": number, **({"id": data["id"]} if "id" in data else {}), **_result(graded)}


def _loaded(line: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as fault:
        raise _Wrong(f"no JSON: {fault}") from None
    if not isinstance(data, dict):
        raise _Wrong(f"a line is an object, got {type(data).__name__}")
    return data


def _result(graded: Grade) -> dict[str, Any]:
    return {
        "mistakes": [_mistake(mistake) for mistake in graded.mistakes],
        "mark": graded.marks[0].value,
        "marks": [mark.value for mark in graded.marks],
        "valid_call": graded.valid_call,
        "leniencies": list(graded.leniencies),
    }


def _mistake(mistake: Mistake) -> dict[str, Any]:
    fields = {"argument": mistake.argument, "tool": mistake.tool, "expected": mistake.expected, "got": mistake.got}
    return {"kind": mistake.kind.value, **{key: value for key, value in fields.items() if value is not None}}


def _typed(data: Mapping[str, Any], key: str, kind: type, default: Any) -> Any:
    value = data.get(key, default)
    if not isinstance(value, kind):
        raise _Wrong(f"{key!r} must be {_KIND_NAMES[kind]}, got {value!r:.60}")
    return value


_KIND_NAMES = {list: "a list", str: "a text", dict: "an object", bool: "true or false"}


def _tools(data: Mapping[str, Any]) -> tuple[ToolSpec, ...]:
    specs = []
    for tool in _typed(data, "tools", list, None):
        inner = tool.get("function", tool) if isinstance(tool, dict) else None
        if not isinstance(inner, dict) or not isinstance(inner.get("name"), str):
            raise _Wrong(f"'tools': {tool!r:.60} has no name")
        parameters = _typed(inner, "parameters", dict, {})
        if not isinstance(parameters.get("properties", {}), dict):
            raise _Wrong(f"'tools': the parameters of {inner['name']} are no JSON Schema object with properties")
        specs.append(ToolSpec(inner["name"], "", parameters, _typed(inner, "receiver", str, "")))
    return tuple(specs)


def _reply(data: Mapping[str, Any]) -> str | list[Call]:
    unknown = sorted(set(data) - _KEYS)
    if unknown:
        raise _Wrong(f"unknown key {unknown[0]!r}; known: {', '.join(sorted(_KEYS))}")
    if ("reply" in data) == ("calls" in data):
        raise _Wrong("give either 'reply' (a text) or 'calls' (a list)")
    if "reply" in data:
        text: str = _typed(data, "reply", str, None)
        return text
    return [Call(*_call(item, "calls")) for item in _typed(data, "calls", list, None)]


def _call(item: Any, key: str) -> tuple[str, dict[str, Any]]:
    if not isinstance(item, dict) or not isinstance(item.get("tool"), str):
        raise _Wrong(f"{key!r}: {item!r:.60} has no tool")
    return item["tool"], _typed(item, "arguments", dict, {})


def _expected(data: Mapping[str, Any], specs: tuple[ToolSpec, ...]) -> Expected:
    calls = []
    for item in _typed(data, "expected", list, None):
        tool, arguments = _call(item, "expected")
        spec = next((spec for spec in specs if tool in (spec.full_name, spec.name)), None)
        calls.append(ExpectedCall(tool, {name: _accepted(name, value, spec) for name, value in arguments.items()}))
    asks = tuple(str(name) for name in _typed(data, "asks", list, []))
    return Expected(tuple(calls), _typed(data, "ordered", bool, False), asks, _typed(data, "bare", bool, True))


def _accepted(name: str, value: Any, spec: ToolSpec | None) -> Any:
    """A mapping is a rule, unless the parameter itself takes an object."""
    if spec is not None and isinstance(value, dict) and set(value) & _LIKE_OBJECTS:
        types = Shape(spec.properties.get(name), spec.parameters).types
        if "object" in types:
            return value
    return accepted(value)
