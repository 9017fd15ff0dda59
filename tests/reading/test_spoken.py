"""The spoken notation, read and written."""

from __future__ import annotations

import pytest

from toolmend.base.messages import Call
from toolmend.language.resolve.said import Said
from toolmend.reading.origins import origins
from toolmend.reading.spoken import read_spoken, write_spoken
from toolmend.tools.toolboxes import Calendar

SPECS = Calendar().specs
ADD = "action.add_calendar_entry"


def test_a_line_is_a_tool_and_words() -> None:
    reading = read_spoken('add_calendar_entry(title="tea", time="half past three")', SPECS)
    assert reading.lines == (Said("add_calendar_entry", {"title": "tea", "time": "half past three"}),)


def test_several_lines_are_read_in_their_order() -> None:
    assert [line.tool for line in read_spoken("change()\nagain()\nundo()", SPECS).lines] == ["change", "again", "undo"]


@pytest.mark.parametrize("text", ['change(of="the tea", time="4")', 'change("the tea", time="4")'])
def test_the_words_for_the_call_stand_apart(text: str) -> None:
    assert read_spoken(text, SPECS).lines == (Said("change", {"time": "4"}, "the tea"),)


def test_anything_else_is_words() -> None:
    reading = read_spoken("There is nothing to do on Sunday.", SPECS)
    assert (reading.lines, reading.rest, reading.broken) == ((), "There is nothing to do on Sunday.", "")


def test_a_broken_line_is_told() -> None:
    reading = read_spoken("change(time=(((at nine", SPECS)
    assert (reading.lines, bool(reading.broken)) == ((Said("change", {"time": "(((at nine"}),), True)


def test_what_is_written_reads_back() -> None:
    lines = (Said(ADD, {"date": "8 June", "title": 'the "big" one'}), Said("change", {"time": "4"}, "it"), Said("undo"))
    text = write_spoken(lines, SPECS)
    assert text == ('add_calendar_entry(title="the \\"big\\" one", date="8 June")\nchange(of="it", time="4")\nundo()')
    assert [line.words for line in read_spoken(text, SPECS).lines] == [line.words for line in lines]


def test_values_are_written_as_texts() -> None:
    line = Said(ADD, {"title": "x", "duration": 30, "list": [1, "b"], "sure": True})
    assert write_spoken([line], SPECS) == 'add_calendar_entry(list=["1", "b"], sure=True, title="x", duration="30")'


def test_the_origin_of_a_value_is_told_where_it_was_computed() -> None:
    call = Call(
        ADD, {"title": "tea", "time": "19:00"}, said={"title": "tea", "time": "seven pm"}, rules={"time": "clock"}
    )
    assert origins(call) == ('time 19:00 ← "seven pm"',)
    assert origins(call, explain=True) == ('time 19:00 ← "seven pm" (clock)',)
