"""Grading lines of JSON."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from toolmend.base.errors import BadOption
from toolmend.grading import grade_lines, lines

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
        ({"expected": "all"}, "'expected' must be a list"),
        ({"ground_truth": []}, "either 'expected'"),
        ({"notation": "xml"}, "is unknown"),
        ({"rules": "x"}, "are unknown"),
        ({"tool_calls": [{}]}, "has no name"),
        ({"replies": "x"}, "unknown key 'replies'"),
    ],
)
def test_a_broken_line_is_told_and_the_rest_goes_on(changes: dict[str, Any], what: str) -> None:
    line = json.dumps({key: value for key, value in {**LINE, **changes, "id": 7}.items() if value is not ...})
    broken, right = grade_lines(["", line, json.dumps(LINE)])
    assert (broken["line"], right["line"], right["mark"]) == (2, 3, "correct")
    assert what in broken["error"]


@pytest.mark.parametrize("line", ["{", "[]", "3", "[" * 100_000, b"\xff"])
def test_no_json_object(line: str | bytes) -> None:
    (row,) = grade_lines([line])
    assert re.search(r"no JSON|is an object|not UTF-8", row["error"])


@pytest.mark.parametrize("option", [{"rules": "theirs"}, {"notation": "xml"}, {"lenience": "much"}])
def test_unknown_options(option: dict[str, str]) -> None:
    with pytest.raises(BadOption, match="known: "):
        list(grade_lines([], **option))  # type: ignore[arg-type]


JSON_CALL = '{"name": "api.f", "arguments": {"x": 1}}'


@pytest.mark.parametrize(
    ("reply", "notation", "mark"),
    [
        (JSON_CALL, ..., "correct"),
        (JSON_CALL, "auto", "correct"),
        (JSON_CALL, "json", "correct"),
        (JSON_CALL, "python", "garbage"),
        (f"<tool_call>{JSON_CALL}</tool_call>", "tags", "correct"),
        (JSON_CALL, "native", "garbage"),
        ("api.f(1)", "python", "correct"),
        ("api.f(1)", "native", "garbage"),
    ],
)
def test_notations_of_calls_in_text(reply: str, notation: Any, mark: str) -> None:
    assert graded(reply=reply, notation=notation)["mark"] == mark


@pytest.mark.parametrize("reply", [JSON_CALL, f"<tool_call>{JSON_CALL}</tool_call>", "api.f(1)"])
def test_a_call_in_any_notation_is_unwanted_where_none_is_due(reply: str) -> None:
    assert [each["kind"] for each in graded(reply=reply, expected=[])["mistakes"]] == ["unwanted_call"]
    assert graded(reply=reply, expected=[], notation="native")["mark"] == "correct"


def test_the_notation_of_lines_that_name_none() -> None:
    (row,) = grade_lines([json.dumps({**LINE, "reply": JSON_CALL})], notation="python")
    assert row["mark"] == "garbage"


@pytest.mark.parametrize("reply", ["Use requests.get('x').", "data = response.json()", "Use it so:\nprint_all(3)\n"])
def test_program_text_that_names_no_tool_is_words(reply: str) -> None:
    assert graded(reply=reply, expected=[])["mark"] == "correct"


NATIVE = [{"type": "function", "function": {"name": "other", "arguments": '{"x": 1}'}}]


@pytest.mark.parametrize("rules", ["toolmend", "bfcl"])
@pytest.mark.parametrize(
    "given",
    [
        {"reply": "other(x=1)"},
        {"reply": "[other(x=1)]"},
        {"reply": ..., "calls": [{"tool": "other", "arguments": {"x": 1}}]},
        {"reply": ..., "tool_calls": NATIVE},
    ],
    ids=["text", "list", "calls", "native"],
)
def test_a_call_of_any_name_is_unwanted_made_or_written(given: dict[str, Any], rules: str) -> None:
    assert [found["kind"] for found in graded(**given, expected=[], rules=rules)["mistakes"]] == ["unwanted_call"]


@pytest.mark.parametrize("rules", ["toolmend", "bfcl"])
@pytest.mark.parametrize("given", [{"reply": "[other(x=1), api.f(x=1)]"}, {"reply": ..., "tool_calls": NATIVE}])
def test_a_tool_that_there_is_not_is_one_made_or_written(given: dict[str, Any], rules: str) -> None:
    if "tool_calls" in given:
        own = {"type": "function", "function": {"name": "api.f", "arguments": '{"x": 1}'}}
        given = {**given, "tool_calls": [*given["tool_calls"], own]}
    due = [{"tool": "api.f", "arguments": {"x": 1}}, {"tool": "api.f", "arguments": {"x": 2}}]
    assert [found["kind"] for found in graded(**given, expected=due, rules=rules)["mistakes"]] == ["unknown_tool"]


@pytest.mark.parametrize(
    ("reply", "kinds"),
    [("api.f(9)", []), ("Which one?", ["no_call"]), ("other(1)", ["unknown_tool"])],
)
def test_any_call(reply: str, kinds: list[str]) -> None:
    assert [each["kind"] for each in graded(reply=reply, expected="any")["mistakes"]] == kinds


def test_calls_of_openai_with_arguments_as_text() -> None:
    tool = {**LINE["tools"][0], "name": "factorial", "receiver": "math"}
    wanted = [{"tool": "math.factorial", "arguments": {"x": 5}}]
    for name in ("math.factorial", "math_factorial", "math__factorial"):
        called = [{"id": "1", "type": "function", "function": {"name": name, "arguments": '{"x": 5}'}}]
        row = graded(tools=[tool], reply=None, tool_calls=called, expected=wanted)
        assert (row["mark"], row["mistakes"]) == ("correct", [])


def test_no_calls_of_openai_are_no_call() -> None:
    assert graded(reply="api.f(1)", tool_calls=None, expected=[])["mark"] == "correct"


def test_arguments_that_are_no_json_are_a_syntax_problem() -> None:
    row = graded(reply=..., tool_calls=[{"function": {"name": "f", "arguments": "{x"}}])
    assert [each["kind"] for each in row["mistakes"]] == ["syntax"]


def test_rules_stand_inside_mappings_and_lists() -> None:
    schema = {"properties": {"p": {"type": "object", "properties": {"when": {"type": "string"}}}, "l": {}}}
    due = {"p": {"when": {"date": "2025-05-03"}, "who": {"optional": "Ada"}}, "l": [{"oneof": [1, 2]}, 3]}
    tools = [{"name": "f", "parameters": schema}]

    def mark(p: Any, l: Any) -> str:  # noqa: E741
        calls = [{"tool": "f", "arguments": {"p": p, "l": l}}]
        return str(graded(tools=tools, reply=..., calls=calls, expected=[{"tool": "f", "arguments": due}])["mark"])

    day = {"when": "2025-05-03"}
    assert [mark(day, [1, 3]), mark({**day, "who": "ada"}, [2, 3])] == ["correct", "correct"]
    assert [mark({**day, "who": "Eve"}, [1, 3]), mark({}, [1, 3]), mark(day, [3, 3])] == ["mistake"] * 3


def test_an_argument_may_be_left_out_and_null_is_not_that() -> None:
    wanted = [{"tool": "api.f", "arguments": {"x": 1, "when": {"optional": "noon"}}}]
    marks = [graded(reply=f"api.f(1{more})", expected=wanted)["mark"] for more in ("", ', "noon"', ', "one"', ", None")]
    assert marks == ["correct", "correct", "mistake", "mistake"]


def test_foreign_types_are_read_and_warned_of() -> None:
    schema = {
        "type": "dict",
        "properties": {"x": {"type": "float"}, "type": {"type": "tuple", "items": {"type": "any"}}},
    }
    changes = {"tools": [{"name": "f", "parameters": schema}], "expected": [{"tool": "f", "arguments": {"x": 1.5}}]}
    row = graded(**changes, reply="f(x='a')")
    assert row["mistakes"][0]["kind"] == "wrong_type"
    assert row["warnings"] == ["types that are no JSON Schema's are read as such: any, dict, float, tuple"]
    assert "warnings" not in graded(**changes, reply="f(x=1.5)", rules="bfcl")


def test_tools_between_each_other_are_made_ready_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    original = lines.tools_of
    monkeypatch.setattr(lines, "tools_of", lambda data: made.append(1) or original(data))
    two = [json.dumps({**LINE, "tools": [{**LINE["tools"][0], "description": str(n)}]}) for n in range(100)]
    assert {row["mark"] for row in grade_lines([*two, *two])} == {"correct"}
    assert len(made) == 100
