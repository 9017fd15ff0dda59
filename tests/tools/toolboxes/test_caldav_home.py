"""A calendar on a CalDAV server: a real one (Radicale, where it is installed), and one that misbehaves."""

from __future__ import annotations

import datetime as dt
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest

from fakes.dav import Breaks, FakeDav, dav, said_password
from toolmend.base.errors import ToolError
from toolmend.tools.toolboxes import Calendar
from toolmend.tools.toolboxes.calendar import Entry
from toolmend.tools.toolboxes.home import Home
from toolmend.tools.toolboxes.homes import home_of

TEA = Entry("Tea", dt.date(2026, 11, 23), dt.time(16), 45)
DENTIST = Entry("Dentist", dt.date(2026, 11, 24), dt.time(14, 30), 60)
EVENT = (
    b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\nBEGIN:VEVENT\r\nUID:d@x\r\nDTSTAMP:20260101T000000Z\r\n"
    b"SUMMARY:Dentist\r\nDTSTART:20261124T143000\r\nDURATION:PT1H\r\nATTENDEE;CN=Bo:mailto:bo@example.org\r\n"
    b"X-MINE;X-P=1:kept\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)
THEIRS = EVENT.replace(b"PT1H", b"PT2H")


@pytest.fixture
def there(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeDav]:
    """A server that holds the dentist."""
    monkeypatch.delenv("TOOLMEND_CALDAV_PASSWORD", raising=False)
    with dav() as fake:
        fake.held["/own/d.ics"] = EVENT
        yield fake


def opened(place: str) -> tuple[Home, Calendar]:
    home, box = home_of(place), Calendar()
    home.load(box)
    return home, box


def moved(box: Calendar) -> None:
    box.restore([replace(DENTIST, date=dt.date(2026, 11, 25))])


def test_a_server_is_asked_with_the_name_and_password_that_its_place_has(there: FakeDav) -> None:
    opened(there.url)
    assert {said_password(headers) for _, _, headers in there.asked} == {"ada:sesame"}


def test_a_move_writes_only_its_lines_and_only_over_what_was_read(there: FakeDav) -> None:
    home, box = opened(there.url)
    version = there.etag("/own/d.ics")
    moved(box)
    home.save(box)
    now = there.held["/own/d.ics"]
    assert [
        line for line in now.split(b"\r\n") if line not in EVENT.split(b"\r\n") and not line.startswith(b"DTSTAMP")
    ] == [
        b"DTSTART:20261125T143000",
        b"SEQUENCE:1",
    ]
    assert [headers["if-match"] for method, _, headers in there.asked if method == "PUT"] == [version]


def test_what_is_undone_is_the_same_to_the_byte(there: FakeDav) -> None:
    home, box = opened(there.url)
    for entries in ([replace(DENTIST, date=dt.date(2026, 11, 25))], [DENTIST], [], [DENTIST]):
        box.restore(entries)
        home.save(box)
    assert there.held == {"/own/d.ics": EVENT}


@pytest.mark.parametrize("wanted", [[], [replace(DENTIST, date=dt.date(2026, 11, 25))]], ids=["removed", "moved"])
def test_what_somebody_changed_after_it_was_read_is_not_overwritten(there: FakeDav, wanted: list[Entry]) -> None:
    home, box = opened(there.url)
    there.held["/own/d.ics"] = THEIRS
    box.restore(wanted)
    with pytest.raises(ToolError, match=r"changed there meanwhile and stays so: 2026-11-24 14:30  120 min"):
        home.save(box)
    assert (there.held["/own/d.ics"], box.entries) == (THEIRS, [replace(DENTIST, duration=120)])


@pytest.mark.parametrize("wanted", [[], [replace(DENTIST, date=dt.date(2026, 11, 25))]], ids=["removed", "moved"])
def test_what_somebody_changes_between_asking_and_writing_is_not_overwritten(
    there: FakeDav, wanted: list[Entry]
) -> None:
    home, box = opened(there.url)

    def meanwhile(method: str, path: str, headers: dict[str, str]) -> None:
        if method in ("PUT", "DELETE"):
            there.held[path] = THEIRS

    there.quirk = meanwhile
    box.restore(wanted)
    with pytest.raises(ToolError, match="changed there meanwhile and stays so"):
        home.save(box)
    assert (there.held["/own/d.ics"], box.entries) == (THEIRS, [replace(DENTIST, duration=120)])


@pytest.mark.parametrize("done", [True, False], ids=["arrived", "did not arrive"])
@pytest.mark.parametrize("method", ["PUT", "DELETE", "POST"])
def test_a_write_that_breaks_off_is_tried_again_and_nothing_is_lost_or_doubled(
    there: FakeDav, method: str, done: bool
) -> None:
    home, box = opened(there.url)
    wanted = {"PUT": [replace(DENTIST, title="Dentist again")], "DELETE": [], "POST": [DENTIST, TEA]}[method]
    breaks = {"POST": "PUT"}.get(method, method)
    left = [Breaks(done=done)]

    def once(asked: str, path: str, headers: dict[str, str]) -> None:
        if asked == breaks and left:
            raise left.pop()

    there.quirk = once
    box.restore(wanted)
    with pytest.raises(ToolError, match=r"not everything was kept there .* the next change tries it again"):
        home.save(box)
    home.save(box)
    assert sorted(map(str, opened(there.url)[1].entries)) == sorted(map(str, wanted))


def test_a_full_server_is_named_and_the_calendar_stays_as_wanted(there: FakeDav) -> None:
    home, box = opened(there.url)
    there.quirk = lambda method, *_: (507, {}, b"") if method == "PUT" else None
    box.restore([DENTIST, TEA])
    with pytest.raises(ToolError, match=r"the server has no room left \(HTTP 507\)"):
        home.save(box)
    there.quirk = lambda *_: None
    home.save(box)
    assert sorted(map(str, opened(there.url)[1].entries)) == sorted(map(str, [DENTIST, TEA]))


def test_a_server_without_versions_is_asked_before_it_is_written_to(there: FakeDav) -> None:
    there.etags = False
    home, box = opened(there.url)
    there.held["/own/d.ics"] = THEIRS
    moved(box)
    with pytest.raises(ToolError, match="changed there meanwhile"):
        home.save(box)
    assert there.held["/own/d.ics"] == THEIRS


def test_a_version_that_was_told_wrong_does_not_stand_in_the_way(there: FakeDav) -> None:
    """As Apache does it that adds "-gzip"."""
    home, box = opened(there.url)
    left = ["wrong"]

    def wrong(method: str, path: str, headers: dict[str, str]) -> tuple[int, dict[str, str], bytes] | None:
        return (200, {"ETag": f'"{left.pop()}"'}, there.held[path]) if method == "GET" and left else None

    there.quirk = wrong
    moved(box)
    home.save(box)
    assert b"DTSTART:20261125T143000" in there.held["/own/d.ics"]


def test_a_server_that_always_says_changed_is_given_up(there: FakeDav) -> None:
    home, box = opened(there.url)
    there.quirk = lambda method, *_: (412, {}, b"") if method == "PUT" else None
    moved(box)
    with pytest.raises(ToolError, match="says it was changed meanwhile, and it was not"):
        home.save(box)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_no_password_goes_to_another_server(there: FakeDav, status: int) -> None:
    with dav() as other:
        away = other.url.replace("caldav+", "").replace("ada:sesame@", "")
        there.quirk = lambda *_: (status, {"Location": away}, b"")
        with pytest.raises(ToolError, match=r"sends on to http://127\.0\.0\.1, which is another"):
            opened(there.url)
        assert other.asked == []


def test_a_server_that_sends_in_circles_is_left(there: FakeDav) -> None:
    there.quirk = lambda *_: (302, {"Location": "/own/"}, b"")
    with pytest.raises(ToolError, match="sends in circles"):
        opened(there.url)


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><multistatus>&b;</multistatus>'
)


@pytest.mark.parametrize("codec", ["utf-8", "utf-16"])
def test_xml_with_entities_of_its_own_is_refused(there: FakeDav, codec: str) -> None:
    there.quirk = lambda *_: (207, {}, BOMB.encode(codec))
    with pytest.raises(ToolError, match="has a document type"):
        opened(there.url)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((207, {}, b"<html>"), "what is no XML"),
        ((200, {}, b"hello"), r"HTTP 200"),
        ((401, {}, b""), "another user or password"),
        ((500, {}, b"\xff\xfe"), r"HTTP 500"),
        ((207, {}, b'<multistatus xmlns="DAV:"/>'), "says nothing about that address"),
    ],
)
def test_what_is_no_answer_is_one_line(there: FakeDav, answer: tuple[int, dict[str, str], bytes], said: str) -> None:
    there.quirk = lambda *_: answer
    with pytest.raises(ToolError, match=f"the calendar cannot be read .*{said}"):
        opened(there.url)


def test_an_event_that_cannot_be_read_is_never_written(there: FakeDav) -> None:
    odd = EVENT.replace(b"PT1H", b"1H")
    there.held["/own/odd.ics"] = odd
    there.held["/own/none.ics"] = b"not a calendar"
    home, box = opened(there.url)
    box.restore([])
    home.save(box)
    assert there.held == {"/own/odd.ics": odd, "/own/none.ics": b"not a calendar"}


@pytest.fixture
def radicale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A Radicale with an empty calendar of Ada's; its address."""
    pytest.importorskip("radicale", reason="needs radicale")
    monkeypatch.delenv("TOOLMEND_CALDAV_PASSWORD", raising=False)
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
            made = httpx2.request("MKCALENDAR", f"http://127.0.0.1:{port}/ada/own/", auth=("ada", ""))
            assert made.status_code == 201
            yield f"caldav+http://ada@127.0.0.1:{port}/"
        finally:
            process.kill()


def test_a_calendar_on_a_real_server(radicale: str) -> None:
    home, box = opened(radicale)
    for kept in ([TEA], [TEA, DENTIST], [DENTIST], [replace(DENTIST, duration=30)], []):
        box.restore(kept)
        home.save(box)
        assert opened(radicale)[1].entries == kept


def test_two_who_change_one_entry_of_a_real_server(radicale: str) -> None:
    home, box = opened(radicale)
    box.restore([DENTIST])
    home.save(box)
    other, theirs = opened(radicale)
    theirs.restore([replace(DENTIST, duration=120)])
    other.save(theirs)
    box.restore([replace(DENTIST, duration=15)])
    with pytest.raises(ToolError, match=r"120 min .*as wanted here: .*15 min"):
        home.save(box)
    assert opened(radicale)[1].entries == [replace(DENTIST, duration=120)]


SERIES = EVENT.replace(b"DURATION:PT1H", b"DURATION:PT1H\r\nRRULE:FREQ=WEEKLY;BYDAY=TU")
RULE = "RRULE:FREQ=WEEKLY;BYDAY=TU"


def test_one_of_a_series_that_is_cancelled_is_an_exdate_and_undone_the_old_bytes(there: FakeDav) -> None:
    pytest.importorskip("recurring_ical_events", reason="needs the extra calendar")
    there.held["/own/d.ics"] = SERIES
    home, box = opened(there.url)
    before = box.snapshot()
    box.skip_repeating_entry("Dentist", dt.date(2026, 12, 1), dt.time(14, 30))
    home.save(box)
    assert b"EXDATE:20261201T143000\r\n" in there.held["/own/d.ics"]
    box.restore(before)
    home.save(box)
    assert there.held["/own/d.ics"] == SERIES


@pytest.mark.parametrize("rule", ["FREQ=SECONDLY;COUNT=99999", "FREQ=DAILY;BYSETPOS=" + "1," * 9999 + "1"])
def test_a_giant_rule_stops_nothing(there: FakeDav, rule: str) -> None:
    pytest.importorskip("recurring_ical_events", reason="needs the extra calendar")
    there.held["/own/e.ics"] = SERIES.replace(RULE.encode(), f"RRULE:{rule}".encode()).replace(b"d@x", b"e@x")
    _, box = opened(there.url)
    assert (box.entries, len(box.unread)) == ([DENTIST], 1)


def test_what_recurs_on_a_real_server(radicale: str) -> None:
    pytest.importorskip("recurring_ical_events", reason="needs the extra calendar")
    home, box = opened(radicale)
    box.add_repeating_entry("Yoga", dt.date(2026, 12, 2), dt.time(18), "every Wednesday until Easter", 60)
    home.save(box)
    box.move_repeating_entry("Yoga", dt.date(2026, 12, 9), dt.time(18), dt.date(2026, 12, 10), dt.time(7))
    home.save(box)
    again = opened(radicale)[1]
    rows = again.between(dt.datetime(2026, 12, 1), dt.datetime(2026, 12, 17))
    assert [f"{row.start:%m-%d %H:%M}" for row in rows] == ["12-02 18:00", "12-10 07:00", "12-16 18:00"]
