"""Days that words run through: "Tuesday to Friday", "the 20th to the 23rd", "7–10 July". It knows no calendar."""

from __future__ import annotations

import calendar
import re

from toolmend.resolve.words import Words

_TO = r"(?:to|through|thru|until|till|til|-)"
_ON = r"(?:weekday\d ,? ?)?(?:the )?"
_NUMBERED = re.compile(
    rf"(?:from )?(?:month(?P<before>\d+) )?{_ON}(?P<first>\d{{1,2}})(?P<ordinal>th)? "
    rf"{_TO} {_ON}(?P<last>\d{{1,2}})(?:th)?"
    r"(?: (?:of )?month(?P<after>\d+))?(?: (?:, )?(?P<year>20 ?\d\d))?"
)
_WEEKDAYS = re.compile(rf"(?:from )?weekday(?P<first>\d) {_TO}? ?weekday(?P<last>\d)")
_MOST = 14


def days_through(words: str) -> tuple[str, ...]:
    """The days as they would be said one by one; none where the words run through none, or more than two weeks."""
    text = Words(words).text
    if match := _NUMBERED.fullmatch(text):
        month = match["before"] or match["after"]
        beside = f"{calendar.month_name[int(month)]} {(match['year'] or '').replace(' ', '')}".rstrip() if month else ""
        numbers = range(int(match["first"]), int(match["last"]) + 1)
        said = (month and int(month) <= 12) or match["ordinal"]
        return tuple(f"{number} {beside}" if beside else f"the {number}th" for number in numbers[: _MOST + 1]
                     if said and 1 < len(numbers) <= _MOST)  # fmt: skip
    if match := _WEEKDAYS.fullmatch(text):
        first = int(match["first"])
        return tuple(calendar.day_name[(first + day) % 7] for day in range((int(match["last"]) - first) % 7 + 1))
    return ()
