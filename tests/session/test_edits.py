"""Calls that say which earlier one they replace: it is undone first, and put back if the new one fails."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Generator
from typing import Any

import pytest

from toolmend.base.errors import ToolError
from toolmend.base.events import Called, Corrected, Read, Refused, Undone, from_json, to_json
from toolmend.base.messages import Call, Reply
from toolmend.models.scripted import Scripted
from toolmend.reading import Reading
from toolmend.session import Session
from toolmend.strategies import Act, Ask, Talk
from toolmend.tools import Toolbox, tool
from toolmend.tools.toolboxes import Calendar

TEA = 'add_calendar_entry(title="tea", date="8 June", time="3 pm")'
WALK = 'add_calendar_entry(title="walk", date="9 June", time="noon")'
Heard = tuple[Session, list[Any]]


class Post(Toolbox):
    """Letters that are gone when they are sent."""

    receiver = "post"
    quick = True

    def __init__(self) -> None:
        self.sent: list[str] = []

    @tool
    def send(self, text: str) -> str:
        """Send a letter."""
        self.sent.append(text)
        return text


class Shelf(Toolbox):
    """Jars, of which some are refused."""

    receiver = "shelf"
    quick = True

    def __init__(self) -> None:
        self.jars: list[str] = []

    @tool
    def put(self, jar: str) -> str:
        """Put a jar on the shelf."""
        if jar == "broken":
            raise ToolError("it is broken")
        self.jars.append(jar)
        return jar

    def snapshot(self) -> tuple[str, ...]:
        return tuple(self.jars)

    def restore(self, state: tuple[str, ...]) -> None:
        self.jars = list(state)


@pytest.fixture
def spoken() -> Callable[..., Heard]:
    """A talk in the spoken notation, and what is told of it."""

    def make(*replies: str, tools: Any = None) -> Heard:
        heard: list[Any] = []
        box = Calendar(now=dt.datetime(2025, 1, 1)) if tools is None else tools
        return Session(Scripted(replies), box, "spoken", sink=heard.append, mend=False), heard

    return make


def test_an_edit_undoes_what_it_replaces(spoken: Callable[..., Heard]) -> None:
    session, heard = spoken(TEA, WALK, 'change(of="the tea", time="an hour later")')
    for words in ("tea", "walk", "tea later"):
        answer = session.say(words)
    assert [(call.id, call.amends) for call in answer.calls] == [("c3", "c1")]
    assert (answer.undone, answer.redone) == (("c1",), False)
    assert [call.id for call in session.standing] == ["c2", "c3"]
    assert Undone(2, ("c1",)) in heard


def test_no_router_is_asked_where_calls_say_what_they_replace() -> None:
    def router(*_: Any) -> Any:
        raise AssertionError("asked")

    session = Session(Scripted([TEA, WALK]), Calendar(now=dt.datetime(2025, 1, 1)), "spoken", router=router, mend=False)
    session.say("tea")
    assert session.say("and a walk").calls[0].amends is None


def test_a_turn_with_an_edit_is_undone_as_a_whole(spoken: Callable[..., Heard]) -> None:
    session, _ = spoken(TEA, 'change(time="4 pm")')
    session.say("tea")
    session.say("at four")
    session.undo()
    assert str(session.tools) == "2025-06-08 15:00  30 min  tea"
    assert [call.id for call in session.standing] == ["c1"]


def test_an_edit_that_fails_puts_the_old_call_back(spoken: Callable[..., Heard]) -> None:
    session, heard = spoken('put(jar="plum")', 'change(jar="broken")', tools=Shelf())
    session.say("plum")
    answer = session.say("the broken one")
    assert [result.error for result in answer.results] == ["it is broken"]
    assert (answer.undone, session.tools.snapshot()) == ((), ("plum",))
    assert [call.id for call in session.standing] == ["c1"]
    assert Undone(1, ("c1",), redone=True) in heard


def test_what_cannot_be_undone_is_not_edited(spoken: Callable[..., Heard]) -> None:
    box = Post()
    session, heard = spoken('send(text="Hi Fred")', 'change(text="Hi Anna")', tools=box)
    session.say("to Fred")
    answer = session.say("to Anna")
    assert box.sent == ["Hi Fred"]
    assert answer.results[0].error == "post.send cannot be undone, so c1 stays as it is: nothing was changed"
    assert Refused(1, answer.calls[0], answer.results[0].error) in heard


def test_a_corrected_call_is_undone_once(spoken: Callable[..., Heard]) -> None:
    session, heard = spoken(TEA, 'change(time="4 pm")')
    session.say("tea")
    answer = session.correct("at four")
    assert (answer.amends, answer.undone, answer.calls[0].amends) == (0, ("c1",), "c1")
    assert [event for event in heard if isinstance(event, Undone)] == [Undone(1, ("c1",))]
    assert any(isinstance(event, Corrected) for event in heard)


def test_a_correction_that_edits_an_earlier_call_leaves_the_corrected_one(spoken: Callable[..., Heard]) -> None:
    session, _ = spoken(TEA, WALK, 'change(of="the tea", time="4 pm")')
    session.say("tea")
    session.say("walk")
    answer = session.correct("no, the tea")
    assert [call.id for call in session.standing] == ["c2", "c3"]
    assert (answer.undone, answer.redone) == (("c1",), False)


def test_what_is_corrected_may_be_wanted_no_more(spoken: Callable[..., Heard]) -> None:
    session, _ = spoken(TEA, "undo()")
    session.say("tea")
    answer = session.correct("no, forget it")
    assert (str(session.tools), answer.undone, answer.redone) == ("(no entries)", ("c1",), False)
    session.undo()
    assert str(session.tools) == "2025-06-08 15:00  30 min  tea"


def test_a_corrected_entry_that_is_removed_is_gone(spoken: Callable[..., Heard]) -> None:
    session, _ = spoken(WALK, TEA, 'remove_calendar_entry(entry="it")')
    session.say("walk")
    session.say("tea")
    session.correct("no, cancel it")
    assert str(session.tools) == "2025-06-09 12:00  30 min  walk"


def test_a_question_puts_back_what_is_corrected(spoken: Callable[..., Heard]) -> None:
    session, _ = spoken(TEA, 'change(time="?")', 'change(time="5 pm")')
    session.say("tea")
    answer = session.correct("not at three")
    assert (answer.text, answer.redone) == ("At what time?", True)
    session.say("at five")
    assert str(session.tools) == "2025-06-08 17:00  30 min  tea"


def test_a_call_is_taken_back(spoken: Callable[..., Heard]) -> None:
    session, _ = spoken(TEA, WALK, 'undo(of="the tea")')
    for words in ("tea", "walk", "no tea"):
        answer = session.say(words)
    assert (answer.text, answer.undone, answer.calls) == ("Taken back.", ("c1",), ())
    assert str(session.tools) == "2025-06-09 12:00  30 min  walk"


def test_a_call_that_failed_and_is_taken_back_leaves_nothing_to_put_back(spoken: Callable[..., Heard]) -> None:
    session, _ = spoken(TEA, 'fly(to="the moon")', "undo()")
    session.say("tea")
    failed = session.request("fly")
    assert not failed.results[0].ok
    assert session.correct("no, forget it").undone == ()
    session.undo()
    assert str(session.tools) == "2025-06-08 15:00  30 min  tea"


def test_the_call_of_an_edited_turn_can_still_be_corrected(spoken: Callable[..., Heard]) -> None:
    session, _ = spoken(TEA, 'change(time="4 pm")', 'change(time="5 pm")')
    session.say("tea")
    session.say("at four")
    session.correct("at five", call="c1")
    assert str(session.tools) == "2025-06-08 17:00  30 min  tea"


def test_the_words_of_a_value_are_kept_with_the_events(spoken: Callable[..., Heard]) -> None:
    session, heard = spoken(TEA)
    session.say("tea")
    [called] = [event for event in heard if isinstance(event, Called)]
    revived = from_json(to_json(called))
    assert isinstance(revived, Called)
    assert revived.call.said == {"title": "tea", "date": "8 June", "time": "3 pm"}
    assert revived.call.rules == called.call.rules


def test_what_the_person_was_told_is_kept(spoken: Callable[..., Heard]) -> None:
    session, heard = spoken('add_calendar_entry(title="tea", date="8 June", time="?")', "Hello.")
    session.say("tea")
    session.say("hi")
    assert [event.told for event in heard if isinstance(event, Read)] == ["At what time?", ""]


def test_a_call_without_words_is_written_as_before() -> None:
    written = to_json(Read(0, (Call("a", {"b": 1}),)))
    assert written["calls"] == [{"tool": "a", "arguments": {"b": 1}}]


class Linking:
    """A strategy that names a call which there is not."""

    name, bare, prompt_hash = "linking", True, ""

    def turn(self, talk: Talk) -> Generator[Any, Any, None]:
        """Ask, and link to nothing."""
        reply: Reply = yield Ask(talk.messages)
        yield Act((Call("shelf.put", {"jar": reply.text}, amends="c9"),), Reading())

    def system_text(self, talk: Talk) -> str:
        """None."""
        return ""


def test_a_link_to_no_call_of_this_talk_is_no_link() -> None:
    box = Shelf()
    answer = Session(Scripted(["plum"]), box, Linking()).request("plum")
    assert (answer.calls[0].amends, box.jars) == (None, ["plum"])
