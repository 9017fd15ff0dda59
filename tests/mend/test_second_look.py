"""A second look at calls that were wrong in one thing."""

import datetime as dt
from typing import Any

import pytest

from toolmend.mend.candidates import candidates
from toolmend.mend.case import MendCase
from toolmend.mend.second_look import looked_again, meant_instead
from toolmend.messages import Call
from toolmend.resolve.background import Background
from toolmend.toolboxes.calendar import Calendar

SPECS = Calendar().specs
ADD, REMOVE = "action.add_calendar_entry", "action.remove_calendar_entry"


def call(title: str, date: str, time: str, tool: str = ADD, **more: Any) -> Call:
    duration = {"duration": more.pop("duration")} if "duration" in more else {}
    return Call(tool, {"title": title, "date": date, "time": time, **duration}, **more)


def case(request: str, made: Call, **more: Any) -> MendCase:
    return MendCase("No.", (made,), SPECS, request, now=dt.datetime(2025, 1, 1), hours="07-19", **more)


def test_words_that_another_argument_had_by_mistake_are_free_for_their_own():
    made = call("leg day", "2025-07-07", "01:00", said={"time": "1h"})
    looked = looked_again(case("leg day mon 7 july 6am 1h", made), {0: {"date": "2025-07-07"}})
    assert looked == {0: {"date": "2025-07-07", "time": "06:00", "duration": 60}}


def test_four_figures_are_a_time_and_no_length():
    made = call("rewire", "2025-01-14", "06:00", said={"time": "6h"})
    looked = looked_again(case("14 Jan 0800 rewire 6h", made), {0: {"duration": 360}})
    assert looked == {0: {"duration": 360, "time": "08:00"}}


def test_a_word_that_could_be_a_value_stays_in_a_text():
    made = call("raid night vault", "2025-09-05", "20:00", duration=180)
    looked = looked_again(case("raid night vault, fri 5 sep 20:30, 3h", made), {0: {"date": "2025-09-05"}})
    assert looked == {0: {"date": "2025-09-05", "time": "20:30"}}


def test_what_was_said_after_the_request_stays():
    made = call("Lunch", "2025-05-03", "13:00", said={"time": "one"})
    given = case("lunch on May 3 at noon\nNo, at one", made, latest="lunch on May 3 at noon")
    assert looked_again(given, {0: {"title": "Brunch"}}) == {0: {"title": "Brunch"}}


def test_what_goes_is_the_thing_that_has_what_was_said():
    things = ({"title": "Photo", "date": "2025-09-04", "time": "08:45"},)
    things += ({"title": "Gala", "date": "2025-09-04", "time": "17:00"},)
    made = call("Photo", "2025-09-04", "08:45", REMOVE)
    given = case("scrap the second one", made, things=things)
    assert looked_again(given, {0: {"title": "gala"}}) == {0: things[1]}


def test_what_is_said_of_another_thing_changes_that_one():
    old, other = call("Dental", "2025-09-04", "09:15", id="c1"), call("Nail trim", "2025-09-04", "10:05", id="c2")
    made = call("Dental", "2025-09-04", "10:30", id="c3", amends="c1")
    given = case("he had best come at half past ten", made, replaced=(old,), world=Background((other,)))
    meant = meant_instead(given, {0: {"title": "nail trim"}})
    assert meant == (call("Nail trim", "2025-09-04", "10:30", id="c3", amends="c2"), ("c1",))


def test_what_was_taken_for_a_change_is_new_where_the_request_calls_it_otherwise():
    old = call("Crisis session", "2025-11-11", "14:00", duration=240, id="c1")
    made = call("Crisis session", "2025-11-14", "12:00", duration=240, id="c2", amends="c1")
    given = case("Essay deadline, Friday the 14th, noon sharp", made, replaced=(old,))
    meant = meant_instead(given, {0: {"title": "essay deadline"}})
    assert meant == (call("essay deadline", "2025-11-14", "12:00", id="c2"), ("c1",))


def test_a_new_name_for_what_is_there_is_a_change():
    old = call("Lunch with Anna", "2025-11-11", "14:00", id="c1")
    made = call("Lunch with Anna", "2025-11-11", "15:00", id="c2", amends="c1")
    given = case("an hour later, and with Ben", made, replaced=(old,))
    assert meant_instead(given, {0: {"title": "Lunch with Ben"}}) is None


@pytest.mark.parametrize(
    "request_", ["Early shift on Monday 3 February, 6.45 to 14.45 please", "early shift mon 3 feb 6:45 - 14:45"]
)
def test_from_when_to_when_gives_start_and_length(request_):
    made = call("Early shift", "2025-02-03", "14:45", duration=60)
    looked = looked_again(case(request_, made), {0: {"date": "2025-02-03"}})
    assert looked == {0: {"date": "2025-02-03", "time": "06:45", "duration": 480}}


def test_a_day_is_read_against_what_was_there():
    grading = call("Karate grading", "2025-08-17", "11:00")
    made = call("Bath and a book", "2025-08-20", "20:00", duration=60)
    heard = case("Bath and a book, that same Sunday, 8 pm, an hour or so", made, world=Background(calls=(grading,)))
    ranked = candidates(heard, [(0, "date")])
    assert [one.edits for one in ranked] == [{0: {"date": "2025-08-17"}}]


def test_a_new_thing_has_nothing_of_another_that_stands():
    fence = call("Fence talk", "2025-06-14", "10:00", duration=90, id="c1")
    made = call("move the van", "2025-06-16", "07:00", id="c2")
    said = 'The skip comes the Monday after at half seven, so put "move the van" at 7 that morning.'
    ranked = candidates(case(said, made, world=Background(calls=(fence,))), [(0, "date")])
    assert {0: {"date": "2025-06-14"}} not in [one.edits for one in ranked]
