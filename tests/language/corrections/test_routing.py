"""The router: what amends, what is new, why, and how well on the labelled set."""

import json
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.base.messages import Call
from toolmend.language.corrections.cues import by_cues
from toolmend.language.corrections.routing import RouteDecision, amends, by_words
from toolmend.language.corrections.understood import Understood

LINES = files("toolmend.evals.suites.shipped").joinpath("routing.jsonl").read_text(encoding="utf-8").splitlines()
TURNS = [json.loads(line) for line in LINES]

FRED = Call("action.add_calendar_entry", {"title": "Meeting with Fred", "date": "2024-11-11", "time": "17:00"})
PAUL = Call("action.add_calendar_entry", {"title": "Meeting with Paul", "date": "2024-11-12", "time": "08:00"})
SAID = ["Add a meeting with Fred on Nov 11 at 5PM", "Add a meeting with Paul on the next day at 8am."]


def _verdict(text):
    return by_words(text, [FRED, PAUL], SAID)


BATH = Call("heat", {"room": "bath", "degrees": 21})


def test_each_argument_given_another_value_is_a_request_of_its_own():
    other = Understood("edit", {0: {"room": "kitchen", "degrees": 19}})
    assert amends(other, [BATH], by_cues("the kitchen to 19", [BATH], ["the bath to 21"])) is False
    assert amends(other, [BATH], by_cues("no, the kitchen to 19", [BATH], ["the bath to 21"])) is True


def test_one_of_several_arguments_given_another_value_amends():
    assert amends(Understood("edit", {0: {"degrees": 19}}), [BATH], RouteDecision(False, "")) is True


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The time is wrong.", "finds fault ('wrong')"),
        ("Just the API call, please.", "speaks of the call itself ('api')"),
        ("I meant the 13th", "says what was meant ('i meant')"),
        ("no, at nine", "takes back ('no')"),
        ("the 13th, not the 12th", "names the contrary (', not')"),
        ("Move it to 9am", "changes what was done ('move it')"),
        ("Set the duration to 3 hours.", "changes a part of it ('set the duration to 3 hours')"),
        ("It's at nine", 'goes on about it ("it\'s at")'),
        ("The current year is 2024.", "describes a part of it ('the current year is')"),
        ("the meeting with Paul starts at 9", "describes a part of it ('the meeting with paul starts')"),
        ("Sorry, nine", "takes back ('sorry')"),
        ("half an hour", "gives only a value ('half an hour')"),
        ("My diary says 2030", "names the year ('my diary says 2030')"),
    ],
)
def test_what_amends_and_why(text, reason):
    assert _verdict(text) == RouteDecision(True, reason)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Cancel the meeting with Fred.", "is a request of its own ('cancel the')"),
        ("Remove the meeting with Paul", "is a request of its own ('remove the')"),
        ("cancel it", "is a request of its own ('cancel it')"),
        ("Wait, before I forget: add a haircut", "is a request of its own ('add a')"),
        ("Drinks with Paul too", "asks for something more ('too')"),
        ("I have a dentist appointment at 3", "tells of something new ('i have')"),
        ("Change the meeting with Fred to 6pm", "is about an earlier call ('fred')"),
        ("The meeting with Susan is at 9", "names somebody else ('with susan')"),
        ("Correct the year, it's 2024. Then the school play", "goes on to something new ('then school play')"),
        ("What's on Friday?", "is a question ('what')"),
        ("Dinner at Tom's on Friday", "nothing says that it amends"),
        ("Put the date night in my calendar", "is a request of its own ('put the')"),
        ("", "nothing says that it amends"),
    ],
)
def test_what_is_new_and_why(text, reason):
    assert _verdict(text) == RouteDecision(False, reason)


@pytest.mark.parametrize("text", ["Remove the title.", "Add the duration.", "Put the time in 24h notation"])
def test_a_request_about_the_call_itself_amends(text):
    assert _verdict(text).amends


def test_the_first_thing_said_is_new():
    assert by_words("The time is wrong.", [], []) == RouteDecision(False, "nothing was asked before")


def test_a_complaint_amends_a_turn_that_made_no_call():
    assert by_words("That isn't an API call.", [], SAID[:1]).amends


@settings(deadline=None, max_examples=200)
@given(st.text(max_size=80), st.text(max_size=20))
def test_any_text_gets_a_verdict(text, title):
    verdict = by_words(text, [Call("a.b_c", {"title": title, "n": 3, "x": None})], ["hello"])
    assert verdict.reason


@pytest.mark.parametrize(("split", "each"), [("dev", 45), ("test", 50)])
def test_the_labelled_set_is_half_and_half(split, each):
    amends = [turn["amends"] for turn in TURNS if turn["split"] == split]
    assert (amends.count(True), amends.count(False)) == (each, each)


def test_the_labelled_set_has_the_same_titles_on_both_sides():
    def titles(amends):
        return {
            str(call["arguments"].get("title")) for turn in TURNS if turn["amends"] is amends for call in turn["calls"]
        }

    assert titles(True) == titles(False)


def test_no_turn_is_in_both_splits():
    dev, test = ({turn["text"] for turn in TURNS if turn["split"] == split} for split in ("dev", "test"))
    assert not dev & test


@pytest.mark.parametrize("split", ["dev", "test"])
def test_the_bar_precision_of_amends(split):
    said = [
        turn["amends"]
        for turn in TURNS
        if turn["split"] == split
        and by_words(
            turn["text"], [Call(call["tool"], call["arguments"]) for call in turn["calls"]], turn["texts"]
        ).amends
    ]
    assert said.count(True) >= 0.95 * len(said)
