"""Complaints about the calls as such: the request is read once more, no model knows better, and the world is right."""

import datetime as dt

import pytest

from toolmend.base.errors import ToolError
from toolmend.base.events import Guarded
from toolmend.models.scripted import Scripted
from toolmend.session import Session
from toolmend.strategies.spoken import Spoken
from toolmend.tools import Toolbox, tool
from toolmend.tools.toolboxes import Calendar


@pytest.fixture
def spoken():
    """A talk in the spoken notation with replies given beforehand; what is left over is silence."""

    def make(*replies):
        box, events = Calendar(), []
        box.now = dt.datetime(2026, 3, 4, 9)
        model = Scripted([*replies, *["I can't."] * 8])
        return Session(model, box, Spoken(), sink=events.append), events

    return make


def titles(chat):
    return [entry["title"] for entry in chat.tools.state()["entries"]]


LUNCH = 'add_calendar_entry(title="Lunch with Ana", date="6 May", time="noon")'


def test_a_change_that_should_have_been_something_new_gives_back_what_it_replaced(spoken):
    chat, events = spoken(LUNCH, 'change(time="9 pm", duration="2 hours")')
    chat.request("Lunch with Ana on 6 May at noon")
    chat.request("We have a sound check in the cellar, 9 pm, 2 hours")
    assert titles(chat) == ["Lunch with Ana"]
    chat.correct("The title is wrong.")
    assert sorted(titles(chat)) == ["Lunch with Ana", "sound check in the cellar"]
    assert Guarded(2, "mended", "reread") in events


def test_that_is_taken_back_as_a_whole(spoken):
    chat, _ = spoken(LUNCH, 'change(time="9 pm", duration="2 hours")')
    chat.request("Lunch with Ana on 6 May at noon")
    chat.request("then the show, 9 pm, 2 hours, call it Basement Night")
    before = chat.tools.state()
    chat.correct("The title is wrong.")
    chat.undo()
    assert chat.tools.state() == before


def test_where_that_cannot_be_made_nothing_stands_again(spoken, monkeypatch):
    chat, _ = spoken(LUNCH, 'change(time="9 pm", duration="2 hours")')
    chat.request("Lunch with Ana on 6 May at noon")
    chat.request("We have a sound check in the cellar, 9 pm, 2 hours")
    before = chat.tools.state()
    put_in = Calendar._put_in

    def closed(self, entry):
        if "cellar" in entry.title:
            raise ToolError("the cellar is closed")
        put_in(self, entry)

    monkeypatch.setattr(Calendar, "_put_in", closed)
    chat.correct("The title is wrong.")
    assert chat.tools.state() == before


def test_a_call_that_was_not_due_is_taken_back_and_what_it_replaced_stands_again(spoken):
    chat, _ = spoken(LUNCH, 'change(time="ten minutes before")')
    chat.request("Lunch with Ana on 6 May at noon")
    chat.request("Ring me ten minutes before, will you?")
    chat.correct("No API call is needed here.")
    assert chat.tools.state()["entries"][0]["time"] == "12:00"


def test_words_where_a_call_was_due_are_read_once_more(spoken):
    chat, _ = spoken(LUNCH, "Oleg takes over.")
    chat.request("Lunch with Ana on 6 May at noon")
    chat.request("Ana's out sick, Oleg takes over.")
    answer = chat.correct("Where is the API call?")
    assert (titles(chat), answer.usage.output_tokens) == (["Lunch with Oleg"], 0)


def test_again_on_two_days_is_two_more(spoken):
    chat, _ = spoken('add_calendar_entry(title="Lunch with Ana", date="4 March", time="noon")', "All right.")
    chat.request("Lunch with Ana on 4 March at noon")
    chat.request("lunch again tomorrow and Friday")
    chat.correct("Where is the API call?")
    assert [entry["date"] for entry in chat.tools.state()["entries"]] == ["2026-03-04", "2026-03-05", "2026-03-06"]


def test_another_tool_is_the_one_that_the_request_asks_for(spoken):
    chat, _ = spoken(LUNCH, 'change(of="the lunch", time="noon")')
    chat.request("Lunch with Ana on 6 May at noon")
    chat.request("the lunch can go")
    chat.correct("Wrong API call.")
    assert titles(chat) == []


def test_what_was_wrongly_taken_away_is_back_where_an_earlier_call_is_changed_instead(spoken):
    lunch, dentist = (
        f'add_calendar_entry(title="{title}", date="Friday", time="{time}")'
        for title, time in (("Lunch", "noon"), ("Dentist", "10 am"))
    )
    chat, _ = spoken(f"{lunch}\n{dentist}", 'remove_calendar_entry(entry="Lunch")')
    chat.request("Lunch on Friday at noon and the dentist at 10 am")
    chat.request("The dentist has to go to Monday")
    chat.correct("Wrong API call.")
    entries = chat.tools.state()["entries"]
    assert {entry["title"]: entry["date"] for entry in entries} == {"Lunch": "2026-03-06", "Dentist": "2026-03-09"}


def test_the_same_call_twice_becomes_one(spoken):
    chat, _ = spoken(LUNCH + "\n" + LUNCH)
    chat.request("Lunch with Ana on 6 May at noon")
    chat.correct("You made the same call twice.")
    assert titles(chat) == ["Lunch with Ana"]


def test_of_two_calls_the_one_that_was_not_asked_for_goes(spoken):
    second = 'add_calendar_entry(title="Dentist", date="7 May", time="noon")'
    chat, _ = spoken(LUNCH + "\n" + second)
    chat.request("Lunch with Ana on 6 May at noon")
    chat.correct("You made a call I didn't ask for.")
    assert titles(chat) == ["Lunch with Ana"]


class Desk(Toolbox):
    """Letters that are sent or kept."""

    quick = True

    def __init__(self):
        self.done = []

    @tool(undo="take_back")
    def send(self, to: str):
        """Send a letter."""
        self.done.append(f"send {to}")

    @tool(undo="take_back")
    def file(self, to: str):
        """Keep a letter."""
        self.done.append(f"file {to}")

    def take_back(self, _value):
        """Undo the last."""
        self.done.pop()


def test_a_tool_that_is_asked_for_by_its_name_is_all_that_is_left_to_a_model():
    rules = []

    class Heard(Scripted):
        async def reply(self, request, *, on_delta=None):
            rules.append(str(request.constraint) if request.constraint else "")
            return await super().reply(request, on_delta=on_delta)

    box = Desk()
    chat = Session(Heard(['send(to="Ana")', 'file(to="Ana")']), box, Spoken())
    chat.request("The letter from Ana")
    chat.correct("No, file it under Ana.")
    assert box.done == ["file Ana"]
    assert ("send(" in rules[1], "file(" in rules[1]) == (False, True)
