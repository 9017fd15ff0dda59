"""Days in words: "the 5th of March", "Friday week", "first Monday in May", "in two weeks", "3/4/2026". No time of day.

A day that does not exist is no day; a day that two people would read differently is two.
"""

from __future__ import annotations

import calendar
import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from toolmend.language.resolve import vocabulary
from toolmend.language.resolve.durations import SPAN, Length, measure
from toolmend.language.resolve.grammar import Grammar, Groups, Match
from toolmend.language.resolve.holidays import HOLIDAYS, easter
from toolmend.language.resolve.shapes import Frame

Days = list[dt.date]

_DAY = dt.timedelta(days=1)
_THAT = ("the", "that", "the same", "same")
_PARTS = {
    "day": r"(?P<day>\d{1,2}th|second|\d{1,2})",
    "nth": r"(?P<day>\d{1,2}th|(?<=the )second)",
    "month": r"month(?P<month>\d+)",
    "year": r"(?P<year>(?:19|20|21)\d\d|20 \d\d|' \d\d|(?:of )?(?:this|next|last) year)",
    "weekday": r"weekday(?P<weekday>\d)",
    "which": r"(?P<which>this|next|last|the following|the same|same|that|the)",
    "span": rf"(?P<span>{SPAN})",
}
# What follows "the Monday before", where it is a day.
_HOLIDAYS = "|".join(sorted(HOLIDAYS, key=len, reverse=True))
GRAMMAR = Grammar(vocabulary.rules("days", {"a holiday": _HOLIDAYS}), _PARTS)


def days_of(rule: str, groups: Groups, frame: Frame, like: dt.date | None) -> Days:
    """The days that a match of GRAMMAR can mean, in order; none where there is no such day or no clock to tell it."""
    try:
        return list(dict.fromkeys(_READERS[rule](groups, frame, like)))
    except (OverflowError, ValueError):
        return []


@dataclass(frozen=True, slots=True)
class DaysSaid:
    """A day as said: where, by which rule, and the days it can be."""

    start: int
    end: int
    rule: str
    days: Days


def read_days(words: str, frame: Frame, like: dt.date | None) -> list[DaysSaid]:
    """Every day in the words. Lengths of time that are no whole days, or that count from nothing, are left out."""
    said: list[DaysSaid] = []
    before: Match | None = None
    for match in GRAMMAR.read(words):
        if match.rule in ("so long after", "weekday beside"):
            before = match
            continue
        days = days_of(match.rule, match.groups, frame, like)
        if match.rule == "weekday" and like is None and words[: match.start].endswith("on "):
            days = [day for day in days if frame.now and day != frame.now.date()]
        if before is not None and words[before.end : match.start].strip() in ("", "the", "that", "this"):
            move = _moved if before.rule == "so long after" else _beside
            said.append(DaysSaid(before.start, match.end, before.rule, move(days, before.groups)))
        elif days or "span" not in match.groups:
            said.append(DaysSaid(match.start, match.end, match.rule, days))
        before = None
    return said


def day_of(value: object) -> dt.date | None:
    """The day in a JSON date or date-time; None if there is none."""
    try:
        return dt.date.fromisoformat(value[:10]) if isinstance(value, str) else None
    except ValueError:
        return None


def shifted(day: dt.date, span: Length, sign: int = 1) -> dt.date | None:
    """A day so much later; None where that is no whole day, or no day of the calendar (a month after 31 January)."""
    if span.seconds % 86400 or abs(span.seconds) > 10**12:
        return None
    month = day.year * 12 + day.month - 1 + sign * span.months
    try:
        return day.replace(month // 12, month % 12 + 1) + sign * int(span.seconds // 86400) * _DAY
    except (ValueError, OverflowError):
        return None


def near_weekday(day: dt.date, weekday: int) -> dt.date:
    """That weekday in the week (Monday to Sunday) of a day."""
    return day + (weekday - day.weekday()) * _DAY


def _today(frame: Frame) -> dt.date:
    if frame.now is None:
        raise ValueError("no clock")
    return frame.now.date()


def _year(text: str, frame: Frame) -> int:
    if text.endswith("year"):
        return _today(frame).year + (1 if "next" in text else -1 if "last" in text else 0)
    figures = "".join(character for character in text if character.isdigit())
    return int(figures) + (2000 if len(figures) == 2 else 0)


def _number(text: str) -> int:
    return 2 if text == "second" else int(text.removesuffix("th"))


def _dated(month: int, day: int, groups: Groups, frame: Frame, like: dt.date | None) -> Days:
    """A day of a month in the year that is said, else that of `like`, else the next such day."""
    if "year" in groups:
        return [dt.date(_year(groups["year"], frame), month, day)]
    if like is not None and groups.get("which", "the") in _THAT:
        return [dt.date(like.year, month, day)]
    today = like + _DAY if like is not None else _today(frame)
    for year in range(today.year, today.year + 9):
        if day <= calendar.monthrange(year, month)[1] and dt.date(year, month, day) >= today:
            return [dt.date(year, month, day)]
    return []


def _iso(groups: Groups, frame: Frame, like: dt.date | None) -> Days:
    return [dt.date(int(groups["year"]), int(groups["month"]), int(groups["day"]))]


def _figures(groups: Groups, frame: Frame, like: dt.date | None) -> Days:
    first, second = int(groups["first"]), int(groups["second"])
    orders = [(second, first), (first, second)]
    if frame.locale == "en-GB" or groups.get("mark") == ".":
        orders = orders[:1]
    elif frame.locale == "en-US":
        orders = orders[1:]
    days: Days = []
    for month, day in orders:
        if 1 <= month <= 12 and 1 <= day <= calendar.monthrange(2024, month)[1]:
            days += _dated(month, day, groups, frame, like)
    return days


def _day_and_month(groups: Groups, frame: Frame, like: dt.date | None) -> Days:
    days = _dated(int(groups["month"]), _number(groups["day"]), groups, frame, like)
    if "weekday" not in groups or not days or days[0].weekday() == int(groups["weekday"]):
        return days
    apart = (int(groups["weekday"]) - days[0].weekday() + 3) % 7 - 3
    return [*days, days[0] + apart * _DAY] if "year" in groups else []


def _months_from(day: dt.date) -> Iterator[dt.date]:
    """The first of the month of a day, and of those after it, for four years."""
    for month in range(day.year * 12 + day.month - 1, day.year * 12 + day.month + 47):
        yield dt.date(month // 12, month % 12 + 1, 1)


def _day_of_month(groups: Groups, frame: Frame, like: dt.date | None) -> Days:
    number = _number(groups["day"])
    if "which" in groups and not (groups["which"] in _THAT and like is not None):
        return [_month(groups, frame, like).replace(day=number)]
    if like is not None and "weekday" not in groups:
        return [like.replace(day=number)]
    start = like.replace(day=1) if like is not None else _today(frame)
    for first in _months_from(start):
        if 1 <= number <= calendar.monthrange(first.year, first.month)[1]:
            day = first.replace(day=number)
            if day >= start and day.weekday() == int(groups.get("weekday", day.weekday())):
                return [day]
    return []


def _month(groups: Groups, frame: Frame, like: dt.date | None) -> dt.date:
    """The first of the month that is meant: a named one (the next such), this, next, last, or that of `like`."""
    if "month" in groups:
        month = int(groups["month"])
        if "year" in groups or like is not None:
            return dt.date(_year(groups["year"], frame) if "year" in groups else like.year if like else 0, month, 1)
        today = _today(frame)
        return dt.date(today.year + (month < today.month), month, 1)
    which = groups["which"]
    if which in _THAT and like is not None:
        return like.replace(day=1)
    if which == "the following" and like is None:
        raise ValueError("nothing to follow")
    start = (like if which == "the following" and like else _today(frame)).replace(day=1)
    moved = shifted(start, Length(months={"next": 1, "the following": 1, "last": -1}.get(which, 0)))
    return moved or start


def weekday_of_month(groups: Groups, frame: Frame, like: dt.date | None) -> Days:
    """The first, second, last … such weekday of the month that is meant; none where it has no such."""
    first, weekday, rank = _month(groups, frame, like), int(groups["weekday"]), groups["rank"]
    last = calendar.monthrange(first.year, first.month)[1]
    days = [first.replace(day=number) for number in range(1, last + 1)]
    days = [day for day in days if day.weekday() == weekday]
    place = -1 if rank == "last" else _number(rank) - 1
    if place >= len(days):
        return []
    if "month" in groups and "year" not in groups and like is None and days[place] < _today(frame):
        later = {**groups, "year": str(first.year + 1)}
        return weekday_of_month(later, frame, like)
    return [days[place]]


def _edge(groups: Groups, frame: Frame, like: dt.date | None) -> Days:
    ends = groups["edge"] in ("end", "last day", "last")
    what = groups.get("what", "month")
    if what == "month":
        first = _month(groups, frame, like)
        if like is None and not ends and groups.get("which") == "the" and first < _today(frame):
            first = shifted(first, Length(1)) or first
        last = first.replace(day=calendar.monthrange(first.year, first.month)[1])
        return [last if ends else first]
    base = like if like is not None and groups["which"] in _THAT else _today(frame)
    step = {"next": 1, "last": -1}.get(groups["which"], 0)
    if what == "year":
        return [dt.date(base.year + step, 12, 31) if ends else dt.date(base.year + step, 1, 1)]
    monday = near_weekday(base, 0) + 7 * step * _DAY
    if groups["edge"] == "last day":
        return [monday + 6 * _DAY]
    return [monday + 4 * _DAY, monday + 6 * _DAY] if ends else [monday]


def _weekday_of_week(groups: Groups, frame: Frame, like: dt.date | None) -> Days:
    weekday = int(groups["weekday"])
    if "on" in groups:
        weeks = 2 if groups["on"] == "fortnight" else 1
        return [day + 7 * weeks * _DAY for day in _coming(_today(frame), weekday)]
    which = groups["which"]
    base = like if like is not None and (which in _THAT or which == "the following") else _today(frame)
    step = {"next": 1, "the following": 1, "last": -1, "after next": 2}.get(which, 0)
    return [near_weekday(base, weekday) + 7 * step * _DAY]


def _coming(today: dt.date, weekday: int) -> Days:
    """The next such day; on that day itself, today or a week later."""
    day = today + (weekday - today.weekday()) % 7 * _DAY
    return [day, day + 7 * _DAY] if day == today else [day]


def _weekday(groups: Groups, frame: Frame, like: dt.date | None) -> Days:
    weekday, which = int(groups["weekday"]), groups.get("which", "").removeprefix("the ")
    if not which and like is not None:
        return _weekday_near(like, weekday, frame)
    today = _today(frame)
    ahead = today + ((weekday - today.weekday() - 1) % 7 + 1) * _DAY
    behind = today - ((today.weekday() - weekday - 1) % 7 + 1) * _DAY
    this = near_weekday(today, weekday)
    if which == "this":
        return [this if this >= today else ahead]
    if which == "next":
        return [ahead, this + 7 * _DAY]
    if which == "last":
        return [behind, this - 7 * _DAY]
    if "past" in which:
        return [behind]
    return [ahead] if which else _coming(today, weekday)


def _weekday_near(like: dt.date, weekday: int, frame: Frame) -> Days:
    """That weekday in the week of `like`; where it lies before `like`, the one after is as likely unless it is past."""
    day = near_weekday(like, weekday)
    if day >= like:
        return [day]
    gone = frame.now is not None and day < frame.now.date()
    return [day + 7 * _DAY] if gone else [day + 7 * _DAY, day]


def _near(groups: Groups, frame: Frame, like: dt.date | None) -> Days:
    return [_today(frame) + {"tomorrow": 1, "yesterday": -1, "last night": -1}.get(groups["near"], 0) * _DAY]


def _holiday(groups: Groups, frame: Frame, like: dt.date | None) -> Days:
    holiday = HOLIDAYS[groups["holiday"]]
    if isinstance(holiday, tuple):
        return _dated(*holiday, groups, frame, like)
    if "year" in groups or like is not None:
        return [easter(_year(groups["year"], frame) if "year" in groups else like.year if like else 0) + holiday * _DAY]
    today = _today(frame)
    days = [easter(today.year + later) + holiday * _DAY for later in (0, 1)]
    return [day for day in days if day >= today][:1]


def _from_now(sign: int) -> Callable[[Groups, Frame, dt.date | None], Days]:
    def reader(groups: Groups, frame: Frame, like: dt.date | None) -> Days:
        span = measure(groups["span"])
        day = shifted(_today(frame), span, sign) if span else None
        return [day] if day else []

    return reader


def _week_on(groups: Groups, frame: Frame, like: dt.date | None) -> Days:
    base = GRAMMAR.read_all(groups["base"])
    days = days_of(base.rule, base.groups, frame, like) if base else []
    moved = _moved(days, groups)
    if "in" in groups and base and base.rule == "weekday":
        moved += [near_weekday(day, int(base.groups["weekday"])) for day in _moved([_today(frame)], groups)]
    return sorted(moved)


def _moved(days: Days, groups: Groups) -> Days:
    """Days so much later or earlier."""
    span, sign = measure(groups["span"]), -1 if groups.get("way") == "before" else 1
    moved = [shifted(day, span, sign) for day in days] if span else []
    return [day for day in moved if day is not None]


def _beside(days: Days, groups: Groups) -> Days:
    """The next such weekday after a day, or the last before it."""
    weekday, back = int(groups["weekday"]), groups["way"] == "before"
    apart = [(day.weekday() - weekday) % 7 if back else (weekday - day.weekday()) % 7 for day in days]
    return [day + (-1 if back else 1) * (days_apart or 7) * _DAY for day, days_apart in zip(days, apart, strict=True)]


def _after_next(groups: Groups, frame: Frame, like: dt.date | None) -> Days:
    return [day + 7 * _DAY for day in _weekday({**groups, "which": "next"}, frame, None)]


def _this_time(groups: Groups, frame: Frame, like: dt.date | None) -> Days:
    span = {"week": Length(seconds=Fraction(7 * 86400)), "month": Length(1), "year": Length(12)}[groups["unit"]]
    base = like if like is not None and (frame.now is None or groups["base"] != "this") else _today(frame)
    day = shifted(base, span, -1 if groups["which"] == "last" else 1)
    return [day] if day else []


_READERS: dict[str, Callable[[Groups, Frame, dt.date | None], Days]] = {
    "a week tomorrow": _week_on,
    "weekday after next": _after_next,
    "this time in another": _this_time,
    "so long from now": _from_now(1),
    "so long ago": _from_now(-1),
    "year, month, day": _iso,
    "figures": _figures,
    "weekday of a month": weekday_of_month,
    "edge of a period": _edge,
    "day and month": _day_and_month,
    "weekday and day": _day_of_month,
    "day of the month": _day_of_month,
    "weekday of a week": _weekday_of_week,
    "weekday": _weekday,
    "near day": _near,
    "holiday": _holiday,
}
