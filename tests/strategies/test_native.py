"""The strategy `native`: the model's own tool calling, with nothing dropped in silence."""

from __future__ import annotations

import pytest

from toolmend.base.errors import BadOption
from toolmend.base.messages import RAW, Call, CallResult, Message, Reply
from toolmend.models.scripted import Scripted
from toolmend.strategies.native import Native


def add(name, **more):
    return Call("add_monster", {"name": name, **more})


def calls(*made):
    return Reply("", tuple(made))


def test_calls_are_run_and_their_results_told_until_there_are_words(play):
    chat = play("native", calls(add("bat")), "There is a bat now.")
    answer = chat.request("Add a bat")
    assert (str(answer), chat.tools.state()) == ("There is a bat now.", {"bat": 5})
    assert chat.asked(1)[-2:] == (
        Message("assistant", "", (Call("add_monster", {"name": "bat"}, "c1"),)),
        Message("tool", "bat is there now.", call_id="c1"),
    )
    assert [spec.name for spec in chat.model.requests[0].tools] == ["add_monster", "remove_monster", "clear"]
    assert chat.asked(0)[0].content.endswith("The current state:\nan empty cave")


def test_parallel_calls_are_all_run_in_order(play):
    chat = play("native", calls(add("bat"), add("rat"), Call("remove_monster", {"name": "bat"})), "Done.")
    assert [result.value for result in chat.request("…").results] == [
        "bat is there now.",
        "rat is there now.",
        "bat is gone.",
    ]
    assert [message.call_id for message in chat.asked(1)[-3:]] == ["c1", "c2", "c3"]


def test_of_parallel_calls_one_may_fail_and_is_told(play):
    chat = play("native", calls(add("bat"), add("bat"), add("rat")), calls(add("cat")), "Done.")
    chat.request("…")
    assert chat.tools.state() == {"bat": 5, "cat": 5, "rat": 5}
    assert chat.asked(1)[-2].content == "Error: there is a bat already; choose another name"


def test_arguments_that_are_no_json_are_called_so(play):
    chat = play("native", calls(Call("add_monster", {RAW: '{"name": "bat"'})), calls(add("bat")), "Done.")
    answer = chat.request("Add a bat")
    assert answer.results[0] == CallResult(
        "c1", error='the arguments are no JSON object: \'{"name": "bat"\'', fault="arguments"
    )
    assert chat.asked(1)[-1].content.startswith("Error: the arguments are no JSON object")
    assert chat.tools.state() == {"bat": 5}


def test_an_unknown_tool_is_told_with_what_is_near(play):
    chat = play("native", calls(Call("add_monsters", {"name": "bat"})), calls(add("bat")), "Done.")
    chat.request("Add a bat")
    assert chat.asked(1)[-1].content.startswith("Error: there is no tool 'add_monsters'; nearest: add_monster")
    assert chat.tools.state() == {"bat": 5}


@pytest.mark.parametrize("text", ['{"name": "add_monster", "arguments": {"name": "bat"}}', "add_monster('bat')"])
def test_a_call_that_comes_as_text_is_a_call_and_recorded(play, text):
    chat = play("native", text, "Done.")
    chat.request("Add a bat")
    assert (chat.tools.state(), "as_text" in chat.reads[0].leniencies) == ({"bat": 5}, True)


def test_words_about_a_call_that_was_made_do_not_make_it_again(play):
    chat = play("native", calls(add("bat")), 'I called add_monster(name="rat") for you.')
    chat.request("Add a bat")
    assert chat.tools.state() == {"bat": 5}


def test_a_call_as_text_that_is_repeated_in_the_last_words_is_not_made_again(play):
    chat = play("native", "clear()", "I called clear() for you.", "never asked")
    chat.tools.monsters = {"bat": 5}
    chat.request("Clear it")
    assert ([result.ok for result in chat.answers[0].results], len(chat.model.requests)) == ([True], 2)


def test_a_broken_call_in_text_is_told_and_tried_again(play):
    chat = play("native", '{"name": "add_monster", "arguments": {"name": 17:00}}', calls(add("bat")), "Done.")
    chat.request("Add a bat")
    assert chat.asked(1)[-1].content.startswith("Error: no call could be read: ")
    assert (chat.reads[0].problem, chat.tools.state()) == ("syntax", {"bat": 5})


def test_an_answer_in_words_ends_the_turn(play):
    chat = play("native", "Which monster?", "never asked")
    answer = chat.request("Add something")
    assert (str(answer), answer.reading.problem, len(chat.model.requests)) == ("Which monster?", "no_call", 1)


def test_an_empty_reply_is_told_and_tried_again(play):
    chat = play("native", Reply("", finish="empty"), calls(add("bat")), "Done.")
    chat.request("Add a bat")
    assert chat.asked(1)[-1].content == "Error: the reply was empty. Call a tool, or answer in words."
    assert chat.tools.state() == {"bat": 5}


def test_a_tool_choice_that_was_ignored_is_told(play):
    ignored = Reply("Sure!", unmet=("tool_choice: required asked, no call given",))
    chat = play("native?retries=1&summary=false", ignored, ignored)
    chat.request("Add a bat")
    assert chat.asked(1)[-1].content == "Error: a tool must be called."
    assert chat.flags == [("retries_spent", "tool_choice: a tool must be called.")]


def test_a_call_that_was_not_to_be_made_is_not_run(play):
    unwanted = Reply("", (add("bat"),), unmet=("tool_choice: none asked, add_monster called",))
    chat = play("native?retries=0", unwanted)
    chat.request("Just talk")
    assert (chat.tools.state(), chat.flags) == ({}, [("retries_spent", "tool_choice: no tool may be called.")])


def test_retries_are_counted_by_class_and_their_end_is_told(play):
    chat = play("native?retries=1", calls(add("bat", hp=99)), calls(Call("fly", {})), calls(add("bat", hp=98)), "never")
    answer = chat.request("Add a bat")
    assert [result.fault for result in answer.results] == ["refused", "unknown_tool", "refused"]
    assert chat.flags == [("retries_spent", "refused: hp must be 1 to 20, got 98")]


def test_without_summary_the_turn_ends_with_the_calls(play):
    chat = play("native?summary=false", calls(add("bat")), "never asked")
    chat.request("Add a bat")
    assert len(chat.model.requests) == 1


def test_the_next_turn_hears_of_calls_as_calls_and_of_what_was_undone(play):
    chat = play("native", calls(add("bat")), "A bat.", calls(add("rat")), "A rat.", "Welcome.")
    chat.request("Add a bat")
    chat.correct("No, a rat")
    chat.request("Thanks")
    said = [(message.role, message.content) for message in chat.asked(4)[1:]]
    assert said == [
        ("user", "Add a bat"),
        ("assistant", ""),
        ("tool", "Error: undone again, because the user corrects it"),
        ("assistant", "A bat."),
        ("user", "No, a rat"),
        ("assistant", ""),
        ("tool", "rat is there now."),
        ("assistant", "A rat."),
        ("user", "Thanks"),
    ]


def test_a_model_that_calls_no_tools_is_refused_at_once():
    from toolmend.models.model import Abilities
    from toolmend.session import Session

    model = Scripted(["x"])
    model.abilities = Abilities()
    with pytest.raises(BadOption, match="does not call tools itself, as strategy 'native' wants"):
        Session(model, "calendar", "native")


def test_it_says_what_it_is():
    assert (Native.name, Native.bare, Native.calls_tools, len(Native().prompt_hash)) == ("native", False, True, 12)
