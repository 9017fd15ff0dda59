"""Readable names and what a schema says."""

import pytest

from toolmend.base.messages import ToolSpec
from toolmend.language.corrections import names


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("time", "time"),
        ("start_time", "start time"),
        ("startTime", "start time"),
        ("HTTPPort", "http port"),
        ("timeout_seconds", "timeout"),
        ("minutes", "minutes"),
        ("min_price", "min price"),
        ("second_name", "second name"),
        ("line2", "line two"),
        ("__", "value"),
    ],
)
def test_a_name_is_readable(argument, said):
    assert names.label(argument) == said


@pytest.mark.parametrize(
    ("argument", "schema", "unit"),
    [
        ("duration", {}, "minute"),
        ("duration", {"description": "How long, in seconds."}, "second"),
        ("delay", {"description": "in hours"}, "hour"),
        ("delay", {}, ""),
        ("timeout_seconds", {}, "second"),
        ("min_price", {}, ""),
        ("quantity", {}, ""),
    ],
)
def test_the_unit_of_a_length_of_time(argument, schema, unit):
    assert names.unit(argument, schema) == unit


def test_a_schema_is_found_through_references_and_alternatives():
    parameters = {
        "$defs": {"Size": {"type": "string", "enum": ["small", "large"]}, "Loop": {"$ref": "#/$defs/Loop"}},
        "properties": {
            "size": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/Size"}]},
            "loop": {"$ref": "#/$defs/Loop"},
        },
    }
    spec = ToolSpec("order", parameters=parameters)
    assert names.schema_of(spec, "size") == {"type": "string", "enum": ["small", "large"]}
    assert names.schema_of(spec, "loop") == {}
    assert names.schema_of(spec, "other") == {}
    assert names.schema_of(None, "size") == {}


@pytest.mark.parametrize(
    ("schema", "expected", "said"),
    [
        ({"type": "integer"}, 3, "a whole number"),
        ({}, 3, "a whole number"),
        ({}, True, "a plain yes or no"),
        ({}, ["x"], "a list"),
        ({}, None, None),
        ({"type": ["string", "null"]}, None, None),
    ],
)
def test_type_in_words(schema, expected, said):
    assert names.type_words(schema, expected) == said


@pytest.mark.parametrize(
    ("argument", "schema", "expected", "found"),
    [
        ("when", {}, "2024-11-11", "date"),
        ("when", {}, "17:00", "time"),
        ("when", {"format": "HH:MM"}, None, "time"),
        ("when", {}, {"date": {"month": 1, "day": 2}}, "date"),
        ("date", {}, None, "date"),
        ("date", {}, "tomorrow", ""),
        ("title", {}, None, ""),
    ],
)
def test_notation(argument, schema, expected, found):
    assert names.notation(argument, schema, expected) == found


@pytest.mark.parametrize(
    ("tool", "said"),
    [
        ("action.add_calendar_entry", "add a calendar entry"),
        ("action.remove_calendar_entry", "remove the calendar entry"),
        ("createEvent", "create an event"),
        ("turn_on_light", "turn on light"),
        ("add_items", "add the items"),
        ("weather_forecast", None),
        ("calendar.add", None),
    ],
)
def test_what_a_tool_does(tool, said):
    assert names.action(tool) == said


def test_plural_names():
    assert names.is_plural("guests")
    assert not names.is_plural("address")
