"""A day of something new counts from today, unless a word points at the day that was spoken of."""

from __future__ import annotations

import datetime as dt

import pytest

from toolmend.base.messages import Call
from toolmend.language.resolve.background import Background, Computed
from toolmend.language.resolve.calls import compute
from toolmend.language.resolve.counted import COUNTED
from toolmend.reading.spoken import read_spoken
from toolmend.tools.toolboxes import Calendar

ADD = "action.add_calendar_entry"
SPECS = Calendar().specs
SATURDAY = dt.datetime(2026, 11, 28, 10)


def computed(date: str, before: str, sentence: str = "", verb: str = "add_calendar_entry", **more: object) -> Computed:
    """`date` said of something new on Saturday, 28 November 2026, after an entry on the day `before`."""
    title = "" if verb == "again" else 'title="Dentist", '
    last = Call(ADD, {"title": "Lunch", "date": before, "time": "12:00"}, "c1")
    text = sentence or f"Dentist on {date} at 9 am"
    given = {"now": SATURDAY, "hours": "07-19", "text": text, "before": "Lunch then", **more}
    lines = read_spoken(f'{verb}({title}date="{date}", time="9 am")', SPECS).lines
    return compute(lines, SPECS, Background((last,), **given))  # type: ignore[arg-type]


def day(result: Computed) -> str:
    assert result.question is None, result.question
    return str(result.calls[0].arguments["date"])


# Made up for this test, after a report: what was said before, the words, the day that is due.
FROM_TODAY = [
    ("2026-12-04", "Tuesday", "2026-12-01"),
    ("2026-12-12", "Thursday", "2026-12-03"),
    ("2026-12-12", "the 10th", "2026-12-10"),
    ("2026-12-12", "the 1st", "2026-12-01"),
    ("2026-12-25", "Wednesday", "2026-12-02"),
    ("2026-12-07", "next week Friday", "2026-12-04"),
    ("2026-12-18", "Sunday", "2026-11-29"),
    ("2026-12-15", "this Monday", "2026-11-30"),
    ("2026-12-09", "tomorrow", "2026-11-29"),
    ("2026-12-20", "Monday the 7th", "2026-12-07"),
    ("2026-11-20", "Friday", "2026-12-04"),
    ("2027-01-12", "3 December", "2026-12-03"),
    ("2027-01-12", "Christmas Eve", "2026-12-24"),
]


@pytest.mark.parametrize(("before", "words", "due"), FROM_TODAY)
def test_a_day_counts_from_today_whatever_was_said_before(before: str, words: str, due: str) -> None:
    assert day(computed(words, before)) == due


POINTING = [
    ("2026-12-07", "that Friday", "that Friday at 9 am the dentist", "2026-12-11"),
    ("2026-12-04", "the week after", "Dentist the week after", "2026-12-11"),
    ("2026-12-12", "the day before", "Dentist the day before", "2026-12-11"),
    ("2026-12-12", "the following Tuesday", "Dentist the following Tuesday", "2026-12-15"),
    ("2026-12-12", "two days later", "Dentist two days later", "2026-12-14"),
    ("2026-12-12", "the next day", "Dentist the next day", "2026-12-13"),
    ("2026-12-12", "same day", "Dentist same day", "2026-12-12"),
    ("2026-12-12", "the Monday after", "Dentist the Monday after", "2026-12-14"),
    ("2026-12-08", "Thursday", "Dentist on Thursday of that week", "2026-12-10"),
    ("2026-12-08", "a week after that", "Dentist a week after that", "2026-12-15"),
]


@pytest.mark.parametrize(("before", "words", "sentence", "due"), POINTING)
def test_a_word_points_at_the_day_that_was_spoken_of(before: str, words: str, sentence: str, due: str) -> None:
    assert day(computed(words, before, sentence)) == due


EITHER = [
    ("2026-12-04", "Tuesday", "The dentist again on Tuesday", "again"),
    ("2026-12-04", "Tuesday", "Same on Tuesday", "again"),
    ("2026-12-12", "Thursday", "Once more on Thursday, 9 am", "again"),
    ("2026-12-12", "Monday", "Dentist on the Monday at 9 am", "add_calendar_entry"),
]


@pytest.mark.parametrize(("before", "words", "sentence", "verb"), EITHER)
def test_where_both_fit_one_question_names_both(before: str, words: str, sentence: str, verb: str) -> None:
    asked = computed(words, before, sentence, verb).question
    assert asked is not None
    assert (asked.argument, len(asked.candidates)) == ("date", 2)


def test_far_from_today_the_talk_goes_on_where_it_is_and_the_call_says_so() -> None:
    result = computed("the 15th", "2027-08-14")
    assert day(result) == "2027-08-15"
    assert (
        result.calls[0].rules["date"].startswith(f"{COUNTED}Saturday, 14 August 2027; from today it is Tuesday, 15 D")
    )


def test_without_a_clock_there_is_nothing_else_to_count_from() -> None:
    assert day(computed("Tuesday", "2026-12-04", now=None)) == "2026-12-08"
