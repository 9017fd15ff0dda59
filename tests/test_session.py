"""What a talk does: saying, correcting, what an amendment takes back and puts back, and what is told about it."""

from typing import Any

import pytest

from toolmend.errors import BadOption, ModelError, UnknownName
from toolmend.events import Asked, Called, Corrected, Read, Refused, Replied, Undone
from toolmend.messages import Message, Options, Reply, Usage
from toolmend.mistakes import Correction, Kind, Mistake
from toolmend.models.scripted import Scripted
from toolmend.routing import Verdict
from toolmend.session import Session
from toolmend.strategies import Act, Ask
from toolmend.toolboxes import Calendar
from toolmend.tools import Toolbox, tool

FRED = 'action.add_calendar_entry("Meeting with Fred", date="2023-11-11", time="17:00", duration=30)'
FRED_2024 = FRED.replace("2023", "2024")
ANNA = 'action.add_calendar_entry("Lunch with Anna", date="2024-05-03", time="12:00", duration=60)'
NO_SUCH_DAY = 'action.add_calendar_entry("Meeting with Fred", date="2024-02-30", time="17:00")'
GARBAGE = "I am sorry, Dave."
FRED_ENTRY = {"title": "Meeting with Fred", "date": "2023-11-11", "time": "17:00", "duration": 30}
FRED_2024_ENTRY = {**FRED_ENTRY, "date": "2024-11-11"}
ANNA_ENTRY = {"title": "Lunch with Anna", "date": "2024-05-03", "time": "12:00", "duration": 60}


def talk(*replies: str | Reply, tools: Any = None, **options: Any) -> tuple[Session, list[Any]]:
    """A session whose model gives these replies, and the events it will have told."""
    events: list[Any] = []
    box = Calendar() if tools is None else tools
    return Session(Scripted(replies), box, sink=events.append, **options), events


def world(session: Session) -> list[dict[str, Any]]:
    return session.tools.state()["entries"]


def ids(calls: Any) -> list[str]:
    return [call.id for call in calls]


# saying ------------------------------------------------------------------------------------------------------------


def test_a_request_makes_its_call():
    chat, _ = talk(FRED)
    answer = chat.say("Add a meeting with Fred on Nov 11 at 5PM")
    assert str(answer) == FRED
    assert (ids(answer.calls), answer.calls[0].amends, answer.undone, answer.redone) == (["c1"], None, (), False)
    assert world(chat) == [FRED_ENTRY]


def test_what_happens_is_told_in_order():
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
    first = chat.request("Add Fred")
    chat.request("Add Anna")
    assert model.requests[1].messages == (
        Message("system", "Be brief."),
        Message("user", "Add Fred"),
        Message("assistant", FRED, first.calls),
        Message("user", "Add Anna"),
    )


def test_options_go_to_the_model():
    model = Scripted([FRED])
    Session(model, "calendar", options=Options(temperature=0.5, seed=3)).request("Add Fred")
    assert model.requests[0].options == Options(temperature=0.5, seed=3)


def test_usage_is_that_of_the_reply():
    chat, _ = talk(Reply(FRED, usage=Usage(10, 5, 0.25), truncated=True))
    answer = chat.request("Add Fred")
    assert (answer.usage, answer.truncated) == (Usage(10, 5, 0.25), True)


def test_pieces_of_the_reply_are_passed_on():
    pieces: list[str] = []
    chat, _ = talk(FRED)
    chat.say("Add Fred", on_delta=pieces.append)
    assert "".join(pieces) == FRED


def test_a_reply_without_a_call_does_nothing():
    chat, events = talk(GARBAGE)
    answer = chat.request("Add Fred")
    assert (answer.calls, answer.reading.problem, world(chat)) == ((), "no_call", [])
    assert events[-1] == Read(0, (), (), GARBAGE, "no_call")


def test_a_refused_call_leaves_the_world_and_says_why():
    chat, events = talk(NO_SUCH_DAY)
    answer = chat.request("Add Fred")
    assert answer.standing == () and world(chat) == []
    assert isinstance(events[-1], Called)
    assert "date" in events[-1].result.error


def test_an_unknown_tool_is_a_call_that_failed():
    chat, _ = talk('action.create_event("Fred")')
    answer = chat.request("Add Fred")
    assert [result.ok for result in answer.results] == [False]


def test_several_calls_in_one_turn_are_all_made():
    chat, _ = talk(f"{FRED}\n{ANNA}")
    assert ids(chat.request("Add both").standing) == ["c1", "c2"]
    assert world(chat) == [FRED_ENTRY, ANNA_ENTRY]


# correcting --------------------------------------------------------------------------------------------------------


def test_a_correction_undoes_and_amends():
    chat, events = talk(FRED, FRED_2024)
    chat.request("Add Fred")
    events.clear()
    answer = chat.correct("The current year is 2024.")
    assert world(chat) == [FRED_2024_ENTRY]
    assert (answer.amends, answer.undone, answer.redone, answer.calls[0].amends) == (0, ("c1",), False, "c1")
    assert [type(event) for event in events] == [Asked, Corrected, Undone, Replied, Read, Called]
    assert events[:3] == [
        Asked(1, "The current year is 2024.", 0),
        Corrected(1, Correction("The current year is 2024."), 0),
        Undone(1, ("c1",)),
    ]


def test_a_correction_of_a_correction_keeps_the_chain():
    chat, _ = talk(FRED, FRED_2024, ANNA)
    chat.request("Add Fred")
    chat.correct("The current year is 2024.")
    chat.correct("I meant lunch with Anna.")
    calls = [call for answer in chat.answers for call in answer.calls]
    assert [(call.id, call.amends) for call in calls] == [("c1", None), ("c2", "c1"), ("c3", "c2")]
    assert world(chat) == [ANNA_ENTRY]
    assert ids(chat.standing) == ["c3"]


def test_a_correction_value_is_told_as_it_is():
    chat, events = talk(FRED, FRED_2024)
    chat.request("Add Fred")
    correction = Correction("The date is wrong.", 2, Mistake(Kind.WRONG_VALUE, "date"))
    chat.correct(correction)
    assert Corrected(1, correction, 0) in events
    assert chat.messages[2] == Message("user", "The date is wrong.")


def test_nothing_callable_back_puts_everything_back_and_says_so():
    chat, events = talk(FRED, GARBAGE)
    chat.request("Add Fred")
    before = world(chat)
    answer = chat.correct("The year is wrong.")
    assert world(chat) == before == [FRED_ENTRY]
    assert (answer.undone, answer.redone, answer.calls) == (("c1",), True, ())
    assert events[-1] == Undone(1, ("c1",), redone=True)
    assert ids(chat.standing) == ["c1"]


def test_a_call_that_failed_puts_everything_back():
    chat, events = talk(FRED, NO_SUCH_DAY)
    chat.request("Add Fred")
    answer = chat.correct("No, on February 30")
    assert (world(chat), answer.redone, answer.standing) == ([FRED_ENTRY], True, ())
    assert events[-1] == Undone(1, ("c1",), redone=True)
    assert answer.calls[0].amends == "c1"


def test_a_correction_after_a_failed_amendment_is_of_what_stands():
    chat, events = talk(FRED, GARBAGE, FRED_2024)
    chat.request("Add Fred")
    chat.correct("The year is wrong.")
    answer = chat.correct("The current year is 2024.")
    assert (answer.amends, answer.undone, world(chat)) == (0, ("c1",), [FRED_2024_ENTRY])
    assert answer.calls[0].amends == "c1"
    assert Asked(2, "The current year is 2024.", 0) in events


def test_garbage_for_a_new_request_is_corrected_without_undoing_the_one_before():
    chat, events = talk(ANNA, GARBAGE, GARBAGE, FRED)
    chat.request("Add Anna")
    chat.request("Add Fred")
    chat.correct("Just the call, please.")
    answer = chat.correct("Only the code.")
    assert (world(chat), answer.undone, answer.calls[0].amends) == ([FRED_ENTRY, ANNA_ENTRY], (), None)
    assert not any(isinstance(event, Undone) for event in events)


def test_several_calls_are_undone_newest_first():
    chat, events = talk(f"{FRED}\n{ANNA}", FRED_2024)
    chat.request("Add both")
    answer = chat.correct("Only Fred, and in 2024")
    assert answer.undone == ("c2", "c1")
    assert Undone(1, ("c2", "c1")) in events
    assert world(chat) == [FRED_2024_ENTRY]


def test_several_new_calls_amend_the_old_ones_in_order():
    chat, _ = talk(f"{FRED}\n{ANNA}", f"{FRED_2024}\n{ANNA}\n{ANNA.replace('Anna', 'Tom')}")
    chat.request("Add both")
    answer = chat.correct("In 2024, and Tom too")
    assert [call.amends for call in answer.calls] == ["c1", "c2", "c2"]


def test_one_good_call_among_failed_ones_is_enough():
    chat, _ = talk(FRED, f"{NO_SUCH_DAY}\n{ANNA}")
    chat.request("Add Fred")
    answer = chat.correct("Wrong.")
    assert (answer.redone, world(chat)) == (False, [ANNA_ENTRY])


def test_a_call_id_says_which_turn_is_corrected():
    chat, _ = talk(FRED, ANNA, FRED_2024)
    chat.request("Add Fred")
    chat.request("Add Anna")
    answer = chat.correct("The current year is 2024.", call="c1")
    assert (answer.amends, answer.undone, answer.calls[0].amends) == (0, ("c1",), "c1")
    assert world(chat) == [ANNA_ENTRY, FRED_2024_ENTRY]


def test_the_id_of_a_call_that_was_replaced_leads_to_what_replaced_it():
    chat, _ = talk(FRED, FRED_2024, ANNA, FRED.replace("2023", "2025"))
    chat.request("Add Fred")
    chat.correct("The current year is 2024.")
    chat.request("Add Anna")
    answer = chat.correct("The current year is 2025.", call="c1")
    assert (answer.amends, answer.undone, answer.calls[0].amends) == (1, ("c2",), "c2")
    assert world(chat) == [ANNA_ENTRY, {**FRED_ENTRY, "date": "2025-11-11"}]


def test_the_id_of_a_call_that_failed_leads_to_what_stands_now():
    chat, _ = talk(FRED, NO_SUCH_DAY, FRED_2024, ANNA)
    chat.request("Add Fred")
    chat.correct("No, on February 30")
    chat.correct("The current year is 2024.")
    answer = chat.correct("I meant Anna", call="c2")
    assert (answer.undone, world(chat)) == (("c3",), [ANNA_ENTRY])


def test_an_unknown_call_id_is_refused_and_nothing_happens():
    chat, events = talk(FRED)
    chat.request("Add Fred")
    events.clear()
    with pytest.raises(BadOption, match=r"no call has the id 'c9'; this talk has c1$"):
        chat.correct("Wrong.", call="c9")
    assert (events, world(chat)) == ([], [FRED_ENTRY])


def test_there_must_be_something_to_correct():
    chat, events = talk(FRED)
    with pytest.raises(BadOption, match="there is nothing to correct yet: say something first"):
        chat.correct("Wrong.")
    assert events == []


def test_what_stands_is_oldest_first_even_after_putting_back():
    chat, _ = talk(FRED, ANNA, GARBAGE)
    chat.request("Add Fred")
    chat.request("Add Anna")
    chat.correct("Wrong.", call="c1")
    assert ids(chat.standing) == ["c1", "c2"]


# the router --------------------------------------------------------------------------------------------------------


def test_a_new_request_is_routed_as_new_and_the_verdict_is_told():
    chat, events = talk(FRED, ANNA)
    chat.say("Add a meeting with Fred on Nov 11 at 5PM")
    chat.say("Add a lunch with Anna on May 3")
    asked = [event for event in events if isinstance(event, Asked)]
    assert asked[0] == Asked(0, "Add a meeting with Fred on Nov 11 at 5PM", None, "router: nothing was asked before")
    assert asked[1].amends is None
    assert asked[1].routed == "router: is a request of its own ('add a')"
    assert world(chat) == [ANNA_ENTRY, FRED_ENTRY] or len(world(chat)) == 2


def test_an_amendment_is_routed_as_one_and_undoes():
    chat, events = talk(FRED, FRED_2024)
    chat.say("Add a meeting with Fred on Nov 11 at 5PM")
    answer = chat.say("The current year is 2024.")
    assert events[4] == Asked(1, "The current year is 2024.", 0, "router: describes a part of it ('the current year is')")
    assert (answer.amends, world(chat)) == (0, [FRED_2024_ENTRY])


def test_the_routers_verdict_is_reversed_by_one_undo():
    chat, _ = talk(FRED, FRED_2024)
    chat.say("Add a meeting with Fred on Nov 11 at 5PM")
    chat.say("The current year is 2024.")
    chat.undo()
    assert (world(chat), ids(chat.standing)) == ([FRED_ENTRY], ["c1"])


def test_a_router_sees_the_calls_in_effect_and_what_was_said():
    seen: list[Any] = []

    def router(text: str, calls: Any, texts: Any) -> Verdict:
        seen.append((text, ids(calls), list(texts)))
        return Verdict(False, "mine")

    chat, events = talk(FRED, ANNA, router=router)
    chat.say("one")
    chat.say("two")
    assert seen == [("one", [], []), ("two", ["c1"], ["one"])]
    assert events[0].routed == "router: mine"


def test_a_first_sentence_that_a_router_calls_an_amendment_is_a_request():
    chat, _ = talk(FRED, router=lambda text, calls, texts: Verdict(True, "always"))
    assert chat.say("Add Fred").amends is None


# undoing -----------------------------------------------------------------------------------------------------------


def test_undo_takes_the_last_turn_back():
    chat, events = talk(FRED, ANNA)
    chat.request("Add Fred")
    messages = list(chat.messages)
    chat.request("Add Anna")
    answer = chat.undo()
    assert (str(answer), world(chat), chat.messages, len(chat.answers)) == (ANNA, [FRED_ENTRY], messages, 1)
    assert events[-1] == Undone(1, ("c2",))


def test_undo_restores_what_an_amendment_had_undone():
    chat, events = talk(f"{FRED}\n{ANNA}", FRED_2024)
    chat.request("Add both")
    chat.correct("Only Fred, and in 2024")
    chat.undo()
    assert world(chat) == [FRED_ENTRY, ANNA_ENTRY]
    assert ids(chat.standing) == ["c1", "c2"]
    assert events[-2:] == [Undone(1, ("c3",)), Undone(1, ("c2", "c1"), redone=True)]


def test_undo_of_a_failed_amendment_changes_no_world():
    chat, _ = talk(FRED, GARBAGE)
    chat.request("Add Fred")
    chat.correct("Wrong.")
    chat.undo()
    assert (world(chat), len(chat.answers), len(chat.messages)) == ([FRED_ENTRY], 1, 2)


def test_undo_again_and_again_comes_to_the_beginning():
    chat, _ = talk(FRED, FRED_2024, ANNA, GARBAGE)
    chat.request("Add Fred")
    chat.correct("2024")
    chat.request("Add Anna")
    chat.correct("Wrong.", call="c2")
    for expected in ([ANNA_ENTRY, FRED_2024_ENTRY], [FRED_2024_ENTRY], [FRED_ENTRY], []):
        chat.undo()
        assert world(chat) == expected
    assert (chat.messages, chat.answers, chat.standing) == ([], [], [])
    with pytest.raises(BadOption, match="there is nothing to undo yet"):
        chat.undo()


def test_a_talk_goes_on_after_undo_with_new_ids():
    chat, _ = talk(FRED, ANNA)
    chat.request("Add Fred")
    chat.undo()
    answer = chat.request("Add Anna")
    assert (answer.turn, ids(answer.calls), world(chat)) == (0, ["c2"], [ANNA_ENTRY])


# tools that cannot be undone ---------------------------------------------------------------------------------------


class Post(Toolbox):
    """A letter box: what is sent is sent."""

    receiver = "post"

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.lamp = False

    @tool(effect="danger")
    def send(self, text: str) -> str:
        """Send a letter."""
        self.sent.append(text)
        return text

    @tool(undo="_off")
    def light(self) -> bool:
        """Switch the lamp on."""
        self.lamp = True
        return True

    def _off(self, _: Any) -> None:
        self.lamp = False


def test_a_call_that_cannot_be_undone_is_said_and_kept():
    box = Post()
    chat, events = talk('post.send("Hi Fred")', 'post.send("Hi Anna")', tools=box)
    first = chat.request("Write to Fred")
    answer = chat.correct("I meant Anna")
    assert (answer.kept, answer.undone, answer.redone) == (("c1",), (), False)
    assert Refused(1, first.calls[0], "post.send cannot be undone: what it did stays done") in events
    assert box.sent == ["Hi Fred", "Hi Anna"]
    assert ids(chat.standing) == ["c1", "c2"]


def test_what_can_be_undone_beside_it_is():
    box = Post()
    chat, events = talk('post.light()\npost.send("Hi")', "post.light()", tools=box)
    chat.request("Light and letter")
    answer = chat.correct("No letter")
    assert (answer.kept, answer.undone) == (("c2",), ("c1",))
    assert [event for event in events if isinstance(event, Undone)] == [Undone(1, ("c1",))]


def test_undo_of_what_cannot_be_undone_is_said():
    box = Post()
    chat, events = talk('post.send("Hi")', tools=box)
    chat.request("Write")
    chat.undo()
    assert isinstance(events[-1], Refused)
    assert (box.sent, chat.answers, ids(chat.standing)) == (["Hi"], [], ["c1"])


def test_a_call_that_later_ones_build_on_is_kept_and_said():
    removal = 'action.remove_calendar_entry("Meeting with Fred", "2023-11-11", "17:00")'
    chat, events = talk(FRED, removal, FRED_2024)
    chat.request("Add Fred")
    chat.request("Cancel Fred")
    answer = chat.correct("2024", call="c1")
    assert answer.kept == ("c1",)
    refused = next(event for event in events if isinstance(event, Refused))
    assert refused.reason.startswith("action.add_calendar_entry was not undone: ")
    assert world(chat) == [FRED_2024_ENTRY]


# when it goes wrong ------------------------------------------------------------------------------------------------


def failing(*replies: str) -> Any:
    """A script that gives these replies and then fails."""
    left = list(replies)

    def script(_: Any) -> str:
        if not left:
            raise ModelError("no connection")
        return left.pop(0)

    return Scripted(script)


def test_a_model_error_leaves_world_and_messages_as_they_were():
    chat = Session(failing(FRED), Calendar())
    chat.request("Add Fred")
    messages = list(chat.messages)
    with pytest.raises(ModelError, match="no connection"):
        chat.request("Add Anna")
    assert (world(chat), chat.messages, len(chat.answers)) == ([FRED_ENTRY], messages, 1)


def test_a_model_error_during_a_correction_puts_everything_back():
    events: list[Any] = []
    chat = Session(failing(f"{FRED}\n{ANNA}"), Calendar(), sink=events.append)
    chat.request("Add both")
    messages = list(chat.messages)
    with pytest.raises(ModelError):
        chat.correct("Wrong.")
    assert (world(chat), chat.messages, ids(chat.standing)) == ([FRED_ENTRY, ANNA_ENTRY], messages, ["c1", "c2"])
    assert events[-1] == Undone(1, ("c2", "c1"), redone=True)


class Flow:
    """A strategy made of the steps given."""

    name, prompt_hash, bare = "flow", "0", True

    def __init__(self, flow: Any) -> None:
        self.turn = flow

    def system_text(self, talk: Any) -> str:
        return ""


def test_calls_made_before_the_model_failed_are_taken_back():
    from toolmend.reading import read_python

    def flow(talk: Any) -> Any:
        for _ in range(2):
            reply = yield Ask(talk.messages)
            reading = read_python(reply.text, talk.tools)
            yield Act(reading.calls, reading)

    events: list[Any] = []
    chat = Session(failing(FRED), Calendar(), Flow(flow), sink=events.append)
    with pytest.raises(ModelError):
        chat.request("Add Fred")
    assert (world(chat), chat.standing, chat.messages) == ([], [], [])
    assert events[-1] == Undone(0, ("c1",))


def test_a_strategy_that_never_ends_is_stopped():
    def flow(talk: Any) -> Any:
        while True:
            yield Ask(talk.messages)

    chat, _ = talk(FRED, strategy=Flow(flow))
    with pytest.raises(ModelError, match="strategy 'flow' did not come to an end in 24 rounds"):
        chat.request("Add Fred")


def test_a_strategy_that_makes_no_calls_answers_without_any():
    def flow(talk: Any) -> Any:
        yield Ask(talk.messages)

    chat, _ = talk(FRED, "Which day?", strategy=Flow(flow))
    chat.request("Add Fred")
    answer = chat.correct("No")
    assert (str(answer), answer.calls, answer.reading.problem) == ("Which day?", (), "no_call")


# how a session is made ---------------------------------------------------------------------------------------------


def test_unknown_names_say_what_is_known():
    with pytest.raises(UnknownName, match="unknown toolbox 'calender'"):
        Session(Scripted([FRED]), "calender")
    with pytest.raises(UnknownName, match="unknown strategy 'twoline'.*oneline"):
        Session(Scripted([FRED]), "calendar", "twoline")
    with pytest.raises(UnknownName, match="unknown scripted model 'nobody'"):
        Session("scripted/nobody", "calendar")


class Trained(Scripted):
    """A model that was trained for the calendar only."""

    def __init__(self) -> None:
        from toolmend.models import Abilities

        super().__init__([FRED], "builtin/trained")
        self.abilities = Abilities(toolboxes=("calendar",))


def test_a_model_trained_for_another_toolbox_is_refused_in_one_line():
    with pytest.raises(BadOption, match="'builtin/trained' was trained for the toolbox calendar only, not for 'post'"):
        Session(Trained(), Post())


@pytest.mark.parametrize("tools", ["calendar", "toolmend.toolboxes.calendar:Calendar", Calendar()])
def test_a_model_trained_for_a_toolbox_takes_it_however_it_is_named(tools):
    assert str(Session(Trained(), tools).request("Add Fred")) == FRED
