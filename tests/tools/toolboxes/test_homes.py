"""Where a world lives: JSON, iCalendar, CalDAV. The last two where their packages are installed."""

from __future__ import annotations

import datetime as dt
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

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
    pytest.importorskip("icalendar", reason="needs the extra calendar")
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


def test_a_server_is_asked_with_the_name_and_password_that_its_place_has(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, str]] = []
    monkeypatch.delenv("TOOLMEND_CALDAV_PASSWORD", raising=False)
    monkeypatch.setitem(sys.modules, "caldav", SimpleNamespace(DAVClient=lambda **given: asked.append(given)))
    home_of("caldav+https://ada:sesame@host.example/own/")
    assert asked == [{"url": "https://host.example/own/", "username": "ada", "password": "sesame"}]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """A CalDAV server with an empty calendar of Ada's; its address."""
    caldav = pytest.importorskip("caldav", reason="needs the extra calendar")
    pytest.importorskip("radicale", reason="needs radicale")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["--storage-filesystem-folder", str(tmp_path), "--server-hosts", f"127.0.0.1:{port}", "--auth-type", "none"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "radicale", *words]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            assert any("server ready" in line for line in process.stderr)
            client = caldav.DAVClient(url=f"http://127.0.0.1:{port}/", username="ada", password="")
            client.principal().make_calendar(name="own")
            yield f"caldav+http://ada@127.0.0.1:{port}/"
        finally:
            process.kill()


def test_a_calendar_on_a_server(server: str) -> None:
    box = Calendar()
    home = home_of(server)
    home.load(box)
    for kept in ([TEA], [TEA, DENTIST], [DENTIST]):
        box.restore(kept)
        home.save(box)
        assert entries(server) == kept
