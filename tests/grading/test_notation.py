"""Reading dates, times and lengths of time in any notation."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.grading.notation import clocks, days, minutes, number


@pytest.mark.parametrize(
    "text",
    [
        *("2024-11-11", "20 24-11-11", "2024/11/11", "20241111", "11/11/2024", "11.11.24", "2024 - 11 - 11"),
        *("Nov 11, 2024", "11th of November 2024", "Monday, 11 Nov 2024", "november 11th 2024"),
        *("2024-11-11T17:00", "2024-11-11 5PM"),
    ],
)
def test_days(text: str) -> None:
    assert days(text) == {(2024, 11, 11)}


def test_a_day_may_have_two_readings() -> None:
    assert days("05/06/2024") == {(2024, 5, 6), (2024, 6, 5)}


@pytest.mark.parametrize("text", ["Nov 11", "11/11", "YYYY-11-11", "11. November"])
def test_a_day_without_its_year(text: str) -> None:
    assert days(text) == {(None, 11, 11)}


@pytest.mark.parametrize("text", ["", "tomorrow", "2024", "99/99/2024", "May", "maybe 11", "17:00"])
def test_no_day(text: str) -> None:
    assert days(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        *("17:00", "5PM", "5 pm", "5 p.m.", "5:00 PM", "17:00:00", "1700", "17h", "17h00", "17.00", "17 : 00"),
        *("17:00Z", "T17:00", "2024-11-11T17:00", "17", "17:00 PM", "17 o'clock", "11/11/2024 5PM"),
    ],
)
def test_clocks(text: str) -> None:
    assert clocks(text) == {(17, 0, 0)}


@pytest.mark.parametrize(("text", "clock"), [("noon", (12, 0, 0)), ("12am", (0, 0, 0)), ("midnight", (0, 0, 0))])
def test_noon_and_midnight(text: str, clock: tuple[int, int, int]) -> None:
    assert clocks(text) == {clock}


@pytest.mark.parametrize("text", ["", "25:00", "evening", "5 PMs", "2024-11-11"])
def test_no_clock(text: str) -> None:
    assert clocks(text) == set()


@pytest.mark.parametrize(
    ("text", "length"),
    [
        *((text, 180) for text in ("3 hours", "180 min", "PT3H", "3:00", "three hours", "3-hour", "3h")),
        *((text, 90) for text in ("1h30", "1h 30m", "1.5 hours", "1 1/2 hours", "1½ hours", "90 minutes")),
        *((text, 90) for text in ("an hour and a half", "one and a half hours")),
        *(("half an hour", 30), ("1/2h", 30), ("quarter of an hour", 15), ("90 seconds", 1.5), ("P1D", 1440)),
        ("50 HP", 50),
    ],
)
def test_minutes(text: str, length: float) -> None:
    assert minutes(text) == {length}


@pytest.mark.parametrize("text", ["", "long", "180", "P", "3 hours of HP", "60*3"])
def test_no_length(text: str) -> None:
    assert minutes(text) == set()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("180", 180), (" -5 ", -5), ("1,000", 1000), ("1e3", 1000), (".5", 0.5)),
        *((text, None) for text in ("1,00", "", "x", "1_0", "inf", "1e999")),
    ],
)
def test_number(text: str, value: float | None) -> None:
    assert number(text) == value


@given(st.one_of(st.text(max_size=200), st.text("0123456789:/-. TAPMhanoveber½st,", max_size=40)))
@settings(deadline=None, max_examples=300)
def test_no_text_raises(text: str) -> None:
    assert days(text) is not None
    assert clocks(text) is not None
    assert minutes(text) is not None
    assert number(text) is None or isinstance(number(text), float)
