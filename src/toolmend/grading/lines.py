"""Grading lines of JSON, for programs in any language. A line:

    {"tools": [{"name": "f", "parameters": {JSON Schema}, "receiver": "api"}], "reply": "api.f(1)",
     "expected": [{"tool": "api.f", "arguments": {"x": {"oneof": [1, 2]}}}], "ordered": false, "bare": true}

gives {"line": 1, "mistakes": [{"kind": …, "argument": …}], "mark": "correct", "marks": ["correct"], "leniencies": []}.
Knows no files and no printing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from toolmend.base.errors import BadOption, ToolmendError
from toolmend.base.messages import Call, Reply, ToolSpec
from toolmend.base.mistakes import Mistake
from toolmend.grading.bfcl import read_bfcl
from toolmend.grading.expected import RULES_OF, Expected, ExpectedCall, accepted
from toolmend.grading.foreign import json_schema, openai_calls, possible_answers
from toolmend.grading.grade import Grade, grade
from toolmend.grading.schemas import Shape
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


# lines ---------------------------------------------------------------------------------------------------------------


_KEPT = 8_000


def grade_lines(
    lines: Iterable[str | bytes],
    *,
    tools: tuple[ToolSpec, ...] | None = None,
    lenience: str = "default",
    rules: str = "toolmend",
    notation: str | None = None,
) -> Iterator[dict[str, Any]]:
    """The graded lines, in order; blank ones are skipped. `tools`, `rules` and `notation` are those of lines that name
    none; without a notation any is read, under BFCL's rules Python.

    A line that cannot be graded gives {"line": …, "error": …}, and the next one follows. Types that are no JSON
    Schema's are translated; its `warnings` say so, but under BFCL's rules. Raises BadOption for an unknown option.
    """
    if rules not in RULES_OF:
        raise BadOption(f"rules: {rules!r} are unknown; known: {', '.join(RULES_OF)}")
    if notation is not None and notation not in NOTATIONS:
        raise BadOption(f"notation: {notation!r} is unknown; known: {', '.join(NOTATIONS)}")
    if lenience not in ("default", "none"):
        raise BadOption(f"lenience: {lenience!r} is unknown; known: default, none")
    grader = _Grader(tools, lenience, rules, notation)
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield grader.row(number, line)


@dataclass
class _Ready:
    """Tools of some content, and the expectations that were met with them, by their content."""

    specs: tuple[ToolSpec, ...]
    warnings: list[str] = field(default_factory=list)
    expected: dict[str, Expected] = field(default_factory=dict)


@dataclass
class _Grader:
    tools: tuple[ToolSpec, ...] | None
    lenience: str
    rules: str
    notation: str | None
    _ready: dict[str, _Ready] = field(default_factory=dict)
    _last: tuple[Any, _Ready] | None = None

    def row(self, number: int, line: str | bytes) -> dict[str, Any]:
        """What one line comes to."""
        head: dict[str, Any] = {"line": number}
        try:
            data = loaded(line)
            if "id" in data:
                head["id"] = data["id"]
            ready = self._tools(data)
            expected = self._expected(data, ready)
            reply = reply_of(data, ready.specs, notation_of(data, self.notation, expected.rules))
            graded = grade(reply, expected, ready.specs, lenience=self.lenience)
        except (BadLine, ToolmendError) as fault:
            return {**head, "error": str(fault)}
        warned = {"warnings": ready.warnings} if ready.warnings and expected.rules == "toolmend" else {}
        return {**head, **_result(graded), **warned}

    def _tools(self, data: Mapping[str, Any]) -> _Ready:
        """The tools of a line, made ready once however many others come between."""
        own = data.get("tools", self.tools)
        if self._last is not None and self._last[0] == own:
            return self._last[1]
        key = "" if isinstance(own, tuple) else json.dumps(own)
        ready = self._ready.get(key)
        if ready is None:
            if len(self._ready) >= _KEPT:
                self._ready.clear()
            ready = self._ready[key] = _Ready(own) if isinstance(own, tuple) else _Ready(*tools_of(data))
        self._last = own, ready
        return ready

    def _expected(self, data: Mapping[str, Any], ready: _Ready) -> Expected:
        key = json.dumps([data.get(name) for name in ("expected", "ground_truth", "asks", "ordered", "bare", "rules")])
        expected = ready.expected.get(key)
        if expected is None:
            if len(ready.expected) >= _KEPT:
                ready.expected.clear()
            made = expected_of(data, ready.specs)
            rules = data.get("rules", self.rules)
            expected = ready.expected[key] = replace(made, rules=rules if isinstance(rules, str) else repr(rules))
        return expected


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
