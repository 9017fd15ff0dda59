"""A value for a parameter of a made-up tool, and how a person says it: the words, and what they mean.

Knows kinds of values; no tool, no sentence.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from toolmend.language.resolve import Resolved, resolve
from toolmend.training import saying
from toolmend.training.teach.toolkits import ValueKind
from toolmend.training.words import made_up

HOURS = "08-19"
_SIGNS = {"EUR": "€", "USD": "$", "GBP": "£"}
_MONEY = {"EUR": ("euros", "euros", "EUR", "euro"), "USD": ("dollars", "dollars", "USD", "bucks"),
          "GBP": ("pounds", "pounds", "GBP", "quid")}  # fmt: skip
_QUANTITIES: dict[str, tuple[str, tuple[float, ...]]] = {  # two ways to write the unit, two to say it
    "kilograms": ("kg kg kilos kilograms", (0.5, 1, 1.5, 2, 3, 4, 5, 8, 10, 12, 20, 25, 40, 60, 75)),
    "grams": ("g g grams gr", (5, 20, 50, 75, 100, 125, 150, 200, 250, 300, 400, 500, 750, 900)),
    "litres": ("l litres litres liters", (0.5, 1, 1.5, 2, 3, 5, 8, 10, 15, 20, 40, 60, 120)),
    "kilometres": ("km km kilometres kilometers", (1, 2, 2.5, 3, 5, 7.5, 8, 10, 12, 15, 20, 30, 42, 60, 100)),
    "metres": ("m metres metres meters", (0.5, 1, 1.5, 2, 2.5, 3, 5, 8, 10, 20, 25, 50, 100, 400)),
    "centimetres": ("cm cm centimetres centimeters", (2, 5, 8, 10, 15, 20, 25, 30, 42, 50, 60, 80, 90, 120, 180)),
}
_COUNTED: dict[str, tuple[tuple[float, ...], str, dict[float, str]]] = {  # values, forms, other forms of some values
    "seconds": ((5, 10, 15, 20, 30, 40, 45, 60, 90, 120, 180), "{words} seconds|{n} seconds|{n} sec|{n}s|{n} secs",
                {30: "half a minute", 60: "a minute|one minute", 90: "a minute and a half", 120: "two minutes|2 min"}),
    "days": ((2, 3, 4, 5, 6, 10, 28, 30, 1, 7, 14, 21), "{words} day{s}|{words} day{s}|{words} day{s}",
             {1: "a day|one day", 7: "a week|one week", 14: "two weeks|a fortnight", 21: "three weeks|3 weeks"}),
    "weeks": ((1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 26), "{words} week{s}|{words} week{s}|{words} week{s}",
              {1: "a week", 2: "a fortnight"}),
    "percent": ((5, 10, 15, 20, 25, 30, 40, 50, 60, 65, 70, 75, 80, 90, 100),
                "{n}%|{n} %|{n} percent|{spelt} percent|{n} per cent", {}),
    "celsius": ((-18, -5, 4, 16, 17, 18, 19, 19.5, 20, 20.5, 21, 22, 23, 24, 37, 40, 60, 75, 90, 160, 180, 200, 220),
                "{n} degrees|{n}°C|{n} °C|{n} C|{spelt} degrees|{n} degrees Celsius|{n}°", {}),
}  # fmt: skip
_PRICES = (2, 5, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 75, 80, 90, 100, 120, 150, 200, 250, 300, 500, 800, 1200, 2500)
_YEARS = (1000, 2100)


@dataclass(frozen=True, slots=True)
class SaidValue:
    """The words for a value, and the value."""

    words: str
    value: Any


def tell(kind: ValueKind, random: Random, now: dt.datetime) -> SaidValue:
    """A value of that kind as somebody says it. The words need not be understood: see understood()."""
    if kind.item:
        return _list(kind.item, random, now)
    if kind.name in _QUANTITIES:
        return _quantity(kind.name, random)
    if kind.name in _SIGNS:
        return _money(kind.name, random)
    return _TELLERS[kind.name](kind, random, now)


def understood(told: SaidValue, kind: ValueKind, now: dt.datetime) -> bool:
    """Whether the words by themselves are computed to the value."""
    result = resolve(told.words, kind.schema(), now=now, hours=HOURS)
    return isinstance(result, Resolved) and result.value == told.value


def figure(value: float, random: Random, *, words: float = 0.3) -> str:
    """A number as figures, or, that share of times, in words."""
    whole = int(value)
    if value == whole:
        if abs(whole) <= 100 and random.random() < words:
            return ("minus " if whole < 0 else "") + _in_words(abs(whole), random)
        return f"{whole:,}" if whole >= 1000 and random.random() < 0.5 else str(whole)
    if value * 2 == int(value * 2) and 1 < value < 20 and random.random() < words:
        return f"{saying.number(whole)} and a half"
    return f"{value:g}"


def _in_words(value: int, random: Random) -> str:
    if value == 100:
        return random.choice(("a hundred", "one hundred"))
    return saying.number(value).replace("-", random.choice(("-", "-", " ")))


def _text(kind: ValueKind, random: Random, _now: dt.datetime) -> SaidValue:
    """An example, or one with a word of another example or a made-up word in it."""
    example = random.choice(kind.members)
    split = example.split(" ")
    shape = random.random()
    if shape > 0.55:
        places = [place for place, word in enumerate(split) if len(word) > 3 and word.isalpha()]
        if places:
            place = random.choice(places)
            pool = [word for other in kind.members for word in other.split(" ") if word.isalpha() and len(word) > 3]
            new = random.choice(pool).lower() if shape < 0.88 else made_up(random)
            split[place] = new.capitalize() if split[place][0].isupper() else new
    words = " ".join(split)
    return SaidValue(words, words)


def _enum(kind: ValueKind, random: Random, _now: dt.datetime) -> SaidValue:
    member = random.choice(kind.members)
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", member.replace("_", " "))
    return SaidValue(words.lower() if not member.isupper() or random.random() < 0.5 else words, member)


def _truth(_kind: ValueKind, random: Random, _now: dt.datetime) -> SaidValue:
    value = random.random() < 0.5
    return SaidValue("yes" if value else "no", value)


def _date(_kind: ValueKind, random: Random, now: dt.datetime) -> SaidValue:
    today, words = now.date(), ""
    style, days = random.random(), random.randint(3, 250)
    if style < 0.2:
        days, words = random.choice(((1, "tomorrow"), (1, "tomorrow"), (0, "today"), (2, "the day after tomorrow")))
    elif style < 0.45:
        days = random.randint(2, 6)
    elif style < 0.52:
        days = random.randint(2, 12)
        words = random.choice(("in {} days", "{} days from now")).format(figure(days, random))
    elif style < 0.57:
        days = random.randint(3, 25)
    day = today + dt.timedelta(days)
    if not words and style < 0.45:
        words = random.choice((f"{day:%A}", f"{day:%A}", f"this {day:%A}", f"{day:%a}"))
    elif not words and style < 0.62:
        words = f"{day:%A} the {saying.nth(day.day)}" if style < 0.57 else f"{day:%A}, {day:%B} {day.day}"
    return SaidValue(words or saying.day(day, random, with_year=random.random() < 0.25), day.isoformat())


def _clock(random: Random) -> dt.time:
    return dt.time(random.randint(6, 22), random.choice((0, 0, 0, 30, 30, 15, 45, random.randrange(0, 60, 5))))


def _time(_kind: ValueKind, random: Random, _now: dt.datetime) -> SaidValue:
    moment = _clock(random)
    bare = saying.clock_face(moment, random) if random.random() < 0.5 else f"{moment.hour % 12 or 12}:{moment:%M}"
    words = bare if random.random() < 0.12 else saying.clock(moment, random)
    return SaidValue(words, f"{moment:%H:%M}")


def _moment(_kind: ValueKind, random: Random, now: dt.datetime) -> SaidValue:
    day, clock = _date(_kind, random, now), _time(_kind, random, now)
    words = random.choice(
        (
            f"{day.words} at {clock.words}",
            f"{day.words} at {clock.words}",
            f"{day.words}, {clock.words}",
            f"{day.words} {clock.words}",
        )
    )
    return SaidValue(words, f"{day.value}T{clock.value}")


def _minutes(_kind: ValueKind, random: Random, _now: dt.datetime) -> SaidValue:
    minutes = random.choice(
        (5, 10, 15, 20, 25, 30, 40, 45, 50, 60, 75, 90, 105, 120, 150, 180, 240, random.randint(2, 59))
    )
    return SaidValue(saying.length(minutes, random), minutes)


def _hours(_kind: ValueKind, random: Random, _now: dt.datetime) -> SaidValue:
    hours = random.choice((0.5, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12, 24, 36, 48))
    if hours > 5 or random.random() < 0.3:
        return SaidValue(f"{figure(hours, random)} {random.choice(('hours', 'hours', 'hrs', 'h'))}", hours)
    return SaidValue(saying.length(int(hours * 60), random), hours)


def _counted(kind: ValueKind, random: Random, _now: dt.datetime) -> SaidValue:
    values, forms, others = _COUNTED[kind.name]
    value = random.choice(values)
    if kind.name in ("seconds", "days", "percent") and random.random() < 0.1:
        value = random.randint(1, 60)
    words, spelt = figure(value, random), figure(value, random, words=1)
    form = random.choice((*forms.split("|"), *(others.get(value, "").split("|") if value in others else ())))
    return SaidValue(form.format(n=f"{value:g}", words=words, spelt=spelt, s="s" * (value != 1)), value)


def _whole(kind: ValueKind, random: Random, _now: dt.datetime) -> SaidValue:
    low, high = int(kind.low), int(kind.high)
    if low >= _YEARS[0] and high <= _YEARS[1]:
        value = random.randint(low, high)
        return SaidValue(str(value), value)
    value = random.randint(low, high if random.random() < 0.4 else min(high, low + 12))
    if high - low > 500 and random.random() < 0.6:
        value = round(value, -1 if value < 200 else -2) or value
    value = min(max(value, low), high)
    return SaidValue(figure(value, random, words=0.4), value)


def _decimal(kind: ValueKind, random: Random, now: dt.datetime) -> SaidValue:
    value = round(random.uniform(kind.low, kind.high), random.choice((0, 1, 1, 2) if kind.high < 100 else (0, 0, 1)))
    value = min(max(value, kind.low), kind.high)
    return SaidValue(figure(value, random, words=0.2), value)


def _money(name: str, random: Random) -> SaidValue:
    value: float = random.choice((*_PRICES, random.randint(1, 400)))
    if value < 100 and random.random() < 0.2:
        value += random.choice((0.5, 0.99, 0.2, 0.75))
    whole = value == int(value)
    money = figure(value, random, words=0) if whole else f"{value:.2f}"
    word, sign = random.choice(_MONEY[name]), _SIGNS[name]
    forms = [
        f"{money} {word}",
        f"{money} {word}",
        f"{sign}{money}",
        f"{sign}{money}",
        f"{money}{sign}",
        f"{money} {sign}",
    ]
    if whole and value <= 100:
        forms += [f"{figure(value, random, words=1)} {random.choice(_MONEY[name][:2])}"] * 2
    return SaidValue(random.choice(forms), value)


def _quantity(name: str, random: Random) -> SaidValue:
    units, values = _QUANTITIES[name]
    value, unit = random.choice(values), random.choice(units.split())
    one = unit.removesuffix("s")
    if len(unit) > 2 and value in (0.5, 1) and one != unit:
        return SaidValue(f"half a {one}" if value == 0.5 else f"{random.choice(('a', 'one', '1'))} {one}", value)
    if len(unit) > 2:
        return SaidValue(f"{figure(value, random)} {unit}", value)
    return SaidValue(f"{value:g}{random.choice(('', ' '))}{unit}", value)


def _list(item: ValueKind, random: Random, now: dt.datetime) -> SaidValue:
    count = random.choices((1, 2, 3, 4), (12, 40, 33, 15))[0]
    items: list[SaidValue] = []
    for _ in range(count * 3):
        told = tell(item, random, now)
        plain = not re.search(r",|;|\band\b|&|\bplus\b", told.words) and understood(told, item, now)
        if plain and len(items) < count and all(other.value != told.value for other in items):
            items.append(told)
    *first, last = [told.words for told in items] or [tell(item, random, now).words]
    joint = random.choice((" and ", " and ", " and ", ", and ", ", ", " & ", " plus " if not first[1:] else ", "))
    words = joint.join((", ".join(first), last)) if first else last
    return SaidValue(words, [told.value for told in items])


_TELLERS: dict[str, Callable[[ValueKind, Random, dt.datetime], SaidValue]] = {
    "text": _text, "enum": _enum, "yes|no": _truth, "date": _date, "time": _time, "date-time": _moment,
    "minutes": _minutes, "hours": _hours, "int": _whole, "number": _decimal, **dict.fromkeys(_COUNTED, _counted),
}  # fmt: skip


def retold(kind: ValueKind, told: SaidValue, random: Random) -> SaidValue:
    """The same value in other words, where it is a date, a time or a length."""
    if kind.name == "date":
        return SaidValue(
            saying.day(dt.date.fromisoformat(told.value), random, with_year=random.random() < 0.2), told.value
        )
    if kind.name == "time":
        return SaidValue(saying.clock(dt.time.fromisoformat(told.value), random), told.value)
    if kind.name == "minutes":
        return SaidValue(saying.length(told.value, random), told.value)
    return told


def shifted(kind: ValueKind, value: Any, random: Random) -> SaidValue | None:
    """Words for how a value differs from the old one: "an hour later", "10 minutes longer". None for other kinds."""
    if kind.name == "time":
        minutes, later = random.choice((15, 30, 30, 60, 60, 120)), random.random() < 0.6
        moment = dt.datetime.combine(dt.date(2024, 1, 2), dt.time.fromisoformat(value))
        moment += dt.timedelta(minutes=minutes if later else -minutes)
        words = f"{saying.length(minutes, random)} {'later' if later else 'earlier'}"
        return SaidValue(words, f"{moment:%H:%M}") if moment.day == 2 else None
    if kind.name == "date":
        days, words = random.choice(((1, "a day"), (2, "two days"), (7, "a week"), (14, "two weeks"), (3, "3 days")))
        later = random.random() < 0.6
        day = dt.date.fromisoformat(value) + dt.timedelta(days if later else -days)
        return SaidValue(f"{words} {'later' if later else 'earlier'}", day.isoformat())
    if kind.name == "minutes" and value > 20:
        minutes, longer = random.choice((5, 10, 15)), random.random() < 0.6
        return SaidValue(
            f"{minutes} minutes {'longer' if longer else 'shorter'}", value + (minutes if longer else -minutes)
        )
    return None
