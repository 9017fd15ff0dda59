"""Grading lines of JSON, for programs in any language. A line:

    {"tools": [{"name": "f", "parameters": {JSON Schema}, "receiver": "api"}], "reply": "api.f(1)",
     "expected": [{"tool": "api.f", "arguments": {"x": {"oneof": [1, 2]}}}], "ordered": false, "bare": true}

gives {"line": 1, "mistakes": [{"kind": …, "argument": …}], "mark": "correct", "marks": ["correct"], "leniencies": []}.
Knows no files and no printing; what the parts of a line mean is line_parts.py's.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from toolmend.errors import BadOption, ToolmendError
from toolmend.grading.expected import RULES_OF, Expected
from toolmend.grading.grade import Grade, grade
from toolmend.grading.line_parts import NOTATIONS, BadLine, expected_of, loaded, notation_of, reply_of, tools_of
from toolmend.messages import ToolSpec
from toolmend.mistakes import Mistake

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
