"""From which day a date of something new counts: from today, unless a word points at the day that was spoken of.

"Tuesday" after "lunch on Friday" is the coming one, "that Tuesday" and "the week after" are not. Where words could
count from either and it makes a difference, both days are left. Values only; it reads no words itself.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass

from toolmend.language.resolve import Resolved, Unclear
from toolmend.language.resolve.entry_times import days_between

COUNTED = "counted from "
"""How the rule begins by which a day was counted from one that was spoken of, although no word points there."""
_SOON = 31  # days from today on which people plan from today
_POINTS = re.compile(
    r"(?i)\b(?:that|same|following|after|afterwards|before|later|earlier|previous|preceding|from (?:then|there|it)"
    r"|(?:the )?next day|day of|eve of)\b(?! (?:tomorrow|yesterday|today|next)\b)"
)
_POINTS_THERE = re.compile(
    r"(?i)\b(?:that|the same|same|the following|the preceding|its) (?:very )?(?:day|week|weekend|month|date|night"
    r"|morning|afternoon|evening|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b"
    r"|\b(?:the )?(?:week|day|month) (?:after|before)\b(?! (?:tomorrow|next)\b)"
)
_MAY_POINT = re.compile(
    r"(?i)\b(?:again|same|once more|ditto|repeat|"
    r"(?:on )the (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday))\b"
)


@dataclass(frozen=True, slots=True)
class SpokenDay:
    """What a date is said with: its own words, the sentence, the day that was spoken of last, today, and every day that
    is known of."""

    words: str
    sentence: str
    last: str
    today: dt.date
    known: Sequence[str] = ()

    def soon(self, day: str) -> bool:
        """Whether a day is one on which people plan from today."""
        return abs(days_between(self.today.isoformat(), day)) <= _SOON


def counted(from_today: Resolved | Unclear, from_there: Resolved | Unclear, spoken: SpokenDay) -> Resolved | Unclear:
    """The reading that is meant of the two; both where the words fit both."""
    today, there = _days(from_today), _days(from_there)
    if not there or today == there:
        return from_today
    if _POINTS.search(spoken.words) or not today:
        return from_there
    if _POINTS_THERE.search(spoken.sentence):
        return from_there
    if spoken.soon(spoken.last):
        both = len(today) == len(there) == 1 and _MAY_POINT.search(spoken.sentence)
        return Unclear((*today, *there), "from today, or from the day before that?") if both else from_today
    if not isinstance(from_there, Resolved) or not _nearer(from_there.value, today, spoken.last):
        return from_today
    if any(map(spoken.soon, spoken.known)):  # the talk is not all about another time
        return Unclear((*today, str(from_there.value)), "from today, or from the day before that?")
    told = " or ".join(_day(day) for day in today)
    return Resolved(from_there.value, from_there.span, f"{COUNTED}{_day(spoken.last)}; from today it is {told}")


def _days(read: Resolved | Unclear) -> tuple[str, ...]:
    return (str(read.value),) if isinstance(read, Resolved) else tuple(map(str, read.candidates))


def _nearer(there: str, today: tuple[str, ...], last: str) -> bool:
    """Whether it is nearer to what was spoken of than any day that counts from today."""
    return all(abs(days_between(last, there)) < abs(days_between(last, day)) for day in today)


def _day(day: str) -> str:
    """`2026-12-04` as "Friday, 4 December 2026"."""
    date = dt.date.fromisoformat(day)
    return f"{date:%A}, {date.day} {date:%B %Y}"
