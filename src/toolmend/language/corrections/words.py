"""JSON values in English words: numbers, dates, times, lengths of time, texts, lists. Never in the notation of a call.

Every function gives several ways of saying it, the plainest first, or none where it cannot be said.
Knows nothing of mistakes or sentences.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import date, time
from itertools import islice, product
from typing import Any

_ONES = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SCALES = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred"))
_ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth"}
_MONTHS = [
    *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October"),
    *("November", "December"),
]
_SHORT_LENGTHS = {
    15: "a quarter of an hour",
    30: "half an hour",
    45: "three quarters of an hour",
    90: "an hour and a half",
}
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_TIME = re.compile(r"\d{2}:\d{2}(:\d{2})?")
_MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)")
_SPOKEN_SIGNS = (
    (r"(?<=\d)[.](?=\d)", " point "),
    (r"(?<=\w)[.](?=\w)", " dot "),
    (r"(?<=\d):(?=\d)", " "),
    (r"@", " at "),
    (r"&", " and "),
    (r"(?<=\d)\s*%", " percent"),
    (r"(?<=\w)/(?=\w)", " slash "),
    (r"(?<!\w)-(?=\d)", " minus "),
    (r"[_\\/\"“”„`(){}\[\]<>=;#*]", " "),
)


def number(value: float) -> str:
    """A number in words: 45 -> "forty-five", -2.5 -> "minus two point five"."""
    if value < 0:
        return f"minus {number(-value)}"
    if isinstance(value, float) and not value.is_integer():
        whole, _, fraction = f"{value:f}".rstrip("0").partition(".")
        return f"{number(int(whole))} point {_digits(fraction)}" if fraction else number(int(whole))
    value = int(value)
    if value < 20:
        return _ONES[value]
    if value < 100:
        tens, ones = divmod(value, 10)
        return _TENS[tens - 2] + (f"-{_ONES[ones]}" if ones else "")
    if value >= 10**15:
        return _digits(str(value))
    scale, name = next(pair for pair in _SCALES if value >= pair[0])
    many, rest = divmod(value, scale)
    return f"{number(many)} {name}" + (f" {'and ' if rest < 100 else ''}{number(rest)}" if rest else "")


def ordinal(value: int) -> str:
    """A place in an order: 11 -> "eleventh", 22 -> "twenty-second"."""
    head, dash, last = number(value).rpartition("-")
    if last in _ORDINALS:
        last = _ORDINALS[last]
    elif last.endswith("y"):
        last = last[:-1] + "ieth"
    else:
        last = "twelfth" if last == "twelve" else last + ("h" if last.endswith("t") else "th")
    return head + dash + last


def year(value: int) -> str:
    """A year as it is spoken: 2024 -> "twenty twenty-four", 2005 -> "two thousand five"."""
    century, rest = divmod(value, 100)
    if not 1000 <= value < 10_000 or value % 1000 < 10:
        return number(value).replace(" and ", " ")
    if rest == 0:
        return f"{number(century)} hundred"
    return f"{number(century)} {'oh ' if rest < 10 else ''}{number(rest)}"


def day(value: date, with_year: bool = True) -> tuple[str, ...]:
    """A date: "the eleventh of November twenty twenty-four", "November the eleventh"."""
    month, nth = _MONTHS[value.month - 1], ordinal(value.day)
    end = f" {year(value.year)}" if with_year else ""
    return (f"the {nth} of {month}{end}", f"{month} the {nth}{',' if end else ''}{end}")


def clock(value: time) -> tuple[str, ...]:
    """A time of day: 17:00 -> "five in the afternoon"."""
    hour = _ONES[value.hour % 12 or 12]
    part, minute = _part_of_day(value.hour), value.minute
    seconds = f" and {_counted(value.second, 'second')}" if value.second else ""
    if minute == 0 and value.hour % 12 == 0:
        found = ["noon", "twelve noon"] if value.hour else ["midnight", "twelve midnight"]
    elif minute == 0:
        found = [f"{hour} {part}", f"{hour} o'clock {part}"]
    else:
        found = [f"{hour} {'oh ' if minute < 10 else ''}{number(minute)} {part}"]
        if minute in (5, 10, 15, 20, 25, 30):
            found.insert(0, f"{_minutes_past(minute)} past {hour} {part}")
        elif minute in (35, 40, 45, 50, 55):
            found.insert(0, f"{_minutes_past(60 - minute)} to {_ONES[value.hour % 12 + 1]} {part}")
    return tuple(way + seconds for way in found)


def length(value: float, unit: str) -> tuple[str, ...]:
    """A number with a unit of time: 90, "minute" -> "an hour and a half", "one hour and thirty minutes"."""
    plain = _counted(value, unit)
    if unit != "minute" or value != int(value) or value <= 0:
        return (plain,)
    hours, minutes = divmod(int(value), 60)
    found = [_SHORT_LENGTHS[int(value)]] if value in _SHORT_LENGTHS else []
    if hours and hours % 24 == 0 and not minutes:
        return (_counted(hours // 24, "day"), _counted(hours, "hour"))
    if hours >= 2 and minutes == 30:
        found.append(f"{number(hours)} and a half hours")
    if hours:
        found.append(_counted(hours, "hour") + (f" and {_counted(minutes, 'minute')}" if minutes else ""))
    if value <= 120:
        found.append(plain)
    return tuple(found)


def text(value: str) -> tuple[str, ...]:
    """A free text, spoken: lower-cased, its digits and signs in words, no quotes; where that is the text itself,
    with capitals instead. A text that has neither (one without letter case) cannot be said: ().
    """
    said = unicodedata.normalize("NFC", value).lower()
    for sign, word in _SPOKEN_SIGNS:
        said = re.sub(sign, word, said)
    said = re.sub(r"(?<=[^\W\d])(?=\d)|(?<=\d)(?=[^\W\d])", " ", said)
    said = re.sub(r"\d+", lambda digits: _spoken_digits(digits[0]), said)
    said = " ".join(said.split()).strip(" .,:;!?-'\u2019")
    if not said:
        return () if value.strip() else ("empty",)
    if said == value:
        said = " ".join(word[:1].upper() + word[1:] for word in said.split())
    return () if said == value else (said,)


def spoken(value: Any, unit: str = "", with_year: bool = True) -> tuple[str, ...]:
    """Any JSON value, or an acceptance rule of a suite ({"oneof": [...]}, {"date": ...}), in words.

    Dates and times are known by their shape; `unit` ("minute") is that of a number; none found: ().
    """
    if value is None:
        return ("empty",)
    if isinstance(value, bool):
        return ("on",) if value else ("off",)
    if isinstance(value, (int, float)):
        return _numeric(value, unit)
    if isinstance(value, str):
        return _string(value, with_year)
    if isinstance(value, Mapping):
        return _mapping(value, unit)
    if isinstance(value, Sequence):
        return _several(list(value), unit)
    return ()


def as_date(value: Any) -> date | None:
    """The date that a text in the notation of calls stands for."""
    if isinstance(value, str) and _DATE.fullmatch(value):
        try:
            return date.fromisoformat(value)
        except ValueError:
            return None
    return None


def as_time(value: Any) -> time | None:
    """The time of day that a text in the notation of calls stands for."""
    if isinstance(value, str) and _TIME.fullmatch(value):
        try:
            return time.fromisoformat(value)
        except ValueError:
            return None
    return None


def joined(parts: Sequence[str]) -> str:
    """ "milk, eggs and bread"."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]])) if parts else ""


def _numeric(value: float, unit: str) -> tuple[str, ...]:
    if value != value or value in (float("inf"), float("-inf")):
        return ()
    return length(value, unit) if unit else (number(value),)


def _string(value: str, with_year: bool) -> tuple[str, ...]:
    if (found := as_date(value)) is not None:
        return day(found, with_year)
    if (at := as_time(value)) is not None:
        return clock(at)
    moment = _MOMENT.fullmatch(value)
    if moment and (found := as_date(moment[1])) and (at := as_time(moment[2])):
        return tuple(f"{on} at {clock(at)[0]}" for on in day(found, with_year))
    return text(value)


def _mapping(value: Mapping[str, Any], unit: str) -> tuple[str, ...]:
    if len(value) == 1:
        rule, content = next(iter(value.items()))
        if rule in ("regex", "any", "range", "contains"):
            return ()
        if rule == "oneof" and isinstance(content, Sequence) and content:
            return spoken(content[0], unit)
        if rule == "date" and isinstance(content, Mapping):
            return _part_of_date(content)
        if rule in ("date", "time"):
            return spoken(content, unit)
        if rule == "duration":
            return spoken(content, unit or "minute")
    said = [(text(str(key)) or (str(key),), spoken(item)) for key, item in value.items()]
    if not said or not all(item for _, item in said):
        return ("empty",) if not value else ()
    return (joined([f"{key[0]} {item[0]}" for key, item in said]),)


def _part_of_date(content: Mapping[str, Any]) -> tuple[str, ...]:
    try:
        found = date(content.get("year", 2000), content["month"], content["day"])
    except (KeyError, TypeError, ValueError):
        return ()
    return day(found, with_year="year" in content)


def _several(items: list[Any], unit: str) -> tuple[str, ...]:
    if not items:
        return ("empty",)
    ways = [spoken(item, unit) for item in items]
    return tuple(joined(way) for way in islice(product(*ways), 2))


def _part_of_day(hour: int) -> str:
    if hour == 0 or hour >= 21:
        return "at night"
    if hour < 12:
        return "in the morning"
    return "in the afternoon" if hour < 18 else "in the evening"


def _minutes_past(minutes: int) -> str:
    return {15: "a quarter", 30: "half"}.get(minutes) or number(minutes)


def _counted(many: float, unit: str) -> str:
    return f"{number(many)} {unit}{'' if many == 1 else 's'}"


def _digits(digits: str) -> str:
    return " ".join(_ONES[int(digit)] for digit in digits)


def _spoken_digits(digits: str) -> str:
    """Digits within a text: short numbers as numbers, long ones and those with a leading zero one by one."""
    plain = unicodedata.normalize("NFKC", digits)
    if len(plain) > 4 or (plain.startswith("0") and len(plain) > 1):
        return _digits(plain)
    return number(int(plain))
