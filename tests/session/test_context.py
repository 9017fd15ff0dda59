"""The one hook by which memories enter a talk: shown to every strategy, kept in no message, asked anew each turn."""

from collections.abc import Sequence

import pytest

from toolmend.base.errors import BadOption
from toolmend.base.events import Guarded
from toolmend.base.messages import Message
from toolmend.models.scripted import Scripted
from toolmend.session import Session, Shown
from toolmend.session.context import beside
from toolmend.tools.toolboxes import Calendar

FRED = 'action.add_calendar_entry("Fred", date="2026-11-11", time="17:00")'


def known(said: str, _before: Sequence[Message]) -> Shown:
    return Shown(f"You know: {said!r} was said.", ("m1", "m2"))


@pytest.mark.parametrize("strategy", ["oneline", "native", "react", "freyr", "freyr_paper"])
def test_every_strategy_shows_it(strategy: str) -> None:
    model = Scripted([FRED])
    Session(model, Calendar(), strategy, context=known).request("Add Fred")
    first = model.requests[0].messages[0]
    assert first.role == "system"
    assert first.content.endswith("\n\nYou know: 'Add Fred' was said.")


def test_it_is_told_of_and_not_kept() -> None:
    events: list[object] = []
    chat = Session(Scripted([FRED]), Calendar(), context=known, sink=events.append)
    chat.request("Add Fred")
    chat.request("Again")
    assert [each for each in events if isinstance(each, Guarded)] == [
        Guarded(0, "recalled", "m1, m2"),
        Guarded(1, "recalled", "m1, m2"),
    ]
    assert not any("You know" in message.content for message in chat.messages)


def test_it_may_shorten_the_talk() -> None:
    model = Scripted([FRED])
    chat = Session(model, Calendar(), context=lambda _said, before: Shown(messages=tuple(before[-2:])))
    for text in ("one", "two", "three"):
        chat.request(text)
    assert [each.content for each in model.requests[2].messages[1:]] == ["two", FRED, "three"]
    assert len(chat.messages) == 6


def test_where_it_fails_the_turn_is_taken_back() -> None:
    chat = Session(Scripted([FRED]), Calendar())
    chat.request("Add Fred")

    def broken(_said: str, _before: Sequence[Message]) -> Shown:
        raise BadOption("no memory today")

    chat.context = broken
    with pytest.raises(BadOption, match="no memory today"):
        chat.correct("No")
    assert (len(chat.messages), len(chat.standing), len(chat.tools.state()["entries"])) == (2, 1, 1)


def test_without_a_system_text_there_is_one() -> None:
    assert beside((Message("user", "hi"),), "known") == (Message("system", "known"), Message("user", "hi"))
    assert beside((Message("user", "hi"),), "") == (Message("user", "hi"),)
