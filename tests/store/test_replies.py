"""From events to flat rows, one property each."""

from __future__ import annotations

from typing import Any

from toolmend.events import Asked, Corrected, Event, Marked, Replied
from toolmend.messages import Usage
from toolmend.mistakes import Correction, Kind, Mark, Mistake
from toolmend.store.replies import COLUMNS, derive

CHATTER = Mistake(Kind.CHATTER)


def columns(events: tuple[Event, ...], *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in names) for row in derive(events)]


def test_every_row_has_every_column() -> None:
    events = (Asked(0, "x"), Replied(0, "a"), Marked(1, ()))
    assert [set(row) for row in derive(events)] == [set(COLUMNS)] * 2


def test_nothing_happened() -> None:
    assert derive(()) == []


def test_a_reply_has_its_text_role_and_cost() -> None:
    events = (Replied(0, "f()", role="plan", usage=Usage(10, 2, 0.5)),)
    names = ("turn", "role", "text", "input_tokens", "output_tokens", "seconds")
    assert columns(events, *names) == [(0, "plan", "f()", 10, 2, 0.5)]


def test_marks_and_mistakes_are_lists_of_words() -> None:
    wrong = Mistake(Kind.WRONG_VALUE, "time")
    events = (Replied(0, "x"), Marked(0, (Mark.FIXED, Mark.MISTAKE), (wrong, CHATTER), valid_call=False))
    assert columns(events, "marks", "mistakes", "valid_call") == [
        ('["fixed","mistake"]', '["wrong_value(time)","chatter"]', False)
    ]


def test_an_unmarked_reply_says_nothing_about_its_call() -> None:
    assert columns((Replied(0, "x"),), "marks", "mistakes", "valid_call") == [("[]", "[]", None)]


def test_the_last_marks_of_a_turn_count() -> None:
    events = (Replied(0, "x"), Marked(0, (Mark.MISTAKE,)), Replied(1, "y"), Marked(0, (Mark.RECURRING,)))
    assert columns(events, "turn", "marks") == [(0, '["recurring"]'), (1, "[]")]


def test_marks_stand_on_the_last_reply_of_a_turn() -> None:
    events = (Replied(0, "x", role="plan"), Replied(0, "y", role="act"), Marked(0, (Mark.CORRECT,)))
    assert columns(events, "position", "role", "marks") == [(0, "plan", "[]"), (1, "act", '["correct"]')]


def test_a_turn_marked_without_a_reply_has_a_row_without_a_role() -> None:
    events = (Asked(0, "x"), Marked(0, (Mark.GARBAGE,)), Asked(1, "y", amends=0), Replied(1, "z"))
    assert columns(events, "turn", "role", "marks") == [(0, "", '["garbage"]'), (1, "main", "[]")]


def test_requests_open_steps_and_corrections_belong_to_them() -> None:
    events = (
        *(Asked(0, "a"), Replied(0, "x")),
        *(Asked(1, "no", amends=0), Replied(1, "x")),
        *(Asked(2, "no", amends=1), Replied(2, "x")),
        *(Asked(3, "b"), Replied(3, "x")),
        *(Asked(4, "no, the first", amends=0), Replied(4, "x")),
        *(Asked(5, "c"), Replied(5, "x")),
    )
    assert columns(events, "turn", "step", "amends") == [
        (0, 0, None),
        (1, 0, 0),
        (2, 0, 1),
        (3, 1, None),
        (4, 0, 0),
        (5, 2, None),
    ]


def test_a_correction_gives_its_turn_level_name_and_target_whether_or_not_it_was_also_asked() -> None:
    given = Corrected(1, Correction("The time is wrong.", 2, Mistake(Kind.WRONG_VALUE, "time")), amends=0)
    start = (Asked(0, "a"), Replied(0, "x"))
    expected = [(0, None, None, ""), (0, 0, 2, "wrong_value(time)")]
    for middle in ((given,), (Asked(1, "The time is wrong."), given), (given, Asked(1, "The time is wrong."))):
        assert columns((*start, *middle, Replied(1, "y")), "step", "amends", "level", "named") == expected


def test_a_persons_correction_has_no_level_and_names_nothing() -> None:
    events = (Replied(0, "x"), Corrected(1, Correction("Hm."), amends=0), Replied(1, "y"))
    assert columns(events, "amends", "level", "named") == [(None, None, ""), (0, None, "")]


def test_level_nought_is_a_level() -> None:
    events = (Corrected(1, Correction("Try again.", 0), amends=0), Replied(1, "y"))
    assert columns(events, "level") == [(0,)]


def test_a_correction_of_a_turn_nobody_saw_stays_in_the_open_step() -> None:
    events = (Asked(0, "a"), Replied(0, "x"), Asked(5, "no", amends=3), Replied(5, "y"))
    assert columns(events, "turn", "step") == [(0, 0), (5, 0)]
