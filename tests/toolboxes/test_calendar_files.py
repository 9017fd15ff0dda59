"""The calendar as JSON and as iCalendar."""

import datetime as dt
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.errors import BadFile, ToolError
from toolmend.toolboxes.calendar import LONGEST, Calendar, Entry

NOW = dt.datetime(2024, 11, 1, 12)
CONCERT = Entry("Rock Concert", dt.date(2024, 11, 11), dt.time(20), 180)


def _entry_or_none(title: str, date: dt.date, time: dt.time, duration: int) -> Entry | None:
    try:
        return Entry(title, date, time, duration)
    except ToolError:
        return None


_TIMES = st.times().map(lambda time: time.replace(second=0, microsecond=0))
_MAYBE = st.builds(_entry_or_none, st.text(min_size=1), st.dates(), _TIMES, st.integers(1, LONGEST))
_ENTRIES = st.lists(_MAYBE.filter(lambda entry: entry is not None), max_size=5)


@settings(deadline=None, max_examples=100)
@given(_ENTRIES, st.none() | st.datetimes())
def test_json_reads_back_exactly(entries: list[Entry], now: dt.datetime | None) -> None:
    calendar = Calendar(entries, now=now)
    again = Calendar.from_json(calendar.to_json())
    assert again.entries == calendar.entries
    assert again.to_json() == calendar.to_json()
    assert now is None or again.now == now


def test_the_state_reads_back_too() -> None:
    calendar = Calendar([CONCERT])
    assert Calendar.from_json(calendar.state()).entries == [CONCERT]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", r"^calendar JSON:1: no JSON: Expecting value$"),
        ("[]", r"^calendar JSON: should be an object with a list 'entries'$"),
        ('{"calendar": 2, "entries": []}', r"^calendar JSON: version 2 is not known here \(1 is\); update toolmend$"),
        ('{"entries": [{"title": "x"}]}', r"^calendar JSON: entry 1: should be an object with exactly title, date"),
        (
            '{"entries": [{"title": "x", "date": "11/11/2024", "time": "17:00", "duration": 30}]}',
            r"^calendar JSON: entry 1: date: '11/11/2024' is no date$",
        ),
        (
            '{"entries": [{"title": "x", "date": "2024-11-11", "time": 17, "duration": 30}]}',
            r"^calendar JSON: entry 1: time: 17 is no time$",
        ),
        (
            '{"entries": [{"title": "x", "date": "2024-11-11", "time": "17:00", "duration": true}]}',
            r"^calendar JSON: entry 1: duration: should be 1 to 10080 minutes",
        ),
        ('{"now": "noon", "entries": []}', r"^calendar JSON: now: 'noon' is no datetime$"),
    ],
)
def test_what_cannot_be_read_says_where(text: str, message: str) -> None:
    with pytest.raises(BadFile, match=message):
        Calendar.from_json(text)


def test_one_event_as_icalendar() -> None:
    assert Calendar([CONCERT], now=NOW).to_ics() == (
        "BEGIN:VCALENDAR\r\n"
        "VERSION:2.0\r\n"
        "PRODID:-//toolmend//calendar//EN\r\n"
        "CALSCALE:GREGORIAN\r\n"
        "BEGIN:VEVENT\r\n"
        "UID:9d0ab9ab-47f7-5386-9fb5-18942274eea9\r\n"
        "DTSTAMP:20241101T120000Z\r\n"
        "DTSTART:20241111T200000\r\n"
        "DURATION:PT180M\r\n"
        "SUMMARY:Rock Concert\r\n"
        "END:VEVENT\r\n"
        "END:VCALENDAR\r\n"
    )


def test_the_stamp_is_in_utc() -> None:
    now = dt.datetime(2024, 11, 1, 12, tzinfo=dt.timezone(dt.timedelta(hours=2)))
    assert "DTSTAMP:20241101T100000Z" in Calendar([CONCERT], now=now).to_ics()


def test_equal_entries_have_their_own_and_lasting_uids() -> None:
    first = re.findall(r"UID:(.*)", Calendar([CONCERT, CONCERT], now=NOW).to_ics())
    again = re.findall(r"UID:(.*)", Calendar([CONCERT, CONCERT], now=NOW.replace(year=2025)).to_ics())
    assert len(set(first)) == 2
    assert first == again


@settings(deadline=None, max_examples=100)
@given(_ENTRIES)
def test_lines_are_short_and_titles_read_back(entries: list[Entry]) -> None:
    calendar = Calendar(entries, now=NOW)
    text = calendar.to_ics()
    lines = text.split("\r\n")
    assert lines.pop() == ""
    assert all(len(line.encode()) <= 75 and "\n" not in line and "\r" not in line for line in lines)
    unfolded = text.replace("\r\n ", "").split("\r\n")
    summaries = [line.removeprefix("SUMMARY:") for line in unfolded if line.startswith("SUMMARY:")]
    assert [re.sub(r"\\([\\;,])", r"\1", summary) for summary in summaries] == [e.title for e in calendar.entries]
    assert all(not re.search(r"(?<!\\)(\\\\)*[;,]", summary) for summary in summaries)
