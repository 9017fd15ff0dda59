"""What a date, a time or a length of time means, in whatever notation: used only to tell a wrong notation from a
wrong value. A text may have several readings (11/12/2024); none means that it cannot be read.
"""

from __future__ import annotations

import math
import re

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_LONG_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october"),
    *("november", "december"),
)
_SPLIT_DIGITS = re.compile(r"(?<=\d)\s+(?=[\d:/.-])|(?<=[:/.-])\s+(?=\d)")
_CLOCK_PART = re.compile(r"[t ]+\d{1,2}[:.]\d{2}.*|[t ]+\d{1,2} ?[ap]\.?m\.?.*")
_DATE_PART = re.compile(r"\d{2,4}[-/.]\d{1,2}[-/.]\d{1,4}[t ]+|t(?=\d)")
_YEAR_FIRST = re.compile(r"(\d{4})[-/. ]?(\d{1,2})[-/. ]?(\d{1,2})")
_YEAR_LAST = re.compile(r"(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})")
_NO_YEAR = re.compile(r"(?:[a-z?_x]{2,4}[-/. ])?(\d{1,2})[-/. ](\d{1,2})")
_NAMED = re.compile(r"[a-z]+|\d+")
_CLOCK = re.compile(
    r"(\d{1,2})(?:\s?[:.h]\s?(\d{2}))?(?::(\d{2})(?:\.\d+)?)?\s?(?:h|hrs?|hours?|uhr|o'clock)?\s?(?:([ap])\.?\s?m\.?)?"
    r"(?:\s?(?:z|utc|gmt|[-+]\d{2}:?\d{2}))?"
)
_DIGITS = re.compile(r"(\d{1,2})(\d{2})(?:\s?h(?:rs?|ours?)?)?")
_ISO_LENGTH = re.compile(r"p(?:(\d+)d)?(?:t(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m)?(?:(\d+(?:\.\d+)?)s)?)?")
_CLOCK_LENGTH = re.compile(r"(\d{1,3}):(\d{2})(?::(\d{2}))?")
_PART = re.compile(r"(\d+(?:[.,]\d+)?|[a-z]+|\d*[½¼¾])")
_UNITS = {"s": 1 / 60, "sec": 1 / 60, "second": 1 / 60, "m": 1, "min": 1, "minute": 1, "h": 60, "hr": 60, "hour": 60}
_UNITS |= {"d": 1_440, "day": 1_440, "w": 10_080, "week": 10_080}
_FILLERS = frozenset({"a", "an", "and", "of", "the", "for", "about"})
_COUNTS = {"half": 0.5, "quarter": 0.25, "½": 0.5, "¼": 0.25, "¾": 0.75}
_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_COUNTS |= {word: float(number) for number, word in enumerate(_ONES, 1)}
_COUNTS |= {"fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90}

Day = tuple[int | None, int, int]


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace(",", " ").split())[:80]


def days(text: str) -> set[Day]:
    """Every (year or None, month, day) that the text may mean."""
    found: set[Day] = set()
    whole = _plain(text)
    for spelled in {whole, _SPLIT_DIGITS.sub("", whole), whole.replace(" ", "")}:
        found |= _numeric_days(_CLOCK_PART.sub("", spelled))
    found |= _named_days(_CLOCK_PART.sub("", whole))
    return {day for day in found if 1 <= day[1] <= 12 and 1 <= day[2] <= 31}


def _numeric_days(text: str) -> set[Day]:
    if match := _YEAR_FIRST.fullmatch(text):
        return {(int(match[1]), int(match[2]), int(match[3]))}
    if match := _YEAR_LAST.fullmatch(text):
        year = int(match[3]) + (2000 if len(match[3]) == 2 else 0)
        return {(year, int(match[1]), int(match[2])), (year, int(match[2]), int(match[1]))}
    if match := _NO_YEAR.fullmatch(text):
        return {(None, int(match[1]), int(match[2])), (None, int(match[2]), int(match[1]))}
    return set()


def _named_days(text: str) -> set[Day]:
    """`Nov 11, 2024`, `11th of November`, `monday 11-nov-24`."""
    months, numbers = [], []
    for word in _NAMED.findall(text):
        if word.isdigit():
            numbers.append(word)
        elif word in _LONG_MONTHS or word == "sept":
            months.append(_MONTHS.index(word[:3]) + 1)
        elif word in _MONTHS:
            months.append(_MONTHS.index(word) + 1)
    if len(months) != 1 or not 1 <= len(numbers) <= 2:
        return set()
    if len(numbers) == 1:
        return {(None, months[0], int(numbers[0]))}
    first, second = (int(number) for number in numbers)
    pairs = ((first, second), (second, first))
    return {(year + (2000 if year < 100 else 0), months[0], day) for day, year in pairs if day <= 31}


def clocks(text: str) -> set[tuple[int, int, int]]:
    """Every (hour, minute, second) that the text may mean."""
    whole = _DATE_PART.sub("", _plain(text)).strip()
    if whole in ("noon", "midday", "12 noon"):
        return {(12, 0, 0)}
    if whole in ("midnight", "12 midnight"):
        return {(0, 0, 0)}
    found = set()
    if match := _DIGITS.fullmatch(whole):
        found.add((int(match[1]), int(match[2]), 0))
    if match := _CLOCK.fullmatch(whole):
        hour = int(match[1])
        if match[4] and hour <= 12:
            hour = hour % 12 + (12 if match[4] == "p" else 0)
        found.add((hour, int(match[2] or 0), int(match[3] or 0)))
    return {clock for clock in found if clock[0] < 24 and clock[1] < 60 and clock[2] < 60}


def number(text: str) -> float | None:
    """The number that a text is, thousands separated or not; None if it is none."""
    spelled = text.strip()
    if re.fullmatch(r"[-+]?\d{1,3}(,\d{3})+(\.\d+)?", spelled):
        spelled = spelled.replace(",", "")
    if not re.fullmatch(r"[-+]?(\d{1,40}(\.\d{0,40})?|\.\d{1,40})([eE][-+]?\d{1,3})?", spelled):
        return None
    value = float(spelled)
    return value if math.isfinite(value) else None


def minutes(text: str) -> set[float]:
    """Every length of time in minutes that the text may mean; a count of an unknown unit ("50 HP") is its number."""
    whole = _plain(text)
    if whole != "p" and (match := _ISO_LENGTH.fullmatch(whole)):
        days_, hours, mins, seconds = (float(part or 0) for part in match.groups())
        return {1_440 * days_ + 60 * hours + mins + seconds / 60}
    if match := _CLOCK_LENGTH.fullmatch(whole):
        return {60 * int(match[1]) + int(match[2]) + int(match[3] or 0) / 60}
    return _counted(whole.replace("-", " "))


def _counted(text: str) -> set[float]:
    """`3 hours`, `1h30`, `1 1/2 h`, `an hour and a half`, `50 HP`."""
    total, count, scale, other = 0.0, None, None, False
    for part in _PART.findall(re.sub(r"(?<!\d)1/2(?!\d)", "½", text)):
        value = _count(part)
        unit = _UNITS.get(part, _UNITS.get(part.removesuffix("s")))
        if value is not None:
            count = value + (count or 0)
        elif unit is not None:
            total, count, scale = total + (1 if count is None else count) * unit, None, unit
        elif part not in _FILLERS:
            other = True
    if scale is None:
        return {count} if count is not None and other else set()
    if count is not None:  # `1h30`, `an hour and a half`
        total += count * (scale if count < 1 else 1 if scale == 60 else 0)
    return set() if other else {total}


def _count(part: str) -> float | None:
    if part in _COUNTS:
        return _COUNTS[part]
    if part[0].isdigit():
        if part[-1] in "½¼¾":
            return float(part[:-1]) + _COUNTS[part[-1]]
        return float(part.replace(",", "."))
    return None
