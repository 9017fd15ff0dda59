"""The ladder, driven with plain lists: what is made, what is asked, and in which order."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from toolmend.base.messages import Call, CallResult, Reply, ToolSpec
from toolmend.reading import read_python
from toolmend.session.mend import MendCase, Mender
from toolmend.strategies import Act, Ask, Flag, Say

ADD = ToolSpec(
    "add",
    parameters={
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "date": {"type": "string", "format": "date"},
            "time": {"type": "string", "format": "time"},
            "duration": {"type": "integer", "x-unit": "minutes", "default": 30},
        },
        "required": ["title", "date", "time"],
    },
)
REMOVE = replace(ADD, name="remove")
DINNER = Call("add", {"title": "Dinner with Martha", "date": "2026-03-06", "time": "07:00"}, id="c1")
REQUEST = "Add dinner with Marta on Thursday at seven"
SURE = "Add dinner with Martha on March 6 at 7 am"


def case(said: str, call: Call = DINNER, **more: Any) -> MendCase:
    given: dict[str, Any] = {"request": REQUEST, "tried": (call,), "now": dt.datetime(2026, 3, 4, 9), **more}
    return MendCase(said, (call,), (ADD, REMOVE), **given)


def nothing() -> Iterator[Any]:
    raise AssertionError("the strategy was asked")
    yield


def strategy(*replies: str) -> Iterator[Any]:
    """A turn that asks once and makes the calls of the reply, as oneline does."""
    reply = yield Ask(())
    reading = read_python(reply.text, (ADD, REMOVE))
    yield Act(reading.calls, reading)


def drive(mender: Mender, given: MendCase, *replies: str, otherwise: Any = None, fails: bool = False) -> list[Any]:
    """The steps of a turn, with the model's replies given and the tools' results made up."""
    flow, steps, left = mender.flow(given, otherwise or nothing()), [], list(replies)
    sent: Any = None
    while True:
        try:
            step = flow.send(sent)
        except StopIteration:
            return steps
        steps.append(step)
        sent = None
        if isinstance(step, Ask):
            sent = Reply(left.pop(0))
        elif isinstance(step, Act):
            sent = tuple(CallResult("", error="no" if fails else None) for _ in step.calls)


def how(steps: list[Any]) -> list[str]:
    return [step.detail for step in steps if isinstance(step, Flag) and step.name == "mended"]


def made(steps: list[Any]) -> list[dict[str, Any]]:
    return [dict(call.arguments) for step in steps if isinstance(step, Act) for call in step.calls]


def told(steps: list[Any]) -> str:
    return [step.text for step in steps if isinstance(step, Say)][-1]


def asked(steps: list[Any]) -> list[str]:
    return [step.messages[-1].content for step in steps if isinstance(step, Ask) and step.messages]


def test_the_sentence_alone_gives_the_value_and_no_model_is_asked():
    steps = drive(Mender(), case("No, seven in the evening."))
    assert (how(steps), made(steps)) == (["edit"], [{**DINNER.arguments, "time": "19:00"}])


def test_an_edit_keeps_the_words_it_is_from():
    [act] = [step for step in drive(Mender(), case("at half past seven pm")) if isinstance(step, Act)]
    assert (dict(act.calls[0].said), act.calls[0].amends) == ({"time": "half past seven pm"}, "c1")


def test_what_the_request_says_otherwise_is_taken_where_that_part_is_blamed():
    steps = drive(Mender(), case("The date is wrong."))
    assert (how(steps), made(steps)) == (["candidate"], [{**DINNER.arguments, "date": "2026-03-05"}])


def test_a_model_is_asked_for_the_words_of_the_blamed_argument_and_the_rest_is_held():
    call = replace(DINNER, arguments={**DINNER.arguments, "duration": 15})
    given = case("The length is wrong.", call, request="dinner on Friday at 7 am, plan some time")
    steps = drive(Mender(), given, "an hour and a half")
    assert asked(steps) == [
        "The person said: dinner on Friday at 7 am, plan some time\nThe person said: The length is wrong.\n"
        "The duration is not 15.\nWhich words give the duration?"
    ]
    assert (how(steps), made(steps)) == (["asked anew"], [{**DINNER.arguments, "duration": 90}])


@pytest.mark.parametrize(
    "reply",
    [
        "8 pm",
        '"8 pm"',
        '{"time": "8 pm"}',
        "The time is: 8 pm",
        'add("x", time="20:00")',
        "It's at 8 pm.\nAnything else?",
    ],
)
def test_an_answer_is_read_leniently(reply):
    steps = drive(Mender(), case("The time is wrong.", request="dinner"), reply)
    assert (how(steps), made(steps)[-1]["time"]) == (["asked anew"], "20:00")


@pytest.mark.parametrize("reply", ["7 am", "I don't know.", "", "7 am or 8 am", "soon"])
def test_the_value_that_is_wrong_or_no_value_leads_to_a_question(reply):
    mender = Mender()
    steps = drive(mender, case("The time is wrong.", request="dinner"), reply)
    assert (how(steps), made(steps)) == (["question"], [])
    assert mender.offers == ({0: {"time": "19:00"}},)


def test_a_constraint_is_sent_where_it_is_honoured():
    [ask] = [
        step
        for step in drive(Mender(), case("The time is wrong.", request="x", constrains=True), "8 pm")
        if isinstance(step, Ask)
    ]
    assert ask.constraint.value["required"] == ["time"]


def test_of_a_model_that_answers_no_questions_only_the_blamed_part_is_taken():
    reply = 'add("Supper", date="2026-01-01", time="20:00")'
    given = case("The time is wrong.", request="dinner", asks=False)
    steps = drive(Mender(), given, reply, otherwise=strategy())
    assert (how(steps), made(steps)) == (["asked anew"], [{**DINNER.arguments, "time": "20:00"}])


def test_the_same_call_again_is_not_made():
    reply = 'add("Dinner with Martha", date="2026-03-06", time="07:00")'
    given = case("The time is wrong.", request="dinner", asks=False)
    steps = drive(Mender(), given, reply, otherwise=strategy())
    assert (how(steps), made(steps)) == (["question"], [])


def test_only_that_it_is_wrong_leads_to_the_readings_there_are():
    mender = Mender()
    steps = drive(mender, case("That's wrong."))
    assert told(steps) == (
        "Which is right? 1: date 2026-03-05. 2: title Dinner with Marta. 3: time 19:00. Or say it in your words."
    )
    assert len(mender.offers) == 3


def test_the_one_reading_that_is_clearly_ahead_is_taken():
    call = replace(DINNER, arguments={"title": "dinner with Marta", "date": "2026-03-06", "time": "19:00"})
    steps = drive(Mender(), case("That's wrong.", call, request="Add dinner with Marta on March 5 at 7 pm"))
    assert (how(steps), made(steps)[0]["date"]) == (["candidate"], "2026-03-05")


@pytest.mark.parametrize(("said", "time"), [("the third", "19:00"), ("3", "19:00"), ("8 pm", "20:00")])
def test_the_question_is_answered_by_place_or_in_words(said, time):
    mender = Mender()
    drive(mender, case("That's wrong."))
    assert made(drive(mender, case(said)))[0]["time"] == time


def test_what_stands_on_the_persons_words_is_kept_and_shown():
    steps = drive(Mender(), case("The time is wrong.", request=SURE))
    assert (how(steps), made(steps)) == (["insists"], [dict(DINNER.arguments)])
    assert told(steps) == "You said '7 am': time 07:00. Please say what it should be."


def test_a_day_that_was_said_without_its_year_stands_whatever_the_clock_says():
    call = replace(DINNER, arguments={**DINNER.arguments, "date": "2024-03-06"})
    assert how(drive(Mender(), case("The date is wrong.", call, request=SURE))) == ["insists"]


def test_nobody_insists_twice():
    mender = Mender()
    drive(mender, case("The time is wrong.", request=SURE))
    assert how(drive(mender, case("The time is still wrong.", request=SURE), "8 am")) == ["asked anew"]


def test_what_was_tried_is_never_made_again():
    tried = (DINNER, replace(DINNER, arguments={**DINNER.arguments, "date": "2026-03-05"}))
    steps = drive(Mender(), case("The date is wrong.", tried=tried), "Thursday")
    assert (how(steps), made(steps)) == (["question"], [])


def test_another_entry_is_offered_for_a_call_about_one():
    things = (
        {"title": "Dentist", "date": "2026-03-05", "time": "10:00", "duration": 30},
        {**DINNER.arguments, "duration": 30},
    )
    mender = Mender()
    drive(mender, case("That's wrong.", replace(DINNER, tool="remove"), request="Take that out", things=things))
    assert {0: {"title": "Dentist", "date": "2026-03-05", "time": "10:00"}} in mender.offers


def test_taking_back_makes_no_call():
    mender = Mender()
    steps = drive(mender, case("Forget it."))
    assert (how(steps), made(steps), mender.taken_back) == (["back"], [], True)


def test_what_is_no_correction_is_left_to_the_strategy():
    steps = drive(
        Mender(), case("Add lunch with Ben too"), 'add("Lunch", date="2026-03-05", time="12:00")', otherwise=strategy()
    )
    assert (how(steps), len(made(steps))) == ([], 1)


def test_an_edit_that_the_tool_refuses_is_left_to_the_strategy():
    steps = drive(Mender(), case("at 8 pm"), "add()", otherwise=strategy(), fails=True)
    assert (how(steps), len(made(steps))) == (["edit"], 2)


def test_what_was_given_besides_the_blame_is_offered_where_the_model_has_no_answer():
    mender = Mender()
    given = case("The time is wrong, and it lasts an hour.", request="dinner")
    drive(mender, given, "no idea", "no idea", otherwise=strategy())
    assert mender.offers == ({0: {"duration": 60}},)


COOK = ToolSpec(
    "cook",
    parameters={
        "type": "object",
        "properties": {"size": {"type": "string", "enum": ["small", "medium", "large"]}},
        "required": ["size"],
    },
)


def test_of_members_the_blamed_one_is_left_out_of_question_and_schema():
    call = Call("cook", {"size": "small"}, id="c1")
    given = MendCase("The size is wrong.", (call,), (COOK,), "cook it", (call,), constrains=True)
    steps = drive(Mender(), given, '{"size": "large"}')
    [ask] = [step for step in steps if isinstance(step, Ask)]
    assert asked(steps)[0].endswith("Which one is the size: medium, large?")
    assert ask.constraint.value["properties"]["size"]["enum"] == ["medium", "large"]
    assert made(steps) == [{"size": "large"}]


def test_an_argument_that_the_words_did_not_change_is_not_doubted():
    before = replace(DINNER, arguments={**DINNER.arguments, "time": "19:00"}, id="c1")
    call = replace(before, arguments={**before.arguments, "title": "Dinner with Anna"}, id="c2", amends="c1")
    given = case("The time is wrong.", call, request="Dinner at seven\nAnna comes, not Martha", earlier=(before,))
    steps = drive(Mender(), given)
    assert (how(steps), told(steps)) == (["insists"], "Time 19:00, as it was. Please say what it should be.")


def test_what_names_one_argument_and_is_not_understood_blames_it():
    given = case("I didn't say that duration.", request="dinner, plan some time")
    steps = drive(Mender(), given, "two hours")
    assert (how(steps), made(steps)[-1]["duration"]) == (["asked anew"], 120)


def test_what_was_changed_unasked_is_as_it_was_when_it_is_blamed():
    before = replace(DINNER, arguments={**DINNER.arguments, "duration": 15}, id="c1")
    call = replace(before, arguments={**DINNER.arguments, "title": "Lunch", "duration": 30}, id="c2", amends="c1")
    given = case("The length is wrong.", call, request="Dinner for a quarter of an hour\nNo, lunch", earlier=(before,))
    assert made(drive(Mender(), given)) == [{**call.arguments, "duration": 15}]


def test_words_that_give_the_time_are_no_length():
    call = replace(DINNER, arguments={**DINNER.arguments, "time": "18:00", "duration": 30})
    mender = Mender()
    steps = drive(
        mender, case("I wanted a different duration.", call, request="dinner with Martha on March 6, 18h"), "no"
    )
    assert (how(steps), made(steps), mender.offers) == (["question"], [], ())
    assert [step.text for step in steps if isinstance(step, Say)] == ["Duration 30. Please say what it should be."]


def test_a_weekday_of_a_talk_about_other_weeks_is_of_those():
    call = replace(DINNER, arguments={**DINNER.arguments, "date": "2026-07-12"})
    mender = Mender()
    drive(mender, case("The date is wrong.", call, request="Dinner with Martha on Saturday at 7 am"), "no idea")
    assert {0: {"date": "2026-07-11"}} in mender.offers
    assert {0: {"date": "2026-03-07"}} not in mender.offers


def test_one_word_that_names_an_argument_blames_it():
    assert how(drive(Mender(), case("Time?", request=SURE))) == ["insists"]


@pytest.mark.parametrize(
    "broken", [{"time": "5PM"}, {"time": "seven"}, {"title": 5}, {"title": None}, {"date": "next"}]
)
@pytest.mark.parametrize("said", ["That's wrong.", "The title is wrong.", "Call it Lunch", "The time is wrong."])
def test_a_value_that_is_none_of_its_kind_breaks_nothing(broken, said):
    call = replace(DINNER, arguments={**DINNER.arguments, **broken})
    assert drive(Mender(), case(said, call), "8 pm", "8 pm", otherwise=strategy())


@pytest.mark.parametrize(
    ("said", "more", "rung", "line"),
    [
        (
            "The time is 8 pm and the time is 9 pm.",
            {},
            "question",
            "Which is right? 1: time 20:00. 2: time 21:00. Or say it in your words.",
        ),
        ("Change the colour to blue.", {}, "refused", "There is no colour here: nothing was changed."),
        ("The colour is wrong.", {}, "refused", "There is no colour here: nothing was changed."),
        (
            "It's at 8 pm, and it isn't at 8 pm.",
            {},
            "refused",
            "That contradicts itself: nothing was changed.",
        ),
        (
            "The title and the time are wrong.",
            {"request": "Add the usual"},
            "question",
            "Which is right? 1: title usual. 2: time 19:00. Or say it in your words.",
        ),
        (
            "at 8 pm",
            {"fixed": "add"},
            "refused",
            "add cannot be undone: what it did stays done, and nothing was changed.",
        ),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line_and_nothing_is_changed(
    said: str, more: dict[str, Any], rung: str, line: str
):
    steps = drive(Mender(), case(said, **more), "no idea", "no idea", otherwise=strategy())
    assert (how(steps), made(steps), told(steps)) == ([rung], [], line)


def test_the_other_half_of_the_day_is_not_offered_where_it_is_at_night():
    call = replace(DINNER, arguments={**DINNER.arguments, "time": "11:15"})
    mender = Mender()
    drive(mender, case("The time is wrong.", call, request="Dinner with Martha on March 6"), "no idea")
    assert mender.offers == ()


def test_of_two_days_that_were_said_the_one_that_is_not_blamed_is_taken():
    call = replace(DINNER, arguments={**DINNER.arguments, "date": "2026-03-04"})
    given = case("The date is wrong.", call, request="It's March 4 and I want dinner with Martha on March 6 at 7 am")
    steps = drive(Mender(), given)
    assert (how(steps), [values["date"] for values in made(steps)]) == (["candidate"], ["2026-03-06"])


def flagged(said: str, **schema: Any) -> list[dict[str, Any]]:
    """What is made of a complaint about a call with one argument of this schema, and an object and a list beside it."""
    known = {"anyOf": [{"$ref": "#/$defs/Address"}, {"type": "null"}], "default": None}
    shapes = {"place": {"type": "object"}, "items": {"type": "array"}, "address": known, "state": schema}
    spec = ToolSpec("set", parameters={"type": "object", "properties": shapes, "required": ["state"]})
    old = schema["enum"][0] if "enum" in schema else False
    call = Call("set", {"place": {"city": "Kiel"}, "items": [{"x": 1}], "address": "5 Kiel", "state": old}, id="c1")
    given = MendCase(said, (call,), (spec,), "As always, please, at 5", (call,), asks=False)
    return [values["state"] for values in made(drive(Mender(), given, "no idea", otherwise=strategy(), fails=False))]


def test_of_two_values_the_other_one_is_taken():
    assert flagged("The state is wrong.", type="boolean") == [True]
    assert flagged("The state is wrong.", enum=["open", "shut"]) == ["shut"]


def test_arguments_that_no_words_are_read_for_break_nothing():
    assert flagged("The state is wrong.", type="integer", minimum=4) == [5]
    assert flagged("The address is wrong, it should be Holm 14.", type="boolean") is not None
    assert flagged("That's wrong.", type="boolean") is not None
