"""How people say dates, times and lengths, in many notations and in words. Pure functions of a value and a Random."""

from __future__ import annotations

import re
from datetime import date, time
from random import Random

MONTHS = "January February March April May June July August September October November December".split()
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS = "zero ten twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = {1: "first", 2: "second", 3: "third", 5: "fifth", 8: "eighth", 9: "ninth", 12: "twelfth", 20: "twentieth",
             30: "thirtieth"}  # fmt: skip
_HOLIDAYS = {(1, 1): "New Year's Day", (2, 14): "Valentine's Day", (10, 31): "Halloween", (12, 24): "Christmas Eve",
             (12, 25): "Christmas Day", (12, 26): "Boxing Day", (12, 31): "New Year's Eve"}  # fmt: skip


def number(value: int) -> str:
    """0 to 9999 in words; from 1100 on as years are said."""
    if value < 20:
        return _ONES[value]
    if value < 100:
        tens, ones = divmod(value, 10)
        return _TENS[tens] + (f"-{_ONES[ones]}" if ones else "")
    head, tail = divmod(value, 100)
    if value < 1100:
        return f"{number(head)} hundred" + (f" {number(tail)}" if tail else "")
    if 2000 <= value < 2010:
        return f"two thousand {number(tail)}".removesuffix(" zero")
    return f"{number(head)} {'hundred' if not tail else f'oh {number(tail)}' if tail < 10 else number(tail)}"


def ordinal(value: int) -> str:
    """1 to 31 as an ordinal in words."""
    if value in _ORDINALS:
        return _ORDINALS[value]
    tens, ones = divmod(value, 10)
    return f"{_ONES[value]}th" if value < 20 else f"{_TENS[tens]}-{_ORDINALS.get(ones, _ONES[ones] + 'th')}"


def nth(value: int) -> str:
    """1st, 2nd, 3rd, 4th …"""
    suffix = "th" if 10 < value < 20 else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    return f"{value}{suffix}"


def part_of_day(value: time) -> str:
    """in the morning, in the afternoon, in the evening, at night."""
    hour = value.hour
    if 4 <= hour < 12:
        return "in the morning"
    if 12 <= hour < 17:
        return "in the afternoon"
    return "in the evening" if 17 <= hour < 22 else "at night"


def clock(value: time, random: Random) -> str:
    """A time of day in figures, sometimes in words: 5PM, 17:00, half past five in the afternoon, noon."""
    if (value.hour, value.minute) == (12, 0) and random.random() < 0.7:
        return random.choice(("noon", "noon", "midday", "12 noon", "12pm", "12 PM"))
    if (value.hour, value.minute) == (0, 0) and random.random() < 0.8:
        return random.choice(("midnight", "midnight", "12 midnight", "12am"))
    style, full = random.random(), value.minute == 0
    if style < 0.18:
        return clock_in_words(value, random)
    if style < 0.38:
        short = f"{value.hour}h" if full else f"{value.hour}h{value:%M}"
        return random.choice((f"{value:%H:%M}", f"{value:%H:%M}", f"{value.hour}:{value:%M}", short, f"{value:%H%M}"))
    hour = value.hour % 12 or 12
    figures = f"{hour}" if full and random.random() < 0.88 else f"{hour}{random.choice('::::::.')}{value:%M}"
    if style > 0.84:
        return f"{hour} o'clock {part_of_day(value)}" if full and style < 0.88 else f"{figures} {part_of_day(value)}"
    half = "AM" if value.hour < 12 else "PM"
    half = random.choice((half, half, half.lower(), half.lower(), ".".join(half.lower()) + "."))
    return figures + random.choice(("", "", " ")) + half


def clock_in_words(value: time, random: Random) -> str:
    """A time of day without a figure: a quarter past five in the afternoon, nine thirty am."""
    if (value.hour, value.minute) == (12, 0):
        return random.choice(("noon", "twelve noon", "midday"))
    if (value.hour, value.minute) == (0, 0):
        return "midnight"
    half = random.choice(("am", "a.m.")) if value.hour < 12 else random.choice(("pm", "p.m."))
    tail = part_of_day(value) if random.random() < 0.6 else half
    said = clock_face(value, random)
    if "o'clock" in said or said.startswith(("quarter to", "a quarter to")):
        tail = part_of_day(value)
    return f"{said} {tail}"


def clock_face(value: time, random: Random) -> str:
    """What a clock of twelve hours shows, in words: half past five, ten to six; not which half of the day."""
    hour, following = number(value.hour % 12 or 12), number((value.hour + 1) % 12 or 12)
    forms = {
        0: (hour, hour, f"{hour} o'clock"),
        15: (f"quarter past {hour}", f"a quarter past {hour}", f"{hour} fifteen"),
        30: (f"half past {hour}", f"half past {hour}", f"half {hour}", f"{hour} thirty"),
        45: (f"quarter to {following}", f"a quarter to {following}", f"{hour} forty-five"),
    }
    return random.choice(forms.get(value.minute) or _odd_minutes(value.minute, hour, following))


def _odd_minutes(minute: int, hour: str, following: str) -> tuple[str, ...]:
    plain = f"{hour} {'oh ' if minute < 10 else ''}{number(minute)}"
    if minute % 5:
        return (plain,)
    if minute < 30:
        return plain, f"{number(minute)} past {hour}", f"{number(minute)} minutes past {hour}"
    return plain, f"{number(60 - minute)} to {following}", f"{number(60 - minute)} minutes to {following}"


def day(value: date, random: Random, *, with_year: bool) -> str:
    """A date, with its year or without: Nov 11, the 3rd of May, 11/25/2024, 2024-11-11."""
    style, month = random.random(), MONTHS[value.month - 1]
    if random.random() < 0.4 and (named := _HOLIDAYS.get((value.month, value.day))):
        return named + (f" {value.year}" if with_year else "")
    if style < 0.08 and with_year:
        return value.isoformat()
    if style < 0.14 and value.day > 12:
        order = f"{value.month}/{value.day}" if random.random() < 0.6 else f"{value.day}/{value.month}"
        return f"{order}/{value.year}" if with_year else order
    if style < 0.20:
        return day_in_words(value, random, with_year=with_year)
    name, number = month if random.random() < 0.55 else month[:3], nth(value.day)
    forms = (*[f"{name} {value.day}"] * 3, *[f"{name} {number}"] * 2, f"{value.day} {name}", f"the {number} of {month}",
             f"{name} the {number}", f"{number} of {month}", f"{number} {name}")  # fmt: skip
    return random.choice(forms) + (random.choice((f", {value.year}", f" {value.year}")) if with_year else "")


def day_in_words(value: date, random: Random, *, with_year: bool) -> str:
    """A date without a figure for the day: the eleventh of November; its year stays a figure."""
    month = MONTHS[value.month - 1]
    said = random.choice(
        (f"the {ordinal(value.day)} of {month}", f"{month} {ordinal(value.day)}", f"{month} the {ordinal(value.day)}")
    )
    return f"{said} {value.year}" if with_year else said


def length(minutes: int, random: Random) -> str:
    """A duration: 3 hours, 1/2h, 90 min, an hour and a half."""
    if random.random() < 0.2:
        return length_in_words(minutes, random)
    hours, rest = divmod(minutes, 60)
    plural = f"{hours} hour{'s' * (hours > 1)}"
    if not hours:
        forms = [*[f"{minutes} minutes"] * 2, *(f"{minutes}{unit}" for unit in (" min", " mins", "min", " m"))]
        forms += _PARTS.get(minutes, [])
    elif not rest:
        forms = [
            *[plural] * 5,
            f"{hours}h",
            f"{hours} h",
            f"{hours} hrs" if hours > 1 else "1 hr",
            f"{minutes} minutes",
        ]
        forms += ["an hour", "an hour"] * (hours == 1)
    else:
        forms = [f"{minutes} minutes", f"{minutes} min", f"{hours}h{rest:02d}", f"{hours}h {rest}min",
                 f"{plural} {rest} minutes", f"{plural} and {rest} minutes"]  # fmt: skip
        if rest == 30:
            forms += [f"{hours}.5 hours", f"{hours}.5h", f"{hours} 1/2 hours", f"{hours} and a half hours"]
    return random.choice(forms)


_PARTS = {
    15: ["a quarter of an hour", "1/4h"], 45: ["3/4h", "three quarters of an hour"],
    30: ["half an hour", "half an hour", "1/2h", "1/2 hour", "0.5 hours"],
}  # fmt: skip


def length_in_words(minutes: int, random: Random) -> str:
    """A duration without a figure: forty-five minutes, two and a half hours."""
    hours, rest = divmod(minutes, 60)
    if not hours:
        parts = [words for words in _PARTS.get(minutes, ()) if not re.search(r"\d", words)]
        return random.choice([f"{number(minutes)} minutes", *parts])
    whole = "an hour" if hours == 1 and random.random() < 0.6 else f"{number(hours)} hour{'s' * (hours > 1)}"
    if not rest:
        return whole
    forms = [f"{whole} and {number(rest)} minutes"]
    if rest == 30:
        forms += [f"{number(hours)} and a half hours" if hours > 1 else "an hour and a half", f"{whole} and a half"]
    if rest == 15:
        forms.append(f"{number(hours)} hour{'s' * (hours > 1)} and a quarter")
    return random.choice(forms)
