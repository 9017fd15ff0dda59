"""Which thing a correction means."""

import datetime as dt
from typing import Any

from toolmend.base.messages import Call
from toolmend.language.resolve.background import Background
from toolmend.session.mend.candidates import candidates
from toolmend.session.mend.case import MendCase
from toolmend.session.mend.thing import meant_instead, of_the_thing
from toolmend.tools.toolboxes.calendar import Calendar

SPECS = Calendar().specs
ADD, REMOVE = "action.add_calendar_entry", "action.remove_calendar_entry"


def call(title: str, date: str, time: str, tool: str = ADD, **more: Any) -> Call:
    duration = {"duration": more.pop("duration")} if "duration" in more else {}
    return Call(tool, {"title": title, "date": date, "time": time, **duration}, **more)


def case(request: str, made: Call, **more: Any) -> MendCase:
    return MendCase("No.", (made,), SPECS, request, now=dt.datetime(2025, 1, 1), hours="07-19", **more)


def test_what_goes_is_the_thing_that_has_what_was_said():
    things = ({"title": "Photo", "date": "2025-09-04", "time": "08:45"},)
    things += ({"title": "Gala", "date": "2025-09-04", "time": "17:00"},)
    made = call("Photo", "2025-09-04", "08:45", REMOVE)
    given = case("scrap the second one", made, things=things)
    assert of_the_thing(given, {0: {"title": "gala"}}) == {0: things[1]}


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
