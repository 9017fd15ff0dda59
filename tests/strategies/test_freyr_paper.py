"""The strategy `freyr_paper`: the published rules, one test each; what raised there ends the turn by name."""

from __future__ import annotations

import pytest

from toolmend.base.messages import Message, ToolSpec
from toolmend.strategies.freyr_paper import FreyrPaper, _Raised, values

ENEMY = ToolSpec(
    "add_enemy",
    parameters={
        "properties": {"name": {"type": "string"}, "hp": {"type": "integer"}, "dodge": {"type": "number"}, "any": {}}
    },
)


def test_the_four_modules(play):
    chat = play("freyr_paper", "add_monster", "- name: bat\n- hp: 7", "There is a bat.")
    answer = chat.request("Add a bat")
    assert (str(answer), chat.tools.state()) == ("There is a bat.", {"bat": 7})
    assert chat.roles_asked == ["intent", "params", "summary"]
    assert chat.asked(0)[1:] == (Message("user", "Designer: Add a bat"),)
    assert "'conversation (msg)': 'the designer only talks to you'" in chat.asked(0)[0].content
    assert "{'name': 'what it is called', 'hp': 'its health points, 1 to 20'}" in chat.asked(1)[0].content
    assert chat.asked(2)[1:] == (Message("user", "bat is there now."),)
    assert "The state after them:\nbat (7 hp)" in chat.asked(2)[0].content


def test_only_the_first_intent_can_be_talk(play):
    chat = play("freyr_paper", "conversation, clear", "Hello!")
    assert (str(chat.request("Hello")), chat.roles_asked) == ("Hello!", ["intent", "chat"])
    chat = play("freyr_paper", "add_monster, conversation", "- name: bat", "Done.")
    chat.request("…")
    assert chat.roles_asked == ["intent", "params", "summary"]


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("", "no intent in the reply"),
        (" , ,", "no intent in the reply"),
        (", ".join(["clear"] * 11), "11 intents, more than 10"),
        ("Clear", "there is no operation 'Clear'"),
        ("clear\nadd_monster", "there is no operation 'clear\\nadd_monster'"),
        ("- clear", "there is no operation '- clear'"),
        ("conversation (msg)", "there is no operation 'conversation (msg)'"),
    ],
)
def test_what_raised_ends_the_turn_by_name(play, reply, why):
    chat = play("freyr_paper", reply)
    answer = chat.request("…")
    assert (chat.flags, str(answer), chat.roles_asked) == ([("as_published", why)], "", ["intent"])


def test_only_the_text_before_the_first_blank_line_counts(play):
    chat = play("freyr_paper", "add_monster\n\nclear", "- name: bat\n\n- hp: 7", "Done.")
    chat.request("…")
    assert chat.tools.state() == {"bat": 5}


def test_what_was_done_before_an_intent_that_raises_stays(play):
    chat = play("freyr_paper", "add_monster, fly", "- name: bat")
    chat.request("…")
    assert (chat.tools.state(), chat.flags) == ({"bat": 5}, [("as_published", "there is no operation 'fly'")])


def test_a_refusal_is_tried_three_more_times_and_ends_what_follows(play):
    chat = play("freyr_paper", "add_monster, clear", *["- name: bat\n- hp: 99"] * 4, "Nothing.")
    answer = chat.request("…")
    assert [result.ok for result in answer.results] == [False]  # the same values are not run again
    assert [message.role for message in chat.asked(4)] == ["system", "user", "user", "user", "user"]
    assert chat.asked(2)[-1].content == (
        "The operation failed: hp must be 1 to 20, got 99\nIts values were: {'name': 'bat', 'hp': 99}\n"
        "Write the list again with other values, or write OpError if it cannot be carried out."
    )
    assert chat.asked(5)[-1].content == "End of retries for add_monster: hp must be 1 to 20, got 99"


def test_a_missing_argument_is_tried_again(play):
    chat = play("freyr_paper", "add_monster", "- hp: 7", "- name: bat", "Done.")
    chat.request("…")
    assert chat.tools.state() == {"bat": 5}


def test_the_escape_word_drops_one_operation(play):
    chat = play("freyr_paper", "add_monster, clear", "- name: bat\n- hp: 99", "OpError", "", "Done.")
    chat.tools.monsters = {"rat": 1}
    chat.request("…")
    assert (chat.tools.state(), chat.asked(4)[-1].content) == (
        {},
        "add_monster could not be carried out.; All are gone.",
    )


def test_every_other_error_counts_as_done(play):
    chat = play("freyr_paper", "remove_monster", "- name: 5", "Done.")
    chat.tools.remove_monster = None
    chat.request("…")
    assert chat.roles_asked[-1] == "summary"


def test_earlier_talk_is_forgotten_after_a_turn_that_made_calls(play):
    chat = play(
        "freyr_paper", "conversation", "Hello!", "clear", "", "Gone.", "conversation", "Bye!", "conversation", "…"
    )
    chat.tools.monsters = {"rat": 1}
    for said in ("Hello", "Clear", "Thanks"):
        chat.request(said)
    assert [message.content for message in chat.asked(2)[1:]] == [
        "Designer: Hello",
        "Colleague: Hello!",
        "Designer: Clear",
    ]
    assert [message.content for message in chat.asked(5)[1:]] == ["Designer: Thanks"]
    assert {message.role for message in chat.asked(2)[1:]} == {"user"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- name: Goblin\n- hp: 5\n- dodge: 0.5", {"name": "Goblin", "hp": 5, "dodge": 0.5}),
        ('name: Fred\'s "party" at 17:00', {"name": "Freds party at 1700"}),
        ("- na-me: x", {"name": "x"}),
        ("- hp: -1\n- dodge: 2.", {"hp": -1, "dodge": 2.0}),
        ("- name: None\n- hp: N/A\n- dodge: null\n- any: None", {"name": "", "hp": 0, "dodge": 0.0, "any": ""}),
        ("- name:\n- hp:", {"name": "", "hp": 0}),
        ("- name: a\n- name: b", {"name": "b"}),
        ("", {}),
    ],
)
def test_values(text, expected):
    assert values(text, ENEMY) == expected


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Here you are\n- name: x", "a line of values without ':': 'Here you are'"),
        ("- Name: x", "add_enemy has no parameter 'Name'"),
        ("- **name**: x", r"add_enemy has no parameter '\*\*name\*\*'"),
        ("- hp: 50 HP", "hp is no number: '50 HP'"),
        ("- hp: 1,000", "hp is no number: '1,000'"),
        ("- hp: 007", "hp is no number: '007'"),
        ("- hp: ٣", "hp is no number: '٣'"),
        (f"- hp: {'9' * 9_000}", "hp is no number"),
    ],
)
def test_values_that_raised(text, why):
    with pytest.raises(_Raised, match=why):
        values(text, ENEMY)


def test_it_says_what_it_is():
    assert (FreyrPaper.name, FreyrPaper.bare, len(FreyrPaper().prompt_hash)) == ("freyr_paper", False, 12)
