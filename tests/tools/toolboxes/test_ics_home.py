"""A calendar in an .ics file is edited, never rebuilt."""

from __future__ import annotations

import datetime as dt
import difflib
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from toolmend.base.errors import BadFile, ToolError
from toolmend.tools.toolboxes import Calendar
from toolmend.tools.toolboxes.calendar import Entry
from toolmend.tools.toolboxes.home import Home
from toolmend.tools.toolboxes.homes import home_of
from tools.toolboxes.makers import MAKERS, made

CHANGED = {"DTSTART", "DTEND", "DURATION", "SEQUENCE", "DTSTAMP", "LAST-MODIFIED"}
EACH = 34  # calendars of every maker: 204


def opened(path: Path, data: bytes) -> tuple[Home, Calendar]:
    path.write_bytes(data)
    home, box = home_of(str(path)), Calendar()
    home.load(box)
    return home, box


def changed_lines(old: bytes, new: bytes) -> set[str]:
    """The names of the lines that came or went."""
    codec = "utf-16" if old[:2] == b"\xff\xfe" else "latin-1"
    was, now = (re.sub(r"\r?\n[ \t]", "", data.decode(codec)).splitlines(keepends=True) for data in (old, new))
    return {row[2:].replace(";", ":").split(":")[0] for row in difflib.ndiff(was, now) if row[0] in "+-"}


@pytest.mark.parametrize("maker", MAKERS)
def test_of_a_moved_entry_only_its_times_and_its_revision_are_written(maker: str, tmp_path: Path) -> None:
    pytest.importorskip("icalendar", reason="needs the extra calendar")
    for seed in range(EACH):
        data = made(maker, seed)
        home, box = opened(tmp_path / "one.ics", data)
        entry = random.Random(seed).choice(box.entries)
        box.restore([*(kept for kept in box.snapshot() if kept != entry), later(entry)])
        home.save(box)
        assert changed_lines(data, (tmp_path / "one.ics").read_bytes()) <= CHANGED, seed


@pytest.mark.parametrize("maker", MAKERS)
def test_what_is_moved_and_moved_back_is_the_same_to_the_byte(maker: str, tmp_path: Path) -> None:
    pytest.importorskip("icalendar", reason="needs the extra calendar")
    for seed in range(EACH):
        data = made(maker, seed)
        home, box = opened(tmp_path / "one.ics", data)
        before = box.snapshot()
        entry = random.Random(seed).choice(box.entries)
        for entries in ([*(kept for kept in before if kept != entry), later(entry)], before):
            box.restore(entries)
            home.save(box)
        assert (tmp_path / "one.ics").read_bytes() == data, seed


@pytest.mark.parametrize("maker", MAKERS)
def test_what_is_removed_and_put_back_is_the_same_to_the_byte(maker: str, tmp_path: Path) -> None:
    pytest.importorskip("icalendar", reason="needs the extra calendar")
    for seed in range(EACH):
        data = made(maker, seed)
        home, box = opened(tmp_path / "one.ics", data)
        before = box.snapshot()
        for entries in (before[1:], before[2:], before):
            box.restore(entries)
            home.save(box)
        assert (tmp_path / "one.ics").read_bytes() == data, seed


@pytest.mark.parametrize("maker", MAKERS)
def test_a_moved_entry_is_read_where_it_was_moved_to(maker: str, tmp_path: Path) -> None:
    pytest.importorskip("icalendar", reason="needs the extra calendar")
    for seed in range(EACH):
        home, box = opened(tmp_path / "one.ics", made(maker, seed))
        wanted = [later(box.entries[0]), *box.snapshot()[1:]]
        box.restore(wanted)
        home.save(box)
        _, again = opened(tmp_path / "two.ics", (tmp_path / "one.ics").read_bytes())
        assert again.entries == box.entries, seed


def later(entry: Entry) -> Entry:
    """A day and a half hour later."""
    start = entry.start + dt.timedelta(days=1, minutes=30)
    return replace(entry, date=start.date(), time=start.time())


HEAD = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20261124T143000\r\n"
DENTIST = Entry("Dentist", dt.date(2026, 11, 24), dt.time(14, 30), 60)


def of(*rows: str) -> bytes:
    """A file with one event that has these lines too."""
    return (HEAD + "".join(f"{row}\r\n" for row in (*rows, "END:VEVENT", "END:VCALENDAR"))).encode()


@pytest.mark.parametrize(
    ("data", "held"),
    [
        (of("SUMMARY:Dentist", "DTEND:20261124T153000"), [DENTIST]),
        (of("SUMMARY:Dentist", "DURATION:PT1H"), [DENTIST]),
        (of("SUMMARY:Dentist"), [replace(DENTIST, duration=30)]),
        (of("SUMMARY:Dentist", "DTEND;VALUE=DATE:20261125"), [replace(DENTIST, duration=570)]),
        (of("SUMMARY:Dentist", "SUMMARY:Doctor", "DURATION:PT1H"), [DENTIST]),
        (of("SUMMARY:Dentist", "STATUS:CANCELLED"), []),
        (of("SUMMARY:Den", " tist", "DURATION:PT1H"), [DENTIST]),
        (of("SUMMARY:The good", "dentist", "DURATION:PT1H"), [replace(DENTIST, title="The good dentist")]),
        (of("DURATION:PT1H"), [replace(DENTIST, title="(no title)")]),
        (of(r"SUMMARY:Cake\, tea\; and\nsong", "DURATION:PT1H"), [replace(DENTIST, title="Cake, tea; and song")]),
        (of("SUMMARY;ENCODING=QUOTED-PRINTABLE:Caf=C3=", "=A9", "DURATION:PT1H"), [replace(DENTIST, title="Café")]),
        (of("SUMMARY:Dentist", "DURATION:PT1H").replace(b"\r\n", b"\r\r\n"), [DENTIST]),
        (of("SUMMARY:Dentist", "DURATION:PT1H").replace(b"\r\n", b"\r"), [DENTIST]),
        (of("SUMMARY:Dentist", "DURATION:PT1H").lower(), [replace(DENTIST, title="dentist")]),
        (of("SUMMARY:Café", "DURATION:PT1H").decode().encode("latin-1"), [replace(DENTIST, title="Café")]),
        (of("SUMMARY:Dentist", "DURATION:PT1H")[: -len("END:VEVENT\r\nEND:VCALENDAR\r\n")], [DENTIST]),
    ],
)
def test_what_an_event_is(data: bytes, held: list[Entry], tmp_path: Path) -> None:
    assert opened(tmp_path / "one.ics", data)[1].entries == held


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("DTSTART:20261125T143000", "Dentist: it has 2 different DTSTART"),
        ("DURATION:1H", "Dentist: DURATION:1H is no length of time"),
        ("DTEND:20261123T143000", "Dentist: it ends before it begins"),
        ("DTEND:tomorrow", "Dentist: DTEND:tomorrow is no day and no time"),
        ("DTEND;TZID=Middle-earth:20261124T153000", "Dentist: nobody knows the time zone 'Middle-earth'"),
    ],
)
def test_what_cannot_be_read_is_said_and_stops_nothing(row: str, why: str, tmp_path: Path) -> None:
    other = of("SUMMARY:Tea", "DURATION:PT1H")
    _, box = opened(tmp_path / "one.ics", of("SUMMARY:Dentist", row) + other)
    assert box.unread == (why,)
    assert str(box) == "2026-11-24 14:30  60 min  Tea\n(one entry that cannot be read)"


def test_a_changed_title_keeps_everything_else(tmp_path: Path) -> None:
    data = of("SUMMARY;LANGUAGE=en:Dentist", "DURATION:PT1H", "DTSTAMP:20260101T000000Z", "X-MINE:1")
    home, box = opened(tmp_path / "one.ics", data)
    box.restore([replace(DENTIST, title="Dentist, again")])
    home.save(box)
    now = (tmp_path / "one.ics").read_bytes()
    assert b"SUMMARY;LANGUAGE=en:Dentist\\, again\r\n" in now
    assert changed_lines(data, now) == {"SUMMARY", "DTSTAMP"}


def test_another_length_is_written_in_the_form_that_was_there(tmp_path: Path) -> None:
    data = of("SUMMARY:Dentist", "DTEND;TZID=Asia/Tokyo:20261125T003000").replace(b"143000", b"143000Z")
    home, box = opened(tmp_path / "one.ics", data)
    [entry] = box.entries
    box.restore([replace(entry, duration=entry.duration + 15)])
    home.save(box)
    assert b"DTEND;TZID=Asia/Tokyo:20261125T004500\r\n" in (tmp_path / "one.ics").read_bytes()


def test_a_letter_that_the_encoding_of_the_file_has_not_is_named(tmp_path: Path) -> None:
    data = of("SUMMARY:Café", "DURATION:PT1H").decode().encode("latin-1")
    home, box = opened(tmp_path / "one.ics", data)
    box.restore([*box.entries, replace(DENTIST, title="Łukasz")])
    with pytest.raises(BadFile, match="has no 'Ł'; save the file as UTF-8 first"):
        home.save(box)
    assert (tmp_path / "one.ics").read_bytes() == data


def test_what_somebody_else_added_meanwhile_stays(tmp_path: Path) -> None:
    path = tmp_path / "one.ics"
    home, box = opened(path, of("SUMMARY:Dentist", "DURATION:PT1H"))
    path.write_bytes(path.read_bytes() + of("SUMMARY:Tea", "DURATION:PT1H"))
    box.restore([later(DENTIST)])
    home.save(box)
    assert [entry.title for entry in box.entries] == ["Tea", "Dentist"]


def test_what_somebody_else_changed_meanwhile_is_told_with_both_versions(tmp_path: Path) -> None:
    path = tmp_path / "one.ics"
    home, box = opened(path, of("SUMMARY:Dentist", "DURATION:PT1H"))
    theirs = of("SUMMARY:Dentist", "DURATION:PT2H")
    path.write_bytes(theirs)
    box.restore([later(DENTIST)])
    with pytest.raises(
        ToolError, match=r"2026-11-24 14:30  120 min  Dentist .*as wanted here: 2026-11-25 15:00  60 min"
    ):
        home.save(box)
    assert (path.read_bytes(), box.entries) == (theirs, [replace(DENTIST, duration=120)])


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no line BEGIN:VCALENDAR"):
        opened(tmp_path / "one.ics", b"Dear Sir or Madam")


def test_a_new_file_is_one_that_others_read(tmp_path: Path) -> None:
    icalendar = pytest.importorskip("icalendar", reason="needs the extra calendar")
    path = tmp_path / "new.ics"
    home_of(str(path)).save(Calendar([DENTIST]))
    [event] = icalendar.Calendar.from_ical(path.read_bytes()).walk("VEVENT")
    assert (str(event["SUMMARY"]), event["DURATION"].dt) == ("Dentist", dt.timedelta(hours=1))
