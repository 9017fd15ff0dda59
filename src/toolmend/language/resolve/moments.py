"""Dates, times and both together, out of normalised words: what is said, or what the value that is changed becomes."""

from __future__ import annotations

import datetime as dt
import re

from toolmend.language.resolve import changes, clock, dates
from toolmend.language.resolve.durations import SPAN, measure
from toolmend.language.resolve.grammar import Match
from toolmend.language.resolve.leftovers import blanked, changes_value
from toolmend.language.resolve.results import Finding, nothing
from toolmend.language.resolve.shapes import Frame

_LASTING = re.compile(rf"(?<!\S)for {SPAN}(?!\S)")
_THE_ONE = re.compile(r"((?:the|that|this) .* (?:am|pm|oclock) )1$")  # the 3 pm one
_AS_IT_IS = re.compile(r"(?<!\S)(?:at )?(?:the |that )?(?:same (?:day|date|time)|that day)(?!\S)")
_BESIDE = re.compile(rf"(?:at )?(?P<span>{SPAN}) (?P<way>before|after|past)(?= (?!that\b))")
_BARE = re.compile(r"(?:on |the )*(?P<first>\d{1,2})(?: |(?P<mark>\.))(?P<second>\d{1,2})(?: (?P<year>\d{4}|20 \d\d))?")
_NO_CLOCK = "the words count from today, and no clock (now) was given"


def read_date(words: str, frame: Frame) -> Finding:
    """The day that is meant, as YYYY-MM-DD."""
    like = dates.day_of(frame.like)
    if like is not None and not dates.GRAMMAR.read_all(words) and (change := changes.of_date(words, like, frame)):
        return change
    spans, days, rule = _days(words, frame, like)
    if not spans and (bare := _BARE.fullmatch(words)):
        groups = {name: value.replace(" ", "") for name, value in bare.groupdict().items() if value}
        spans, days, rule = [(0, len(words))], dates.days_of("figures", groups, frame, like), "figures"
    if not spans:
        return nothing("no day in these words")
    timed = [(match.start, match.end) for match in clock.GRAMMAR.read(blanked(words, spans)) if _marked(match, words)]
    if changes_value(words, [*spans, *timed, *_lasting(words)], dated=True):
        return nothing("part of the words would change the day, and was not understood")
    if like is not None and words.startswith("back to "):
        days = [day for day in days if day < like]
    values = tuple(day.isoformat() for day in days)
    reason = "more than one day fits" if days else "no such day" if frame.now or like else _NO_CLOCK
    return Finding(values, spans[0][0], spans[-1][1], rule, reason)


def read_time(words: str, frame: Frame) -> Finding:
    """The time of day that is meant, as HH:MM."""
    like = clock.minute_of(frame.like)
    words = _THE_ONE.sub(r"\1~", words)
    plain = clock.GRAMMAR.read_all(words.removeprefix("at ")) is not None
    if not plain and (change := changes.of_time(words, like, frame)):
        return change
    if not plain and (beside := _beside(words, frame, like)):
        return beside
    spans = [] if plain else _days(words, frame, dates.day_of(frame.like))[0]
    times, finding = _times(words, spans, frame, like)
    if like is not None and not times and "same time" in words:
        return Finding((clock.shown(like),), 0, len(words), "same")
    if not finding.rule:
        return finding
    if changes_value(words, [*spans, *times, *_lasting(words)], dated=True):
        return nothing("part of the words would change the time, and was not understood")
    return finding


def read_moment(words: str, frame: Frame) -> Finding:
    """The date and time that are meant, as YYYY-MM-DDTHH:MM; what is not said stays as in the value that is changed."""
    words = _THE_ONE.sub(r"\1~", words)
    day, minute = dates.day_of(frame.like), clock.minute_of(frame.like)
    like = dt.datetime.combine(day, dt.time(minute // 60, minute % 60)) if day and minute is not None else None
    if like is not None and not changes.SAME.fullmatch(words):
        words = _AS_IT_IS.sub(lambda same: "~" * len(same[0]), words)
    if change := changes.of_moment(words, like, frame):
        return change
    moved = changes.of_date(words, day, frame, alone=False) if day else None
    if moved and moved.values:
        spans, days = [(moved.start, moved.end)], [dt.date.fromisoformat(value) for value in moved.values]
    else:
        spans, days, _ = _days(words, frame, day)
    times, finding = _times(words, spans, frame, minute)
    part = " ".join(clock.parts_of_day(words)) if spans else words
    if not times and part and (change := changes.of_time(part, minute, frame)):
        times, finding = [(change.start, change.end)] if part is words else [], change
    if not spans and not finding.rule:
        return nothing("neither a day nor a time in these words")
    if changes_value(words, [*spans, *times, *_lasting(words)], dated=True):
        return nothing("part of the words would change the moment, and was not understood")
    if not spans:
        days = [day] if day else _nearest_days(finding.values, frame)
    clocks = finding.values if finding.rule else (clock.shown(minute),) if minute is not None else ()
    values = tuple(f"{date.isoformat()}T{time}" for date in days for time in clocks)
    places = [*spans, *times]
    missing = "no such day or time" if frame.now else _NO_CLOCK
    reason = "more than one moment fits" if values else "no time of day is said" if days else missing
    rule = "day and time" if spans and finding.rule else finding.rule or "day"
    return Finding(values, min(place[0] for place in places), max(place[1] for place in places), rule, reason)


def _days(words: str, frame: Frame, like: dt.date | None) -> tuple[list[tuple[int, int]], list[dt.date], str]:
    """Where days are said, which they can be, and by which rule."""
    said = dates.read_days(words, frame, like)
    days = list(dict.fromkeys(day for one in said for day in one.days))
    return [(one.start, one.end) for one in said], days, said[0].rule if said else ""


def _times(
    words: str, days: list[tuple[int, int]], frame: Frame, like: int | None
) -> tuple[list[tuple[int, int]], Finding]:
    """Where times are said, and which they can be."""
    parts = clock.parts_of_day(words)
    spans: list[tuple[int, int]] = []
    values: list[str] = []
    rule = ""
    for match in clock.GRAMMAR.read(blanked(words, [*days, *_lasting(words)])):
        said = clock.clock_of(match)
        spans.append((match.start, match.end))
        rule = rule or match.rule
        if said is None:
            return spans, Finding((), match.start, match.end, match.rule, "no such time of day")
        own = set() if match.groups.get("half") else parts
        minutes = clock.settle(said, own, frame, like)
        if not minutes and own and values:
            return spans, Finding((), match.start, match.end, match.rule, "no such time of day")
        for minute in minutes:
            if (time := clock.shown(minute, said.second)) not in values:
                values.append(time)
    if not spans:
        return spans, nothing("no time of day in these words")
    reason = "morning or evening?" if len(values) > 1 else "no such time of day"
    return spans, Finding(tuple(values), spans[0][0], spans[-1][1], rule, reason)


def _nearest_days(times: tuple[str, ...], frame: Frame) -> list[dt.date]:
    """Today, for a time that is still ahead; today or tomorrow for one that is past."""
    if frame.now is None or not times:
        return []
    today = frame.now.date()
    ahead = all(time > clock.shown(frame.now.hour * 60 + frame.now.minute) for time in times)
    return [today] if ahead else [today, today + dt.timedelta(days=1)]


def _lasting(words: str) -> list[tuple[int, int]]:
    return [match.span() for match in _LASTING.finditer(words)] if "for " in words else []


def _beside(words: str, frame: Frame, like: int | None) -> Finding | None:
    """A length of time before or after a time that is said: "half an hour before noon"; None if it is no such."""
    match = _BESIDE.match(words)
    span = measure(match["span"]) if match else None
    if match is None or span is None or span.months or span.seconds % 60:
        return None
    times, finding = _times(words, [match.span()], frame, like)
    if not finding.values or changes_value(words, [match.span(), *times], dated=True):
        return None
    sign = -1 if match["way"] == "before" else 1
    minutes = [clock.minute_of(value) or 0 for value in finding.values]
    values = tuple(clock.shown((minute + sign * int(span.seconds // 60)) % clock.DAY) for minute in minutes)
    return Finding(values, match.start(), finding.end, "so long before or after", "morning or evening?")


def _marked(match: Match, words: str) -> bool:
    """Whether a match is surely a time of day, no bare number."""
    sure = {"minute", "half", "named", "way"} & match.groups.keys()
    return bool(sure or "oclock" in words or words[: match.start].endswith("at "))
