"""What can be computed, and in which unit."""

from __future__ import annotations

from typing import Any

import pytest

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve.arguments import Meant, value_of
from toolmend.language.resolve.background import Background
from toolmend.language.resolve.parameters import is_computed, typed

NULL = {"type": "null"}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string"}, False),
        ({"type": "string", "format": "date"}, True),
        ({"type": "string", "enum": ["a"]}, True),
        ({"type": ["integer", "null"]}, True),
        ({"anyOf": [{"type": "string"}, NULL]}, False),
        ({"anyOf": [{"type": "string", "format": "date"}, NULL]}, True),
        ({"type": "array", "items": {"type": "integer"}}, True),
        ({"type": "array", "items": {"$ref": "#/$defs/Item"}}, False),
        ({"$ref": "#/$defs/Address"}, False),
        ({"type": "object"}, False),
    ],
)
def test_only_values_with_a_form_are_computed(schema: dict[str, Any], expected: bool) -> None:
    assert is_computed(schema) is expected


@pytest.mark.parametrize(
    ("name", "schema", "unit"),
    [
        ("length", {"type": "integer", "description": "how long it lasts, in minutes"}, "minutes"),
        ("price", {"type": "number", "description": "in euros"}, "EUR"),
        ("most", {"anyOf": [{"type": "number"}, NULL], "description": "at most this many euros"}, "EUR"),
        ("duration", {"type": "integer"}, "minutes"),
        ("millilitres", {"type": "integer"}, "millilitres"),
        ("dose_mg", {"type": "number"}, "milligrams"),
        ("hours", {"type": "number"}, "hours"),
        ("weightKg", {"type": "number"}, "kilograms"),
        ("price_per_hour", {"type": "number"}, None),
        ("hours_open", {"type": "number"}, None),
        ("duration", {"type": "integer", "x-unit": "hours"}, "hours"),
        ("stock", {"type": "integer", "description": "how many are in the shop"}, None),
        ("duration", {"type": "string"}, None),
    ],
)
def test_the_unit_is_read_from_the_description(name: str, schema: dict[str, Any], unit: str | None) -> None:
    assert typed(name, schema).get("x-unit") == unit


@pytest.mark.parametrize(
    ("schema", "form"),
    [
        ({"type": "string", "description": "The day (yyyy-mm-dd)"}, "date"),
        ({"type": "string", "description": "start as HH:MM"}, "time"),
        ({"type": "string", "description": "YYYY-MM-DDTHH:MM"}, "date-time"),
        ({"anyOf": [{"type": "string"}, NULL], "description": "the day, as YYYY-MM-DD"}, "date"),
        ({"type": "string", "description": "a name"}, None),
        ({"type": "string", "description": "YYYY-MM-DD", "pattern": "^2"}, None),
    ],
)
def test_the_format_is_read_from_the_description(schema: dict[str, Any], form: str | None) -> None:
    assert typed("x", schema).get("format") == form


@pytest.mark.parametrize(
    ("name", "schema", "value"),
    [
        ("rate", {"type": "number"}, 0.08),
        ("rate", {"type": "number", "description": "in percent"}, 8),
        ("percentage", {"type": "number"}, 8),
        ("rate", {"type": "integer"}, 8),
        ("rate", {"type": "number", "x-unit": "percent"}, 8),
    ],
)
def test_a_percentage_is_a_share_of_one_unless_percent_is_due(name: str, schema: dict[str, Any], value: float) -> None:
    spec = ToolSpec("lend", parameters={"type": "object", "properties": {name: schema}})
    meant = value_of(spec, name, "8% annually", {}, {}, Background(), (), new=True)
    assert isinstance(meant, Meant)
    assert meant.values == {name: value}


@pytest.mark.parametrize(
    ("words", "time"),
    [
        ("11", "11:00"),
        ("half past two", "14:30"),
        ("4:15", "16:15"),
        ("9:30", "09:30"),
        ("02:30", "02:30"),
        ("8", ""),
    ],
)
def test_without_usual_hours_an_hour_nobody_means_by_night_is_by_day(words: str, time: str) -> None:
    schema = {"type": "object", "properties": {"start": {"type": "string", "format": "time"}}}
    spec = ToolSpec("book", parameters=schema)
    meant = value_of(spec, "start", words, {}, {}, Background(text=f"book it at {words}"), (), new=True)
    assert (meant.values["start"] if isinstance(meant, Meant) else "") == time


@pytest.mark.parametrize(
    ("words", "old", "values"),
    [
        ("an hour later", "23:30", {"date": "2025-06-09", "time": "00:30"}),
        ("an hour earlier", "00:30", {"date": "2025-06-07", "time": "23:30"}),
    ],
)
def test_a_time_that_is_moved_over_midnight_moves_the_day(words: str, old: str, values: dict[str, str]) -> None:
    forms = {"date": {"type": "string", "format": "date"}, "time": {"type": "string", "format": "time"}}
    spec = ToolSpec("add", parameters={"type": "object", "properties": forms})
    like = {"date": "2025-06-08", "time": old}
    meant = value_of(spec, "time", words, like, like, Background(), (), new=False)
    assert isinstance(meant, Meant)
    assert meant.values == values
