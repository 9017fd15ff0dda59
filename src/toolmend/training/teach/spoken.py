"""Values in sentences: finding the words that say a value, and saying another one in their place.

    find(2, integer, "two wool blankets", …) → "two"       say(3, …) → "three", "3"

A `Form` remembers what can be seen of the way it was said: without the year, in the plural, in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, time
from random import Random
from typing import Any

from toolmend.corrections import words
from toolmend.grading import notation
from toolmend.training import saying
from toolmend.training.teach.arguments import Kind

_WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_WEEKDAY = re.compile(rf"(?:(?:{'|'.join(_WEEKDAYS)})(?: the)?,? |the )$", re.IGNORECASE)
_TOKEN = re.compile(r"\w+(?:[-/:.,']\w+)*")
_MANY = {1: ("a", "an", "one"), 2: ("a pair of", "a couple of", "both"), 12: ("a dozen",)}
_LONGEST = 6


@dataclass(frozen=True)
class Form:
    """How a value was said: `plural` and `lower` for texts, `dated` for dates with their year."""

    plural: bool = False
    lower: bool = False
    dated: bool = True


Found = tuple[int, int, Form]


def find(value: Any, kind: Kind, sentence: str) -> Iterator[Found]:
    """Every place of the sentence that says the value, the best first."""
    if kind.name == "date":
        yield from _dates(date.fromisoformat(value), sentence)
    elif kind.name == "time":
        yield from _times(time.fromisoformat(value), sentence)
    elif kind.name in ("integer", "number", "length"):
        for said in _numbers(value, kind):
            yield from ((start, end, Form()) for start, end in _places(said, sentence))
    elif kind.name in ("text", "choice") and isinstance(value, str) and value.strip():
        yield from _texts(value, sentence)


def say(value: Any, kind: Kind, form: Form, random: Random, *, plural: bool | None = None) -> str:
    """The value in words or figures, in a form; `plural` overrides the form's."""
    if kind.name == "date":
        return _say_date(date.fromisoformat(value), form, random)
    if kind.name == "time":
        return saying.clock(time.fromisoformat(value), random)
    if kind.name == "length":
        if kind.unit == "minute" and float(value).is_integer() and value > 0:
            return saying.length(int(value), random)
        return f"{_figures(value, random)} {kind.unit}{'' if value == 1 else 's'}"
    if kind.name in ("integer", "number"):
        return _say_number(value, random)
    text = str(value).replace("_", " ") if kind.name == "choice" else str(value)
    text = text.lower() if form.lower else text
    return pluralised(text) if (form.plural if plural is None else plural) else text


def pluralised(text: str) -> str:
    """The last word in the plural."""
    if re.search(r"(s|x|z|ch|sh)$", text, re.IGNORECASE):
        return text + "es"
    return text[:-1] + "ies" if re.search(r"[^aeiou]y$", text) else text + "s"


def _places(said: str, sentence: str) -> Iterator[tuple[int, int]]:
    for match in re.finditer(rf"(?<![\w@]){re.escape(said)}(?!\w|[.,:]\d)", sentence, re.IGNORECASE):
        yield match.span()


# ---- texts


def _texts(value: str, sentence: str) -> Iterator[Found]:
    plain = value.replace("_", " ")
    for text, plural in dict.fromkeys(((value, False), (plain, False), (pluralised(plain), True))):
        for start, end in _places(text, sentence):
            said = sentence[start:end]
            yield start, end, Form(plural, said != text and said == said.lower())


# ---- numbers


def _numbers(value: float, kind: Kind) -> Iterator[str]:
    """Ways of writing a number, the longest first."""
    found = {f"{value}", f"{value:g}", words.number(value)}
    if float(value) != int(value) or kind.name == "number":
        found |= {f"{value:.2f}", f"{value:.2f}".replace(".", ",")}
    if float(value).is_integer():
        found |= {f"{int(value)}", f"{int(value):,}", *_MANY.get(int(value), ())}
    if kind.name == "length":
        found = {f"{number} {unit}" for number in found for unit in (kind.unit, f"{kind.unit}s", kind.unit[:3])}
        found |= set(words.length(value, kind.unit))
        if kind.unit == "minute" and float(value).is_integer() and value > 0:
            found |= {saying.length(int(value), Random(seed)) for seed in range(60)}
    return iter(sorted(found, key=lambda each: (each in ("a", "an", "both"), -len(each))))


def _say_number(value: float, random: Random) -> str:
    whole = float(value).is_integer()
    if whole and value == 1 and random.random() < 0.2:
        return "one"
    if whole and 0 <= value <= 20 and random.random() < 0.4:
        return words.number(value)
    if whole and 20 < value < 100 and random.random() < 0.12:
        return words.number(value)
    if whole and value >= 1000 and random.random() < 0.1:
        return f"{int(value):,}"
    return _figures(value, random)


def _figures(value: float, random: Random) -> str:
    if float(value).is_integer():
        return f"{int(value)}" if isinstance(value, int) or random.random() < 0.7 else f"{value:.2f}"
    return f"{value:.2f}" if random.random() < 0.8 else f"{value:g}"


# ---- dates and times


def _dates(value: date, sentence: str) -> Iterator[Found]:
    """With its year first, and of several the fewest words, so that nothing beside it is taken in."""
    for dated in (True, False):
        for start, end in reversed(list(_windows(sentence))):
            text = sentence[start:end]
            days = {day for day in notation.days(text) if day[1:] == (value.month, value.day)}
            if any(day[0] == (value.year if dated else None) for day in days) and _months_or_digits(text):
                yield _with_weekday(sentence, start), end, Form(dated=dated)
        for seed in range(60):
            said = saying.day_in_words(value, Random(seed), with_year=dated)
            for start, end in _places(said, sentence):
                yield _with_weekday(sentence, start), end, Form(dated=dated)


def _months_or_digits(text: str) -> bool:
    """Whether it begins and ends with something that belongs to a date, so that no word around it is taken in."""
    first, last = text.split()[0].strip(",."), text.split()[-1].strip(",.")
    return all(
        re.fullmatch(r"\d.*", each) or each[:3].lower() in {name[:3].lower() for name in saying.MONTHS}
        for each in (first, last)
    )


def _with_weekday(sentence: str, start: int) -> int:
    while match := _WEEKDAY.search(sentence[:start]):
        start = match.start()
    return start


def _times(value: time, sentence: str) -> Iterator[Found]:
    wanted = (value.hour, value.minute, value.second)
    said = {saying.clock(value, Random(seed)) for seed in range(200)}
    for text in sorted(said, key=len, reverse=True):
        yield from ((start, end, Form()) for start, end in _places(text, sentence))
    for start, end in _windows(sentence):
        if wanted in notation.clocks(sentence[start:end]):
            yield start, end, Form()


def _windows(sentence: str) -> Iterator[tuple[int, int]]:
    """Spans of one to six words, the longest first."""
    spans = [match.span() for match in _TOKEN.finditer(sentence)]
    for count in range(min(_LONGEST, len(spans)), 0, -1):
        for first in range(len(spans) - count + 1):
            yield spans[first][0], spans[first + count - 1][1]


def _say_date(value: date, form: Form, random: Random) -> str:
    said = saying.day(value, random, with_year=form.dated)
    if said[0].isalpha() and random.random() < 0.3:
        return (
            f"{_WEEKDAYS[value.weekday()]}, {said}" if random.random() < 0.7 else f"{_WEEKDAYS[value.weekday()]} {said}"
        )
    return said
