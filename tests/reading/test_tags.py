"""Tagged calls in the spellings of several model families."""

from __future__ import annotations

import pytest

from toolmend.base.messages import Call, ToolSpec
from toolmend.reading import read_tags

Tools = tuple[ToolSpec, ...]
ARGUMENTS = '{"title": "Fred", "duration": 45}'
NAMED = f'{{"name": "add_calendar_entry", "arguments": {ARGUMENTS}}}'
FRED = Call("add_calendar_entry", {"title": "Fred", "duration": 45})
PARAMETERS = "<parameter=title>\nFred\n</parameter>\n<parameter=duration>45</parameter>"


@pytest.mark.parametrize(
    "text",
    [
        f"<tool_call>\n{NAMED}\n</tool_call>",
        f"<function_call>{NAMED}</function_call>",
        f"<function=add_calendar_entry>{ARGUMENTS}</function>",
        f"<function=add_calendar_entry>\n{PARAMETERS}\n</function>",
        f"<tool_call>\n<function=add_calendar_entry>\n{PARAMETERS}\n</function>\n</tool_call>",
        '<invoke name="add_calendar_entry"><parameter name="title">Fred</parameter>'
        '<parameter name="duration">45</parameter></invoke>',
        f"[TOOL_CALLS] [{NAMED}]",
        '<|python_tag|>add_calendar_entry("Fred", duration=45)',
        '<tool_call>add_calendar_entry("Fred", duration=45)</tool_call>',
    ],
)
def test_spelling(tools: Tools, text: str) -> None:
    reading = read_tags(text, tools)
    assert (reading.calls, reading.rest, reading.problem) == ((FRED,), "", None)


def test_unclosed_tag_is_recorded(tools: Tools) -> None:
    assert read_tags(f"<tool_call>{NAMED}", tools).leniencies == ("unclosed",)


def test_several_tags_with_text_between(tools: Tools) -> None:
    reading = read_tags(f"one <tool_call>{NAMED}</tool_call> two <tool_call>{NAMED}</tool_call>", tools)
    assert (reading.calls, reading.rest) == ((FRED, FRED), "one\ntwo")


def test_broken_arguments_are_a_syntax_problem(tools: Tools) -> None:
    reading = read_tags('<function=add_calendar_entry>{"time": 17:00}</function>', tools)
    assert (reading.calls, reading.problem) == ((), "syntax")


@pytest.mark.parametrize("text", ["", "<b>bold</b>", "<tool_call>hello</tool_call>", "<tool_call>"])
def test_what_is_no_call(tools: Tools, text: str) -> None:
    assert read_tags(text, tools).problem == "no_call"
