"""Which call a line is about, and what its `of` says besides."""

from __future__ import annotations

from typing import Any

import pytest
from tests.language.resolve.test_hearing import ADD, REMOVE, heard, values

from toolmend.base.messages import Call
from toolmend.language.resolve.background import Open, Question
from toolmend.language.resolve.said import Said

BOWLS = Call(ADD, {"title": "Bowls with Maureen", "date": "2025-05-06", "time": "14:00", "duration": 120}, "c1")
CLINIC = Call(ADD, {"title": "Eye clinic", "date": "2025-05-08", "time": "09:35"}, "c2")
HEAT = Call(ADD, {"title": "Heat one", "date": "2025-05-10", "time": "13:30", "duration": 60}, "c3")
CUP = Call(ADD, {"title": "Cup R1", "date": "2025-05-10", "time": "13:30", "duration": 60}, "c4")
GONE = Call(REMOVE, {"title": "Office hours", "date": "2025-05-09", "time": "09:00"}, "c5")


@pytest.mark.parametrize(
    ("text", "reply", "calls", "expected"),
    [
        (
            "Heat two the next morning at 9.30",
            'again(of="heat two", date="the next morning", time="9.30")',
            (BOWLS, HEAT),
            ("heat two", "2025-05-11", "09:30", 60),
        ),
        ("R2 one week on", 'again(of="R2", date="one week on")', (CUP,), ("Cup R2", "2025-05-17", "13:30", 60)),
        (
            "the eye clinik again on the 20th",
            'again(of="the eye clinik", date="the 20th")',
            (BOWLS, CLINIC),
            ("Eye clinic", "2025-05-20", "09:35"),
        ),
        (
            "The same clinic again on the 20th",
            'again(of="The same clinic", date="the 20th")',
            (BOWLS, CLINIC),
            ("Eye clinic", "2025-05-20", "09:35"),
        ),
        (
            "Bowls again on the 13th, all three of us",
            'again(of="all three", date="the 13th")',
            (BOWLS, CLINIC, HEAT),
            ("Bowls with Maureen", "2025-05-13", "14:00", 120),
        ),
        (
            "Another heat on the Friday",
            'again(of="the Friday", title="Heat one")',
            (BOWLS, HEAT, GONE),
            ("Heat one", "2025-05-16", "13:30", 60),
        ),
    ],
)
def test_a_new_call_like_another(text: str, reply: str, calls: tuple[Call, ...], expected: tuple[Any, ...]) -> None:
    assert values(text, reply, *calls) == [expected]


def test_again_makes_no_second_removal() -> None:
    computed = heard("again on Friday", 'again(date="Friday")', BOWLS, GONE)
    assert [call.tool for call in computed.calls] == [ADD]


@pytest.mark.parametrize(
    ("title", "expected"), [("Eye clinic Dr Roth", "Eye clinic Dr Roth"), ("the eye clinic", "Eye clinic")]
)
def test_words_for_a_call_may_be_what_it_becomes(title: str, expected: str) -> None:
    [call] = values(f"It should be {title} now", f'change(of="{title}", title="{title}")', BOWLS, CLINIC)
    assert call[0] == expected


def test_two_lines_change_one_call() -> None:
    reply = 'change(time="an hour earlier")\nchange(of="the clinic", duration="45 minutes")'
    text = "start the clinic an hour earlier and call it 45 minutes"
    assert values(text, reply, amended=(CLINIC,)) == [("Eye clinic", "2025-05-08", "08:35", 45)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Oh, after the eye clinic, so 11.15", ("Walk", "2025-05-08", "11:15")),
        ("move the eye clinic to 11.15 first", ("Eye clinic", "2025-05-08", "11:15")),
    ],
)
def test_an_answer_may_say_after_what(text: str, expected: tuple[Any, ...]) -> None:
    asked = Open(Said(ADD, {"title": "Walk", "date": "8 May", "time": "?"}), Question(ADD, "time"))
    assert values(text, 'change(of="the eye clinic", time="11.15")', CLINIC, open=asked) == [expected]


def test_an_answer_leaves_the_words_for_the_call_that_is_changed() -> None:
    asked = Open(Said("change", {"time": "?"}, "the eye clinic"), Question("change", "time"))
    assert asked.completed([Said("change", {"time": "11.15"})]) == (
        Said("change", {"time": "11.15"}, "the eye clinic"),
    )
