"""The strategy `auto`: what the model can do decides, mistakes climb, and every choice is told."""

from __future__ import annotations

import pytest

from toolmend.base.messages import Call, Reply
from toolmend.strategies.auto import Auto
from toolmend.strategies.strategy import About


def picked(corrections=0, calls_tools=True, trained=False):
    strategy, why = Auto().choose(About("openai/new", "cave", calls_tools, trained, corrections))
    return strategy.name, why


def test_a_mistake_climbs_to_a_costlier_one():
    assert [picked(number)[0] for number in range(5)] == ["native", "freyr", "react", "react", "react"]
    assert picked(1)[1] == "after 1 correction; at first native: the model calls tools itself"
    assert picked(3)[1].startswith("after 3 corrections, the costliest there is; at first native")


@pytest.mark.parametrize(
    ("calls_tools", "trained", "names"),
    [(True, False, ["native", "freyr", "react"]), (False, False, ["freyr", "react"]), (False, True, ["oneline"])],
)
def test_it_is_by_what_the_model_can_do(calls_tools, trained, names):
    found = [picked(number, calls_tools, trained)[0] for number in range(len(names))]
    assert found == names


def test_it_plays_what_it_picked_and_says_so(play):
    chat = play(
        Auto(), Reply("", (Call("add_monster", {"name": "bat"}),)), "A bat.", "add_monster", "- name: rat", "A rat."
    )
    assert str(chat.request("Add a bat")) == "A bat."
    chat.correct("A rat, I said")
    assert (chat.tools.state(), chat.roles_asked) == ({"rat": 5}, ["main", "main", "intent", "params", "summary"])
    assert chat.flags == [
        ("auto", "native: the model calls tools itself"),
        ("auto", "freyr: after 1 correction; at first native: the model calls tools itself"),
    ]


def test_the_embedded_models_are_asked_for_one_line():
    from toolmend.session import Session

    events = []
    chat = Session("builtin/small", "calendar", "auto", sink=events.append)
    chat.request("Lunch with Ada on 3 May 2024 at noon")
    assert events[1].detail == "oneline: the model was trained for this toolbox and one line"


def test_a_model_that_is_made_for_words_is_asked_for_words():
    about = About("smol/calendar", "calendar", False, True, 0, "spoken")
    strategy, why = Auto().choose(about)
    assert (strategy.name, why) == ("spoken", "the model was trained for this toolbox and the words that were said")
    elsewhere, why = Auto().choose(About("gguf/mine", "cave", True, False, 0, "spoken"))
    assert (elsewhere.name, why) == ("spoken", "the model was trained for the words that were said")
