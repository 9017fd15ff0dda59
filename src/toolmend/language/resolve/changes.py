"""Changes of a day, a time, a moment: "an hour later", "the day after", "same", "pm, not am", "in half an hour".

Each function returns None where the words are no change, so that they are read as a value of their own.
"""

from __future__ import annotations

import datetime as dt
import re
from fractions import Fraction

from toolmend.language.resolve import clock, dates, vocabulary
from toolmend.language.resolve.durations import SPAN, Length, measure
from toolmend.language.resolve.grammar import Grammar, Match
from toolmend.language.resolve.leftovers import blanked, changes_value
from toolmend.language.resolve.results import Finding, nothing
from toolmend.language.resolve.shapes import Frame

_SPAN = {"span": rf"(?P<span>{SPAN})"}
_THING = "day|date|time|hours?|length|duration|value|amount|number|price|place|temperature"
_THAT_DAY = re.compile(r"(?:on )?that (?:same )?(?:day|date|morning|afternoon|evening|night)")
SAME = re.compile(
    r"(?:keep |leave |it |stays |at |on |as )*(?:"
    rf"(?:still )?(?:the |that )?same(?: (?:as (?:before|it was|now|always|usual|last time|the (?:last|previous|"
    rf"other)(?: (?:one|time))?)|"
    rf"again|one|{_THING}))*|"
    rf"(?:keep|leave)(?: (?:it|that|the (?:{_THING})))+(?: (?:as (?:it )?(?:is|was)|alone|unchanged|the same))?|"
    rf"unchanged|as (?:it )?(?:is|was|before)|before|no changes?|"
    r"not (?:change|move|touch)(?: (?:it|that|this|anything))?)"
)
_IT = r"(?: (?:it|that|this|them|these|those|both|all|all of (?:it|them)|everything|each|the \w+(?! \d)))?"
_BY = r"(?: (?:by|for|of|with|another|a further|about|exactly|only|just))*"
_PUSHING = r"(?:push|put|mov|shift|set|slid|knock|bump)(?:e|es|ed|ing|d|t|ting)?"
_PULLING = r"(?:bring|brought|pull|mov|shift|put|get|got|com|came)(?:e|es|s|ed|ing|ting)?"
_SHIFTING = {"it": _IT, "by": _BY, "pushing": _PUSHING, "pulling": _PULLING}
_SHIFTS = Grammar(vocabulary.rules("moved"), {**_SHIFTING, **_SPAN})
_DATES = Grammar(vocabulary.rules("another day"))
_FROM_NOW = Grammar(vocabulary.rules("from now"), _SPAN)
_PART_OF_MONTH = re.compile(r"(?<!\S)(?:mid|middle|early|late|start|beginning|end|half|sometime)(?!\S)")
# Seconds; a moment further away may lie outside the calendar.
_LONGEST = 10**10
_NOW = re.compile(r"(?:right |just )?now|immediately|straight away|right away|at once")
_PUT_IT = (
    r"(?:(?:let's )?(?:make|set|change|switch|turn|move|put|push|shift)(?: (?:it|that|this))?(?: (?:to|for))?|i "
    r"(?:mean|meant|said|want)|"
    r"it's|it is|that's|it should be|should be|let's (?:say|do|make it)|say|rather|but|at|in the|the|this|that|"
    r"same time|same)"
)
_MINUTES_ALONE = re.compile(
    rf"(?:{_PUT_IT} )*(?:(?:a )?(?P<n>half|quarter|\d{{1,2}})(?: minutes)? (?P<way>past|to)|: (?P<exact>\d\d)|"
    rf"(?P<whole>(?:on the |the full )hour))"
    r"(?: (?:instead|then|rather|the hour))*(?: (?:would|will|works|suits|is)(?: (?!not|too)[a-z']+)*)?"
)
_PART_ALONE = re.compile(rf"(?:{_PUT_IT} )*(am|pm|morning|afternoon|evening)(?: (?:1|instead|then|rather))*")
# When a part of the day that is said alone begins and ends.
_USUAL = {"am": (0, 720), "pm": (720, 1440), "morning": (300, 720), "afternoon": (720, 1080), "evening": (1020, 1440)}
_NOT_ALONE = "part of the words would change the value, and was not understood"


def of_date(words: str, like: dt.date, frame: Frame, *, alone: bool = True) -> Finding | None:
    """The day that `like` becomes. Not `alone`: a time may stand beside it."""
    bare = words.strip("~ ,.!")
    if SAME.fullmatch(bare) or _THAT_DAY.fullmatch(bare):
        return Finding((like.isoformat(),), 0, len(words), "same")
    for match in _SHIFTS.read(words):
        span = measure(match.groups["span"])
        if span and span.seconds % 86400:
            continue
        days = [dates.shifted(like, span, sign) for sign in _signs(match)] if span else []
        return _alone(words, match, [day for day in days if day], alone)
    other = next(_DATES.read(words), None) if dates.GRAMMAR.read_all(bare) is None else None
    if other is None or (other.rule == "another day" and (not alone or other.groups["day"] != bare.split(" ")[-1])):
        return None
    if other.rule == "another month" and _PART_OF_MONTH.search(words[: other.start]):
        return nothing("which day of the month?")
    if other.rule not in ("weekday after", "weekday of that month") and any(True for _ in dates.GRAMMAR.read(words)):
        return None
    try:
        return _alone(words, other, _other_days(other, like, frame), alone)
    except (ValueError, OverflowError):
        return _alone(words, other, [], alone)


def _other_days(match: Match, like: dt.date, frame: Frame) -> list[dt.date]:
    groups = match.groups
    if match.rule == "another month":
        return [like.replace(int(groups.get("year", like.year)), int(groups["month"]))]
    if match.rule == "another year":
        return [like.replace(int(groups["year"].replace(" ", "")))]
    if match.rule == "another day":
        return [like.replace(day=int(groups["day"]))]
    if match.rule == "weekday of that month":
        return dates.weekday_of_month({**groups, "which": "that"}, frame, like)
    which = groups["which"]
    back = which in ("previous", "before", "prior")
    if match.rule == "day beside":
        return [like + dt.timedelta(days=-1 if back else 1)]
    if match.rule == "weekday after":
        apart = (int(groups["weekday"]) - like.weekday()) % 7 or 7
        return [like + dt.timedelta(days=((apart - 1) % 7 + 1) - (7 if back else 0) or (-7 if back else 0))]
    unit, steps = groups["unit"], {"previous": -1, "this": 0, "after next": 2}.get(which, 1)
    if which in ("following", "previous") or "the" in groups or unit == "day" or frame.now is None:
        bases = [like]
    else:
        bases = _bases(like, unit, frame.now.date())
        bases = bases[1:] if steps != 1 else bases
    span = {"day": Length(seconds=_days(1)), "week": Length(seconds=_days(7)), "month": Length(1), "year": Length(12)}[
        unit
    ]
    days = [dates.shifted(base, Length(span.months * abs(steps), span.seconds * abs(steps)), -1 if steps < 0 else 1)
            for base in bases]  # fmt: skip
    return sorted({day for day in days if day})


def _days(number: int) -> Fraction:
    return Fraction(86400 * number)


def _bases(like: dt.date, unit: str, today: dt.date) -> list[dt.date]:
    """The day itself, and the same day of the current week, month or year."""
    if unit == "week":
        return [like, dates.near_weekday(today, like.weekday())]
    if unit == "month":
        return [like, like.replace(today.year, today.month)]
    return [like, like.replace(today.year)]


def of_time(words: str, like: int | None, frame: Frame) -> Finding | None:
    """The time that `like` becomes, or the time so long from now."""
    bare = words.strip("~ ,.!")
    if like is not None and SAME.fullmatch(bare):
        return Finding((clock.shown(like),), 0, len(words), "same")
    for match in _SHIFTS.read(words):
        span = measure(match.groups["span"])
        if span is None or span.months or span.seconds % 60 or clock.GRAMMAR.read_all(words[match.end :].strip()):
            return None
        if like is None:
            return nothing("nothing is known that it should be later or earlier than")
        if span.seconds >= 60 * clock.DAY:
            return nothing("a day or more later it is the same time")
        return _alone_time(words, match, [like + sign * int(span.seconds // 60) for sign in _signs(match)])
    if frame.now and _NOW.fullmatch(bare):
        return Finding((clock.shown(frame.now.hour * 60 + frame.now.minute),), 0, len(words), "now")
    for match in _FROM_NOW.read(words):
        span = measure(match.groups["span"])
        if span and not span.months and span.seconds % 86400 and span.seconds < _LONGEST and frame.now:
            moment = frame.now + _signs(match)[0] * dt.timedelta(seconds=int(span.seconds))
            return _alone_time(words, match, [moment.hour * 60 + moment.minute])
    return _other_half(bare, like, frame, len(words)) if like is not None else None


def _other_half(bare: str, like: int, frame: Frame, end: int) -> Finding | None:
    """A part of the day alone, or minutes without an hour: "pm", "in the morning", "half past"."""
    minutes = _MINUTES_ALONE.fullmatch(bare)
    if minutes:
        apart = {"half": 30, "quarter": 15}.get(minutes["n"] or "") or int(minutes["n"] or minutes["exact"] or 0)
        hour = like // 60 * 60
        values = (
            [hour - apart, *([hour + 60 - apart] if like > hour else [])] if minutes["way"] == "to" else [hour + apart]
        )
        times = tuple(clock.shown(at) for at in values if 0 <= at < clock.DAY and apart < 60)
        return Finding(times, 0, end, "minutes alone", "which hour?")
    part = _PART_ALONE.fullmatch(bare)
    if part is None:
        return None
    first, last = _USUAL[part[1]]
    values = [at for at in clock.settle(clock.Clock(like % (clock.DAY // 2), True), set(), frame, None)
              if first <= at < last]  # fmt: skip
    return Finding(tuple(map(clock.shown, values)), 0, end, "part of the day", "no such time of day")


def of_moment(words: str, like: dt.datetime | None, frame: Frame) -> Finding | None:
    """The moment that `like` becomes, or the one so long from now."""
    if like is not None and SAME.fullmatch(words.strip("~ ,.!")):
        return Finding((like.isoformat(timespec="minutes"),), 0, len(words), "same")
    if frame.now and _NOW.fullmatch(words):
        return Finding((frame.now.isoformat(timespec="minutes"),), 0, len(words), "now")
    for grammar, base in ((_SHIFTS, like), (_FROM_NOW, frame.now)):
        for match in grammar.read(words):
            span = measure(match.groups["span"])
            hours = span and (span.seconds % 86400 or re.search(r"hour|minute|\d [hm]\b", match.groups["span"]))
            if span is None or base is None or (grammar is _FROM_NOW and not hours):
                continue
            whole = Length(span.months, span.seconds - span.seconds % 86400)
            rest = dt.timedelta(seconds=int(span.seconds % 86400))
            moments = [
                dt.datetime.combine(day, base.time()) + sign * rest
                for sign in _signs(match)
                if (day := dates.shifted(base.date(), whole, sign)) and 1 < day.year < dt.MAXYEAR
            ]
            if any(True for _ in clock.GRAMMAR.read(blanked(words, [(match.start, match.end)]))):
                return None
            if changes_value(words, [(match.start, match.end)]):
                return nothing(_NOT_ALONE)
            values = tuple(moment.isoformat(timespec="minutes") for moment in moments)
            return Finding(values, match.start, match.end, match.rule, "earlier or later?" if values else "no such day")
    return None


def _signs(match: Match) -> tuple[int, ...]:
    if match.rule == "either way":
        return 1, -1
    way = match.groups.get("way", "")
    back = match.rule in ("brought forward", "so long ago") or way.startswith(
        ("earl", "before", "soon", "prior", "minus", "-")
    )
    return (-1,) if back else (1,)


def _alone(words: str, match: Match, days: list[dt.date], alone: bool) -> Finding:
    if alone and changes_value(words, [(match.start, match.end)]):
        return nothing(_NOT_ALONE)
    values = tuple(day.isoformat() for day in days)
    return Finding(values, match.start, match.end, match.rule, "more than one day fits" if values else "no such day")


def _alone_time(words: str, match: Match, minutes: list[int]) -> Finding:
    if changes_value(words, [(match.start, match.end)]):
        return nothing(_NOT_ALONE)
    times = tuple(clock.shown(minute % clock.DAY) for minute in minutes)
    return Finding(times, match.start, match.end, match.rule, "earlier or later?")
