"""Dates and times as tools take them."""

import pytest

from toolmend.tools.speech import format_problem


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("2024-11-11", "date"),
        ("2024-02-29", "date"),
        ("17:00", "time"),
        ("17:00:30", "time"),
        ("17:00Z", "time"),
        ("2024-11-11T17:00", "date-time"),
        ("2024-11-11 17:00:00+02:00", "date-time"),
        ("anything", "email"),
        (None, "date"),
    ],
)
def test_what_is_fine(value: object, name: str) -> None:
    assert format_problem(value, name) == ""


@pytest.mark.parametrize(
    ("value", "name", "problem"),
    [
        ("11/11/2024", "date", "should be a date as YYYY-MM-DD, got '11/11/2024'"),
        ("1731283200", "date", "should be a date as YYYY-MM-DD, got '1731283200'"),
        (1731283200, "date", "should be a date as YYYY-MM-DD, got 1731283200"),
        ("2024-11-11\n", "date", "should be a date as YYYY-MM-DD, got '2024-11-11\\n'"),
        ("2024-02-30", "date", "'2024-02-30' is no day of the calendar; should be a date as YYYY-MM-DD"),
        ("5PM", "time", "should be a time of day as HH:MM (24 hours), got '5PM'"),
        ("9:00", "time", "should be a time of day as HH:MM (24 hours), got '9:00'"),
        (17, "time", "should be a time of day as HH:MM (24 hours), got 17"),
        ("25:00", "time", "'25:00' is no time of day; should be a time of day as HH:MM (24 hours)"),
        (
            "\u0662\u0660\u0662\u0664-\u0661\u0661-\u0661\u0661",
            "date",
            "should be a date as YYYY-MM-DD, got '\u0662\u0660\u0662\u0664-\u0661\u0661-\u0661\u0661'",
        ),
        ("2024-11-11", "date-time", "should be a date and time as YYYY-MM-DDTHH:MM, got '2024-11-11'"),
    ],
)
def test_what_is_not(value: object, name: str, problem: str) -> None:
    assert format_problem(value, name) == problem
