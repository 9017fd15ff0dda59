"""Samples as talks: which replies count as right, and by whom."""

from __future__ import annotations

from toolmend.base.events import Asked, Event, Finished, Read, Replied, Undone
from toolmend.training.datasets.talks import StoredTalk, talk_id

from .conftest import talk, turn


def rights(talk: StoredTalk) -> list[bool | None]:
    return [each.reply.right for each in talk.turns]


def test_marks_say_what_is_right(lunch: StoredTalk) -> None:
    assert rights(lunch) == [False, True]


def test_branches_are_graded_too(lunch: StoredTalk) -> None:
    assert [(branch.arm, branch.reply.right) for branch in lunch.turns[0].branches] == [
        ("level 1", False),
        ("level 3", True),
    ]


def test_the_calls_of_a_corrected_turn_are_undone(lunch: StoredTalk) -> None:
    assert [each.undone for each in lunch.turns] == [True, False]


def test_without_marks_a_correction_that_stands_is_right() -> None:
    events = [*turn(0, "Add lunch", "13:00"), *turn(1, "At noon", "12:00", amends=0), *turn(2, "Thanks", "12:00")]
    assert rights(talk(events)) == [False, True, None]


def test_without_marks_a_correction_that_was_corrected_is_wrong() -> None:
    events = [*turn(0, "a", "1:00"), *turn(1, "b", "2:00", amends=0), *turn(2, "c", "3:00", amends=1)]
    assert rights(talk(events)) == [False, False, True]


def test_one_marked_turn_makes_a_graded_talk() -> None:
    events = [*turn(0, "a", "1:00", right=True), *turn(1, "b", "2:00", amends=0)]
    assert rights(talk(events)) == [True, None]


def test_a_turn_that_was_taken_back_is_gone() -> None:
    events = [*turn(0, "a", "1:00"), *turn(1, "b", "2:00", amends=0), *turn(1, "c", "3:00")]
    assert [(each.user, each.amends) for each in talk(events).turns] == [("a", None), ("c", None)]


def test_the_last_turn_taken_back_is_gone() -> None:
    events = [*turn(0, "a", "1:00"), *turn(1, "b", "2:00"), Undone(1, ("c1",))]
    assert [each.user for each in talk(events).turns] == ["a"]


def test_a_given_reply_is_learned_by_nobody() -> None:
    events: list[Event] = [Asked(0, "a"), Replied(0, "x", model="given"), *turn(1, "b", "1:00", right=True)]
    assert rights(talk(events)) == [None, True]


def test_what_a_suite_adds_for_a_model_is_left_out() -> None:
    events: list[Event] = [Asked(0, "a Answer with a call.", reminder="Answer with a call."), Replied(0, "x")]
    assert talk(events).turns[0].user == "a"


def test_calls_that_were_said_in_words_are_learned_in_full() -> None:
    events: list[Event] = [Asked(0, "a"), Replied(0, 'change(time="four")'), Read(0, (), told='add("tea", "16:00")')]
    assert talk(events).turns[0].reply.text == 'add("tea", "16:00")'


def test_words_after_calls_are_kept_apart() -> None:
    events = turn(0, "a", "1:00", right=True)
    events += [Replied(0, "It is in."), Read(0, (), problem="no_call")]
    reply = talk(events).turns[0].reply
    assert (len(reply.calls), reply.words, reply.spoken) == (1, "It is in.", False)


def test_a_turn_without_a_reply_is_left_out() -> None:
    assert talk([Asked(0, "a"), Finished("error")]).turns == ()


def test_talks_that_begin_alike_have_one_id() -> None:
    assert talk_id("Add a lunch, on May 3!") == talk_id("add a  Lunch on May 3") == "9c12e7b4423a69ef"
