"""What holds of every text: nothing is raised, what is written out is read back, and the evidence is in the text."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import toolmend as tm
from toolmend.language.resolve import Resolved, Unclear, resolve

DATE = {"type": "string", "format": "date"}
TIME = {"type": "string", "format": "time"}
MOMENT = {"type": "string", "format": "date-time"}
NUMBER = {"type": "number"}
MINUTES = {"type": "integer", "x-unit": "minutes"}
ROOMS = {"type": "string", "enum": ["living_room", "kitchen"], "x-synonyms": {"kitchen": ["galley"]}}
SCHEMAS: list[dict[str, Any]] = [
    DATE, TIME, MOMENT, NUMBER, MINUTES, ROOMS, {"type": "boolean"}, {"type": "string"}, {"type": "integer"},
    {"type": "number", "x-unit": "EUR"}, {"type": "integer", "x-unit": "percent"},
    {"type": "number", "x-unit": "celsius"}, {"type": "number", "x-unit": "metres"},
    {"type": "array", "items": DATE}, {"type": "array", "items": ROOMS},
    {"type": "array", "items": TIME}, {"anyOf": [NUMBER, DATE, {"type": "null"}]},
]  # fmt: skip
LIKES: dict[str, Any] = {"date": "2026-03-19", "time": "16:15", "date-time": "2026-03-19T16:15"}
NOW = dt.datetime(2026, 3, 5, 10, 0)
WORDS = (
    "half past quarter to of in the two a an hour and minutes next last Friday week month May 5th 30 19:30 "
    "2026 3/4 not , - after before same later earlier noon pm ½ € % °C twelve hundred first kitchen "
    "31 February 9999 year ' \" 12 0 /"
).split()
PHRASES = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))


@given(PHRASES, st.sampled_from(SCHEMAS), st.booleans(), st.booleans())
@example("9999 years later", DATE, True, True)
@example("in 99999999999999 months", DATE, True, False)
@example("\u0661\u0662 \u00b2 \u0130", NUMBER, True, True)
@example("1/0", NUMBER, False, False)
@example("31/02", {"type": "array", "items": DATE}, True, False)
def test_no_text_raises(text: str, schema: dict[str, Any], clock: bool, changed: bool) -> None:
    like = LIKES.get(schema.get("format", ""), 30) if changed else None
    result = resolve(text, schema, now=NOW if clock else None, like=like)
    if isinstance(result, Resolved):
        start, end = result.span
        assert 0 <= start <= end <= len(text)
    else:
        assert result.reason
        assert len(result.candidates) != 1


@given(st.dates(dt.date(1900, 1, 1), dt.date(2199, 12, 31)))
def test_a_written_date_is_read_back(day: dt.date) -> None:
    for text in (day.isoformat(), f"{day:%A, %d %B %Y}", f"{day:%b} {day.day}, {day.year}", f"{day:%d.%m.%Y}"):
        result = resolve(text, DATE)
        assert isinstance(result, Resolved), text
        assert result.value == day.isoformat()


@given(st.times())
def test_a_written_time_is_read_back(time: dt.time) -> None:
    for text in (f"{time:%I:%M %p}", f"{time:%H}h{time:%M}", f"at {time.hour % 12 or 12} {time:%M} {time:%p}"):
        result = resolve(text, TIME)
        assert isinstance(result, Resolved), text
        assert result.value == f"{time:%H:%M}"


@given(st.integers(-999_999_999, 999_999_999))
def test_a_written_number_is_read_back(number: int) -> None:
    for text in (str(number), f"{number:,}"):
        assert resolve(text, {"type": "integer"}) == Resolved(number, (0, len(text)), "number")


@given(st.integers(0, 999_999))
def test_a_spoken_number_is_read_back(number: int) -> None:
    result = resolve(spoken(number), {"type": "integer"})
    assert isinstance(result, Resolved), spoken(number)
    assert result.value == number


@given(st.integers(1, 10_000))
def test_a_written_length_is_read_back(minutes: int) -> None:
    result = resolve(f"{minutes // 60} hours and {minutes % 60} minutes", MINUTES)
    assert isinstance(result, Resolved)
    assert result.value == minutes


@given(st.dates(dt.date(2000, 1, 1), dt.date(2100, 1, 1)), st.integers(1, 400))
def test_so_many_days_later_and_earlier_is_the_same_day(day: dt.date, days: int) -> None:
    later = resolve(f"{days} days later", DATE, like=day.isoformat())
    assert isinstance(later, Resolved)
    earlier = resolve(f"{days} days earlier", DATE, like=later.value)
    assert isinstance(earlier, Resolved)
    assert earlier.value == day.isoformat()


ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def spoken(number: int) -> str:
    if number < 20:
        return ONES[number]
    if number < 100:
        return TENS[number // 10 - 2] + (f"-{ONES[number % 10]}" if number % 10 else "")
    head, scale, rest = (
        (number // 1000, "thousand", number % 1000) if number >= 1000 else (number // 100, "hundred", number % 100)
    )
    tail = f"{' and' if rest < 100 else ''} {spoken(rest)}" if rest else ""
    return f"{spoken(head)} {scale}{tail}"


def test_the_span_is_the_part_that_was_read() -> None:
    text = "How about Friday the 13th, for the dentist?"
    result = resolve(text, DATE, now=NOW)
    assert isinstance(result, Resolved)
    assert text[slice(*result.span)] == "Friday the 13th"


def test_a_text_that_is_too_long_is_unclear() -> None:
    assert resolve("5 " * 201, NUMBER) == Unclear((), "longer than 400 characters")


def test_a_clock_with_a_zone_counts_from_the_day_there() -> None:
    now = dt.datetime(2026, 3, 5, 23, 30, tzinfo=dt.UTC)
    result = resolve("tomorrow", {**DATE, "x-timezone": "Asia/Tokyo"}, now=now)
    assert isinstance(result, Resolved)
    assert result.value == "2026-03-07"


@pytest.mark.parametrize(
    ("schema", "given", "line"),
    [
        ({"type": "number", "x-unit": "parsec"}, {}, "x-unit 'parsec': should be one of seconds, minutes, hours"),
        ({"type": "string", "x-unit": "minutes"}, {}, "x-unit 'minutes': should be on a type integer or number only"),
        ({}, {}, "schema: type None cannot be resolved; should be one of string, integer, number, boolean, array"),
        ({"type": "object"}, {}, "schema: type 'object' cannot be resolved"),
        ({"type": "array", "items": {}}, {}, "schema: type None cannot be resolved"),
        ({**DATE, "x-timezone": "Mars/Olympus"}, {}, "x-timezone 'Mars/Olympus': no such time zone"),
        (TIME, {"hours": "morning"}, "hours 'morning': should be two hours of the day"),
        (TIME, {"hours": "22-07"}, "hours '22-07': should be two hours of the day"),
        (DATE, {"now": "yesterday"}, "now 'yesterday': should be a date and time as YYYY-MM-DDTHH:MM"),
        (DATE, {"locale": "de"}, "locale 'de': should be one of en, en-GB, en-US"),
    ],
)
def test_what_means_nothing_is_refused_in_one_line(schema: dict[str, Any], given: dict[str, Any], line: str) -> None:
    with pytest.raises(tm.BadOption) as caught:
        resolve("five", schema, **given)
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("day", ["2024-03-31", "2025-04-20", "2026-04-05", "2027-03-28", "2038-04-25", "2049-04-18"])
def test_easter_is_when_it_is(day: str) -> None:
    assert resolve(f"Easter {day[:4]}", DATE) == Resolved(day, (0, 11), "holiday")


def test_the_door_and_the_room_answer_alike() -> None:
    import toolmend.language.resolve

    assert tm.resolve("noon", TIME) == toolmend.resolve("noon", TIME) == resolve("noon", TIME)


def test_a_length_beyond_the_calendar_raises_nothing() -> None:
    for form in ("time", "date", "date-time"):
        schema = {"type": "string", "format": form}
        for text in (
            "in 99999999999999 hours",
            "99999999999999 hours and 30 minutes later",
            "in 2912000 days and an hour",
        ):
            assert isinstance(
                resolve(text, schema, now="2026-03-05T10:00", like="2026-03-05T10:00"), (Resolved, Unclear)
            )


def test_a_price_in_coins_of_two_kinds_is_one_number() -> None:
    assert resolve("eight pounds twenty", {"type": "number"}) == Resolved(8.2, (0, 19), "price")


def test_things_of_a_list_have_no_article() -> None:
    result = resolve("the wolf and the grandmother", {"type": "array", "items": {"type": "string"}})
    assert isinstance(result, Resolved)
    assert result.value == ["wolf", "grandmother"]


def test_what_is_put_into_a_list_comes_behind_what_is_there() -> None:
    result = resolve("and milk too", {"type": "array", "items": {"type": "string"}}, like=["bread"])
    assert isinstance(result, Resolved)
    assert result.value == ["bread", "milk"]
