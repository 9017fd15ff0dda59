"""Complaints without a ground: what stands on the person's own words is kept, and no worse reading takes its place."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from toolmend.base.messages import Call, CallResult, Reply, ToolSpec
from toolmend.reading import Reading
from toolmend.session.mend import MendCase, Mender
from toolmend.strategies import Act, Ask, Flag, Say
from toolmend.tools.toolboxes import Calendar

(ADD,) = (spec for spec in Calendar().specs if spec.name == "add_calendar_entry")
CALL = Call("action.add_calendar_entry", {"title": "", "date": "2026-03-06", "time": "09:15", "duration": 30}, id="c1")


def case(said: str, request: str, specs: tuple[ToolSpec, ...] = (ADD,), **values: Any) -> MendCase:
    call = replace(CALL, arguments={**CALL.arguments, **values})
    return MendCase(said, (call,), specs, request, (call,), now=dt.datetime(2026, 3, 4, 9), asks=False)


def otherwise(*steps: Any) -> Iterator[Any]:
    """The strategy's own turn: it asks, and what comes is these steps."""
    yield Ask(())
    yield from steps


def drive(given: MendCase, *steps: Any) -> tuple[list[str], list[dict[str, Any]], str]:
    """The rungs, the arguments of the calls that are made, and what is said at last."""
    flow, sent = Mender().flow(given, otherwise(*steps)), None
    rungs, made, told = list[str](), list[dict[str, Any]](), ""
    while True:
        try:
            step = flow.send(sent)
        except StopIteration:
            return rungs, made, told
        sent = Reply("") if isinstance(step, Ask) else None
        rungs += [step.detail] if isinstance(step, Flag) else []
        told = step.text if isinstance(step, Say) else told
        if isinstance(step, Act):
            made += [dict(call.arguments) for call in step.calls]
            sent = tuple(CallResult("") for _ in step.calls)


@pytest.mark.parametrize(
    ("request_", "title"),
    [
        ("raid night vault of echoes, 6 march 9.15", "raid night vault of echoes"),
        ("It's on the smoker on 6 March at 9.15. Just title it Brisket on.", "Brisket on"),
        ("n band practice w leo on 6 march at 9.15", "band practice w leo"),
        ("The next book club is on 6 march at 9.15", "book club"),
    ],
)
def test_a_title_that_was_said_as_it_stands_is_kept(request_: str, title: str):
    rungs, made, told = drive(case("The title is wrong.", request_, title=title))
    assert (rungs, made[0]["title"]) == (["insists"], title)
    assert told.startswith(f"You said '{title}': title {title}.")


def test_nine_is_no_evening():
    given = case("The time is wrong.", "Biscuit's dental on 6 March, nine fifteen", title="Biscuit's dental")
    assert drive(given)[0] == ["insists"]


def test_a_number_beside_a_length_is_none():
    given = case("Check the duration again.", "long run 18k, 7.30am, 2h", title="long run 18k", duration=120)
    assert drive(given)[0] == ["insists"]


def test_the_time_is_no_length_when_the_request_is_read_once_more():
    request = "Fri 6 March. 19h15. Table for 8 Nakamura. 2h30."
    given = case("Wrong duration.", request, title="Table for 8 Nakamura", time="19:15", duration=150)
    assert [values for values in drive(given)[1] if values["duration"] != 150] == []


@pytest.mark.parametrize(
    "said", ["Hmm, is that date really right?", "That can't be the date, can it?", "I have a feeling that it's wrong."]
)
def test_a_doubt_is_no_request(said: str):
    given = case(said, "Swim on 6 March at 9.15 for half an hour", title="Swim")
    assert drive(given)[0] == ["insists"]


def test_the_same_words_are_no_other_answer():
    call = replace(CALL, arguments={**CALL.arguments, "title": "Haul-out"}, said={"date": "a week later"})
    given = replace(case("The date is wrong.", "Haul-out for the week after"), calls=(call,))
    again = replace(call, arguments={**call.arguments, "date": "2026-03-13"}, said={"date": "A week later"})
    assert drive(given, Act((again,), Reading((again,))))[:2] == (["question"], [])


def test_a_question_of_the_model_is_none_where_a_call_is_blamed():
    given = case("nope, time is off", "UAT review straight after", title="UAT review")
    steps = (Say("There is no entry like 'time'?"), Act((), Reading((), "There is no entry like 'time'?")))
    assert drive(given, *steps) == (["question"], [], "Time 09:15. Please say what it should be.")


def test_which_of_several_things_is_meant_is_no_day():
    given = case("The date is wrong.", "The second midwife appt is on the 6th", title="Midwife appt")
    assert drive(given)[0] == ["insists"]


def test_the_name_of_another_one_of_the_same_kind_is_kept():
    given = case("There's an error in the title.", "And the next one in a fortnight from then", title="Midwife appt")
    there = Call(CALL.tool, {**CALL.arguments, "title": "Midwife appt"}, id="c0")
    rungs, made, told = drive(replace(given, world=replace(given.world, calls=(there,))))
    assert (rungs, made[0]["title"], told[:29]) == (["insists"], "Midwife appt", "Title Midwife appt, as before")
