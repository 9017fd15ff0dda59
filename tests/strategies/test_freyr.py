"""The strategy `freyr`: intents, values one by one, a summary that tells failures."""

from __future__ import annotations

import pytest

from toolmend.base.errors import BadOption
from toolmend.base.messages import Message, Reply
from toolmend.models.scripted import Scripted
from toolmend.strategies.freyr import Freyr
from toolmend.tools import Toolbox, tool


def system(chat, number):
    return chat.asked(number)[0].content


def test_intents_values_and_a_summary(play):
    chat = play("freyr", "add_monster", "- name: bat\n- hp: 7", "A bat is there.")
    answer = chat.request("Add a bat of 7 hp")
    assert (str(answer), chat.tools.state()) == ("A bat is there.", {"bat": 7})
    assert chat.roles_asked == ["intent", "params", "summary"]
    assert [message.role for message in chat.asked(0)] == ["system", "user"]


def test_the_prompts_are_short_and_say_what_is_needed(play):
    chat = play("freyr", "add_monster", "- name: bat", "Done.")
    chat.request("Add a bat")
    assert (
        "- add_monster: Add a monster\n- remove_monster: Remove a monster\n- clear: Remove all monsters\n- talk: "
        in system(chat, 0)
    )
    assert "health points" not in system(chat, 0)
    assert "- name: what it is called\n- hp (whole number; 5 if left out): its health points" in system(chat, 1)
    assert "The current state:\nan empty cave" in system(chat, 1)
    assert system(chat, 2).endswith("that and why.\n\n- add_monster: bat is there now.")
    assert ["an empty cave" in system(chat, number) for number in range(3)] == [False, True, False]


def test_what_changes_from_talk_to_talk_stands_at_the_end_of_a_prompt(play):
    chat = play("freyr", "add_monster", "- name: bat", "Done.", "add_monster", "- name: rat", "Done.")
    chat.request("Add a bat")
    chat.request("Add a rat")
    assert system(chat, 0) == system(chat, 3)
    assert system(chat, 1).partition("The current state:")[0] == system(chat, 4).partition("The current state:")[0]


def test_where_the_form_lets_one_list_through_the_intents_are_shown_the_state(play):
    chat = play("freyr?structured=true", "add_monster", "- name: bat", "Done.")
    chat.request("Add a bat")
    assert "The current state:\nan empty cave" in system(chat, 0)
    assert "such a list for each" not in system(chat, 1)


def test_talk_is_answered_by_the_chat_role_and_nothing_is_called(play):
    chat = play("freyr", "talk", "Hello!")
    answer = chat.request("Hello")
    assert (str(answer), chat.roles_asked, answer.calls) == ("Hello!", ["intent", "chat"], ())
    assert answer.reading.problem == "no_call"


def test_every_role_may_have_a_model_of_its_own(play):
    roles = {
        name: Scripted([text], f"scripted/{name}") for name, text in {"intent": "clear", "summary": "Gone."}.items()
    }
    chat = play("freyr", "never asked", roles=roles)
    chat.tools.monsters = {"bat": 1}
    assert str(chat.request("Clear")) == "Gone."
    assert (chat.model.requests, chat.roles_asked) == ([], ["intent", "summary"])


def test_a_role_that_there_is_not_is_refused(play):
    with pytest.raises(
        BadOption, match="strategy 'freyr' asks in no role 'intnet'; its roles: intent, params, summary"
    ):
        play("freyr", "x", roles={"intnet": Scripted(["x"])})


def test_a_repeated_intent_is_told_which_one_it_is_and_what_was_done(play):
    chat = play("freyr", "add_monster, add_monster", "- name: bat", "- name: rat", "Done.")
    chat.request("Add two monsters")
    assert "It is needed 2 times for this message. This is number 1: " in system(chat, 1)
    assert "This is number 2: " in system(chat, 2)
    assert "Already done for this message:\n- add_monster: bat is there now." in system(chat, 2)
    assert chat.tools.state() == {"bat": 5, "rat": 5}


def test_where_all_repeated_values_come_at_once_each_takes_its_own(play):
    both = "- name: bat\n- hp: 1\n- name: rat\n- hp: 2"
    chat = play("freyr", "add_monster x2", both, both, "Done.")
    chat.request("Add two monsters")
    assert chat.tools.state() == {"bat": 1, "rat": 2}
    assert chat.reads[0].leniencies == ("times", "several")


def test_several_lists_for_one_intent_are_several_calls(play):
    both = "- name: bat\n- hp: 1\n\n- name: rat\n- hp: 2\n\n- name: bat\n- hp: 1"
    chat = play("freyr", "add_monster", both, "Done.")
    chat.request("Add two monsters")
    assert chat.tools.state() == {"bat": 1, "rat": 2}
    assert chat.roles_asked == ["intent", "params", "summary"]


def test_of_several_lists_the_one_that_fails_is_asked_for_again(play):
    chat = play("freyr", "add_monster", "- name: bat\n- hp: 99\n- name: rat\n- hp: 2", "- name: bat", "Done.")
    chat.request("Add two monsters")
    assert chat.tools.state() == {"bat": 5, "rat": 2}
    assert chat.asked(2)[-1].content.startswith("Error: hp must be 1 to 20, got 99\n")
    assert "It is needed 2 times for this message. This is number 1: " in system(chat, 2)


def test_too_many_lists_are_cut_by_name(play):
    chat = play("freyr?most=1", "add_monster", "- name: bat\n- hp: 1\n- name: rat\n- hp: 2", "Only one.")
    chat.request("Add two monsters")
    assert chat.flags == [("too_many_intents", "2 times add_monster, of which the first 1 are done")]
    assert chat.tools.state() == {"bat": 1}


def test_a_refusal_is_fed_back_and_mended(play):
    chat = play("freyr", "add_monster", "- name: bat\n- hp: 99", "- name: bat\n- hp: 9", "Done.")
    answer = chat.request("Add a bat")
    assert chat.asked(2)[-2:] == (
        Message("assistant", "- name: bat\n- hp: 99"),
        Message(
            "user",
            "Error: hp must be 1 to 20, got 99\n"
            "Write the whole list again with this put right, or SKIP to leave it out.",
        ),
    )
    assert ([result.ok for result in answer.results], chat.tools.state()) == ([False, True], {"bat": 9})


def test_values_that_cannot_be_read_are_fed_back(play):
    chat = play("freyr", "add_monster", "I would call it bat.", "", "- name: bat", "Done.")
    chat.request("Add a bat")
    assert [chat.asked(n)[-1].content.split("\n")[0] for n in (2, 3)] == [
        "Error: no values could be read",
        "Error: the reply was empty",
    ]
    assert [read.problem for read in chat.reads] == ["no_call", "no_call", None]


def test_each_class_of_error_has_its_own_retries_and_their_end_is_told(play):
    wrong = ["- name: bat\n- hp: 99", "- nome: bat", "- name: bat\n- hp: 98"]
    chat = play("freyr?retries=1", "add_monster", *wrong, "All fine!")
    answer = chat.request("Add a bat")
    assert chat.flags == [("retries_spent", "refused: hp must be 1 to 20, got 98")]
    assert str(answer) == "All fine!\nNot done: add_monster (hp must be 1 to 20, got 98)."


def test_values_that_were_refused_are_not_tried_again_until_the_world_has_changed(play):
    bat, rat = "- name: bat\n- hp: 99", "- name: rat"
    chat = play("freyr?retries=1&summary=none", "add_monster x3", bat, bat, bat, rat, bat, "SKIP")
    chat.request("Three monsters")
    assert [call.arguments["name"] for call in chat.answers[0].calls] == ["bat", "rat", "bat"]
    assert chat.asked(2)[-1].content.startswith("Error: hp must be 1 to 20, got 99\n")
    assert chat.asked(3)[-1].content.startswith("Error: these very values failed before: hp must be 1 to 20, got 99\n")
    assert (chat.answers[0].stopped, chat.flags) == (
        "",
        [("retries_spent", "repeated: these very values failed before: hp must be 1 to 20, got 99")],
    )


def test_the_model_may_leave_an_intent_out(play):
    chat = play("freyr", "add_monster, clear", "SKIP.", "I could not add it.")
    chat.tools.monsters = {"bat": 1}
    chat.request("Add something and clear")
    assert (chat.tools.state(), chat.roles_asked) == ({}, ["intent", "params", "summary"])
    assert "- add_monster (left out): not done" in system(chat, 2)


def test_a_tool_without_parameters_is_called_without_asking_and_once(play):
    chat = play("freyr", "clear", "It was empty already, so nothing was done; it did not work.")
    chat.request("Clear")
    assert (chat.roles_asked, len(chat.answers[0].calls)) == (["intent", "summary"], 1)
    assert chat.flags == [("retries_spent", "refused: the cave is empty already")]


def test_unknown_intents_are_asked_about_again(play):
    chat = play("freyr", "add_dragon", "add_monster", "- name: dragon", "Done.")
    chat.request("Add a dragon")
    assert chat.asked(1)[-1].content == (
        "Error: there is no operation 'add_dragon'. Write only names from the list, or talk."
    )
    assert chat.tools.state() == {"dragon": 5}


def test_intents_that_stay_unknown_are_told_and_the_known_ones_are_done(play):
    chat = play("freyr?retries=0", "add_dragon, clear", "Done, but for the dragon, which I can't.")
    chat.tools.monsters = {"bat": 1}
    chat.request("Clear and add a dragon")
    assert (chat.tools.state(), chat.flags) == (
        {},
        [("retries_spent", "unknown_tool: there is no operation 'add_dragon'")],
    )


def test_without_any_intent_that_can_be_read_it_talks_and_says_so(play):
    chat = play("freyr?retries=1", "I would rather not say which of them.", "", "What shall I do?")
    assert str(chat.request("…")) == "What shall I do?"
    assert (chat.roles_asked, chat.flags) == (
        ["intent", "intent", "chat"],
        [("retries_spent", "unreadable: no operation could be read")],
    )


def test_too_many_intents_are_cut_by_name(play):
    chat = play(
        "freyr?most=2", "clear, add_monster, add_monster, add_monster", "- name: bat", "Only some; not the rest."
    )
    chat.tools.monsters = {"rat": 1}
    chat.request("…")
    assert chat.flags == [("too_many_intents", "4, of which the first 2 are done")]
    assert chat.tools.state() == {"bat": 5}


@pytest.mark.parametrize(
    ("summary", "added"),
    [
        ("A bat is there. I couldn't add the rat.", False),
        ("A bat is there; the rat failed.", False),
        ("Unfortunately there is one only.", False),
        ("A bat is there. Notice its wings, they are noteworthy!", True),
        ("Nothing to complain about.", True),
        ("All was added without any error.", True),
    ],
)
def test_a_summary_must_tell_failures(play, summary, added):
    chat = play("freyr", "add_monster, add_monster", "- name: bat", "SKIP", summary)
    text = str(chat.request("A bat and a rat"))
    assert text == (f"{summary}\nNot done: add_monster (left out)." if added else summary)


def test_what_a_tool_found_is_told_to_the_summary_and_to_the_next_operation(play):
    @tool(effect="read")
    def find(text: str) -> list[str]:
        """Find."""
        return ["Ada", "Mei"]

    def greet(name: str) -> None:
        """Greet."""

    chat = play("freyr", "find, greet", "- text: a", "- name: Ada", "Done.", tools=Toolbox.of(find, greet))
    chat.request("Greet whom you find")
    assert 'Already done for this message:\n- find: ["Ada", "Mei"]' in system(chat, 2)
    assert '- find: ["Ada", "Mei"]\n- greet (name: Ada): done' in system(chat, 3)


def test_an_empty_summary_is_replaced(play):
    chat = play("freyr", "add_monster", "- name: bat", "")
    assert str(chat.request("…")) == "Done: add_monster."


@pytest.mark.parametrize(("way", "text"), [("template", "Done: add_monster."), ("none", "")])
def test_a_summary_need_not_be_asked_for(play, way, text):
    chat = play(f"freyr?summary={way}", "add_monster", "- name: bat")
    assert (str(chat.request("…")), chat.roles_asked) == (text, ["intent", "params"])


def test_reasons_are_asked_for_and_told(play):
    chat = play("freyr?explain=true", "add_monster: the user wants a bat\nclear", "- name: bat", "Done.")
    chat.request("…")
    assert "its name, a colon, and why" in system(chat, 0)
    assert chat.flags == [("intent", "add_monster: the user wants a bat"), ("intent", "clear: no reason given")]


def test_how_intents_were_read_is_recorded(play):
    chat = play("freyr", "1. Add Monster", "- name: bat", "Done.")
    chat.request("…")
    assert chat.reads[0].leniencies == ("list", "names")


def test_later_turns_hear_what_was_done_and_what_was_undone(play):
    chat = play("freyr", "add_monster", "- name: bat", "A bat.", "add_monster", "- name: rat", "A rat.", "talk", "Hi.")
    chat.request("Add a bat")
    chat.correct("No, a rat")
    chat.request("Hi")
    assert [message.content for message in chat.asked(6)[1:]] == [
        "Add a bat",
        "A bat.\n[add_monster (name: bat): failed: undone again, because the user corrects it]",
        "No, a rat",
        "A rat.\n[add_monster (name: rat): done]",
        "Hi",
    ]


def test_a_reply_with_reasoning_is_read(play):
    chat = play("freyr", "<think>clear?</think>add_monster", Reply("<think>hm</think>\nname: bat"), "Done.")
    chat.request("…")
    assert chat.tools.state() == {"bat": 5}


def test_it_says_what_it_is():
    assert (Freyr.name, Freyr.bare, len(Freyr().prompt_hash)) == ("freyr", False, 12)
