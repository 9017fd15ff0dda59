"""What recurs in an .ics file: read by a kept library, edited line by line."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolmend.reading.python import read_python
from toolmend.tools.toolboxes import Calendar
from toolmend.tools.toolboxes.home import Home
from toolmend.tools.toolboxes.homes import home_of
from toolmend.tools.toolboxes.series import Series

pytest.importorskip("recurring_ical_events", reason="needs the extra calendar")
HEAD = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\n"
MASTER = (
    "BEGIN:VEVENT\r\nUID:y@x\r\nDTSTAMP:20260101T000000Z\r\nDTSTART;TZID=Europe/Berlin:20261202T180000\r\n"
    "DTEND;TZID=Europe/Berlin:20261202T190000\r\nRRULE:FREQ=WEEKLY;BYDAY=WE\r\nSUMMARY:Yoga\r\n"
    "ATTENDEE:mailto:bo@example.org\r\nX-MINE:1\r\n"
    "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\nEND:VEVENT\r\n"
)
MOVED = (
    "BEGIN:VEVENT\r\nUID:y@x\r\nRECURRENCE-ID;TZID=Europe/Berlin:20261209T180000\r\n"
    "DTSTART;TZID=Europe/Berlin:20261210T070000\r\nDURATION:PT1H\r\nSUMMARY:Yoga, early\r\nEND:VEVENT\r\n"
)
TAIL = "END:VCALENDAR\r\n"
WHOLE = HEAD + MASTER + MOVED + TAIL


@pytest.fixture(autouse=True)
def berlin() -> Iterator[None]:
    """The person's clock, whatever the machine's is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "Europe/Berlin")
        time.tzset()
        yield
    time.tzset()


def opened(path: Path, text: str = WHOLE) -> tuple[Home, Calendar]:
    path.write_bytes(text.encode())
    home, box = home_of(str(path)), Calendar(now=dt.datetime(2026, 11, 28, 13))
    home.load(box)
    return home, box


def days(box: Calendar) -> list[str]:
    return [
        f"{row.start:%m-%d %H:%M} {row.title}"
        for row in box.between(dt.datetime(2026, 12, 1), dt.datetime(2026, 12, 24))
    ]


def news(path: Path, old: str = WHOLE) -> list[str]:
    """The lines that came, but for the stamps of a revision."""
    was, now = old.split("\r\n"), path.read_bytes().decode().split("\r\n")
    return [line for line in now if line not in was and not line.startswith(("DTSTAMP", "UID", "SEQUENCE"))]


WEDNESDAY = dt.date(2026, 12, 16), dt.time(18)


def test_occurrences_and_the_one_that_was_moved_are_shown(tmp_path: Path) -> None:
    _, box = opened(tmp_path / "one.ics")
    assert days(box) == ["12-02 18:00 Yoga", "12-10 07:00 Yoga, early", "12-16 18:00 Yoga", "12-23 18:00 Yoga"]


def test_one_that_is_cancelled_is_an_exdate(tmp_path: Path) -> None:
    home, box = opened(tmp_path / "one.ics")
    box.remove_calendar_entry("Yoga", *WEDNESDAY)
    home.save(box)
    assert news(tmp_path / "one.ics") == ["EXDATE;TZID=Europe/Berlin:20261216T180000"]


def test_all_from_then_on_end_the_rule_in_utc(tmp_path: Path) -> None:
    home, box = opened(tmp_path / "one.ics")
    box.end_repeating_entry("Yoga", *WEDNESDAY)
    home.save(box)
    assert news(tmp_path / "one.ics") == ["RRULE:FREQ=WEEKLY;BYDAY=WE;UNTIL=20261215T225959Z"]
    again = home_of(str(tmp_path / "one.ics"))
    again.load(box := Calendar())
    assert days(box) == ["12-02 18:00 Yoga", "12-10 07:00 Yoga, early"]


def test_one_that_is_moved_keeps_its_guests_and_alarms(tmp_path: Path) -> None:
    home, box = opened(tmp_path / "one.ics", HEAD + MASTER + TAIL)
    box.move_repeating_entry("Yoga", *WEDNESDAY, dt.date(2026, 12, 17), dt.time(19))
    home.save(box)
    data = (tmp_path / "one.ics").read_bytes()
    assert (data.count(b"ATTENDEE:mailto:bo@example.org"), data.count(b"BEGIN:VALARM"), data.count(b"RRULE")) == (
        2,
        2,
        1,
    )


@pytest.mark.parametrize("text", ["cancel only the yoga on 16 December", "stop yoga", "move all yoga to 7 pm"])
def test_what_is_undone_is_the_same_to_the_byte(text: str, tmp_path: Path) -> None:
    home, box = opened(tmp_path / "one.ics")
    before = box.snapshot()
    for call in read_python(box.meant(text)[0], tuple(box.tool(f"action.{name}").spec for name in box.unshown)).calls:
        assert box.run_sync(call).error is None
    home.save(box)
    assert (tmp_path / "one.ics").read_bytes() != WHOLE.encode()
    box.restore(before)
    home.save(box)
    assert (tmp_path / "one.ics").read_bytes() == WHOLE.encode()


def test_a_new_one_is_read_by_others(tmp_path: Path) -> None:
    import icalendar

    home, box = opened(tmp_path / "one.ics", HEAD + TAIL)
    box.add_repeating_entry("Choir", dt.date(2026, 12, 1), dt.time(19), "FREQ=WEEKLY;BYDAY=TU;COUNT=3", 90)
    home.save(box)
    [event] = icalendar.Calendar.from_ical((tmp_path / "one.ics").read_bytes()).walk("VEVENT")
    assert event["RRULE"].to_ical() == b"FREQ=WEEKLY;COUNT=3;BYDAY=TU"
    assert days(box) == ["12-01 19:00 Choir", "12-08 19:00 Choir", "12-15 19:00 Choir"]


def test_a_new_one_is_the_same_when_it_is_read_again(tmp_path: Path) -> None:
    home, box = opened(tmp_path / "one.ics", HEAD + TAIL)
    made = Series("Choir", dt.date(2026, 12, 1), dt.time(19), 90, "FREQ=WEEKLY;BYDAY=TU")
    box.restore([made])
    home.save(box)
    home.load(again := Calendar())
    assert again.series == (made,)


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("FREQ=SECONDLY", "FREQ=SECONDLY is not of a rule"),
        ("FREQ=DAILY;BYHOUR=1,2;BYMINUTE=1,2", "BYHOUR=1,2 is not of a rule"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31", "no month has such a day"),
        ("FREQ=WEEKLY;UNTIL=tomorrow", "UNTIL=TOMORROW is not of a rule"),
        ("FREQ=WEEKLY;COUNT=99999999", "COUNT=99999999 is not of a rule"),
    ],
)
def test_a_rule_that_is_none_or_without_end_is_kept_and_said(rule: str, why: str, tmp_path: Path) -> None:
    text = WHOLE.replace("RRULE:FREQ=WEEKLY;BYDAY=WE", f"RRULE:{rule}") + HEAD + TAIL
    home, box = opened(tmp_path / "one.ics", text)
    assert len(box.unread) == 1 and why in box.unread[0]
    box.add_calendar_entry("Tea", dt.date(2026, 12, 1), dt.time(16))
    home.save(box)
    assert f"RRULE:{rule}\r\n".encode() in (tmp_path / "one.ics").read_bytes()
