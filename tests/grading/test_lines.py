"""Grading lines of JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolmend.errors import BadFile
from toolmend.grading import grade_lines

SCHEMA = {"type": "object", "properties": {"x": {"type": "integer"}, "when": {"type": "string"}}, "required": ["x"]}
LINE: dict[str, Any] = {
    "tools": [{"name": "f", "parameters": SCHEMA, "receiver": "api"}],
    "reply": "api.f(1)",
    "expected": [{"tool": "api.f", "arguments": {"x": {"oneof": [1, 2]}}}],
}


def graded(**changes: Any) -> dict[str, Any]:
    line = {key: value for key, value in {**LINE, **changes}.items() if value is not ...}
    return next(grade_lines([json.dumps(line)]))


def test_right() -> None:
    assert graded() == {
        "line": 1,
        "mistakes": [],
        "mark": "correct",
        "marks": ["correct"],
        "valid_call": True,
        "leniencies": [],
    }


def test_mistakes_marks_and_leniencies() -> None:
    result = graded(reply='print(api.f(x="1"))', id="a7")
    assert result["mistakes"] == [{"kind": "wrong_type", "argument": "x", "tool": "api.f", "expected": 1, "got": "1"}]
    assert (result["mark"], result["marks"], result["leniencies"]) == ("mistake", ["mistake"], ["print"])
    assert result["id"] == "a7"


def test_calls_instead_of_text() -> None:
    assert graded(reply=..., calls=[{"tool": "api.f", "arguments": {"x": 2}}])["mark"] == "correct"


def test_tools_in_the_common_envelope() -> None:
    tools = [{"type": "function", "function": {"name": "f", "parameters": SCHEMA}}]
    expected = [{"tool": "f", "arguments": {"x": 1}}]
    assert graded(tools=tools, reply="f(1)", expected=expected)["mark"] == "correct"


def test_a_mapping_is_plain_where_the_parameter_takes_an_object() -> None:
    schema = {"properties": {"filter": {"type": "object"}}}
    changes = {"tools": [{"name": "f", "parameters": schema}], "reply": 'f(filter={"date": "x"})'}
    assert graded(**changes, expected=[{"tool": "f", "arguments": {"filter": {"date": "x"}}}])["mark"] == "correct"


def test_questions_order_and_text_beside_the_call() -> None:
    assert graded(reply="Which one?", expected=[], asks=["x"])["mark"] == "correct"
    assert graded(reply="Here: api.f(1)", bare=False)["mark"] == "correct"
    both = [{"tool": "api.f", "arguments": {"x": number}} for number in (1, 2)]
    assert graded(reply="api.f(2)\napi.f(1)", expected=both, ordered=True)["marks"] == ["mistake", "mistake"]


def test_blank_lines_are_skipped_and_lines_counted() -> None:
    line = json.dumps(LINE)
    assert [result["line"] for result in grade_lines(["", line, "  ", line])] == [2, 4]


def test_lenience_none() -> None:
    line = json.dumps({**LINE, "reply": "print(api.f(1))"})
    assert next(grade_lines([line], lenience="none"))["mistakes"][0]["kind"] == "chatter"


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"tools": ...}, "'tools' must be a list"),
        ({"tools": [{}]}, "has no name"),
        ({"tools": [{"name": "f", "parameters": 3}]}, "'parameters' must be an object"),
        ({"tools": [{"name": "f", "parameters": {"properties": []}}]}, "no JSON Schema object"),
        ({"reply": ...}, "either 'reply'"),
        ({"calls": []}, "either 'reply'"),
        ({"reply": 3}, "'reply' must be a text"),
        ({"expected": ...}, "'expected' must be a list"),
        ({"expected": [{}]}, "has no tool"),
        ({"expected": [{"tool": "g"}]}, "unknown tool 'g'"),
        ({"expected": [{"tool": "api.f"}]}, "lacks the required x"),
        ({"expected": [{"tool": "api.f", "arguments": {"x": {"time": "25:00"}}}]}, "no time of day"),
        ({"ordered": "yes"}, "'ordered' must be true or false"),
        ({"replies": "x"}, "unknown key 'replies'"),
    ],
)
def test_broken_lines_name_file_line_and_key(changes: dict[str, Any], what: str) -> None:
    line = json.dumps({key: value for key, value in {**LINE, **changes}.items() if value is not ...})
    with pytest.raises(BadFile, match=what) as caught:
        list(grade_lines(["", line], source="some.jsonl"))
    assert str(caught.value).startswith("some.jsonl:2: ")


@pytest.mark.parametrize("line", ["{", "[]", "3", "[" * 100_000])
def test_no_json_object(line: str) -> None:
    with pytest.raises(BadFile, match=r"no JSON|is an object"):
        list(grade_lines([line]))
