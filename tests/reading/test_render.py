"""Calls as text; that they read back equal is in test_properties."""

from __future__ import annotations

import pytest

from toolmend.base.errors import BadOption
from toolmend.base.messages import Call, ToolSpec
from toolmend.reading import read_python, render

FRED = Call("action.add_calendar_entry", {"duration": 30, "title": "Fred", "date": "2024-11-11", "time": "17:00"})


def test_python(add: ToolSpec) -> None:
    line = 'action.add_calendar_entry("Fred", date="2024-11-11", time="17:00", duration=30)'
    assert render(FRED, add) == line


def test_parameter_that_is_a_keyword_of_python() -> None:
    assert render(Call("f", {"from": 1})) == 'f(**{"from": 1})'


def test_surplus_arguments_keep_their_places(add: ToolSpec) -> None:
    call = Call("action.add_calendar_entry", {"title": "a", "date": "b", "time": "c", "duration": 1, "*5": 2})
    assert read_python(render(call, add), (add,)).calls == (call,)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), {1: 2}, b"x"])
def test_values_that_no_call_can_hold(value: object) -> None:
    with pytest.raises(BadOption, match=r"argument a: .* cannot be written"):
        render(Call("f", {"a": value}))


def test_tool_name_that_python_cannot_write() -> None:
    with pytest.raises(BadOption, match="get-weather"):
        render(Call("get-weather", {}))
