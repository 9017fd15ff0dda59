"""The experts of MRKL's router that compute: arithmetic, days, units. Search and knowledge are tables (mrkl.yaml).

The calculator takes figures and signs only: an exercise in words is refused, which is what the router must learn.
"""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

from toolmend.errors import ToolError
from toolmend.reading.literals import Unreadable, fold, parse_expression
from toolmend.resolve.units import KINDS, UNITS, WORDS, convert
from toolmend.tools import Toolbox


def calculator(expression: str) -> float:
    """Work out an expression of figures, + - * / and brackets."""
    parsed = parse_expression(expression.strip())
    try:
        value = None if parsed is None else fold(parsed, set())
    except Unreadable:
        value = None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ToolError(f"{expression!r} is no expression: write it with figures and signs alone, as 12 * 7")
    return round(float(value), 6)


def calendar(date: str, days: int = 0) -> str:
    """The day so many days after a date (before it where negative), with its weekday. Dates are YYYY-MM-DD."""
    try:
        day = dt.date.fromisoformat(date) + dt.timedelta(days=days)
    except (ValueError, OverflowError) as error:
        raise ToolError(f"{date!r} is no date: write it as 2025-05-03") from error
    return f"{day.isoformat()}, {day:%A}"


def units(value: float, unit: str, wanted: str) -> float:
    """A value in another unit."""
    known = [_unit(unit), _unit(wanted)]
    if KINDS[known[0]] != KINDS[known[1]]:
        raise ToolError(f"{unit} and {wanted} are not of a kind")
    return round(float(convert(Fraction(value), *known)), 3)


def _unit(name: str) -> str:
    bare = name.strip().lower()
    found = UNITS.get(bare) or next((words[bare] for words in WORDS.values() if bare in words), None)
    if found is None or found not in KINDS:
        raise ToolError(f"no unit is called {name!r}")
    return found


EXPERTS = Toolbox.of(calculator, calendar, units)._given
