"""Times in iCalendar (RFC 5545, 3.3): read onto the person's clock, and written back in the form they had.

Knows lines and zones, no entries.
"""

from __future__ import annotations

import datetime as dt
import re
import zoneinfo
from functools import lru_cache

from toolmend.tools.toolboxes.ics_text import ContentLine, IcsPart

_WHEN = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d):?(\d\d)?(Z?))?")
_LENGTH = re.compile(r"([+-]?)P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?")
_UTC_NAMES = ("UTC", "GMT", "Z", "Etc/UTC", "tzone://Microsoft/Utc")


def root_of(part: IcsPart) -> IcsPart:
    """The file that a component stands in."""
    while part.parent is not None:
        part = part.parent
    return part


def moment_of(line: ContentLine, part: IcsPart) -> dt.datetime | dt.date:
    """What a DTSTART, DTEND, RECURRENCE-ID or EXDATE says, with its zone if it has one. Raises ValueError."""
    match = _WHEN.fullmatch(line.value.strip().upper())
    if match is None:
        raise ValueError(f"{line.name}:{line.value[:40]} is no day and no time")
    year, month, day, hour, minute, second, utc = match.groups()
    date = dt.date(int(year), int(month), int(day))
    if hour is None:
        return date
    moment = dt.datetime.combine(date, dt.time(int(hour), int(minute), min(int(second or 0), 59)))
    zone = dt.UTC if utc else _zone(line.param("TZID"), part)
    return moment.replace(tzinfo=zone)


def local(moment: dt.datetime) -> dt.datetime:
    """The moment on the person's clock; what has no zone is on it already."""
    return moment.astimezone().replace(tzinfo=None) if moment.tzinfo else moment


def as_before(value: str, moment: dt.datetime, zone: dt.tzinfo | None) -> str:
    """A moment of the person's clock in the form of an old value: in its zone, in UTC or on everybody's clock."""
    if zone is not None:
        moment = moment.astimezone(zone)
    written = moment.strftime("%Y%m%dT%H%M%S")
    return written + "Z" if value.strip().upper().endswith("Z") else written


def in_utc(moment: dt.datetime) -> str:
    """A moment of the person's clock as a value in UTC, so that every calendar shows the same moment."""
    return moment.astimezone(dt.UTC).strftime("%Y%m%dT%H%M%SZ")


def length_of(value: str) -> dt.timedelta:
    """What a DURATION says. Raises ValueError."""
    match = _LENGTH.fullmatch(value.strip().upper())
    if match is None or not any(match.groups()[1:]):
        raise ValueError(f"DURATION:{value[:40]} is no length of time")
    weeks, days, hours, minutes, seconds = (int(number or 0) for number in match.groups()[1:])
    span = dt.timedelta(days=7 * weeks + days, hours=hours, minutes=minutes, seconds=seconds)
    return -span if match[1] == "-" else span


def written_length(minutes: int) -> str:
    """Minutes as a DURATION."""
    hours, rest = divmod(minutes, 60)
    return "PT" + (f"{hours}H" if hours else "") + (f"{rest}M" if rest or not hours else "")


def _zone(name: str, part: IcsPart) -> dt.tzinfo | None:
    """The zone of that name, of the world's list or as the file describes it; None for no name. Raises ValueError."""
    if not name:
        return None
    if name in _UTC_NAMES:
        return dt.UTC
    known = _listed(name)
    if known is not None:
        return known
    for zone in root_of(part).walk():
        named = zone.first("TZID") if zone.name == "VTIMEZONE" else None
        if named is not None and named.value.strip() == name:
            return _described(zone.to_bytes())
    raise ValueError(f"nobody knows the time zone {name[:40]!r}")


@lru_cache(maxsize=256)
def _listed(name: str) -> zoneinfo.ZoneInfo | None:
    words = name.strip("/").split("/")
    for start in range(len(words)):  # /freeassociation.sourceforge.net/Europe/Berlin
        try:
            return zoneinfo.ZoneInfo("/".join(words[start:]))
        except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
            continue
    try:
        from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON
    except ImportError:
        return None
    olson = WINDOWS_TO_OLSON.get(name)
    return zoneinfo.ZoneInfo(olson) if olson else None


@lru_cache(maxsize=64)
def _described(text: bytes) -> dt.tzinfo:
    """The zone that a VTIMEZONE describes. Raises ValueError."""
    try:
        import icalendar
    except ImportError as error:
        raise ValueError("its own time zone needs: pip install 'toolmend[calendar]'") from error
    try:
        zone: dt.tzinfo = icalendar.Timezone.from_ical(text).to_tz(lookup_tzid=False)
    except Exception as error:  # whatever the library trips over
        raise ValueError(f"its VTIMEZONE cannot be read ({type(error).__name__})") from error
    return zone
