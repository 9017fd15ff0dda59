"""Words of a change that say more than one value, or how far it is moved, or when it is over."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from toolmend.base.messages import Call
from toolmend.language.resolve.background import Background
from toolmend.language.resolve.calls import compute
from toolmend.reading.spoken import read_spoken
from toolmend.tools.toolboxes import Calendar

SPECS = Calendar().specs
ADD = "action.add_calendar_entry"
DENTIST = Call(ADD, {"title": "Dentist", "date": "2025-06-10", "time": "08:00", "duration": 60}, "c2")


def made(reply: str, call: Call, text: str = "") -> list[dict[str, Any]]:
    background = Background((call,), now=dt.datetime(2025, 1, 1), hours="07-19", text=text)
    return [dict(one.arguments) for one in compute(read_spoken(reply, SPECS).lines, SPECS, background).calls]


@pytest.mark.parametrize(
    ("words", "days"),
    [
        ("Thursday and Saturday", ["2025-06-12", "2025-06-14"]),
        ("thu + fri", ["2025-06-12", "2025-06-13"]),
        ("the twelfth the sixteenth and the nineteenth", ["2025-06-12", "2025-06-16", "2025-06-19"]),
    ],
)
def test_again_on_several_days_is_a_call_each(words: str, days: list[str]) -> None:
    calls = made(f'again(date="{words}")', DENTIST)
    assert calls == [{**DENTIST.arguments, "date": day} for day in days]


@pytest.mark.parametrize(
    ("words", "text", "time"),
    [
        ("half an hour", "please prepone the dentist by half an hour", "07:30"),
        ("half an hour", "half an hour earlier with the dentist", "07:30"),
        ("20 minutes", "bring the dentist forward 20 minutes", "07:40"),
        ("15 minutes", "Push it all back 15 minutes", "08:15"),
    ],
)
def test_a_length_alone_moves_as_the_sentence_does(words: str, text: str, time: str) -> None:
    [call] = made(f'change(time="{words}")', DENTIST, text=text)
    assert call == {**DENTIST.arguments, "time": time}


def test_the_same_hours_are_the_same_length_and_the_preceding_day_is_before_it() -> None:
    [again] = made('again(date="Saturday", duration="same hours")', DENTIST, text="dentist Saturday, same hours")
    assert (again["date"], again["duration"]) == ("2025-06-14", 60)
    [before] = made('add_calendar_entry(title="X-ray", date="the preceding Friday", time="9 am")', DENTIST)
    assert before["date"] == "2025-06-06"


@pytest.mark.parametrize("words", ["cut it to that", "8:45"])
def test_what_has_to_be_over_by_then_ends_then(words: str) -> None:
    [call] = made(f'change(time="{words}")', DENTIST, text="I have to leave by 8:45 so cut it to that")
    assert call == {**DENTIST.arguments, "duration": 45}
