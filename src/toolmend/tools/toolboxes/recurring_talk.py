"""What a calendar does by itself with sentences about what recurs: adds it, cancels or moves one of it, or all from
then on.

    meant("Yoga every Wednesday at six", calendar)     the call, as a line of Python, and all that was said for it
    asked("cancel yoga", calendar)                     the question that it takes; "" for none

Computed, not generated: the shipped models know single entries alone.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from toolmend.base.messages import Call
from toolmend.language.resolve.clock_ranges import clocks
from toolmend.reading.render import render
from toolmend.tools.toolboxes.occasions import DAY, Occasion, named_day
from toolmend.tools.toolboxes.repeats import changed_rule, recurring
from toolmend.tools.toolboxes.when import windows_in

if TYPE_CHECKING:
    from toolmend.tools.toolboxes.calendar import Calendar
    from toolmend.tools.toolboxes.series import Series

_PLEASE = re.compile(r"^(?:(?:please|can you|could you|would you|ok|okay|no|and|then)[ ,]+)*|[ ,]*(?:please)?[ .!?]*$")
_ONE = re.compile(r"(?:just |only )?(?:this|that|the) (?:one|time|day)(?: only)?|(?:just|only) (?:once|one)|once|one")
_ALL = re.compile(
    r"all(?: of (?:them|it))?(?: (?:from (?:here|now|then|there) on(?:wards?)?|after that))?"
    r"|from (?:here|now|then) on(?:wards?)?"
    r"|every one(?: of them)?|the (?:whole|entire) series|all future ones"
)
_GO = r"(?:cancel|remove|delete|skip|drop|call off|take out)"
_CANCEL = re.compile(rf"(?P<verb>{_GO}|stop|end) (?P<rest>.+)")
_MOVE = re.compile(r"(?:move|reschedule|shift|change|push|postpone) (?P<rest>.+?) to (?P<to>.+)")
_SCOPE = re.compile(
    r"\b(?P<one>(?:just|only)(?: this| that| once| the)?|this once|this time)\b"
    r"|\b(?P<all>all(?: the| my| of the| future)?|every|each|from (?:now|here|then) on(?:wards?)?"
    r"|the (?:whole|entire) series(?: of)?)\b"
)
_HEAD = re.compile(r"^(?:(?:the|my|our|a|an|this|next|that|of)\b ?)+")
_SPLIT = re.compile(r"^(?P<title>.+?)(?:(?:,)? (?P<when>(?:on|this|next|tomorrow|today|tonight)\b.*))?$")


class OpenQuestion(NamedTuple):
    """One or all? `to` is where it is to be moved, None for away; `text` is what was said."""

    series: Series
    row: Occasion
    to: dt.datetime | None = None
    text: str = ""


def changed(text: str, call: Call, calendar: Calendar) -> str:
    """The call that a sentence makes of one that added something that recurs; "" for a sentence that says another thing
    than how often, until when and at what time."""
    if not call.tool.endswith("add_repeating_entry"):
        return ""
    told = changed_rule(text, str(call.arguments.get("repeat", "")), calendar.now, calendar.hours)
    if told is None:
        return ""
    time = told[1] or str(call.arguments["time"])
    found = recurring(f"entry {told[0]} at {time}", calendar.now, calendar.hours)
    if found is None:
        return ""
    new = {"date": f"{found.first}", "time": time, "repeat": found.words}
    return _line(calendar, "add_repeating_entry", {**call.arguments, **new})


def meant(text: str, calendar: Calendar) -> tuple[str, str]:
    """The call that a sentence means, and the words for it, those before a question too; ("", "") for none."""
    said = _plain(text)
    waiting, calendar.waiting = calendar.waiting, None
    if waiting is not None and (_ONE.fullmatch(said) or _ALL.fullmatch(said)):
        return _written(calendar, waiting, every=_ALL.fullmatch(said) is not None), f"{waiting.text} {text}"
    found = recurring(text, calendar.now, calendar.hours)
    if found is not None and not found.problem:
        arguments = {"title": found.title, "date": f"{found.first}", "time": found.times[0], "duration": found.minutes}
        return _line(calendar, "add_repeating_entry", {**arguments, "repeat": found.words}), text
    scoped = _scoped(said, calendar)
    if scoped is None or scoped[1] is None:
        return "", ""
    return _written(calendar, scoped[0], every=scoped[1]), text


def asked(text: str, calendar: Calendar) -> str:
    """What has to be known first, where a sentence is about something that recurs; "" where it is not, or is clear."""
    found = recurring(text, calendar.now, calendar.hours)
    if found is not None:
        return found.problem and f"{found.problem} Say it again with the time."
    scoped = _scoped(_plain(text), calendar)
    if scoped is None or scoped[1] is not None:
        return ""
    calendar.waiting = scoped[0]._replace(text=text)
    row = scoped[0].row
    return f"{row.title} repeats. Only this one, {named_day(row.start)} at {row.start:%H:%M}, or all from here on?"


def _scoped(said: str, calendar: Calendar) -> tuple[OpenQuestion, bool | None] | None:
    """Which occurrence of which series goes or moves, and whether all from it on: None where that is not said. None
    for a sentence that is about no series."""
    moved, away = _MOVE.fullmatch(said), _CANCEL.fullmatch(said)
    match = moved or away
    if match is None or not calendar.series:
        return None
    scope = _SCOPE.search(match["rest"])
    every = None if scope is None else bool(scope["all"])
    if every is None and away is not None and away["verb"] in ("stop", "end"):
        every = True
    rest = " ".join(_SCOPE.sub(" ", match["rest"]).split())
    named = _SPLIT.fullmatch(rest)
    if named is None:
        return None
    found = _occurrence(_HEAD.sub("", named["title"]), named["when"] or "", calendar)
    if found is None:
        return None
    to = _moved(moved["to"], found[1], calendar) if moved else None
    return None if moved and to is None else (OpenQuestion(*found, to), every)


def _occurrence(title: str, when: str, calendar: Calendar) -> tuple[Series, Occasion] | None:
    """The next occurrence of the one series that is called so, on that day if one is named."""
    words = set(re.findall(r"\w+", title))
    series = [one for one in calendar.series if words and words <= set(re.findall(r"\w+", one.title.lower()))]
    titles = {one.title for one in series}
    now = calendar.now.replace(tzinfo=None)
    windows = windows_in(when, calendar.now, calendar.hours) if when else []
    if len(titles) != 1 or (when and not windows):
        return None
    start, end = (windows[0].start, windows[0].end) if windows else (now, now + 400 * DAY)
    rows = [(one, row) for one in series for row in one.between(start, end)]
    return min(rows, key=lambda pair: pair[1].start) if rows else None


def _moved(words: str, row: Occasion, calendar: Calendar) -> dt.datetime | None:
    """Where an occurrence goes: another time of its day, another day at its time, or both."""
    times = clocks(words.removeprefix("at "), calendar.hours)
    if len(times) == 1:
        return dt.datetime.combine(row.start.date(), dt.time.fromisoformat(times[0]))
    windows = windows_in(words, calendar.now, calendar.hours)
    if len(windows) != 1:
        return None
    window = windows[0]
    if window.days:
        single = window.end - window.start == DAY
        return dt.datetime.combine(window.start.date(), row.start.time()) if single else None
    return window.start


def _written(calendar: Calendar, what: OpenQuestion, *, every: bool) -> str:
    row = what.row
    place = {"title": what.series.title, "date": f"{row.start.date()}", "time": f"{row.start:%H:%M}"}
    if what.to is None:
        return _line(calendar, "end_repeating_entry" if every else "skip_repeating_entry", place)
    to = {"new_date": f"{what.to.date()}", "new_time": f"{what.to:%H:%M}", "following": every}
    return _line(calendar, "move_repeating_entry", {**place, **to})


def _line(calendar: Calendar, tool: str, arguments: Mapping[str, object]) -> str:
    return render(Call(f"{calendar.receiver}.{tool}", arguments))


def _plain(text: str) -> str:
    return _PLEASE.sub("", " ".join(text.lower().replace("’", "'").split()))
