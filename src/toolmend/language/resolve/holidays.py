"""Holidays by their normalised words, and the date of Easter. A table; it knows none that differs by country."""

from __future__ import annotations

import datetime as dt

# Month and day, or days after Easter.
HOLIDAYS: dict[str, tuple[int, int] | int] = {
    "new year eve": (12, 31), "new year's eve": (12, 31), "new year's day": (1, 1), "new years eve": (12, 31),
    "new years day": (1, 1), "new year day": (1, 1), "new year": (1, 1), "valentine's day": (2, 14),
    "valentines day": (2, 14), "valentines": (2, 14), "valentine's": (2, 14),
    "nye": (12, 31), "hogmanay": (12, 31), "halloween": (10, 31), "christmas eve": (12, 24), "christmas day": (12, 25),
    "christmas": (12, 25), "xmas": (12, 25), "xmas eve": (12, 24), "xmas day": (12, 25), "boxing day": (12, 26),
    "month4 fool's day": (4, 1), "month4 fools day": (4, 1), "month4 fools": (4, 1), "month5 day": (5, 1),
    "st patrick's day": (3, 17), "st patricks day": (3, 17), "independence day": (7, 4), "guy fawkes night": (11, 5),
    "bonfire night": (11, 5), "remembrance day": (11, 11), "leap day": (2, 29), "all saints day": (11, 1),
    "all saints": (11, 1), "all souls": (11, 2), "all souls day": (11, 2), "epiphany": (1, 6), "candlemas": (2, 2),
    "hallowe'en": (10, 31),
    "whit weekday0": 50, "pentecost": 49, "palm weekday6": -7, "ash weekday2": -46, "shrove weekday1": -47,
    "pancake day": -47, "ascension day": 39, "maundy weekday3": -3, "shrove weekday0": -48, "easter weekday5": -1,
    "easter": 0, "easter weekday6": 0, "easter weekday0": 1, "good weekday4": -2,
}  # fmt: skip


def easter(year: int) -> dt.date:
    """Easter Sunday of the Gregorian calendar (Meeus, Astronomical Algorithms, chapter 8)."""
    golden, (century, rest) = year % 19, divmod(year, 100)
    moon = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    week = (32 + 2 * (century % 4) + 2 * (rest // 4) - moon - rest % 4) % 7
    late = (golden + 11 * moon + 22 * week) // 451
    month, day = divmod(moon + week - 7 * late + 114, 31)
    return dt.date(year, month, day + 1)
