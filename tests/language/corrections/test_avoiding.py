"""What a correction says of a reply, as text that another reply must not have."""

import pytest

from toolmend.base.messages import Call, Wrong
from toolmend.language.corrections.blame import wrong
from toolmend.reading import read_python
from toolmend.tools.toolboxes import Calendar

ADD = 'action.add_calendar_entry("Lunch", date="2024-05-03", time="12:00", duration=30)'
HEAD = "action.add_calendar_entry("
REMOVE = 'action.remove_calendar_entry("Lunch", "2024-05-03", "12:00")'


def of(text, said):
    return wrong(text, read_python(text, Calendar().specs).calls, said)


@pytest.mark.parametrize(
    ("text", "said", "head", "part"),
    [
        (ADD, "The date is wrong.", HEAD, 'date="2024-05-03"'),
        (ADD, "The duration is wrong.", HEAD, "duration=30"),
        (ADD, "Wrong title.", HEAD, '"Lunch"'),
        (REMOVE, "Wrong time.", "action.remove_calendar_entry(", '"12:00"'),
    ],
)
def test_the_blamed_argument_is_the_part_that_must_go(text, said, head, part):
    assert of(text, said) == Wrong(text, head, part)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (ADD, "Try again."),
        (ADD, "The date and the time are wrong"),
        (f"Sure! {ADD}", "The date is wrong."),
        (f"{ADD}\n{REMOVE}", "The date is wrong."),
        ("At what time?", "Wrong time."),
        (ADD.replace("12:00", "2024-05-03").replace("date=", ""), "Wrong date."),
    ],
)
def test_without_a_clear_part_the_reply_as_a_whole_is_wrong(text, said):
    assert of(text, said) == Wrong(text)


def test_a_value_that_is_spelled_otherwise_is_no_part():
    call = Call("action.add_calendar_entry", {"title": "Lunch", "date": "2024-05-03"})
    text = "action.add_calendar_entry('Lunch', date=day)"
    assert wrong(text, [call], "The date is wrong.") == Wrong(text)
