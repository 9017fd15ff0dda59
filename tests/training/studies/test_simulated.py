"""Simulated dialogues as lines of data."""

from __future__ import annotations

from collections.abc import Sequence

from toolmend.training.meaning import Exchange
from toolmend.training.studies.simulated import Simulated, chains

RIGHT, WRONG, WORSE = (f'action.add_calendar_entry("{title}", date="2024-05-03", time="12:00")' for title in "RWX")
TALK = [
    Exchange("Add R.", WRONG, False, "add"),
    Exchange("No, R.", WORSE, False, "fix 2 title"),
    Exchange("R!", RIGHT, True, "fix 3 title"),
    Exchange("Thanks.", "You are welcome.", True, "thanks"),
    Exchange("Add R again.", WRONG, False, "add"),  # nobody complained
    Exchange("Add R.", RIGHT, True, "add"),
]


def dialogue(_number: int, _held_out: bool) -> Sequence[Exchange]:
    return TALK


def test_a_chain_ends_with_the_right_reply() -> None:
    assert list(chains(TALK)) == [(0, 2)]


def test_wrong_replies_of_a_chat_are_not_learned() -> None:
    [chat] = Simulated("System.", dialogue=dialogue).chats(3, 1)
    assert [said.role for said in chat.messages[:3]] == ["system", "user", "assistant"]
    assert [said.learn for said in chat.messages if said.role == "assistant"] == [False, False, True, True, False, True]
    assert chat.id == "simulated 7000000003"


def test_a_complaint_is_a_pair_and_a_sequence() -> None:
    [(pair, hindsight)] = Simulated(dialogue=dialogue).complaints(0, 1)
    assert [said.content for said in pair.messages] == ["Add R."]
    assert (pair.chosen[0].content, pair.rejected[0].content, pair.why) == (RIGHT, WORSE, "R!")
    assert [(each.content, each.quality, each.wrong) for each in hindsight.attempts] == [
        (WRONG, "bad", "No, R."),
        (WORSE, "bad", "R!"),
        (RIGHT, "good", ""),
    ]


def test_native_calls_are_calls() -> None:
    [chat] = Simulated(form="native", dialogue=dialogue).chats(0, 1)
    replies = [said for said in chat.messages if said.role == "assistant"]
    assert [call.arguments["title"] for call in replies[2].calls] == ["R"]
    assert (replies[2].content, replies[3].content, replies[3].calls) == ("", "You are welcome.", ())


def test_so_many_complaints_and_no_more() -> None:
    assert len(list(Simulated().complaints(0, 7))) == 7


def test_a_number_is_always_the_same_line() -> None:
    assert Simulated().chats(5, 1) == Simulated().chats(4, 2)[1:]
    assert Simulated().chats(5, 1, held_out=True) != Simulated().chats(5, 1)
