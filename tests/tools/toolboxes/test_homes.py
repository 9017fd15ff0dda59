"""Where a world lives: JSON and iCalendar."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from toolmend.base.errors import BadFile, BadOption
from toolmend.tools import Toolbox
from toolmend.tools.toolboxes import Calendar
from toolmend.tools.toolboxes.calendar import Entry
from toolmend.tools.toolboxes.homes import home_of

TEA = Entry("Tea", dt.date(2026, 11, 23), dt.time(16), 45)
DENTIST = Entry("Dentist", dt.date(2026, 11, 24), dt.time(14, 30), 60)
ICS = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//somebody//EN
BEGIN:VEVENT
UID:1
DTSTART;VALUE=DATE:20261201
SUMMARY:Holiday
END:VEVENT
BEGIN:VEVENT
UID:2
DTSTART:20261124T143000
DTEND:20261124T153000
SUMMARY:Dentist
END:VEVENT
END:VCALENDAR
"""


def entries(place: str) -> list[Entry]:
    """What a new calendar there has."""
    box = Calendar()
    home_of(place).load(box)
    return box.entries


def test_a_file_of_json_keeps_any_world(tmp_path: Path) -> None:
    place = str(tmp_path / "deep" / "mine.json")
    box = Calendar([TEA])
    home = home_of(place)
    home.load(box)
    home.save(box)
    assert entries(place) == [TEA]


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text("{")
    with pytest.raises(BadFile, match=r"mine\.json: cannot be read as JSON .*move it away"):
        entries(str(tmp_path / "mine.json"))


def test_a_folder_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadFile, match="cannot be written"):
        home_of(str(tmp_path / "file" / "mine.json")).save(Calendar())


def test_a_place_that_nobody_knows() -> None:
    with pytest.raises(BadOption, match=r"FILE\.json, FILE\.ics"):
        home_of("mine.txt")


def test_of_an_icalendar_file_only_what_changed_is_changed(tmp_path: Path) -> None:
    path = tmp_path / "mine.ics"
    path.write_text(ICS.replace("\n", "\r\n"), newline="")
    box = Calendar()
    home = home_of(str(path))
    home.load(box)
    assert box.entries == [DENTIST]
    box.restore([TEA])
    home.save(box)
    assert entries(str(path)) == [TEA]
    assert ("Holiday" in path.read_text(), "Dentist" in path.read_text()) == (True, False)
    with pytest.raises(BadOption, match="only a calendar can live"):
        home.load(Toolbox())
