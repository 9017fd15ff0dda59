"""Constraints made of tools: what a valid call looks like fits, what is wrong with it does not."""

from __future__ import annotations

import datetime as dt
import json
from enum import Enum
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import Field

from toolmend.base.messages import Call, ToolSpec
from toolmend.extras.worlds.dungeon import Dungeon
from toolmend.models.openai_messages import strict
from toolmend.strategies.constraints import LONGEST_TEXT, arguments, calls, names, values, without_nulls
from toolmend.tools import Toolbox
from toolmend.tools.toolboxes import Calendar

CALENDAR, DUNGEON = Calendar().specs, Dungeon().specs
ADD = {"title": "Fred", "date": "2024-11-11", "time": "17:00"}


class Color(Enum):
    RED = "red"
    BLUE = "blue"


def paint(
    color: Color,
    sizes: list[Annotated[int, Field(ge=1)]],
    when: dt.datetime | None = None,
    mode: Literal["fast", 2] = "fast",
    wet: bool = False,
    weights: dict[str, float] | None = None,
) -> None:
    """Paint."""


PAINT = Toolbox.of(paint).specs[0]


def fits(schema: object, value: object) -> bool:
    return Draft202012Validator(schema).is_valid(value)


@pytest.mark.parametrize("spec", [*CALENDAR, *DUNGEON, PAINT], ids=lambda spec: spec.name)
def test_schemas_are_plain(spec):
    text = json.dumps(arguments(spec))
    Draft202012Validator.check_schema(arguments(spec))
    assert not any(f'"{word}"' in text for word in ("$ref", "$defs", "oneOf", "default", "format", "const"))


def test_a_tool_of_the_calendar():
    assert values(CALENDAR[1]).value == {
        "type": "object",
        "properties": {
            "title": {"type": "string", "maxLength": LONGEST_TEXT},
            "date": {"type": "string", "pattern": r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$"},
            "time": {"type": "string", "pattern": r"^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$"},
        },
        "required": ["title", "date", "time"],
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    ("changed", "right"),
    [
        ({}, True),
        ({"duration": 30}, True),
        ({"duration": None}, True),
        ({"duration": "30"}, False),
        ({"time": "5PM"}, False),
        ({"time": None}, False),
        ({"date": "11/11/2024"}, False),
        ({"date": "2024-13-11"}, False),
        ({"title": "x" * 401}, False),
        ({"place": "here"}, False),
    ],
)
def test_values_of_one_tool(changed, right):
    assert fits(values(CALENDAR[0]).value, ADD | changed) is right


def test_a_missing_value_does_not_fit():
    assert not fits(values(CALENDAR[0]).value, {"title": "Fred", "date": "2024-11-11"})


@pytest.mark.parametrize(
    ("given", "right"),
    [
        ({"color": "red", "sizes": [1, 2]}, True),
        (
            {"color": "red", "sizes": [], "when": "2024-11-11T17:00", "mode": 2, "wet": True, "weights": {"a": 0.5}},
            True,
        ),
        ({"color": "red", "sizes": [1], "when": None, "mode": None, "wet": None, "weights": None}, True),
        ({"color": "green", "sizes": [1]}, False),
        ({"color": "red", "sizes": [0]}, False),
        ({"color": "red", "sizes": [1] * 17}, False),
        ({"color": "red", "sizes": [1], "mode": "slow"}, False),
        ({"color": "red", "sizes": [1], "weights": {"a": "heavy"}}, False),
    ],
)
def test_references_choices_and_lists(given, right):
    assert fits(values(PAINT).value, given) is right


def test_calls_of_several_tools():
    schema = calls(CALENDAR, 2).value
    add, remove = ({"tool": f"action.{name}_calendar_entry", "arguments": ADD} for name in ("add", "remove"))
    assert fits(schema, {"calls": [add, remove]})
    assert not fits(schema, {"calls": [add, remove, add]})
    assert not fits(schema, {"calls": []})
    assert not fits(schema, {"calls": [{**add, "tool": "action.plan"}]})
    assert not fits(schema, {"calls": [{**remove, "arguments": ADD | {"duration": 30}}]})


def test_names_with_and_without_reasons():
    plain, reasoned = names(["add", "talk"], 2).value, names(["add"], 2, reasons=True).value
    assert fits(plain, {"intents": ["add", "add"]})
    assert not fits(plain, {"intents": ["add"] * 3}) and not fits(plain, {"intents": ["plan"]})
    assert fits(reasoned, {"intents": [{"name": "add", "reason": "asked"}]})
    assert strict(plain) and strict(reasoned)


def test_nulls_that_had_to_be_given_are_left_out():
    given = {"name": None, "description": "d", "direction": None}
    left = {"name": None, "description": "d"}
    assert without_nulls(Call("create_room", given), DUNGEON[0]) == Call("create_room", left)


def test_a_schema_that_contains_itself_ends():
    tree = {"type": "object", "properties": {"below": {"$ref": "#/$defs/tree"}}}
    spec = ToolSpec("grow", parameters={"type": "object", "properties": {"t": tree}, "$defs": {"tree": tree}})
    assert "$ref" not in json.dumps(arguments(spec))


@given(st.dictionaries(st.text(max_size=5), st.recursive(st.none() | st.text(max_size=3), st.lists, max_leaves=3)))
def test_any_schema_is_made_one(properties):
    spec = ToolSpec("odd", parameters={"type": "object", "properties": properties})
    Draft202012Validator.check_schema(arguments(spec))
