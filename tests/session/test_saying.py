"""What a talk does with a request, what it tells about it, and how the router's verdict counts."""

from typing import Any

import pytest

from toolmend.base.errors import BadOption, UnknownName
from toolmend.base.events import Asked, Called, Read, Replied
from toolmend.base.messages import Message, Options, Reply, Usage
from toolmend.language.corrections.routing import RouteDecision
from toolmend.models.scripted import Scripted
from toolmend.session import Session
from toolmend.tools import Toolbox
from toolmend.tools.toolboxes import Calendar

FRED = 'action.add_calendar_entry("Meeting with Fred", date="2023-11-11", time="17:00", duration=30)'
FRED_2024 = FRED.replace("2023", "2024")
ANNA = 'action.add_calendar_entry("Lunch with Anna", date="2024-05-03", time="12:00", duration=60)'
NO_SUCH_DAY = 'action.add_calendar_entry("Meeting with Fred", date="2024-02-30", time="17:00")'
GARBAGE = "I am sorry, Dave."
FRED_ENTRY = {"title": "Meeting with Fred", "date": "2023-11-11", "time": "17:00", "duration": 30}
FRED_2024_ENTRY = {**FRED_ENTRY, "date": "2024-11-11"}
ANNA_ENTRY = {"title": "Lunch with Anna", "date": "2024-05-03", "time": "12:00", "duration": 60}


def world(session):
    return session.tools.state()["entries"]


def ids(calls):
    return [call.id for call in calls]


def test_a_request_makes_its_call(talk):
    chat, _ = talk(FRED)
    answer = chat.say("Add a meeting with Fred on Nov 11 at 5PM")
    assert str(answer) == FRED
    assert (ids(answer.calls), answer.calls[0].amends, answer.undone, answer.redone) == (["c1"], None, (), False)
    assert world(chat) == [FRED_ENTRY]


def test_what_happens_is_told_in_order(talk):
    chat, events = talk(FRED)
    answer = chat.request("Add Fred")
    assert events == [
        Asked(0, "Add Fred"),
        Replied(0, FRED, "main", "scripted/canned", answer.usage),
        Read(0, answer.calls),
        Called(0, answer.calls[0], answer.results[0]),
    ]


def test_the_model_sees_the_system_text_and_the_talk_so_far():
    model = Scripted([FRED, ANNA])
    chat = Session(model, Calendar(), system="Be brief.")
    chat.request("Add Fred")
    chat.request("Add Anna")
    assert model.requests[1].messages == (
        Message("system", "Be brief."),
        Message("user", "Add Fred"),
        Message("assistant", FRED),
        Message("user", "Add Anna"),
    )


def test_options_go_to_the_model():
    model = Scripted([FRED])
    Session(model, "calendar", options=Options(temperature=0.5, seed=3)).request("Add Fred")
    assert model.requests[0].options == Options(temperature=0.5, seed=3)


def test_usage_is_that_of_the_reply(talk):
    chat, _ = talk(Reply(FRED, usage=Usage(10, 5, 0.25), truncated=True))
    answer = chat.request("Add Fred")
    assert (answer.usage, answer.truncated) == (Usage(10, 5, 0.25), True)


def test_pieces_of_the_reply_are_passed_on(talk):
    pieces: list[str] = []
    chat, _ = talk(FRED)
    chat.say("Add Fred", on_delta=pieces.append)
    assert "".join(pieces) == FRED


def test_a_reply_without_a_call_does_nothing(talk):
    chat, events = talk(GARBAGE)
    answer = chat.request("Add Fred")
    assert (answer.calls, answer.reading.problem, world(chat)) == ((), "no_call", [])
    assert events[-1] == Read(0, (), (), GARBAGE, "no_call")


def test_a_refused_call_leaves_the_world_and_says_why(talk):
    chat, events = talk(NO_SUCH_DAY)
    answer = chat.request("Add Fred")
    assert answer.standing == () and world(chat) == []
    assert isinstance(events[-1], Called)
    assert "date" in events[-1].result.error


def test_an_unknown_tool_is_a_call_that_failed(talk):
    chat, _ = talk('action.create_event("Fred")')
    answer = chat.request("Add Fred")
    assert [result.ok for result in answer.results] == [False]


def test_several_calls_in_one_turn_are_all_made(talk):
    chat, _ = talk(f"{FRED}\n{ANNA}")
    assert ids(chat.request("Add both").standing) == ["c1", "c2"]
    assert world(chat) == [FRED_ENTRY, ANNA_ENTRY]


def test_a_new_request_is_routed_as_new_and_the_verdict_is_told(talk):
    chat, events = talk(FRED, ANNA)
    chat.say("Add a meeting with Fred on Nov 11 at 5PM")
    chat.say("Add a lunch with Anna on May 3")
    asked = [event for event in events if isinstance(event, Asked)]
    assert asked[0] == Asked(0, "Add a meeting with Fred on Nov 11 at 5PM", None, "router: nothing was asked before")
    assert asked[1].amends is None
    assert asked[1].routed == "router: is a request of its own ('add a')"
    assert world(chat) == [FRED_ENTRY, ANNA_ENTRY]


def test_an_amendment_is_routed_as_one_and_undoes(talk):
    chat, events = talk(FRED, FRED_2024)
    chat.say("Add a meeting with Fred on Nov 11 at 5PM")
    answer = chat.say("The current year is 2024.")
    assert events[4] == Asked(
        1, "The current year is 2024.", 0, "router: describes a part of it ('the current year is')"
    )
    assert (answer.amends, world(chat)) == (0, [FRED_2024_ENTRY])


def test_the_routers_verdict_is_reversed_by_one_undo(talk):
    chat, _ = talk(FRED, FRED_2024)
    chat.say("Add a meeting with Fred on Nov 11 at 5PM")
    chat.say("The current year is 2024.")
    chat.undo()
    assert (world(chat), ids(chat.standing)) == ([FRED_ENTRY], ["c1"])


def test_a_router_sees_the_calls_in_effect_and_what_was_said(talk):
    seen: list[Any] = []

    def router(text: str, calls: Any, texts: Any) -> RouteDecision:
        seen.append((text, ids(calls), list(texts)))
        return RouteDecision(False, "mine")

    chat, events = talk(FRED, ANNA, router=router)
    chat.say("one")
    chat.say("two")
    assert seen == [("one", [], []), ("two", ["c1"], ["one"])]
    assert events[0].routed == "router: mine"


def test_a_first_sentence_that_a_router_calls_an_amendment_is_a_request(talk):
    chat, _ = talk(FRED, router=lambda text, calls, texts: RouteDecision(True, "always"))
    assert chat.say("Add Fred").amends is None


def test_unknown_names_say_what_is_known():
    with pytest.raises(UnknownName, match="unknown toolbox 'calender'"):
        Session(Scripted([FRED]), "calender")
    with pytest.raises(UnknownName, match=r"unknown strategy 'twoline'.*oneline"):
        Session(Scripted([FRED]), "calendar", "twoline")
    with pytest.raises(UnknownName, match="unknown scripted model 'nobody'"):
        Session("scripted/nobody", "calendar")


class Trained(Scripted):
    """A model that was trained for the calendar only."""

    def __init__(self) -> None:
        from toolmend.models import Abilities

        super().__init__([FRED], "builtin/trained")
        self.abilities = Abilities(toolboxes=("calendar",))


class Post(Toolbox):
    """Another toolbox."""


def test_a_model_trained_for_another_toolbox_is_refused_in_one_line():
    with pytest.raises(BadOption, match="'builtin/trained' was trained for the toolbox calendar only, not for 'post'"):
        Session(Trained(), Post())


@pytest.mark.parametrize("tools", ["calendar", "toolmend.tools.toolboxes.calendar:Calendar", Calendar()])
def test_a_model_trained_for_a_toolbox_takes_it_however_it_is_named(tools):
    assert str(Session(Trained(), tools).request("Add Fred")) == FRED
