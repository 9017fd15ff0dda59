"""Weekdays and weekends among the members of an enum that are days."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()


def expanded(text: str, members: Sequence[Any]) -> list[Any]:
    """The days that "weekdays", "every day", "Monday to Friday" name among the members; none if they are no days."""
    days = [
        member
        for member in members
        for day in DAYS
        if str(member).lower()[:3] == day[:3] and day.startswith(str(member).lower())
    ]
    if len(days) < 7:
        return []
    said = re.sub(
        r"^(?:(?:on|every|the|all|each|at|only|just|both) )+(?:days of the )?|(?<=day) of the week$"
        r"|(?<=days) of the week$",
        "",
        text.lower().strip(),
    )
    said = said.strip().removeprefix("from ")
    if span := re.fullmatch(r"(\w+?)s? (?:to|till|through|until|-) (\w+?)s?", said):
        ends = [
            next((place for place, day in enumerate(DAYS) if len(word) > 2 and day.startswith(word)), -1)
            for word in span.groups()
        ]
        return days[ends[0] : ends[1] + 1] if 0 <= ends[0] < ends[1] else []
    if said in ("weekdays", "weekday", "working days", "work days"):
        return days[:5]
    if said in ("weekends", "weekend", "at weekends"):
        return days[5:]
    return days if said in ("day", "days", "every day", "daily", "week") else []
