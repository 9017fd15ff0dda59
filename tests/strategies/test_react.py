"""The strategy `react`: thought, action, observation."""

from __future__ import annotations

import pytest

from toolmend.base.messages import Call, Message
from toolmend.strategies.react import STOP, React, read_step
from toolmend.strategies.strategy import Talk

BAT = 'Thought: a bat\nAction: add_monster\nAction Input: {"name": "bat"}'


def test_actions_are_run_and_observed_until_the_final_answer(play):
    chat = play("react", BAT, "Thought: done\nFinal Answer: A bat is there.")
    answer = chat.request("Add a bat")
    assert (str(answer), chat.tools.state()) == ("A bat is there.", {"bat": 5})
    assert chat.asked(1)[-2:] == (
        Message("assistant", BAT),
        Message("user", "Observation: bat is there now."),
    )
    assert chat.model.requests[0].options.stop == STOP
    assert "add_monster(name, hp=5)  # hp: its health points, 1 to 20  -- Add a monster" in chat.asked(0)[0].content


def test_what_the_model_observes_by_itself_is_cut_off(play):
    made_up = f"{BAT}\nObservation: it is purple\nThought: nice\nFinal Answer: A purple bat."
    chat = play("react", made_up, "Final Answer: A bat.")
    assert str(chat.request("Add a bat")) == "A bat."
    assert chat.asked(1)[-2].content == BAT


def test_the_thought_is_kept_beside_the_call(play):
    chat = play("react", BAT, "Final Answer: Done.")
    chat.request("…")
    assert (chat.reads[0].rest, chat.reads[1].problem) == ("Thought: a bat", "no_call")


def test_an_error_is_an_observation(play):
    wrong = BAT.replace("}", ', "hp": 99}')
    chat = play("react", wrong, BAT, "Final Answer: Done.")
    chat.request("…")
    assert chat.asked(1)[-1].content == "Observation: Error: hp must be 1 to 20, got 99"
    assert chat.tools.state() == {"bat": 5}


def test_an_unknown_tool_is_told_with_what_is_near(play):
    chat = play("react", BAT.replace("add_monster", "add_monsters"), "Final Answer: Sorry.")
    chat.request("…")
    assert chat.asked(1)[-1].content.startswith("Observation: Error: there is no tool 'add_monsters'; nearest: add_mon")


def test_an_input_that_cannot_be_read_is_told(play):
    chat = play("react", "Action: add_monster\nAction Input: {name bat", BAT, "Final Answer: Done.")
    chat.request("…")
    assert chat.asked(1)[-1].content == (
        "Observation: Error: no action could be read: it is no JSON object of the parameters. "
        "Write Action and Action Input, or Final Answer."
    )
    assert (chat.reads[0].problem, chat.tools.state()) == ("syntax", {"bat": 5})


def test_an_empty_reply_is_told(play):
    chat = play("react", "", "Final Answer: Done.")
    chat.request("…")
    assert chat.asked(1)[-1].content.startswith("Observation: Error: the reply was empty. ")


def test_words_without_any_mark_are_the_answer(play):
    chat = play("react", "Which monster do you mean?")
    assert str(chat.request("…")) == "Which monster do you mean?"


def test_the_end_of_the_retries_is_told(play):
    wrong = BAT.replace("}", ', "hp": 99}')
    chat = play("react?retries=1", wrong, wrong, "never asked")
    assert str(chat.request("…")) == "Not done: hp must be 1 to 20, got 99"
    assert chat.flags == [("retries_spent", "refused: hp must be 1 to 20, got 99")]


def test_there_is_a_limit_of_steps(play):
    chat = play("react?steps=2", *(BAT.replace("bat", name) for name in ("bat", "rat", "cat")))
    chat.request("…")
    assert (chat.flags, len(chat.model.requests)) == ([("step_limit", "2 steps")], 2)


@pytest.mark.parametrize(
    ("said", "arguments"),
    [
        ('Action: add_monster\nAction Input: {"name": "bat"}', {"name": "bat"}),
        ('**Action:** `add_monster`\n**Action Input:** {"name": "bat"}', {"name": "bat"}),
        ('Thought 1: so\nAction 1: add_monster\nAction Input 1: {"name": "bat"}', {"name": "bat"}),
        ('Action: add_monster\nAction Input: ```json\n{"name": "bat"}\n```', {"name": "bat"}),
        ("Action: add_monster\nAction Input: {'name': 'bat'}", {"name": "bat"}),
        ("Action: add_monster\nAction Input:\n- name: bat\n- hp: 3", {"name": "bat", "hp": 3}),
        ("Action: add_monster\nAction Input: name: bat", {"name": "bat"}),
        ("Action: add_monster\nAction Input: name='bat', hp=3", {"name": "bat", "hp": 3}),
        ("Action: add_monster('bat', hp=3)", {"name": "bat", "hp": 3}),
        ('Action: add_monster\nAction Input: {"name": "bat"}\nThought: now\nAction: clear', {"name": "bat"}),
        ('Action: add_monster\nAction Input: {"name": "bat"}\nFinal Answer: There.', {"name": "bat"}),
        ('<tool_call>{"name": "add_monster", "arguments": {"name": "bat"}}</tool_call>', {"name": "bat"}),
        ("add_monster('bat')", {"name": "bat"}),
    ],
)
def test_actions_are_read_as_small_models_write_them(play, said, arguments):
    assert read_step(said, play("react", "x").tools.specs).calls == (Call("add_monster", arguments),)


@pytest.mark.parametrize("given", ["", "\nAction Input:", "\nAction Input: {}", "\nAction Input: None"])
def test_an_action_without_parameters_needs_no_input(play, given):
    assert read_step(f"Action: clear{given}", play("react", "x").tools.specs).calls == (Call("clear", {}),)


def test_a_bare_word_is_the_only_parameter(play):
    reading = read_step("Action: remove_monster\nAction Input: bat", play("react", "x").tools.specs)
    assert (reading.calls, reading.leniencies) == ((Call("remove_monster", {"name": "bat"}),), ("plain_input",))


def test_it_says_what_it_is():
    assert (React.name, React.bare, len(React().prompt_hash)) == ("react", False, 12)
    assert React().system_text(Talk((), (), "You are a cave.")).startswith("You are a cave.")
