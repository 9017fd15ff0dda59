"""What a strategy is told of a talk: what was undone is no longer told as done, and what it is about."""

from __future__ import annotations

import pytest

from toolmend.base.errors import BadOption
from toolmend.models.model import Abilities
from toolmend.models.scripted import Scripted
from toolmend.session import Session, ask_once
from toolmend.strategies import About, Talk
from toolmend.tools.toolboxes import Calendar

NOON = 'action.add_calendar_entry("Lunch", date="2024-05-03", time="12:00")'
ONE = 'action.add_calendar_entry("Lunch", date="2024-05-03", time="13:00")'


def results(talk: Talk) -> list[str | None]:
    return [result.error for message in talk.messages for result in message.results]


def test_calls_that_were_undone_are_told_as_undone(talk):
    seen: list[Talk] = []
    chat, _ = talk(NOON, ONE, "Sorry?", "Bye")
    turn = chat.strategy.turn
    chat.strategy.turn = lambda told: seen.append(told) or turn(told)
    chat.request("Lunch at noon")
    chat.correct("At one")
    chat.correct("At two")
    chat.request("Bye")
    undone = "undone again, because the user corrects it"
    assert [results(told) for told in seen] == [[], [undone], [undone, undone], [undone, None]]


def test_what_a_talk_is_about(talk):
    seen: list[About] = []
    chat, _ = talk(NOON, ONE, "x", tools="calendar")
    turn = chat.strategy.turn
    chat.strategy.turn = lambda told: seen.append(told.about) or turn(told)
    chat.request("Lunch at noon")
    chat.correct("At one")
    chat.request("Thanks")
    assert seen == [
        About("scripted/canned", "calendar", True, False, 0),
        About("scripted/canned", "calendar", True, False, 1),
        About("scripted/canned", "calendar", True, False, 1),
    ]


def test_a_role_in_which_words_are_written_may_have_a_model_that_was_trained_for_another_toolbox():
    trained = Scripted(["x"], "scripted/trained")
    trained.abilities = Abilities(toolboxes=("harbour",))
    Session(Scripted(["x"]), "calendar", "freyr", roles={"summary": trained, "chat": trained})
    with pytest.raises(BadOption, match="was trained for the toolbox harbour only"):
        Session(Scripted(["x"]), "calendar", "freyr", roles={"params": trained})


def test_a_toolbox_has_the_name_it_was_loaded_by_or_that_of_its_class(talk):
    assert talk("x", tools="calendar")[0]._talk(None).about.toolbox == "calendar"
    assert talk("x", tools=Calendar())[0]._talk(None).about.toolbox == "calendar"


def test_what_a_strategy_says_before_it_asks_is_passed_over_by_ask_once():
    assert str(ask_once("Hi", model=Scripted(["Hello"]), tools="calendar", strategy="auto")) == "Hello"


def test_a_notebook_shows_what_was_said_and_what_stands(talk):
    chat, _ = talk(NOON, ONE)
    chat.request("Lunch <today>")
    chat.correct("At one")
    shown = chat._repr_html_()
    assert shown.startswith(
        "<table><tr><th>who</th><th>says</th></tr><tr><td>user</td><td>Lunch &lt;today&gt;</td></tr>"
    )
    assert shown.count("<td>stands</td>") == 1 and "13:00" in shown.partition("<td>stands</td>")[2]
