"""What a step expects: calls with acceptable values per argument, no call, or a question. Values only.

An acceptable value is a plain JSON value, several (`OneOf`), or a typed rule. `accepted` reads them from JSON.
Knows nothing of how values are compared.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from toolmend.base.errors import BadOption
from toolmend.grading.schemas import Shape


@dataclass(frozen=True, slots=True)
class OneOf:
    """Any of several acceptable values or rules; the first is the one to show. None at all: nothing is acceptable."""

    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Date:
    """A day, written YYYY-MM-DD. A part that is None may be anything."""

    year: int | None = None
    month: int | None = None
    day: int | None = None


@dataclass(frozen=True, slots=True)
class Time:
    """A time of day, written HH:MM in 24 hours, or HH:MM:SS if the rule has seconds."""

    hour: int
    minute: int = 0
    second: int | None = None


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time in minutes: a number; where the parameter is a text, in ISO 8601 or words."""

    minutes: float


@dataclass(frozen=True, slots=True)
class Regex:
    """A text that a pattern matches wholly, letter case ignored. `example` is such a text, for the self-test."""

    pattern: str
    example: str = ""


@dataclass(frozen=True, slots=True)
class Range:
    """A number from `low` to `high`, both included."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Contains:
    """A text that has one of these texts in it, letter case and blanks as in all comparisons."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Any_:
    """Any value at all."""


@dataclass(frozen=True, slots=True)
class Optional_:
    """An argument, or a key of a mapping, that may be left out; where it is given it must be acceptable."""

    value: Any


AcceptedValue = Any
"""A plain JSON value, or OneOf, Date, Time, Duration, Regex, Range, Contains, Any_, Optional_; rules at any depth."""


@dataclass(frozen=True, slots=True)
class ExpectedCall:
    """One call that is due: the tool's full name, and what is acceptable for each argument.

    A parameter not named here must be left out or have its default.
    """

    tool: str
    arguments: Mapping[str, AcceptedValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Expected:
    """What a reply must be. No calls: a reply without a call; with `asks` (names of arguments) also a question.

    `ordered`: the calls in this order. `bare`: the prompt demands the call alone, so that text beside it is chatter.
    `free`: whatever calls and words, because the world they lead to is looked at instead (worlds.py).
    `any_call`: a call of any tool offered, whatever its arguments. `rules`: whose judgement it is (RULES_OF).
    """

    calls: tuple[ExpectedCall, ...] = ()
    ordered: bool = False
    asks: tuple[str, ...] = ()
    bare: bool = True
    free: bool = False
    any_call: bool = False
    rules: str = "toolmend"


RULES_OF = ("toolmend", "bfcl")
"""Whose judgements there are: docs/measures.md's, and those of BFCL's checker (bfcl.py)."""
RULES = ("any", "contains", "date", "duration", "oneof", "optional", "range", "regex", "time", "value")
_LIKE_OBJECTS = frozenset(RULES) - {"oneof", "optional", "value"}


def accepted(value: Any, shape: Shape | None = None) -> AcceptedValue:
    """The acceptable value that JSON data spells; a mapping of one key is a rule, at any depth of lists and mappings.

        {"oneof": ["a", {"time": "17:00"}]}   {"date": "2024-11-11"}   {"date": {"month": 11, "day": 11}}
        {"time": "17:00"}   {"duration": 30}   {"regex": "[a-z]+", "example": "ab"}   {"any": true}   {"value": {…}}
        {"range": [1, 4]}   {"contains": "sword"}   {"contains": ["sword", "blade"]}   {"optional": "a"}

    `value` takes what follows as it is, for an argument that is itself such a mapping. Where `shape` (the schema of the
    place) says that an object stands there, only oneof, optional and value are rules. Raises BadOption.
    """
    if isinstance(value, (list, tuple)):
        items = shape.items if shape else None
        return [_one(accepted(item, items), "an item of a list") for item in value]
    if not isinstance(value, Mapping):
        return value
    keys = set(value)
    object_due = shape is not None and "object" in shape.types and bool(keys & _LIKE_OBJECTS)
    if (keys == {"regex", "example"} or keys == {"regex"}) and not object_due:
        return _regex(value)
    if len(value) != 1 or not keys <= set(RULES) or object_due:
        return {key: accepted(item, shape.of(key) if shape else None) for key, item in value.items()}
    ((rule, given),) = value.items()
    if rule == "optional":
        return Optional_(_one(accepted(given, shape), "another optional value"))
    if rule == "oneof" and isinstance(given, (list, tuple)) and given:
        return OneOf(tuple(_one(accepted(item, shape), "one of several") for item in given))
    if rule == "date" and isinstance(given, (str, Mapping)):
        return _date(given)
    if rule == "time" and isinstance(given, str):
        return _time(given)
    if rule == "duration" and isinstance(given, (int, float)) and not isinstance(given, bool):
        return Duration(given)
    if rule == "range" and isinstance(given, (list, tuple)):
        return _range(given)
    if rule == "contains" and (texts := _texts(given)):
        return Contains(texts)
    if rule == "any" and given is True:
        return Any_()
    if rule == "value":
        return given
    raise BadOption(f"{rule}: {given!r:.60} makes no rule; wanted: {_WANTED[str(rule)]}")


def _one(value: AcceptedValue, where: str) -> AcceptedValue:
    """The value, which is not optional. Raises BadOption."""
    if isinstance(value, Optional_):
        raise BadOption(f"optional: goes around an argument or the value of a key, not around {where}")
    return value


_WANTED = {
    "any": "true",
    "contains": "a text, or a list of texts of which one will do",
    "date": '"YYYY-MM-DD" or {"month": 11, "day": 11}',
    "duration": "a number of minutes",
    "oneof": "a list of at least one value",
    "range": "two numbers, the smaller first",
    "time": '"HH:MM"',
}


def _range(given: Sequence[Any]) -> Range:
    numbers = [value for value in given if isinstance(value, (int, float)) and not isinstance(value, bool)]
    if len(given) != 2 or len(numbers) != 2 or not numbers[0] <= numbers[1]:
        raise BadOption(f"range: {list(given)!r:.60} makes no rule; wanted: {_WANTED['range']}")
    return Range(*numbers)


def _texts(given: Any) -> tuple[str, ...]:
    """One text or several, none of them empty; () for anything else."""
    texts = [given] if isinstance(given, str) else given if isinstance(given, (list, tuple)) else []
    return tuple(texts) if all(isinstance(text, str) and text.strip() for text in texts) else ()


def _regex(value: Mapping[str, Any]) -> Regex:
    try:
        return Regex(re.compile(value["regex"]).pattern, str(value.get("example", "")))
    except (re.error, TypeError) as fault:
        raise BadOption(f"regex: {value['regex']!r:.60} is no regular expression: {fault}") from None


def _date(given: str | Mapping[str, Any]) -> Date:
    if isinstance(given, str):
        try:
            day = dt.date.fromisoformat(given)
        except ValueError:
            raise BadOption(f"date: {given!r:.60} is no day; wanted: {_WANTED['date']}") from None
        return Date(day.year, day.month, day.day)
    wrong = [key for key, part in given.items() if key not in ("year", "month", "day") or type(part) is not int]
    if wrong or not given:
        raise BadOption(f"date: {dict(given)!r:.60} makes no rule; wanted: {_WANTED['date']}")
    return Date(given.get("year"), given.get("month"), given.get("day"))


def _time(given: str) -> Time:
    match = re.fullmatch(r"([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?", given)
    if match is None:
        raise BadOption(f"time: {given!r:.60} is no time of day; wanted: {_WANTED['time']}")
    return Time(int(match[1]), int(match[2]), int(match[3]) if match[3] else None)


def shown(value: AcceptedValue) -> Any:
    """The value as JSON-able data for display and corrections: of several the first, of a rule its notation."""
    if isinstance(value, Optional_):
        return shown(value.value)
    if isinstance(value, OneOf):
        return shown(value.values[0]) if value.values else None
    if isinstance(value, Date):
        if value.year is not None and value.month is not None and value.day is not None:
            return f"{value.year:04}-{value.month:02}-{value.day:02}"
        parts = {"year": value.year, "month": value.month, "day": value.day}
        return {"date": {name: part for name, part in parts.items() if part is not None}}
    if isinstance(value, Time):
        return f"{value.hour:02}:{value.minute:02}" + (f":{value.second:02}" if value.second is not None else "")
    if isinstance(value, Duration):
        return int(value.minutes) if float(value.minutes).is_integer() else value.minutes
    if isinstance(value, Regex):
        return {"regex": value.pattern}
    if isinstance(value, Range):
        return {"range": [value.low, value.high]}
    if isinstance(value, Contains):
        return {"contains": list(value.texts)}
    return None if isinstance(value, Any_) else plain(value)


def plain(value: Any) -> Any:
    """A value as JSON-able data: tuples and sets as lists, what JSON does not know as text."""
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, Mapping):
        return {str(key): shown(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [shown(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((shown(item) for item in value), key=repr)
    return str(value)
