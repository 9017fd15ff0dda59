"""The two tools of the calendar experiment."""

from __future__ import annotations

import pytest

from toolmend.messages import ToolSpec

_TITLE, _DATE, _TIME = {"type": "string"}, {"type": "string", "format": "date"}, {"type": "string", "format": "time"}
_REQUIRED = ["title", "date", "time"]


@pytest.fixture(scope="session")
def add() -> ToolSpec:
    duration = {"type": "integer", "default": 30}
    properties = {"title": _TITLE, "date": _DATE, "time": _TIME, "duration": duration}
    schema = {"type": "object", "properties": properties, "required": _REQUIRED}
    return ToolSpec("add_calendar_entry", parameters=schema, receiver="action")


@pytest.fixture(scope="session")
def remove() -> ToolSpec:
    properties = {"title": _TITLE, "date": _DATE, "time": _TIME}
    schema = {"type": "object", "properties": properties, "required": _REQUIRED}
    return ToolSpec("remove_calendar_entry", parameters=schema, receiver="action")


@pytest.fixture(scope="session")
def tools(add: ToolSpec, remove: ToolSpec) -> tuple[ToolSpec, ...]:
    return (add, remove)
