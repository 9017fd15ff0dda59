"""One reply after a history: what the history did is there for it, and gone afterwards."""

from __future__ import annotations

import datetime as dt

import pytest

from toolmend.base.errors import BadOption
from toolmend.base.messages import Call
from toolmend.models.scripted import Scripted
from toolmend.session import ask_once
from toolmend.tools import Toolbox
from toolmend.tools.toolboxes import Calendar

REMOVE = "action.remove_calendar_entry"
GOLD = 'action.add_calendar_entry("Dentist", date="2026-12-01", time="09:00", duration=30)'
SPOKEN = 'add_calendar_entry(title="Dentist", date="1 December 2026", time="9 am")'
DENTIST = {"title": "Dentist", "date": "2026-12-01", "time": "09:00"}


def calendar() -> Calendar:
    return Calendar(now=dt.datetime(2026, 11, 28, 10))


@pytest.mark.parametrize("reply", [GOLD, SPOKEN])
def test_what_the_history_made_can_be_removed(reply: str) -> None:
    history = [("user", "Dentist on 1 December at 9"), ("assistant", reply)]
    model, box = Scripted(['remove_calendar_entry(entry="the dentist")']), calendar()
    answer = ask_once("Scrap the dentist", model=model, tools=box, strategy="spoken", history=history)
    assert answer.calls == (Call(REMOVE, DENTIST, said=answer.calls[0].said, rules=answer.calls[0].rules),)
    assert box.entries == []


def test_what_was_there_stays_and_nothing_else_does() -> None:
    box = calendar()
    box.add_calendar_entry("Yoga", dt.date(2026, 12, 2), dt.time(18))
    history = [("user", "Dentist"), ("assistant", GOLD), ("user", "No, on the 2nd"), ("assistant", "Hm?")]
    ask_once("Thanks", model=Scripted(["Welcome."]), tools=box, history=history)
    assert [entry.title for entry in box.entries] == ["Yoga"]


def test_a_model_that_is_asked_again_is_heard_again() -> None:
    def pay(name: str, euros: int) -> None:
        """Pay somebody."""

    def visit(name: str) -> None:
        """Visit somebody."""

    model = Scripted(['visit(name="Ada")', 'pay(name="Ada", euros="20")'])
    answer = ask_once("Pay Ada 20", model=model, tools=Toolbox.of(pay, visit), strategy="spoken?describe=true")
    assert [call.tool for call in answer.calls] == ["pay"]


@pytest.mark.parametrize(
    "history",
    [
        [("assistant", GOLD)],
        [("user", "a"), ("user", "b")],
        [("user", "a"), ("assistant", "action.nothing(")],
        [("user", "a"), ("assistant", "")],
        [("user", "a"), ("assistant", 'change(time="five")')],
        [("user", "a"), ("assistant", 'undo(of="the opera")')],
        [("user", "a"), ("assistant", GOLD), ("user", "b"), ("assistant", GOLD)],
        [("user", ""), ("assistant", "<tool_call>{}</tool_call>")],
        [("system", "Be brief."), ("user", "a"), ("assistant", GOLD + "\n" + GOLD)],
        [("user", "a"), ("assistant", 'remove_calendar_entry(entry="everything")')],
    ],
)
@pytest.mark.parametrize("strategy", ["spoken", "oneline", "native", "freyr", "react"])
def test_no_history_makes_it_fail(history: list[tuple[str, str]], strategy: str) -> None:
    model, box = Scripted(["Fine."]), calendar()
    reply = ask_once("and now?", model=model, tools=box, strategy=strategy, history=history)
    assert (bool(reply.text), box.entries) == (True, [])


def test_the_turns_are_told_as_they_were() -> None:
    model = Scripted(["Fine."])
    ask_once("c", model=model, tools="calendar", history=[("user", "a"), ("assistant", GOLD), ("user", "b")])
    told = [(message.role, message.content) for message in model.requests[0].messages[1:]]
    assert told == [("user", "a"), ("assistant", GOLD), ("user", "b"), ("user", "c")]


def test_an_unknown_role_is_said() -> None:
    with pytest.raises(BadOption, match="the role 'bot'"):
        ask_once("a", model=Scripted(["b"]), tools="calendar", history=[("bot", "a")])
