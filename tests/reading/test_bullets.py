"""Bullet lines as calls."""

from __future__ import annotations

from toolmend.base.messages import Call, ToolSpec
from toolmend.reading import read_bullets

Tools = tuple[ToolSpec, ...]


def test_named_tool(tools: Tools) -> None:
    text = "tool: action.add_calendar_entry\n- title: Fred's: a party\n- time: 17:00\n- duration: 60*3"
    call = Call("action.add_calendar_entry", {"title": "Fred's: a party", "time": "17:00", "duration": 180})
    assert read_bullets(text, tools).calls == (call,)


def test_only_tool_needs_no_name(add: ToolSpec) -> None:
    text = "Here you are.\n- **Title**: Fred\n* date: 2024-11-11\n2. duration: 45"
    reading = read_bullets(text, (add,))
    arguments = {"title": "Fred", "date": "2024-11-11", "duration": 45}
    assert reading.calls == (Call("action.add_calendar_entry", arguments),)
    assert (reading.rest, reading.leniencies) == ("Here you are.", ("names",))


def test_repeated_parameter_begins_the_next_call(add: ToolSpec) -> None:
    assert [call.arguments["title"] for call in read_bullets("- title: a\n- title: b", (add,)).calls] == ["a", "b"]


def test_nothing_for_an_optional_parameter_is_left_out(add: ToolSpec) -> None:
    reading = read_bullets("- title: a\n- duration: None", (add,))
    assert (reading.calls[0].arguments, reading.leniencies) == ({"title": "a"}, ("empty",))


def test_several_tools_and_no_name_is_no_call(tools: Tools) -> None:
    assert read_bullets("- title: a", tools).problem == "no_call"


def test_prose_list_is_no_call(add: ToolSpec) -> None:
    assert read_bullets("- Monday: rain\n- Tuesday: sun", (add,)).problem == "no_call"
