"""Calendars in the manner of six programs, each another for every seed: what they write, invented contents."""

from __future__ import annotations

import random
from collections.abc import Callable

EUROPE = """BEGIN:VTIMEZONE
TZID:{name}
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE
"""
TITLES = ["Dentist", "Caf\u00e9 with J\u00f6rg", "Budget\\, third round", "Choir", "Plumber (bring keys)", "Stand-up 2"]
PEOPLE = ["ana@example.org", "bo@example.org", "chi@example.net"]
ALARM = "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT{minutes}M\nDESCRIPTION:Reminder\nEND:VALARM\n"


def _common(pick: random.Random, number: int, start: str, end: str) -> list[str]:
    """What every program writes of an event, in an order of its own."""
    rows = [start, end, f"SUMMARY:{pick.choice(TITLES)}", f"UID:{number}-{pick.randrange(10**9)}@example.org"]
    rows += [f"DTSTAMP:2026{pick.randint(1, 9):02}01T080000Z"]
    if pick.random() < 0.6:
        rows.append(
            f"LOCATION:Room {pick.randrange(90)}\\, second floor " + "and along the corridor " * pick.randrange(4)
        )
    if pick.random() < 0.5:
        rows.append(f'ORGANIZER;CN="Ana: the boss; she":mailto:{PEOPLE[0]}')
        rows += [f"ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:{who}" for who in PEOPLE[1:]]
    if pick.random() < 0.5:
        rows.append(f"SEQUENCE:{pick.randrange(5)}")
    if pick.random() < 0.4:
        rows.append("DESCRIPTION:First line\\nsecond\\; third  with  blanks " + "x" * pick.randrange(120))
    pick.shuffle(rows)
    return rows


def _clock(pick: random.Random) -> tuple[str, str]:
    day, hour, minute = pick.randint(1, 28), pick.randint(8, 19), pick.choice([0, 15, 30])
    return f"202612{day:02}T{hour:02}{minute:02}00", f"202612{day:02}T{hour + 1:02}{minute:02}00"


def _event(rows: list[str], more: str = "") -> str:
    return "BEGIN:VEVENT\n" + "\n".join(rows) + "\n" + more + "END:VEVENT\n"


def _whole(pick: random.Random, number: int) -> str:
    return _event([f"UID:w{number}", "DTSTART;VALUE=DATE:20261224", "DTEND;VALUE=DATE:20261227", "SUMMARY:Holiday"])


def google(pick: random.Random) -> str:
    """UTC, CRLF, X-WR-…, weekly ones with an exception."""
    text = "BEGIN:VCALENDAR\nPRODID:-//Google Inc//Google Calendar 70.9054//EN\nVERSION:2.0\nCALSCALE:GREGORIAN\n"
    text += "METHOD:PUBLISH\nX-WR-CALNAME:own\nX-WR-TIMEZONE:Europe/Berlin\n"
    for number in range(pick.randint(2, 6)):
        start, end = _clock(pick)
        rows = _common(pick, number, f"DTSTART:{start}Z", f"DTEND:{end}Z")
        text += _event([*rows, "CREATED:20260101T000000Z", "LAST-MODIFIED:20260102T000000Z", "TRANSP:OPAQUE"])
    zone = "TZID=Europe/Berlin"
    text += _event([f"DTSTART;{zone}:20261202T180000", "UID:r@google", "RRULE:FREQ=WEEKLY;BYDAY=WE", "SUMMARY:Yoga"])
    moved = [f"RECURRENCE-ID;{zone}:20261209T180000", f"DTSTART;{zone}:20261209T190000", "UID:r@google", "SUMMARY:Yoga"]
    return text + _event(moved) + _whole(pick, 1) + "END:VCALENDAR\n"


def outlook(pick: random.Random) -> str:
    """Zones of Windows, X-MICROSOFT-…, X-ALT-DESC, no blank after a fold."""
    text = "BEGIN:VCALENDAR\nPRODID:-//Microsoft Corporation//Outlook 16.0 MIMEDIR//EN\nVERSION:2.0\nMETHOD:PUBLISH\n"
    text += "X-MS-OLK-FORCEINSPECTOROPEN:TRUE\n" + EUROPE.format(name="W. Europe Standard Time")
    for number in range(pick.randint(2, 6)):
        start, end = _clock(pick)
        zone = 'TZID="W. Europe Standard Time"'
        rows = _common(pick, number, f"DTSTART;{zone}:{start}", f"DTEND;{zone}:{end}")
        rows += ["CLASS:PUBLIC", "X-MICROSOFT-CDO-BUSYSTATUS:BUSY", "X-ALT-DESC;FMTTYPE=text/html:<p>\\n</p>"]
        text += _event(rows, ALARM.format(minutes=15))
    return text + _event(["UID:c", "DTSTART:20261201T100000Z", "STATUS:CANCELLED", "SUMMARY:Off"]) + "END:VCALENDAR\n"


def apple(pick: random.Random) -> str:
    """DURATION or DTEND, X-APPLE-… inside of alarms, floating times."""
    text = "BEGIN:VCALENDAR\nCALSCALE:GREGORIAN\nPRODID:-//Apple Inc.//macOS 15.1//EN\nVERSION:2.0\n"
    text += EUROPE.format(name="Europe/Berlin")
    for number in range(pick.randint(2, 6)):
        start, end = _clock(pick)
        zone = pick.choice(["", ";TZID=Europe/Berlin"])
        last = pick.choice([f"DTEND{zone}:{end}", "DURATION:PT45M"])
        rows = _common(pick, number, f"DTSTART{zone}:{start}", last)
        more = (
            "BEGIN:VALARM\nX-WR-ALARMUID:A\nUID:A\nTRIGGER;VALUE=DATE-TIME:19760401T005545Z\nACTION:NONE\nEND:VALARM\n"
        )
        text += _event([*rows, "X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC"], more)
    return text + _whole(pick, 2) + "END:VCALENDAR\n"


def nextcloud(pick: random.Random) -> str:
    """Line feeds alone, and every event in a VCALENDAR of its own."""
    text = ""
    for number in range(pick.randint(2, 6)):
        start, end = _clock(pick)
        zone = "TZID=Europe/Berlin"
        rows = _common(pick, number, f"DTSTART;{zone}:{start}", f"DTEND;{zone}:{end}")
        text += "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//IDN nextcloud.com//Calendar app 5.0.0//EN\n"
        text += _event([*rows, "STATUS:CONFIRMED"]) + EUROPE.format(name="Europe/Berlin") + "END:VCALENDAR\n"
    return text


def exchange(pick: random.Random) -> str:
    """A zone that only the file describes."""
    text = "BEGIN:VCALENDAR\nMETHOD:PUBLISH\nPRODID:Microsoft Exchange Server 2010\nVERSION:2.0\n"
    text += EUROPE.format(name="Customized Time Zone 1")
    for number in range(pick.randint(2, 6)):
        start, end = _clock(pick)
        zone = "TZID=Customized Time Zone 1"
        rows = _common(pick, number, f"DTSTART;{zone}:{start}", f"DTEND;{zone}:{end}")
        text += _event([*rows, "X-MICROSOFT-CDO-APPT-SEQUENCE:0", "PRIORITY:5"], ALARM.format(minutes=5))
    broken = _event(["UID:b", "DTSTART:20261201T100000Z", "DURATION:1H", "SUMMARY:Odd"])
    return text + broken + "END:VCALENDAR\n"


def thunderbird(pick: random.Random) -> str:
    """X-MOZ-…, tasks between the events."""
    text = "BEGIN:VCALENDAR\nPRODID:-//Mozilla.org/NONSGML Mozilla Calendar V1.1//EN\nVERSION:2.0\n"
    text += EUROPE.format(name="Europe/Rome")
    for number in range(pick.randint(2, 6)):
        start, end = _clock(pick)
        zone = "TZID=/freeassociation.sourceforge.net/Europe/Rome"
        rows = _common(pick, number, f"DTSTART;{zone}:{start}", f"DTEND;{zone}:{end}")
        text += _event(["CREATED:20260101T000000Z", *rows, "X-MOZ-GENERATION:3", "X-MOZ-LASTACK:20260101T000000Z"])
        text += f"BEGIN:VTODO\nUID:t{number}\nSUMMARY:Task\nEND:VTODO\n"
    return text + "END:VCALENDAR\n"


MAKERS: dict[str, Callable[[random.Random], str]] = {
    made.__name__: made for made in (google, outlook, apple, nextcloud, exchange, thunderbird)
}
ENCODINGS = ["utf-8", "utf-8", "utf-8-sig", "latin-1", "utf-16"]


def made(maker: str, seed: int) -> bytes:
    """A calendar of that program: folded, with line ends and in an encoding that such files have."""
    pick = random.Random(f"{maker} {seed}")
    end = "\n" if maker == "nextcloud" else "\r\n"
    rows = []
    for line in MAKERS[maker](pick).splitlines():
        width = pick.choice([60, 74, 75])
        pieces = [line[at : at + width] for at in range(0, len(line), width)]
        rows.append((end + pick.choice([" ", "\t"])).join(pieces) + end)
    return "".join(rows).encode(ENCODINGS[seed % len(ENCODINGS)])
