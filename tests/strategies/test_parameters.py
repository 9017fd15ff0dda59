"""A tool's parameters as short typed lines."""

import datetime as dt
import enum
from dataclasses import dataclass
from typing import Annotated, Literal

import pydantic
import pytest

from toolmend.base.messages import ToolSpec
from toolmend.strategies.signature import parameters
from toolmend.tools import Toolbox


class Size(enum.Enum):
    SMALL = "s"
    LARGE = "l"


@dataclass
class Item:
    sku: str
    size: Size
    quantity: int = 1


def lines(function):
    return parameters(Toolbox.of(function).specs[0]).split("\n")


def one(schema, **more):
    return parameters(ToolSpec("f", parameters={"properties": {"x": schema}, "required": ["x"], **more}))


def test_kinds_ranges_and_what_may_be_left_out():
    def f(name: str, hp: Annotated[int, pydantic.Field(ge=1, le=20)], day: dt.date, big: bool = False, note: str = ""):
        """F.

        Args:
            hp: health
              points
        """

    assert lines(f) == [
        "- name",
        "- hp (whole number, 1 to 20): health points",
        "- day (YYYY-MM-DD)",
        "- big (true or false; False if left out)",
        "- note (may be left out)",
    ]


def test_choices_lists_and_objects():
    def f(items: list[Item], side: Literal["n", "s"], extra: Item | None = None, any_size: Size | int = 1):
        """F."""

    item = "{sku: text, size: s | l, quantity: whole number}"
    assert lines(f) == [
        f"- items (list of {item})",
        "- side (n | s)",
        f"- extra ({item}; may be left out)",
        "- any_size (s | l or whole number; 1 if left out)",
    ]


@pytest.mark.parametrize(
    ("schema", "line"),
    [
        ({}, "- x (any)"),
        (True, "- x (any)"),
        ({"const": 5}, "- x (5)"),
        ({"type": "number", "exclusiveMinimum": 0}, "- x (number, above 0)"),
        ({"type": "number", "minimum": 0.5}, "- x (number, at least 0.5)"),
        ({"type": "integer", "maximum": 9}, "- x (whole number, at most 9)"),
        ({"type": "integer", "exclusiveMaximum": 9}, "- x (whole number, below 9)"),
        ({"type": "string", "minLength": 4, "maxLength": 4}, "- x (text, 4 letters)"),
        ({"type": ["integer", "null"]}, "- x (whole number)"),
        ({"type": "object"}, "- x (object)"),
        ({"$ref": "#/$defs/none"}, "- x (any)"),
        ({"type": "array", "items": {"$ref": "#/$defs/a"}}, "- x (list of text)"),
    ],
)
def test_foreign_schemas(schema, line):
    assert one(schema, **{"$defs": {"a": {"type": "string"}}}) == line


def test_a_definition_that_holds_itself_ends():
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}
    assert one({"$ref": "#/$defs/node"}, **{"$defs": {"node": node}}) == "- x ({next: {next: {next: {next: any}}}})"


def test_no_parameters_are_no_lines():
    assert parameters(ToolSpec("f")) == ""
