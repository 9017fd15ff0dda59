"""The strategy `auto`: what is known decides, mistakes climb, and every choice is told."""

from __future__ import annotations

import pytest

from toolmend.messages import Call, Reply
from toolmend.strategies.auto import Auto, Known
from toolmend.strategies.strategy import About

ROWS = (
    Known("ollama/qwen2.5", "cave", "oneline", 0.40, 300),
    Known("ollama/qwen2.5", "cave", "freyr", 0.79, 900),
    Known("ollama/qwen2.5", "cave", "native", 0.80, 2_000),
    Known("ollama/qwen2.5", "cave", "react", 0.60, 3_000),
    Known("ollama/qwen2.5", "shop", "native", 0.90, 2_000),
    Known("ollama/gemma2", "cave", "react", 0.90, 1_000),
)


def picked(corrections=0, rows=ROWS, model="ollama/qwen2.5", toolbox="cave", calls_tools=True, trained=False):
    strategy, why = Auto(rows=rows).choose(About(model, toolbox, calls_tools, trained, corrections))
    return strategy.name, why


def test_of_the_good_ones_the_cheapest_is_taken():
    assert picked() == ("freyr", "79% done at a cost of 900 with this model on cave")


def test_a_mistake_climbs_to_a_costlier_one():
    assert [picked(corrections=number)[0] for number in range(5)] == ["freyr", "native", "react", "react", "react"]
    assert picked(1)[1] == "after 1 correction; at first freyr: 79% done at a cost of 900 with this model on cave"
    assert picked(3)[1].startswith("after 3 corrections, the costliest there is; at first freyr")


def test_a_strategy_that_the_model_cannot_play_is_left_out():
    assert [picked(corrections=number, calls_tools=False)[0] for number in range(2)] == ["freyr", "react"]


def test_options_in_the_name_of_a_model_do_not_count():
    assert picked(model="ollama/qwen2.5?num_ctx=8192")[0] == "freyr"


def test_unless_rows_have_that_very_name():
    rows = (*ROWS, Known("ollama/qwen2.5?think=true", "cave", "react", 0.5, 1))
    assert picked(model="ollama/qwen2.5?think=true", rows=rows)[0] == "react"


def test_what_is_known_of_other_toolboxes_is_better_than_nothing():
    assert picked(toolbox="harbour") == ("native", "85% done at a cost of 2,000 with this model on other toolboxes")


def test_rows_of_strategies_that_are_gone_are_left_out():
    rows = (Known("ollama/qwen2.5", "cave", "telepathy", 1.0, 1), Known("ollama/qwen2.5", "cave", "auto", 1.0, 1))
    assert picked(rows=(*rows, *ROWS))[0] == "freyr"
    assert picked(rows=rows) == ("native", "nothing is known of this model; it calls tools itself")


@pytest.mark.parametrize(
    ("calls_tools", "trained", "names"),
    [(True, False, ["native", "freyr", "react"]), (False, False, ["freyr", "react"]), (False, True, ["oneline"])],
)
def test_with_nothing_known_it_is_by_what_the_model_can_do(calls_tools, trained, names):
    found = [picked(number, (), "openai/new", "cave", calls_tools, trained)[0] for number in range(len(names))]
    assert found == names


def test_a_strategy_with_options_may_be_in_the_table():
    assert picked(rows=(Known("ollama/qwen2.5", "cave", "freyr?retries=1", 1.0, 1),))[0] == "freyr?retries=1"


def test_it_plays_what_it_picked_and_says_so(play):
    chat = play(
        Auto(), Reply("", (Call("add_monster", {"name": "bat"}),)), "A bat.", "add_monster", "- name: rat", "A rat."
    )
    assert str(chat.request("Add a bat")) == "A bat."
    chat.correct("A rat, I said")
    assert (chat.tools.state(), chat.roles_asked) == ({"rat": 5}, ["main", "main", "intent", "params", "summary"])
    assert chat.flags == [
        ("auto", "native: nothing is known of this model; it calls tools itself"),
        ("auto", "freyr: after 1 correction; at first native: nothing is known of this model; it calls tools itself"),
    ]


def test_the_embedded_models_are_asked_for_one_line():
    from toolmend.session import Session

    events = []
    chat = Session("builtin/small", "calendar", "auto", sink=events.append)
    chat.request("Lunch with Ada on 3 May 2024 at noon")
    assert events[1].detail == "oneline: the model was trained for this toolbox and one line"


def test_another_table_is_another_strategy():
    assert len({Auto().prompt_hash, Auto(rows=ROWS).prompt_hash, Auto(rows=ROWS[:1]).prompt_hash}) == 3
    assert Auto(rows=ROWS).prompt_hash == Auto(rows=ROWS[::-1]).prompt_hash


def test_a_model_that_is_made_for_words_is_asked_for_words():
    about = About("smol/calendar", "calendar", False, True, 0, "spoken")
    strategy, why = Auto().choose(about)
    assert (strategy.name, why) == ("spoken", "the model was trained for this toolbox and the words that were said")
    elsewhere, why = Auto().choose(About("gguf/mine", "cave", True, False, 0, "spoken"))
    assert (elsewhere.name, why) == ("spoken", "the model was trained for the words that were said")
