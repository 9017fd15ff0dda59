"""What the values of a call stand on, and what does not fit what was said."""

from __future__ import annotations

import datetime as dt
from typing import Literal

import pytest

from toolmend.base.messages import Call, ToolSpec
from toolmend.session.mend.doubts import doubts
from toolmend.session.mend.grounds import Heard, from_words, grounds
from toolmend.tools import Toolbox
from toolmend.tools.toolboxes import Calendar

SUNDAY = dt.datetime(2026, 11, 22, 13, 30)
MUM = {"title": "Call Mum", "date": "2026-11-24", "time": "10:00", "duration": 30}
FRED = {"title": "Meeting with Fred", "date": "2026-11-25", "time": "17:00", "duration": 30}
ADD, REMOVE = "action.add_calendar_entry", "action.remove_calendar_entry"


def heat(room: Literal["bath", "kitchen"], degrees: float) -> None: ...


def lights(room: Literal["bath", "kitchen"], on: bool) -> None: ...


SPECS: dict[str, ToolSpec] = {spec.full_name: spec for spec in (*Calendar().specs, *Toolbox.of(heat, lights).specs)}


def at(text: str, *things: dict[str, object]) -> Heard:
    return Heard(text, SUNDAY, "07-19", things)


def doubted(text: str, tool: str, *things: dict[str, object], **arguments: object) -> tuple[str, ...]:
    return doubts(Call(tool, arguments), SPECS[tool], at(text, *things))


def gone(entry: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in entry.items() if name != "duration"}


def test_each_value_has_its_words() -> None:
    call = Call(ADD, {"title": "Lunch with Ada", "date": "2026-11-23", "time": "12:00", "duration": 30})
    stands = grounds(call, SPECS[ADD], at("lunch with Ada tomorrow at noon"))
    assert [str(ground) for ground in stands] == [
        'title Lunch with Ada ← "Lunch with Ada"',
        'date 2026-11-23 ← "tomorrow"',
        'time 12:00 ← "noon"',
        "duration 30 ← the default",
    ]


def test_a_day_of_another_year_is_doubted() -> None:
    reasons = doubted("Lunch tomorrow at noon", ADD, title="Lunch", date="2023-03-31", time="12:00")
    assert reasons == ("""date '2023-03-31': you said "tomorrow": 2026-11-23""",)


@pytest.mark.parametrize("text", ["Cancel the meeting with Fred", "please delete Fred's meeting with me", "Cancel it"])
def test_what_was_named_may_go(text: str) -> None:
    assert doubted(text, REMOVE, FRED, **gone(FRED)) == ()


def test_another_entry_than_was_named_is_doubted() -> None:
    reasons = doubted("Cancel the call with the accountant", REMOVE, MUM, FRED, **gone(MUM))
    assert reasons[0] == "title 'Call Mum' was not said: Mum"


def test_one_of_two_of_the_same_name_is_doubted() -> None:
    later = {**FRED, "date": "2026-11-26"}
    assert doubted("Cancel the meeting with Fred", REMOVE, FRED, later, **gone(FRED)) == ("there are 2 of that name",)


def test_nothing_is_added_where_something_should_go() -> None:
    reasons = doubted("Cancel the meeting with Zoe", ADD, title="Meeting with Zoe", date="2026-11-25", time="17:00")
    assert reasons == ("you asked for something to go; this adds",)


def test_nothing_goes_that_nobody_wanted_gone() -> None:
    reasons = doubted("Lunch with Fred on Wednesday", REMOVE, FRED, **gone(FRED))
    assert reasons[0] == "you did not say that anything should go"


def test_another_member_than_was_said_is_doubted() -> None:
    assert doubted("Make the kitchen 19.5", "heat", room="bath", degrees=19.5) == (
        """room 'bath': you said "kitchen\"""",
    )


@pytest.mark.parametrize(("on", "reasons"), [(False, ()), (True, ('on True: you said "off"',))])
def test_on_and_off(on: bool, reasons: tuple[str, ...]) -> None:
    assert doubted("Lights off in the bath, please", "lights", room="bath", on=on) == reasons


def test_what_was_merely_not_said_is_a_doubt() -> None:
    call = Call("heat", {"room": "bath", "degrees": 21})
    (room, degrees) = grounds(call, SPECS["heat"], at("It is cold in the bath"))
    assert (room.words, degrees.problem) == ("bath", "was not said")
    assert doubts(call, SPECS["heat"], at("It is cold in the bath")) == ("degrees 21: was not said",)


def test_the_one_entry_that_is_named_is_the_one_that_goes() -> None:
    wrong = Call(REMOVE, {**gone(FRED), "date": "2023-04-01"})
    assert from_words(wrong, SPECS[REMOVE], at("Cancel the meeting with Fred", MUM, FRED)).arguments == gone(FRED)
    other = Call(REMOVE, {**gone(MUM), "date": "2023-04-01"})
    assert from_words(other, SPECS[REMOVE], at("Cancel the call with Cid", MUM, FRED)) == other


def test_values_that_the_words_say_are_taken_from_them() -> None:
    call = Call(ADD, {"title": "Lunch", "date": "2023-03-31", "time": "12:00"})
    fixed = from_words(call, SPECS[ADD], at("Lunch tomorrow at noon"))
    assert fixed.arguments == {"title": "Lunch", "date": "2026-11-23", "time": "12:00"}
    lit = from_words(Call("lights", {"room": "bath", "on": True}), SPECS["lights"], at("Kitchen lights off"))
    assert lit.arguments == {"room": "kitchen", "on": False}


def test_of_two_readings_none_is_taken() -> None:
    call = Call(ADD, {"title": "Lunch", "date": "2023-03-31", "time": "12:00"})
    assert from_words(call, SPECS[ADD], at("Lunch, tomorrow or on Friday")).arguments == call.arguments


def test_a_year_that_was_said_is_the_year() -> None:
    call = Call(ADD, {"title": "Meeting with Fred", "date": "2024-11-11", "time": "17:00"})
    heard = at("The current year is 2024.\nAdd a meeting with Fred on Nov 11 at 5PM")
    assert (from_words(call, SPECS[ADD], heard), doubts(call, SPECS[ADD], heard)) == (call, ())


def test_what_was_computed_from_words_stays() -> None:
    call = Call(ADD, {"title": "Tea", "date": "2026-11-23", "time": "12:00"}, said={"time": "then"})
    assert from_words(call, SPECS[ADD], at("Tea tomorrow at four")) == call


def test_every_part_of_a_list_is_looked_for() -> None:
    call = Call("box.pack", {"items": ["socks", {"what": "hat"}], "to": "Ada"})
    heard = at("pack the socks for Ada")
    assert [ground.problem or ground.words for ground in grounds(call, None, heard)] == ["was not said: hat", "Ada"]
    assert grounds(call, None, at("socks and a hat for Ada"))[0].words == "socks, hat"


def test_a_day_that_was_counted_from_another_one_is_a_doubt_that_names_both() -> None:
    rule = "counted from Saturday, 14 August 2027; from today it is Tuesday, 15 December 2026"
    call = Call("action.add_calendar_entry", {"date": "2027-08-15"}, said={"date": "the 15th"}, rules={"date": rule})
    [ground] = grounds(call, None, Heard("Dentist on the 15th", dt.datetime(2026, 11, 28)))
    assert (ground.against, str(ground)) == (True, f'date 2027-08-15 ← "the 15th" {rule}')
