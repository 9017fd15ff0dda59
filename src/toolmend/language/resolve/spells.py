"""Days and times that hold for several things: "next week", "on Tuesday and Thursday", "before noon", "from 9 to 11".

Each is a span of days or of the day, told against a thing's values. Knows no names of things.
"""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from toolmend.language.resolve import clock, dates
from toolmend.language.resolve.parameters import Values
from toolmend.language.resolve.said import Place
from toolmend.language.resolve.shapes import frame_of
from toolmend.language.resolve.words import MONTHS, Words

_DAY = {"type": "string", "format": "date"}
_CLOCK = {"type": "string", "format": "time"}
_PERIOD = re.compile(
    r"(?i)\b(?:(?:on|in|during|for|of|from|over) )?(?:the )?"
    r"(?:(?P<which>this|next|coming|whole|entire|rest of (?:the|this)) )?(?:coming )?"
    rf"(?P<what>week(?:end)?|month|year|day|{'|'.join(MONTHS)})(?:['’]s)?(?: (?P<year>20\d\d))?(?!\w)"
)
_PART = re.compile(
    r"(?i)\b(?:(?:in|on|of|during) )?(?:the |that )?(?P<part>morning|afternoon|evening|night)s?(?:['’]s)?(?!\w)"
)
_PARTS = {"morning": (0, 12 * 60), "afternoon": (12 * 60, 18 * 60), "evening": (17 * 60, 24 * 60),
          "night": (18 * 60, 24 * 60)}  # fmt: skip
_BOUND = re.compile(r"\b(?P<way>before|until|till|up to|by|after|since|from|starting|past)(?: on| the| at)* ?$")
_JOINED = re.compile(r"\s*(to|until|till|through|thru|-|and)\s*(?:the |on |at )*")
_UP_TO = ("until", "till", "up to", "by")
_ONWARDS = re.compile(r" (?:on|onwards?)\b")
_AT = re.compile(r"\b(?:at|between|on|of)(?: the)* ?$")
_COMES_BACK = {"weekday": "%w", "day of the month": "%d", "day and month": "%m-%d", "weekday and day": "%w %d"}


@dataclass(frozen=True, slots=True)
class Spell:
    """A span that is said: where, and from when to when (days, or minutes of the day), both included. `bounds`: only
    before or after something. `again` is how a day comes back (a form of strftime and what it gives: "%d", "04"): where
    nothing is in the span, it is one of those."""

    place: Place
    kind: Literal["day", "time"]
    first: Any
    last: Any
    bounds: bool = False
    again: tuple[str, str] | None = None

    def tells(self, thing: Values) -> bool:
        """Whether the thing has a value of the kind."""
        return self._value(thing) is not None

    def holds(self, thing: Values, things: Sequence[Values] = ()) -> bool:
        """Whether the thing is in it; of a day that comes back, where none of the things is in it, in another one."""
        value = self._value(thing)
        if value is None:
            return False
        if self.first <= value <= self.last:
            return True
        form, told = self.again or ("", "?")
        return value.strftime(form) == told and not any(map(self._inside, things)) if self.again else False

    def _inside(self, thing: Values) -> bool:
        value = self._value(thing)
        return value is not None and bool(self.first <= value <= self.last)

    def _value(self, thing: Values) -> Any:
        texts = [value for value in thing.values() if isinstance(value, str)]
        if self.kind == "day":
            return next(
                (day for text in texts if re.match(r"\d{4}-\d\d-\d\d", text) and (day := dates.day_of(text))), None
            )
        return next((minute for text in texts if (minute := clock.minute_of(text)) is not None), None)


def spells(phrase: str, now: dt.datetime | None, hours: str | None) -> list[Spell]:
    """Every span that the phrase says."""
    found = list(_periods(phrase, now)) if now else []
    found += _days(without(phrase, found), now)
    return found + _times(without(phrase, found), hours)


def without(phrase: str, said: Sequence[Spell]) -> str:
    """The phrase with what the spans say made unreadable."""
    for spell in said:
        start, end = spell.place
        phrase = f"{phrase[:start]},{'~' * (end - start - 1)}{phrase[end:]}"
    return phrase


def _periods(phrase: str, now: dt.datetime) -> Iterator[Spell]:
    today = now.date()
    for match in _PERIOD.finditer(phrase):
        what, which = match["what"].lower(), (match["which"] or "").lower()
        if what == "day" and which not in ("whole", "entire") and not which.startswith("rest"):
            continue
        if re.search(r"(?i)(?:\d|\d(?:st|nd|rd|th)|\bday) ?$", phrase[: match.start()]):  # a day of that month
            continue
        if what in MONTHS and re.match(r" ?\d", phrase[match.end() :]):
            continue
        first, last = _span_of(what, which, today, match["year"])
        yield Spell(match.span(), "day", max(first, today) if which.startswith("rest") else first, last)


def _span_of(what: str, which: str, today: dt.date, year: str | None) -> tuple[dt.date, dt.date]:
    """The first and the last day of a period."""
    later = which == "next"
    if what == "day":
        return today, today
    if what.startswith("week"):
        monday = today - dt.timedelta(today.weekday()) + dt.timedelta(7 * later)
        return (monday + dt.timedelta(5 if what == "weekend" else 0), monday + dt.timedelta(6))
    if what == "year":
        return dt.date(today.year + later, 1, 1), dt.date(today.year + later, 12, 31)
    month = today.year * 12 + today.month - 1 + later
    if what in MONTHS:
        number = MONTHS.index(what)
        month = (int(year) if year else today.year + (number < today.month - 1)) * 12 + number
    first = dt.date(month // 12, month % 12 + 1, 1)
    return first, first.replace(day=calendar.monthrange(first.year, first.month)[1])


def _days(phrase: str, now: dt.datetime | None) -> list[Spell]:
    words = Words(phrase)
    frame = frame_of(_DAY, now or dt.datetime(2000, 1, 1), None, None, None)
    said = list[_Read]()
    for one in dates.read_days(words.text, frame, None):
        place = words.span(one.start, one.end)
        if not one.days:
            continue
        day, form = min(one.days), _COMES_BACK.get(one.rule, "")
        form = "" if form == "%m-%d" and re.search(r"\d{4}|year", words.text[one.start : one.end]) else form
        many = one.rule == "weekday" and re.search(r"(?i)\b(?:(?:every|each|all) \w+day|\w+days)$", phrase[: place[1]])
        first = dt.date.max if form and (now is None or many) else day
        said.append(_Read(one.start, one.end, first, first, (form, day.strftime(form)) if form else None))
    return _joined("day", said, words)


def _times(phrase: str, hours: str | None) -> list[Spell]:
    parts = [Spell(match.span(), "time", *_PARTS[match["part"].lower()]) for match in _PART.finditer(phrase)]
    words, frame = Words(phrase), frame_of(_CLOCK, None, None, hours, None)
    said = list[_Read]()
    for match in clock.GRAMMAR.read(words.text):
        time, led = clock.clock_of(match), words.text[: match.start]
        sure = {"half", "minute", "named", "way"} & match.groups.keys() or "oclock" in words.text
        if time is None or not (sure or _BOUND.search(led) or _AT.search(led)):
            continue
        halves = set[str]() if match.groups.get("half") else clock.parts_of_day(words.text)
        if minutes := clock.settle(time, halves, frame, None):
            said.append(_Read(match.start, match.end, minutes[0], minutes[-1]))
    return parts + _joined("time", said, words)


@dataclass(frozen=True, slots=True)
class _Read:
    """A day or a time as said, where the normalised words have it; the last of it is another where it is open."""

    start: int
    end: int
    first: Any
    last: Any
    again: tuple[str, str] | None = None


def _joined(kind: Literal["day", "time"], said: Sequence[_Read], words: Words) -> list[Spell]:
    """The spans that are said: each by itself, bounded by "before" and its like, or two of them as one."""
    found, text = list[Spell](), words.text
    before: _Read | None = None
    for one in said:
        if before is not None and _is_range(before, one, text):
            place = (found.pop().place[0], words.span(one.start, one.end)[1])
            found.append(Spell(place, kind, before.first, one.last, bounds=True))
            before = None
            continue
        bound, onwards = _BOUND.search(text[: one.start]), _ONWARDS.match(text[one.end :])
        led = bound or _AT.search(text[: one.start])
        way = bound["way"] if bound and (kind == "time" or bound["way"] != "from" or onwards) else ""
        ends = one.end + onwards.end() if onwards and way else one.end
        found.append(_bounded(kind, one, way, words.span(led.start() if led else one.start, ends)))
        before = one
    return found


def _is_range(first: _Read, last: _Read, text: str) -> bool:
    """Whether two that stand side by side are where a span begins and ends."""
    joint = _JOINED.fullmatch(text[first.end : last.start])
    led = re.search(r"\b(?:from|between)(?: on| the| at)* ?$", text[: first.start])
    return bool(joint and (led or joint[1] != "and"))


def _bounded(kind: Literal["day", "time"], one: _Read, way: str, place: Place) -> Spell:
    """The day or time itself, or all that is before or after it."""
    if not way:
        return Spell(place, kind, one.first, one.last, again=one.again)
    step: Any = dt.timedelta(1) if kind == "day" else 1
    begin, end = (dt.date.min, dt.date.max) if kind == "day" else (0, clock.DAY)
    if way == "before" or (kind == "time" and way in _UP_TO):
        return Spell(place, kind, begin, one.last - step, bounds=True)
    if way in _UP_TO:
        return Spell(place, kind, begin, one.last, bounds=True)
    return Spell(place, kind, one.first + step if way == "after" and kind == "day" else one.first, end, bounds=True)
