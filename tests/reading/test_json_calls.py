"""JSON calls in the spellings that models use."""

from __future__ import annotations

import json

import pytest

from toolmend.base.messages import Call, ToolSpec
from toolmend.reading import Reading, read_json

Tools = tuple[ToolSpec, ...]
ARGUMENTS = '{"title": "Fred", "duration": 45}'
NAMED = f'{{"name": "add_calendar_entry", "arguments": {ARGUMENTS}}}'
FRED = Call("add_calendar_entry", {"title": "Fred", "duration": 45})


@pytest.mark.parametrize(
    ("text", "leniencies"),
    [
        (NAMED, ()),
        (f"[{NAMED}]", ()),
        (NAMED.replace("arguments", "parameters"), ()),
        (f'{{"tool": "add_calendar_entry", "args": {ARGUMENTS}}}', ()),
        (f'{{"type": "function", "function": {NAMED}}}', ()),
        (f'{{"tool_calls": [{{"id": "1", "type": "function", "function": {NAMED}}}]}}', ()),
        (f'{{"thought": "hm", "call": {NAMED}}}', ("wrapped",)),
        (f'{{"name": "add_calendar_entry", "arguments": {json.dumps(ARGUMENTS)}}}', ("string_arguments",)),
        (f'{{"add_calendar_entry": {ARGUMENTS}}}', ("keyed",)),
        ('{"tool": "add_calendar_entry", "title": "Fred", "duration": 45}', ("flat",)),
        (f"```json\n{NAMED}\n```", ("fence",)),
        (f"<think>hm</think>{NAMED}", ("reasoning",)),
        ("{'name': 'add_calendar_entry', 'arguments': {'title': 'Fred', 'duration': 15*3}}", ("python_literal",)),
        (NAMED[:-1], ("repaired",)),
        ('{name: "add_calendar_entry", arguments: {title: "Fred", duration: 45,}}', ("repaired",)),
        (NAMED.replace('"Fred"', "“Fred”"), ("python_literal", "quotes")),
    ],
)
def test_spelling(tools: Tools, text: str, leniencies: tuple[str, ...]) -> None:
    assert read_json(text, tools) == Reading(calls=(FRED,), leniencies=leniencies)


def test_calls_in_prose(tools: Tools) -> None:
    assert read_json(f"Sure: {NAMED} and {NAMED}\nDone", tools) == Reading(calls=(FRED, FRED), rest="Sure:\nand\nDone")


def test_positional_arguments_in_a_list(tools: Tools) -> None:
    text = '{"name": "remove_calendar_entry", "arguments": ["Fred", "2024-11-11", "17:00"]}'
    assert read_json(text, tools).calls[0].arguments == {"title": "Fred", "date": "2024-11-11", "time": "17:00"}


@pytest.mark.parametrize(
    "broken",
    [
        '{"name": "add_calendar_entry", "arguments": {"title": "x" "duration": 60*3}}',
        '{"name": "add_calendar_entry", "arguments": {"time": 17:00}}',
        '{"name": "add_calendar_entry", "arguments": {"title": "a", "title": "b"}}',
        '{"name": "add_calendar_entry", "arguments": {"duration": 1e999}}',
        '{"name": "add_calendar_entry", "arguments": {"title": "cut off',
        '{"name": "add_calendar_entry", "arguments": {"duration": 4',
    ],
)
def test_a_repair_that_would_change_a_value_is_no_call(tools: Tools, broken: str) -> None:
    reading = read_json(broken, tools)
    assert (reading.calls, reading.problem) == ((), "syntax")


@pytest.mark.parametrize("text", ["", "no", "{}", '{"a": 1}', "[1, 2]", '{"name": "nobody"}', "{x}", "[" * 5000])
def test_what_is_no_call(tools: Tools, text: str) -> None:
    assert read_json(text, tools).problem == "no_call"
