"""A yes that nothing asked for does nothing; one that answers something is heard."""

import pytest

from toolmend.models.scripted import Scripted
from toolmend.session import Session
from toolmend.tools.toolboxes import Calendar

FRED = 'action.add_calendar_entry("Meeting with Fred", date="2023-11-11", time="17:00", duration=30)'
NOTHING = "Nothing was waiting for a yes or no, and nothing was changed."


@pytest.mark.parametrize("said", ["y", "Yes.", "ok", "yes please", "Sure!", "n"])
def test_a_yes_where_nothing_was_asked_makes_no_call_and_asks_no_model(said):
    model = Scripted([FRED, FRED])
    chat = Session(model, Calendar())
    chat.say("Add a meeting with Fred on Nov 11 at 5PM")
    answer = chat.say(said)
    assert (answer.text, answer.calls, len(model.requests)) == (NOTHING, (), 1)
    assert [call.tool for call in chat.standing] == ["action.add_calendar_entry"]


@pytest.mark.parametrize("asked", ["Shall I add it?", f"{FRED}  # shall I invite him, too?"])
def test_a_yes_to_a_question_of_the_model_goes_to_the_model(asked):
    model = Scripted([asked, FRED])
    chat = Session(model, Calendar())
    chat.say("Add a meeting with Fred on Nov 11 at 5PM")
    chat.say("yes")
    assert len(model.requests) == 2


def test_an_experiment_played_as_published_hears_the_yes():
    model = Scripted([FRED, FRED])
    chat = Session(model, Calendar(), mend=False)
    chat.say("Add a meeting with Fred on Nov 11 at 5PM")
    chat.say("yes")
    assert len(model.requests) == 2


def test_what_was_said_before_the_yes_can_still_be_corrected():
    chat = Session(Scripted([FRED]), Calendar())
    first = chat.say("Add a meeting with Fred on Nov 11 at 5PM")
    chat.say("ok")
    answer = chat.correct("It starts at six.", call=first.calls[0].id)
    assert answer.calls[0].arguments["time"] == "18:00"
