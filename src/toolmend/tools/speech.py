"""Values as they are said and as they are written: what words mean ("7 in the evening", "two dozen"), where that is one
thing; and dates and times as tools take them, YYYY-MM-DD, HH:MM, and both with a T between.

Validators are too kind here: pydantic reads the text "1731283200" as a date, jsonschema checks no time at all.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from toolmend.base.errors import BadOption
from toolmend.tools.texts import shown

_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_SECONDS = {"type": "integer", "x-unit": "seconds"}
_TIME = r"[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?(Z|[+-][0-9]{2}:[0-9]{2})?"


@dataclass(frozen=True, slots=True)
class _Format:
    """How a format looks, what it is called, and the function that knows whether such a moment exists."""

    notation: re.Pattern[str]
    expected: str
    impossible: str
    parse: Callable[[str], object]


_FORMATS = {
    "date": _Format(re.compile(_DATE), "a date as YYYY-MM-DD", "is no day of the calendar", dt.date.fromisoformat),
    "time": _Format(re.compile(_TIME), "a time of day as HH:MM (24 hours)", "is no time of day", dt.time.fromisoformat),
    "date-time": _Format(
        re.compile(f"{_DATE}[T ]{_TIME}"),
        "a date and time as YYYY-MM-DDTHH:MM",
        "is no moment of the calendar",
        dt.datetime.fromisoformat,
    ),
}


def format_problem(value: Any, name: str) -> str:
    """What is wrong with a JSON value that should have the JSON Schema format `name`; "" if nothing or unknown."""
    form = _FORMATS.get(name)
    if form is None or not isinstance(value, (str, int, float)):
        return ""
    if not isinstance(value, str) or not form.notation.fullmatch(value):
        return f"should be {form.expected}, got {shown(value)}"
    try:
        form.parse(value)
    except ValueError:
        return f"{value!r} {form.impossible}; should be {form.expected}"
    return ""


@dataclass(frozen=True, slots=True)
class Speech:
    """What words are said against: the clock ("tomorrow") and the usual hours ("07-19": at nine is in the morning)."""

    now: dt.datetime | None = None
    hours: str | None = None

    def meant(self, value: Any, schema: Mapping[str, Any], path: str) -> Any:
        """The value that words for the argument at that path mean; itself, where it is valid or may mean several."""
        if not isinstance(value, str) or _fits(value, schema):
            return value
        from toolmend.language.resolve import Resolved, resolve
        from toolmend.language.resolve.parameters import is_computed, typed

        if schema.get("format") == "duration":
            seconds = resolve(value, _SECONDS)
            return f"PT{seconds.value}S" if isinstance(seconds, Resolved) else value
        if not is_computed(schema):
            return value
        try:
            result = resolve(value, typed(re.split(r"[.\[]", path)[-1], schema), now=self.now, hours=self.hours)
        except BadOption:  # a schema that says what only its own tool understands
            return value
        return result.value if isinstance(result, Resolved) else value


def _fits(value: str, schema: Mapping[str, Any]) -> bool:
    if schema.get("type") not in (None, "string"):
        return False
    form = str(schema.get("format"))
    if form == "duration":
        return value.lstrip("+-").startswith("P")
    return value in schema["enum"] if "enum" in schema else not format_problem(value, form)
