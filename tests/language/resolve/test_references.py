"""Which of several things words mean."""

from __future__ import annotations

import datetime as dt

import pytest

from toolmend.language.resolve.references import Referred, Undecided, refer, refer_in

NOW = dt.datetime(2025, 6, 1)
THINGS = [
    {"title": "Dentist", "date": "2025-06-03", "time": "08:00", "duration": 60},
    {"title": "Tea with Elsie", "date": "2025-06-08", "time": "15:30"},
    {"title": "Team meeting", "date": "2025-06-10", "time": "09:00"},
    {"title": "Team meeting", "date": "2025-06-12", "time": "15:00"},
]


@pytest.mark.parametrize(
    ("words", "places"),
    [
        ("the dentist", (0,)),
        ("Elsie's tea", (1,)),
        ("the dentst", (0,)),
        ("it", (3,)),
        ("the last one", (3,)),
        ("8 June", (1,)),
        ("June 3rd", (0,)),
        ("the earlier one", (0,)),
        ("the later one", (3,)),
        ("the first one", (0,)),
        ("the second team meeting", (3,)),
        ("the team meeting on the 10th", (2,)),
        ("the meeting at 3 pm", (3,)),
        ("the morning meeting", (2,)),
        ("the one on the tenth", (2,)),
        ("the Thursday one", (3,)),
        ("the sun one", (1,)),
        ("the one on thu", (3,)),
        ("both meetings", (2, 3)),
        ("everything", (0, 1, 2, 3)),
    ],
)
def test_words_mean(words: str, places: tuple[int, ...]) -> None:
    found = refer(words, THINGS, now=NOW)
    assert isinstance(found, Referred)
    assert found.places == places


def test_on_the_second_is_a_day_and_the_second_a_place() -> None:
    things = [{"title": "Walk", "date": "2025-06-04"}, {"title": "Walk", "date": "2025-06-03"},
              {"title": "Walk", "date": "2025-06-02"}]  # fmt: skip
    assert refer("the one on the second", things, now=NOW) == Referred((2,), "its words")
    assert refer("the second", things, now=NOW) == Referred((1,), "its place")


@pytest.mark.parametrize(("words", "places"), [("the team meeting", (3, 2)), ("the opera", ())])
def test_words_that_leave_it_open(words: str, places: tuple[int, ...]) -> None:
    assert refer(words, THINGS, now=NOW) == Undecided(places)


def test_a_thing_by_its_whole_name_is_not_another_that_has_it_inside() -> None:
    found = refer("the attic", [{"name": "Attic"}, {"name": "Hall-Attic"}])
    assert isinstance(found, Referred)
    assert found.places == (0,)


def test_the_call_is_the_one_of_that_name_where_there_is_one() -> None:
    calls = [{"title": "Call with the bank"}, {"title": "Dentist"}]
    assert refer("the call", calls) == Referred((0,), "its words")
    assert refer("the call", calls[1:] * 2) == Referred((1,), "the last one")


def test_a_number_names_the_thing_whose_first_value_it_is() -> None:
    found = refer("order 102", [{"order": 101, "pieces": 102}, {"order": 102, "pieces": 7}])
    assert isinstance(found, Referred)
    assert found.places == (1,)


def test_nothing_is_meant_where_nothing_is() -> None:
    assert refer("it", []) == Undecided(())


@pytest.mark.parametrize(
    ("sentence", "places"),
    [
        ("They don't need me Thursday, bin the team meeting.", (3,)),
        ("Tuesday's is off, bin the team meeting.", (2,)),
        ("Bin the team meeting, the one on the 12th.", (3,)),
        ("Bin the team meeting.", None),
        ("My friend told me of thunder: bin the team meeting.", None),
    ],
)
def test_the_rest_of_the_sentence_tells_which(sentence: str, places: tuple[int, ...] | None) -> None:
    found = refer_in("the team meeting", sentence, THINGS, now=NOW)
    assert (found.places if isinstance(found, Referred) else None) == places


def test_what_is_no_day_has_no_weekday() -> None:
    things = [{"title": "Walk", "date": "2025-02-30"}, {"title": "Walk", "date": "2025-06-12"}]
    assert refer_in("the walk", "Bin Thursday's walk.", things, now=NOW) == Referred((1,), "its words")


def test_a_month_tells_which() -> None:
    fair, tea = {"title": "Fair", "date": "2025-03-08"}, {"title": "Tea", "date": "2025-04-09"}
    assert refer("the March one", [fair, tea]) == Referred((0,), "its words")
    assert refer("the April one", [fair, tea]) == Referred((1,), "its words")
