"""Fitting arguments to a schema: what is converted, what is recorded, what is left alone."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.tools.fitting import Fitting

_NUMBERS = {"type": "array", "items": {"type": "integer"}}
_PLACE = {"type": "object", "properties": {"zip": {"type": "integer"}}}


def fit(value: Any, schema: dict[str, Any]) -> tuple[Any, list[str]]:
    fitting = Fitting(schema)
    return fitting.fit(value, schema, "x"), fitting.notes


@pytest.mark.parametrize(
    ("schema", "value", "fitted", "note"),
    [
        ({"type": "integer"}, "30", 30, "x: '30' -> 30"),
        ({"type": "integer"}, " -5 ", -5, "x: ' -5 ' -> -5"),
        ({"type": "integer"}, "30.0", 30, "x: '30.0' -> 30"),
        ({"type": "integer"}, 30.0, 30, "x: 30.0 -> 30"),
        ({"type": "number"}, "1.5", 1.5, "x: '1.5' -> 1.5"),
        ({"type": "number"}, "3", 3, "x: '3' -> 3"),
        ({"type": "boolean"}, "True", True, "x: 'True' -> True"),
        ({"type": "boolean"}, 0, False, "x: 0 -> False"),
        ({"type": "string"}, 5, "5", "x: 5 -> '5'"),
        ({"type": "string", "enum": ["red", "Green"]}, "RED", "red", "x: 'RED' -> 'red'"),
        ({"type": "string", "const": "red"}, "Red", "red", "x: 'Red' -> 'red'"),
        ({"type": "array"}, '["a"]', ["a"], "x: '[\"a\"]' -> ['a']"),
        ({"type": "object"}, '{"a": 1}', {"a": 1}, "x: '{\"a\": 1}' -> {'a': 1}"),
        (_NUMBERS, [1, "2"], [1, 2], "x[1]: '2' -> 2"),
        (_PLACE, {"zip": "1"}, {"zip": 1}, "x.zip: '1' -> 1"),
        ({"type": ["integer", "null"]}, "3", 3, "x: '3' -> 3"),
        ({"anyOf": [_NUMBERS, {"type": "null"}]}, "[1]", [1], "x: '[1]' -> [1]"),
    ],
)
def test_converted_and_recorded(schema: dict[str, Any], value: Any, fitted: Any, note: str) -> None:
    got, notes = fit(value, schema)
    assert (got, type(got), notes) == (fitted, type(fitted), [note])


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "integer"}, True),
        ({"type": "integer"}, 30.5),
        ({"type": "integer"}, "thirty"),
        ({"type": "integer"}, "60*3"),
        ({"type": "integer"}, "1_000"),
        ({"type": "integer"}, "9" * 40),
        ({"type": "number"}, True),
        ({"type": "number"}, "nan"),
        ({"type": "string"}, True),
        ({"type": "string", "format": "uuid"}, 5),
        ({"type": "string", "enum": ["a", "A"]}, "á"),
        ({"type": "boolean"}, 2),
        ({"type": "array"}, "a, b"),
        ({"type": "array"}, '{"a": 1}'),
        ({"type": "array"}, "[1, "),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, "30"),
        ({"anyOf": [{"type": "string"}, _NUMBERS]}, "[1]"),
        ({}, "30"),
    ],
)
def test_left_alone(schema: dict[str, Any], value: Any) -> None:
    got, notes = fit(value, schema)
    assert got is value
    assert notes == []


def test_a_reference_is_followed() -> None:
    root = {"$defs": {"Place": _PLACE}, "properties": {}}
    fitting = Fitting(root)
    assert fitting.fit({"zip": "1"}, {"$ref": "#/$defs/Place"}, "x") == {"zip": 1}


def test_a_reference_in_a_circle_ends() -> None:
    root = {"$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}}
    assert Fitting(root).fit("1", {"$ref": "#/$defs/A"}, "x") == "1"


def test_deep_json_text_is_left_to_the_validator() -> None:
    text = "[" * 100_000
    assert fit(text, {"type": "array"})[0] is text


@pytest.mark.parametrize("schema", [{"type": "integer", "enum": [0, 1]}, {"enum": [1, "a"]}, {"const": 1}])
def test_a_bool_is_no_choice_of_numbers(schema: dict[str, Any]) -> None:
    fitting = Fitting(schema)
    fitting.fit(True, schema, "x")
    assert len(fitting.problems) == 1
    assert fitting.problems[0].startswith("argument 'x': should be ")


def test_a_wrong_notation_is_a_problem_also_where_none_is_allowed() -> None:
    fitting = Fitting({})
    fitting.fit("5PM", {"anyOf": [{"type": "string", "format": "time"}, {"type": "null"}]}, "x")
    assert fitting.problems == ["argument 'x': should be a time of day as HH:MM (24 hours), got '5PM'"]


def test_a_text_that_another_branch_takes_is_no_problem() -> None:
    fitting = Fitting({})
    fitting.fit("5PM", {"anyOf": [{"type": "string", "format": "time"}, {"type": "string"}]}, "x")
    assert fitting.problems == []


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
_SCHEMAS = st.sampled_from(
    [{"type": kind} for kind in ("integer", "number", "string", "boolean", "array", "object", "null")]
    + [_NUMBERS, _PLACE, {"type": "string", "format": "date"}, {"enum": [1, "a", None]}, {"anyOf": [_NUMBERS, _PLACE]}]
)


@settings(deadline=None, max_examples=150)
@given(_JSON, _SCHEMAS)
def test_no_value_raises_and_fitting_twice_changes_nothing(value: Any, schema: dict[str, Any]) -> None:
    fitted, _ = fit(value, schema)
    assert fit(fitted, schema)[1] == []


def test_the_one_thing_that_an_object_must_have_stands_for_it() -> None:
    milk = {"type": "object", "properties": {"kind": {"type": "string"}, "ml": {"type": "integer"}}}
    fitting = Fitting({})
    assert fitting.fit("oat", milk | {"required": ["kind"]}, "milk") == {"kind": "oat"}
    assert fitting.fit("oat", milk | {"required": ["kind", "ml"]}, "milk") == "oat"
    assert fitting.notes == ["milk: 'oat' -> {'kind': 'oat'}"]


def test_an_object_that_must_have_itself_is_not_filled_for_ever() -> None:
    itself: dict[str, Any] = {"type": "object", "required": ["a"], "properties": {}}
    itself["properties"]["a"] = itself
    assert fit({"a": "x"}, itself)[0] == {"a": "x"}
