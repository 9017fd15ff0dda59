"""Taking turns back, tools that cannot be undone, and turns that fail half way."""

from typing import Any

import anyio
import pytest

from toolmend.base.errors import BadOption, ModelError
from toolmend.base.events import Refused, Undone
from toolmend.base.messages import Call
from toolmend.models.scripted import Scripted
from toolmend.session import Session
from toolmend.session.guards import Limits
from toolmend.session.standing import Standing
from toolmend.strategies import Act, Ask
from toolmend.tools import Toolbox, tool
from toolmend.tools.toolboxes import Calendar

FRED = 'action.add_calendar_entry("Meeting with Fred", date="2023-11-11", time="17:00", duration=30)'
FRED_2024 = FRED.replace("2023", "2024")
ANNA = 'action.add_calendar_entry("Lunch with Anna", date="2024-05-03", time="12:00", duration=60)'
GARBAGE = "I am sorry, Dave."
FRED_ENTRY = {"title": "Meeting with Fred", "date": "2023-11-11", "time": "17:00", "duration": 30}
FRED_2024_ENTRY = {**FRED_ENTRY, "date": "2024-11-11"}
ANNA_ENTRY = {"title": "Lunch with Anna", "date": "2024-05-03", "time": "12:00", "duration": 60}


def world(session):
    return session.tools.state()["entries"]


def ids(calls):
    return [call.id for call in calls]


def test_undo_takes_the_last_turn_back(talk):
    chat, events = talk(FRED, ANNA)
    chat.request("Add Fred")
    messages = list(chat.messages)
    chat.request("Add Anna")
    answer = chat.undo()
    assert (str(answer), world(chat), chat.messages, len(chat.answers)) == (ANNA, [FRED_ENTRY], messages, 1)
    assert events[-1] == Undone(1, ("c2",))


def test_undo_restores_what_an_amendment_had_undone(talk):
    chat, events = talk(f"{FRED}\n{ANNA}", FRED_2024)
    chat.request("Add both")
    chat.correct("Only Fred, and in 2024")
    chat.undo()
    assert world(chat) == [FRED_ENTRY, ANNA_ENTRY]
    assert ids(chat.standing) == ["c1", "c2"]
    assert events[-2:] == [Undone(1, ("c3",)), Undone(1, ("c2", "c1"), redone=True)]


def test_undo_of_a_failed_amendment_changes_no_world(talk):
    chat, _ = talk(FRED, GARBAGE)
    chat.request("Add Fred")
    chat.correct("Wrong.")
    chat.undo()
    assert (world(chat), len(chat.answers), len(chat.messages)) == ([FRED_ENTRY], 1, 2)


def test_undo_again_and_again_comes_to_the_beginning(talk):
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


def test_a_talk_goes_on_after_undo_with_new_ids(talk):
    chat, _ = talk(FRED, ANNA)
    chat.request("Add Fred")
    chat.undo()
    answer = chat.request("Add Anna")
    assert (answer.turn, ids(answer.calls), world(chat)) == (0, ["c2"], [ANNA_ENTRY])


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


def test_a_call_that_cannot_be_undone_is_said_and_kept(talk):
    box = Post()
    chat, events = talk('post.send("Hi Fred")', 'post.send("Hi Anna")', tools=box)
    first = chat.request("Write to Fred")
    answer = chat.correct("I meant Anna")
    assert (answer.kept, answer.undone, answer.redone) == (("c1",), (), False)
    assert Refused(1, first.calls[0], "post.send cannot be undone: what it did stays done") in events
    assert box.sent == ["Hi Fred", "Hi Anna"]
    assert ids(chat.standing) == ["c1", "c2"]


def test_what_can_be_undone_beside_it_is(talk):
    box = Post()
    chat, events = talk('post.light()\npost.send("Hi")', "post.light()", tools=box)
    chat.request("Light and letter")
    answer = chat.correct("No letter")
    assert (answer.kept, answer.undone) == (("c2",), ("c1",))
    assert [event for event in events if isinstance(event, Undone)] == [Undone(1, ("c1",))]


def test_undo_of_what_cannot_be_undone_is_said(talk):
    box = Post()
    chat, events = talk('post.send("Hi")', tools=box)
    chat.request("Write")
    chat.undo()
    assert isinstance(events[-1], Refused)
    assert (box.sent, chat.answers, ids(chat.standing)) == (["Hi"], [], ["c1"])


def test_a_call_that_later_ones_build_on_is_kept_and_said(talk):
    removal = 'action.remove_calendar_entry("Meeting with Fred", "2023-11-11", "17:00")'
    chat, events = talk(FRED, removal, FRED_2024)
    chat.request("Add Fred")
    chat.request("Cancel Fred")
    answer = chat.correct("2024", call="c1")
    assert answer.kept == ("c1",)
    refused = next(event for event in events if isinstance(event, Refused))
    assert refused.reason.startswith("action.add_calendar_entry was not undone: ")
    assert world(chat) == [FRED_2024_ENTRY]


def failing(*replies: str) -> Any:
    """A script that gives these replies and then fails."""
    left = list(replies)

    def script(_: Any) -> str:
        if not left:
            raise ModelError("no connection")
        return left.pop(0)

    return Scripted(script)


def test_a_model_error_leaves_world_and_messages_as_they_were():
    chat = Session(failing(FRED), Calendar(), mend=False)
    chat.request("Add Fred")
    messages = list(chat.messages)
    with pytest.raises(ModelError, match="no connection"):
        chat.request("Add Anna")
    assert (world(chat), chat.messages, len(chat.answers)) == ([FRED_ENTRY], messages, 1)


def test_a_model_error_during_a_correction_puts_everything_back():
    events: list[Any] = []
    chat = Session(failing(f"{FRED}\n{ANNA}"), Calendar(), sink=events.append, mend=False)
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
    chat = Session(failing(FRED), Calendar(), Flow(flow), sink=events.append, mend=False)
    with pytest.raises(ModelError):
        chat.request("Add Fred")
    assert (world(chat), chat.standing, chat.messages) == ([], [], [])
    assert events[-1] == Undone(0, ("c1",))


def test_a_strategy_that_makes_no_calls_answers_without_any(talk):
    def flow(talk: Any) -> Any:
        yield Ask(talk.messages)

    chat, _ = talk(FRED, "Which day?", strategy=Flow(flow))
    chat.request("Add Fred")
    answer = chat.correct("No")
    assert (str(answer), answer.calls, answer.reading.problem) == ("Which day?", (), "no_call")


def test_what_cannot_be_done_again_stays_undone_and_is_told():
    box, events = Calendar(), []
    standing = Standing(box, events.append, Limits())
    entry = {"title": "Lunch", "date": "2025-05-03", "time": "12:00"}
    added = Call("action.add_calendar_entry", entry, id="c1")
    gone = Call("action.remove_calendar_entry", entry, id="c2")

    async def play() -> None:
        for call in (added, gone):
            await standing.run(0, call)
        await standing.take_back(1, [gone])
        await standing.take_back(1, [added])
        await standing.put_back(1, ("c2",))

    anyio.run(play)
    assert standing.calls == []
    assert events[-1].reason.startswith("action.remove_calendar_entry was not done again: there is no 'Lunch'")
