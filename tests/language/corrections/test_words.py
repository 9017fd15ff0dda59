"""Values in English words."""

from datetime import date, time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.language.corrections import words


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0, "zero"),
        (14, "fourteen"),
        (45, "forty-five"),
        (100, "one hundred"),
        (342, "three hundred and forty-two"),
        (1005, "one thousand and five"),
        (2_400_000, "two million four hundred thousand"),
        (-2.5, "minus two point five"),
        (3.0, "three"),
        (0.05, "zero point zero five"),
        (10**15, "one zero zero zero zero zero zero zero zero zero zero zero zero zero zero zero"),
    ],
)
def test_numbers(value, said):
    assert words.number(value) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (1, "first"),
        (5, "fifth"),
        (11, "eleventh"),
        (12, "twelfth"),
        (20, "twentieth"),
        (22, "twenty-second"),
        (8, "eighth"),
    ],
)
def test_ordinals(value, said):
    assert words.ordinal(value) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (2024, "twenty twenty-four"),
        (2010, "twenty ten"),
        (2005, "two thousand five"),
        (2000, "two thousand"),
        (1999, "nineteen ninety-nine"),
        (1905, "nineteen oh five"),
        (1900, "nineteen hundred"),
        (476, "four hundred seventy-six"),
    ],
)
def test_years(value, said):
    assert words.year(value) == said


def test_days():
    assert words.day(date(2024, 11, 11)) == (
        "the eleventh of November twenty twenty-four",
        "November the eleventh, twenty twenty-four",
    )
    assert words.day(date(2024, 5, 31), with_year=False) == ("the thirty-first of May", "May the thirty-first")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (time(17, 0), ("five in the afternoon", "five o'clock in the afternoon")),
        (time(8, 30), ("half past eight in the morning", "eight thirty in the morning")),
        (time(8, 45), ("a quarter to nine in the morning", "eight forty-five in the morning")),
        (time(20, 5), ("five past eight in the evening", "eight oh five in the evening")),
        (time(23, 7), ("eleven oh seven at night",)),
        (time(12, 0), ("noon", "twelve noon")),
        (time(0, 0), ("midnight", "twelve midnight")),
        (time(0, 20), ("twenty past twelve at night", "twelve twenty at night")),
        (time(12, 40), ("twenty to one in the afternoon", "twelve forty in the afternoon")),
        (time(9, 0, 1), ("nine in the morning and one second", "nine o'clock in the morning and one second")),
    ],
)
def test_clocks(value, said):
    assert words.clock(value) == said


@pytest.mark.parametrize(
    ("value", "unit", "said"),
    [
        (30, "minute", ("half an hour", "thirty minutes")),
        (90, "minute", ("an hour and a half", "one hour and thirty minutes", "ninety minutes")),
        (150, "minute", ("two and a half hours", "two hours and thirty minutes")),
        (180, "minute", ("three hours",)),
        (61, "minute", ("one hour and one minute", "sixty-one minutes")),
        (2880, "minute", ("two days", "forty-eight hours")),
        (-5, "minute", ("minus five minutes",)),
        (1, "second", ("one second",)),
        (1.5, "hour", ("one point five hours",)),
    ],
)
def test_lengths(value, unit, said):
    assert words.length(value, unit) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("Rock Concert", ("rock concert",)),
        ("rock concert", ("Rock Concert",)),
        ("Tom's birthday", ("tom's birthday",)),
        ("heat_pump", ("heat pump",)),
        ("Room 4", ("room four",)),
        ("1.10.0", ("one point ten point zero",)),
        ("fred@example.com", ("fred at example dot com",)),
        ("-5", ("minus five",)),
        ("30-minute jog & 50%", ("thirty-minute jog and fifty percent",)),
        ("LH454", ("lh four hundred and fifty-four",)),
        ("0171", ("zero one seven one",)),
        ('say "hi"', ("say hi",)),
        ("", ("empty",)),
        ("日本", ()),
        ("…", ()),
        ("(*)", ()),
    ],
)
def test_texts(value, said):
    assert words.text(value) == said


@settings(deadline=None, max_examples=200)
@given(st.text())
def test_a_text_is_never_said_as_written(value):
    assert value not in words.text(value)
    assert not any('"' in said for said in words.text(value))


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, ("empty",)),
        (True, ("on",)),
        ([], ("empty",)),
        ({}, ("empty",)),
        (["Milk", 2, "Rye Bread"], ("milk, two and rye bread",)),
        ({"Name": "Ann", "age": 7}, ("name ann and Age seven",)),
        ("2024-11-11", ("the eleventh of November twenty twenty-four", "November the eleventh, twenty twenty-four")),
        ("2024-02-30", ("two thousand and twenty-four-zero two-thirty",)),
        ("25:00", ("twenty-five zero zero",)),
        (
            "2024-11-11T17:00",
            (
                "the eleventh of November twenty twenty-four at five in the afternoon",
                "November the eleventh, twenty twenty-four at five in the afternoon",
            ),
        ),
        (float("nan"), ()),
        ({"regex": "a+"}, ()),
        ({"any": True}, ()),
        ({"oneof": ["17:00", "05:00"]}, ("five in the afternoon", "five o'clock in the afternoon")),
        ({"date": {"month": 11, "day": 11}}, ("the eleventh of November", "November the eleventh")),
        (
            {"date": {"year": 2005, "month": 5, "day": 1}},
            ("the first of May two thousand five", "May the first, two thousand five"),
        ),
        ({"date": {"month": 13, "day": 11}}, ()),
        ({"duration": 30}, ("half an hour", "thirty minutes")),
        ({"time": "12:00"}, ("noon", "twelve noon")),
    ],
)
def test_any_json_value(value, said):
    assert words.spoken(value) == said


def test_what_is_no_json_cannot_be_said():
    assert words.spoken(object()) == ()
