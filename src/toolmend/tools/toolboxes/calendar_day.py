"""What a calendar answers by itself, in a sentence with the entries: what is on, what is next, am I free, when am I
free for an hour, how long is it, when, where, who is coming. Computed, not generated.

A sentence that is not such a question to its last word is none: `answer` gives "", and whoever asks goes on.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from toolmend.language.resolve import Resolved, resolve
from toolmend.tools.toolboxes.occasions import DAY, Occasion, free_in, named_day
from toolmend.tools.toolboxes.when import Window, windows_in

if TYPE_CHECKING:
    from toolmend.tools.toolboxes.calendar import Calendar

_MANY = 8
_AHEAD = 366 * DAY
_HELD = r"(?:appointments?|meetings?|entry|entries|events?|things?|plans?|dates?|calls?)"
_MINE = r"(?:in|on) (?:my|the|our) (?:calendar|diary|schedule|agenda)"
_OPENING = re.compile(
    r"^(?:(?:hey|hi|hello|so|and|ok|okay|well|please|then)[ ,]+)*"
    r"(?:(?:can|could|would|will) you (?:please )?(?:tell|show|say to) me |(?:please )?(?:tell|show) me |i wonder "
    r"|do you know )?"
)
_CLOSING = re.compile(r"[ ,]*(?:please|thanks|thank you|then|again|exactly|right)?[ ?.!]*$")
_MINUTES = {"type": "integer", "x-unit": "minutes"}
_FREE = r"(?:free|available|open|unbooked)"
_SPAN = r"(?P<span>(?:[\w.½-]+ ){1,4}?(?:hours?|minutes?|mins?|h)\b|\d+ ?(?:h|mins?)\b)"
_WHEN = r"(?:,? ?(?P<when>.*))?"
_EMPTY = frozenset(
    "the my our a an appointment meeting entry event class session lesson with at on in for of to and this that "
    "next".split()
)
_INDIRECT = (
    (re.compile(r"^(?:if|whether) (i|we)(?: am| are|'m|'re) "), r"am \1 "),
    (re.compile(r"^(what|when|how many \w+) (i|we) have\b"), r"\1 do \2 have"),
    (re.compile(r"^(when|what time) (?:i am|i'm|we are) "), r"\1 am i "),
    (re.compile(r"^(when|where|how long|what time|what) (.+) (is|are)$"), r"\1 \3 \2"),
    (re.compile(r"^(when|what time) (.+?) (start|begin|end|finish)e?s$"), r"\1 does \2 \3"),
)
Asked = Callable[["Calendar", "re.Match[str]"], str]


def answer(text: str, calendar: Calendar) -> str:
    """The answer to a question about time, in lines; "" for a sentence that asks nothing here."""
    said = " ".join(text.lower().replace("’", "'").split())
    opening = _OPENING.match(said)
    said = _CLOSING.sub("", _OPENING.sub("", said))
    if opening is not None and opening[0].endswith(("me ", "wonder ", "know ")):
        said = _direct(said)
    for pattern, told in _QUESTIONS:
        match = pattern.fullmatch(said)
        if match is not None and (answered := told(calendar, match)):
            return answered
    return ""


def _direct(said: str) -> str:
    """An indirect question as it would be asked: "when my lunch is"."""
    for pattern, put in _INDIRECT:
        said = pattern.sub(put, said)
    return said


def _on(calendar: Calendar, match: re.Match[str]) -> str:
    lines = []
    for window in _windows(calendar, match):
        rows = calendar.between(window.start, window.end)
        if window.days and window.end - window.start == DAY:
            lines += [_named(window), *(row.line() for row in rows)] if rows else [f"{_named(window)}: nothing"]
        elif rows:
            lines += [f"{named_day(row.start)}{row.line()}" for row in rows]
        else:
            lines.append(f"{_named(window)}: nothing")
    return _with_unread(lines, calendar)


def _next(calendar: Calendar, match: re.Match[str]) -> str:
    now = calendar.now.replace(tzinfo=None)
    words = match.groupdict().get("title") or ""
    rows = [row for row in calendar.between(now, now + _AHEAD) if row.start >= now and not row.whole]
    if words:
        rows = [row for row in rows if _called(row, words)]
        if not rows:
            return ""
    if not rows:
        return "Nothing is to come."
    calendar.speak_of(rows[0])
    return f"Next is {rows[0].title}, {named_day(rows[0].start)}\n{rows[0].line()}"


def _free(calendar: Calendar, match: re.Match[str]) -> str:
    lines = []
    for window in _windows(calendar, match):
        rows = calendar.between(window.start, window.end)
        busy = [row for row in rows if not row.whole]
        lines.append(
            f"{_named(window)}: {'free' if not busy else 'not free' if _full(busy, window) else 'not all free'}"
        )
        lines += [f"{named_day(row.start)}{row.line()}" if _long(window) else row.line() for row in rows]
    return _with_unread(lines, calendar)


def _gaps(calendar: Calendar, match: re.Match[str]) -> str:
    span = match.groupdict().get("span")
    minutes = resolve(span, _MINUTES) if span else None
    if span and not isinstance(minutes, Resolved):
        return ""
    length = int(minutes.value) if isinstance(minutes, Resolved) else 30
    windows = _windows(calendar, match)
    now = calendar.now.replace(tzinfo=None, second=0, microsecond=0)
    hours = (int(calendar.hours[:2]), int(calendar.hours[3:5]) + 1)
    gaps = [
        gap
        for window in windows
        for gap in free_in(
            calendar.between(window.start, window.end),
            max(window.start, now),
            window.end,
            hours if window.days else (0, 24),
        )
        if gap[1] - gap[0] >= dt.timedelta(minutes=length)
    ]
    if not windows:
        return ""
    if not gaps:
        return f"{_named(windows[0])}: no {length} minutes are free"
    lines = []
    for day, spans in groupby(gaps[: 3 * _MANY], key=lambda gap: gap[0].date()):
        listed = ", ".join(f"{start:%H:%M}–{_end(start, end)}" for start, end in spans)
        lines.append(f"  {named_day(day)}: {listed}")
    return "\n".join([f"Free for {length} minutes:", *lines[:_MANY]])


def _length(calendar: Calendar, match: re.Match[str]) -> str:
    rows = _meant(calendar, match)
    return "\n".join(f"{row.title} is {_said(row.minutes)} long: {named_day(row.start)}{row.line()}" for row in rows)


def _moment(calendar: Calendar, match: re.Match[str]) -> str:
    rows = _meant(calendar, match)
    return "\n".join(f"{row.title} is on {named_day(row.start)}{row.line()}" for row in rows)


def _people(calendar: Calendar, match: re.Match[str]) -> str:
    rows = _meant(calendar, match)
    return "\n".join(
        f"{row.title}, {named_day(row.start)}: {', '.join(row.people) or 'the calendar names nobody'}" for row in rows
    )


def _place(calendar: Calendar, match: re.Match[str]) -> str:
    rows = _meant(calendar, match)
    return "\n".join(
        f"{row.title}, {named_day(row.start)}: {row.place or 'the calendar names no place'}" for row in rows
    )


def _count(calendar: Calendar, match: re.Match[str]) -> str:
    lines = []
    for window in _windows(calendar, match):
        rows = calendar.between(window.start, window.end)
        lines += [f"{_named(window)}: {len(rows) or 'nothing'}", *(row.line() for row in rows[:_MANY])]
    return "\n".join(lines)


_IS = r"(?:is|are|does|do i have|do i see|do i meet|was)"
_ON_DAY = r"(?: (?:on|at|this|next) (?P<when>.+))?"
_NEXT = (
    rf"what(?:'s| is) (?:coming )?(?:up )?next(?: {_MINE})?",
    r"what(?:'s| is) coming up(?: next)?",
    r"what (?:do i|have i|do we) (?:have|got) (?:coming up |up )?next",
    rf"(?:what|when)(?:'s| is) (?:my|the|our) next {_HELD}(?: {_MINE})?",
    r"when(?:'s| is| do i have) (?:my|the|our) next (?P<title>.+)",
)
_SLOTS = (
    rf"(?:when|what time|at what time|what times?) (?:am i|are we|do i have) (?:{_FREE} )?(?:for )?{_SPAN}"
    rf"(?: {_FREE})?{_WHEN}",
    rf"(?:when|what time|at what time) (?:am i|are we) {_FREE}(?: for {_SPAN})?{_WHEN}",
    rf"when (?:do i|do we|would i) have (?:some )?(?:free )?time(?: for {_SPAN})?{_WHEN}",
    rf"find (?:me )?(?:a (?:free )?slot of )?{_SPAN}(?: slot)?(?: {_FREE})?{_WHEN}",
    rf"(?:is there|are there|do i have|have i got|do we have) (?:a (?:free )?slot of |a gap of )?{_SPAN}"
    rf"(?: {_FREE}| of free time| to spare)?{_WHEN}",
)
_FREE_THEN = (
    rf"(?:am i|are we) (?:{_FREE}|busy|booked)(?: for {_SPAN})?{_WHEN}",
    rf"(?:do i|do we|have i) have (?:any )?time{_WHEN}",
    rf"(?:is|are) (?P<day>.+?) (?:{_FREE}|busy|clear|empty|taken)",
)
_LENGTHS = (
    r"how (?:long|much time)(?: is| are| does| do| will)? (?P<title>.+?)(?: (?:take|last|be|run|go on))?"
    r"(?: (?:on|at|this|next) (?P<when>.+))?",
)
_MOMENTS = (
    rf"(?:when|what time|at what time|what day|on (?:what|which) day|which day) {_IS} (?P<title>.+?)"
    rf"(?: (?:start|begin|end|finish|over))?{_ON_DAY}",
)
_WHO = (
    r"who(?:'s| is| are| all is)?(?: all)? (?:coming|invited|attending|going|expected|there)"
    rf"(?: (?:to|at|for) (?P<title>.+?))?{_ON_DAY}",
    r"who comes to (?P<other>.+)",
)
_WHERE = (rf"where(?:'s| is| are| does| do)? (?P<title>.+?)(?: (?:take place|meet|happen))?{_ON_DAY}",)
_HOW_MANY = (rf"how many {_HELD}(?: (?:do i|do we|have i) (?:have|got)| are there| are)?{_WHEN}",)
_WHATS_ON = (
    rf"what(?:'s| is| else is)(?: there)?(?: going)? (?:on|planned|scheduled|happening|up|{_MINE}){_WHEN}",
    rf"what(?: {_HELD})? (?:do i|have i|do we|have we) (?:have|got|planned)"
    rf"(?: (?:on|planned|going on|{_MINE}))?{_WHEN}",
    rf"what(?:'s| is) (?:my|our|the) (?:day|week|schedule|agenda|calendar)(?: look(?:ing)?)?(?: like)?{_WHEN}",
    rf"(?:what does|how does) (?:my|our) (?:day|week|schedule|calendar) look(?: like)?{_WHEN}",
    rf"(?:what am i|what are we) doing{_WHEN}",
    rf"do (?:i|we) have (?:anything|something)(?: (?:on|planned|going on))?{_WHEN}",
    rf"is there (?:anything|something)(?: on| planned)?(?: {_MINE})?{_WHEN}",
    rf"(?:show|list|read)(?: me)?(?: out)? (?:all )?(?:my |the |our )?(?:calendar|{_HELD}|day|schedule|agenda){_WHEN}",
    rf"my (?:calendar|day|schedule|agenda|{_HELD}){_WHEN}",
)
_TOLD: tuple[tuple[Asked, tuple[str, ...]], ...] = (
    (_next, _NEXT),
    (_gaps, _SLOTS),
    (_free, _FREE_THEN),
    (_length, _LENGTHS),
    (_moment, _MOMENTS),
    (_people, _WHO),
    (_place, _WHERE),
    (_count, _HOW_MANY),
    (_on, _WHATS_ON),
)
_QUESTIONS = tuple((re.compile(pattern), told) for told, patterns in _TOLD for pattern in patterns)


def _windows(calendar: Calendar, match: re.Match[str]) -> list[Window]:
    given = match.groupdict()
    words = given.get("when") or given.get("day") or ""
    words = re.sub(rf"^{_MINE}\s*|\s*{_MINE}$", "", words)
    return windows_in(words, calendar.now, calendar.hours)


def _meant(calendar: Calendar, match: re.Match[str]) -> list[Occasion]:
    """The next occasions that are called so, else the last that was; what was last spoken of for "it"."""
    given = match.groupdict()
    words = given.get("title") or given.get("other") or "it"
    when = given.get("when")
    if words in ("it", "that", "this", "there") and not when:
        return [calendar.spoken_of] if calendar.spoken_of else []
    now = calendar.now.replace(tzinfo=None)
    windows = windows_in(when, calendar.now, calendar.hours) if when else [Window(now - _AHEAD, now + _AHEAD)]
    rows = [row for window in windows for row in calendar.between(window.start, window.end) if _called(row, words)]
    coming = [row for row in rows if row.end > now] or rows[-1:]
    days = {row.start.date() for row in coming[:1]}
    chosen = [row for row in coming if row.start.date() in days]
    if len(chosen) == 1:
        calendar.speak_of(chosen[0])
    return chosen


def _called(row: Occasion, words: str) -> bool:
    """Whether every word that names something is in the title, a plural or the beginning of a word too."""
    wanted = [word for word in re.findall(r"\w+", words.lower()) if word not in _EMPTY]
    there = re.findall(r"\w+", row.title.lower())
    return bool(wanted) and all(
        any(word in (held, f"{held}s", f"{held}'s") or (len(word) > 3 and held.startswith(word)) for held in there)
        for word in wanted
    )


def _named(window: Window) -> str:
    last = window.end - dt.timedelta(minutes=1)
    if not window.days:
        return f"{named_day(window.start)}, {window.start:%H:%M}–{_end(window.start, window.end)}"
    return named_day(window.start) + (f" to {named_day(last)}" if _long(window) else "")


def _long(window: Window) -> bool:
    return window.end - window.start > DAY


def _end(start: dt.datetime, end: dt.datetime) -> str:
    return "24:00" if end.date() > start.date() and end.time() == dt.time() else f"{end:%H:%M}"


def _full(busy: Sequence[Occasion], window: Window) -> bool:
    return not free_in(busy, window.start, window.end, (0, 24))


def _with_unread(lines: list[str], calendar: Calendar) -> str:
    if lines and calendar.unread:
        lines.append(calendar.unread_line())
    return "\n".join(lines)


def _said(minutes: int) -> str:
    hours, rest = divmod(minutes, 60)
    words = [
        f"{count} {unit}{'s' if count > 1 else ''}" for count, unit in ((hours, "hour"), (rest, "minute")) if count
    ]
    return " and ".join(words) or "no time"
