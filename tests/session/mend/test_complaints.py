"""Sentences that only complain are told from those that ask for something."""

from dataclasses import replace

import pytest
from tests.session.mend.test_mender import DINNER, case, drive

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.corrections import Understood
from toolmend.language.resolve.background import Background
from toolmend.session.mend import MendCase, Mender
from toolmend.session.mend.complaints import as_such, is_again, is_complaint, named, tool_asked
from toolmend.strategies import Act

ADD = ToolSpec("add_calendar_entry", receiver="action")
REMOVE = ToolSpec("remove_calendar_entry", receiver="action")


@pytest.mark.parametrize("said", ["Try again.", "Once more, please.", "Where is the API call?", "The title is wrong."])
def test_complaints(said):
    assert is_complaint(said)


@pytest.mark.parametrize("said", ["Lunch with Ana at noon.", "Cancel the dentist.", "Again a meeting with Bo at five"])
def test_requests(said):
    assert not is_complaint(said)


def test_another_try_is_asked_for_by_nothing_else():
    assert is_again("Can you try that once more?")
    assert not is_again("Do it at five.")


def test_a_tool_is_named_as_it_is_written_or_in_words():
    specs = [ADD, REMOVE]
    assert tool_asked("You should use the add_calendar_entry function.", specs) == "action.add_calendar_entry"
    assert tool_asked("I want to remove the calendar entry.", specs) == "action.remove_calendar_entry"
    assert tool_asked("The calendar entry is wrong.", specs) == ""


HOME = [ToolSpec(name) for name in ("drive", "halt", "headlights", "take_out", "rate", "message_parents", "move_wine")]


@pytest.mark.parametrize(
    ("said", "tool"),
    [
        ("No, halt Big Boy.", "halt"),
        ("I meant drive Heidi at speed 60.", "drive"),
        ("Beatrice rates Merlot at 78 points.", "rate"),
        ("Take out one bottle of Rioja.", "take_out"),
        ('Message the parents "we are at the playground".', "message_parents"),
        ("Move it to five.", ""),
        ("The wagon is tank car 12.", ""),
        ("Drive it, then halt it.", ""),
    ],
)
def test_a_tool_is_asked_for_by_the_words_of_its_name(said, tool):
    assert tool_asked(said, HOME) == tool


CALL = Call("action.add_calendar_entry", {"title": "Lunch", "time": "12:00"})


@pytest.mark.parametrize(
    ("said", "kind", "blamed"),
    [
        ("u got the time mixed up", "blame", ((0, "time"),)),
        ("that title aint mine", "blame", ((0, "title"),)),
        ("Would you mind correcting the title?", "blame", ((0, "title"),)),
        ("you werent listening", "wrong", ()),
        ("Invite Bob too.", "new", ()),
    ],
)
def test_words_of_complaint_alone_blame_what_they_name(said, kind, blamed):
    case = MendCase(said, (CALL,), [ADD], "Lunch at noon")
    heard = named(case, Understood("new"))
    assert (heard.kind, heard.blamed) == (kind, blamed)


@pytest.mark.parametrize(("said", "verdict"), [("That's wrong.", "due"), ("Is that wrong?", ""), ("At five.", "")])
def test_where_words_alone_are_found_fault_with_a_call_is_due(said, verdict):
    assert as_such(MendCase(said, (), [ADD], "Lunch at noon", words="I am here to help.")) == verdict


def test_where_another_tool_was_meant_the_same_one_is_not_called_for_another_thing():
    dentist = {"title": "Dentist", "date": "2026-03-06", "time": "10:00", "duration": 30}
    world = Background((Call("add", dentist),), things={"entry": (dentist,)}, named={"remove": {"entry": "entry"}})
    gone, request = replace(DINNER, tool="remove"), "The dentist has to go to Monday"
    steps = drive(Mender(), case("Wrong API call.", gone, request=request, world=world))
    calls = [call for step in steps if isinstance(step, Act) for call in step.calls]
    assert [(call.tool, dict(call.arguments)) for call in calls] == [("add", {**dentist, "date": "2026-03-09"})]
