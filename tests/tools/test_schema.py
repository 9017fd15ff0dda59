"""Typed functions as JSON Schema, and the check of arguments."""

import dataclasses
import datetime as dt
import enum
import json
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import pydantic
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typing_extensions import TypedDict

from toolmend.base.errors import BadOption, ToolError
from toolmend.tools.schema import Docs, Signature
from toolmend.tools.tool import Tool


class Kind(enum.Enum):
    MEETING = "meeting"
    CONCERT = "concert"


@dataclasses.dataclass
class Place:
    city: str
    zip: int = 0


class Room(pydantic.BaseModel):
    floor: int
    name: str = "any"


class Badge(TypedDict):
    owner: str


def add_event(
    title: str,
    date: dt.date,
    minutes: Annotated[int, "how long"] = 30,
    kind: Literal["meeting", "concert"] = "meeting",
    guests: list[str] | None = None,
) -> None:
    """The function of the comparison of frameworks."""


def signature(function: Callable[..., Any], **docs: str) -> Signature:
    return Signature(function, "f", Docs("", docs))


def takes(annotation: Any) -> Signature:
    def function(x: Any) -> None: ...

    function.__annotations__["x"] = annotation
    return signature(function)


def test_the_schema_keeps_everything() -> None:
    assert signature(add_event, title="what it is called").parameters == {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "title": {"type": "string", "description": "what it is called"},
            "date": {"type": "string", "format": "date"},
            "minutes": {"type": "integer", "default": 30, "description": "how long"},
            "kind": {"type": "string", "enum": ["meeting", "concert"], "default": "meeting"},
            "guests": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}], "default": None},
        },
        "required": ["title", "date"],
    }


def test_the_properties_stand_in_the_order_of_the_signature() -> None:
    assert list(signature(add_event).parameters["properties"]) == ["title", "date", "minutes", "kind", "guests"]


def test_no_parameters_is_still_an_object() -> None:
    def function() -> None: ...

    parameters = signature(function).parameters
    assert (parameters["type"], parameters["properties"], parameters.get("required")) == ("object", {}, None)


def test_nested_types_are_defined_once() -> None:
    def function(here: Place, there: Place, room: Room) -> None: ...

    parameters = signature(function).parameters
    assert parameters["properties"]["there"] == {"$ref": "#/$defs/Place"}
    assert sorted(parameters["$defs"]) == ["Place", "Room"]
    assert "title" not in json.dumps(parameters)


def test_a_default_that_json_cannot_show_is_left_out() -> None:
    def function(x: int = object()) -> None: ...  # type: ignore[assignment]

    assert signature(function).parameters["properties"]["x"] == {"type": "integer"}


@pytest.mark.parametrize(
    ("annotation", "given_value", "value"),
    [
        (str, "a", "a"),
        (int, 3, 3),
        (float, 3, 3.0),
        (bool, True, True),
        (dt.date, "2024-11-11", dt.date(2024, 11, 11)),
        (dt.time, "17:00", dt.time(17)),
        (dt.datetime, "2024-11-11T17:00", dt.datetime(2024, 11, 11, 17)),
        (Kind, "concert", Kind.CONCERT),
        (Literal["a", 1], 1, 1),
        (list[int], [1, 2], [1, 2]),
        (set[int], [1, 1], {1}),
        (tuple[int, str], [1, "a"], (1, "a")),
        (dict[str, int], {"a": 1}, {"a": 1}),
        (int | str, "1", "1"),
        (int | None, None, None),
        (Place, {"city": "Rome"}, Place("Rome")),
        (Room, {"floor": 2}, Room(floor=2)),
        (Badge, {"owner": "Ann"}, {"owner": "Ann"}),
        (list[Place], [{"city": "Rome", "zip": 1}], [Place("Rome", 1)]),
        (Any, {"a": [1]}, {"a": [1]}),
        (dt.date, dt.date(2024, 11, 11), dt.date(2024, 11, 11)),
    ],
    ids=repr,
)
def test_values_of_every_type(annotation: Any, given_value: Any, value: Any) -> None:
    values, coerced = takes(annotation).check({"x": given_value})
    assert (values, type(values["x"]), coerced) == ({"x": value}, type(value), ())


@pytest.mark.parametrize(
    ("annotation", "given_value", "value", "note"),
    [
        (int, "30", 30, "x: '30' -> 30"),
        (list[str], '["a"]', ["a"], "x: '[\"a\"]' -> ['a']"),
        (list[str], [5], ["5"], "x[0]: 5 -> '5'"),
        (Place, {"city": "Rome", "zip": "1"}, Place("Rome", 1), "x.zip: '1' -> 1"),
        (Place | None, '{"city": "Rome"}', Place("Rome"), "x: '{\"city\": \"Rome\"}' -> {'city': 'Rome'}"),
        (Kind, "Concert", Kind.CONCERT, "x: 'Concert' -> 'concert'"),
    ],
)
def test_what_is_converted_is_said(annotation: Any, given_value: Any, value: Any, note: str) -> None:
    assert takes(annotation).check({"x": given_value}) == ({"x": value}, (note,))


@pytest.mark.parametrize(
    ("annotation", "value", "text"),
    [
        (int, True, "argument 'x': should be a valid integer, got True"),
        (float, True, "argument 'x': should be a valid number, got True"),
        (str, True, "argument 'x': should be a valid string, got True"),
        (Literal[0, 1], True, "argument 'x': should be 0 or 1, got True"),
        (int, "60*3", "argument 'x': should be a valid integer, got '60*3'"),
        (int | list[int], "a", "argument 'x': should be a valid integer or a valid array, got 'a'"),
        (list[int], [1, "a"], "argument 'x[1]': should be a valid integer, got 'a'"),
        (Place, {"zip": 1}, "argument 'x.city' is missing"),
        (Place, {"city": "a", "zap": 1}, "argument 'x.zap' is not known"),
        (Kind, "party", "argument 'x': should be 'meeting' or 'concert', got 'party'"),
        (dt.date, "11/11/2024", "argument 'x': should be a date as YYYY-MM-DD, got '11/11/2024'"),
        (dt.date, "1731283200", "argument 'x': should be a date as YYYY-MM-DD, got '1731283200'"),
        (dt.time, "5PM", "argument 'x': should be a time of day as HH:MM (24 hours), got '5PM'"),
        (Annotated[int, pydantic.Field(ge=1)], 0, "argument 'x': should be greater than or equal to 1, got 0"),
        (
            Annotated[list[int], pydantic.Field(min_length=1)],
            [],
            "argument 'x': list should have at least 1 item after validation, not 0, got []",
        ),
        (int, "a" * 500, f"argument 'x': should be a valid integer, got '{'a' * 58}…"),
        (str, "\ud800", "argument 'x': cannot be written as JSON text"),
        (Any, object, "argument 'x': cannot be written as JSON text"),
    ],
)
def test_what_is_refused_names_the_argument(annotation: Any, value: Any, text: str) -> None:
    with pytest.raises(ToolError) as refused:
        takes(annotation).check({"x": value})
    assert str(refused.value) == text


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({}, "argument 'title' is missing; argument 'date' is missing"),
        (
            {"title": "a", "date": "2024-11-11", "colour": "red"},
            "there is no argument 'colour' (it takes title, date, minutes, kind, guests)",
        ),
        (
            {"title": "a", "date": "2024-11-11", "*6": 1},
            "one positional argument too many: 1 (it takes title, date, minutes, kind, guests)",
        ),
        (
            {"date": "tomorrow", "minutes": "long"},
            "argument 'date': should be a date as YYYY-MM-DD, got 'tomorrow'; argument 'title' is missing; "
            "argument 'minutes': should be a valid integer, got 'long'",
        ),
    ],
)
def test_every_fault_is_named_at_once(arguments: Mapping[str, Any], text: str) -> None:
    with pytest.raises(ToolError) as refused:
        signature(add_event).check(arguments)
    assert str(refused.value) == text


def test_only_the_given_arguments_are_values() -> None:
    assert signature(add_event).check({"title": "a", "date": "2024-11-11"})[0].keys() == {"title", "date"}


def test_parameters_may_have_any_name() -> None:
    def function(json: int, _x: int, model_config: int, schema: int, copy: int) -> None: ...

    names = ["json", "_x", "model_config", "schema", "copy"]
    checked, _ = signature(function).check(dict.fromkeys(names, 1))
    assert checked == dict.fromkeys(names, 1)
    assert list(signature(function).parameters["properties"]) == names


def test_what_cannot_be_filled_by_name_is_refused() -> None:
    def spread(*titles: str) -> None: ...
    def rest(**titles: str) -> None: ...
    def by_place(x: str, /) -> None: ...

    for function in (spread, rest, by_place):
        with pytest.raises(BadOption, match=r"^tool 'f': .* cannot be filled by name; take it out, or hide _f$"):
            signature(function)


def test_a_parameter_without_type_is_refused() -> None:
    def function(x) -> None: ...  # type: ignore[no-untyped-def]

    with pytest.raises(BadOption, match=r"^tool 'f': parameter 'x' needs a type, as in x: str$"):
        signature(function)


def test_a_type_that_json_cannot_carry_is_refused() -> None:
    with pytest.raises(BadOption, match=r"^tool 'f': parameter 'x' has a type that cannot be sent: .*memoryview'>$"):
        takes(memoryview)
    with pytest.raises(BadOption, match=r"^tool 'f': .*JsonSchema"):
        takes(Callable[[], int])


def test_an_annotation_that_does_not_exist_is_refused() -> None:
    def function(x: "NoSuchType") -> None: ...  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(BadOption, match=r"^tool 'f': its signature cannot be read: name 'NoSuchType'"):
        signature(function)


def test_documenting_what_is_no_parameter_is_refused() -> None:
    with pytest.raises(BadOption, match=r"^tool 'f': the docstring documents 'when', which is no parameter$"):
        signature(add_event, when="the day")


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
_SIGNATURE = signature(add_event)


@settings(deadline=None, max_examples=150)
@given(st.dictionaries(st.sampled_from(_SIGNATURE.names) | st.text(max_size=5), _JSON, max_size=5))
def test_whatever_a_model_sends_is_taken_or_refused(arguments: dict[str, Any]) -> None:
    try:
        values, _ = _SIGNATURE.check(arguments)
    except ToolError as refused:
        assert str(refused)
    else:
        assert values.keys() == arguments.keys()


def test_how_a_day_or_a_time_is_written_is_told_by_the_tool_where_its_parameters_do_not():
    def plan(day: str, at: str, note: str, until: str | None = None) -> None:
        """Plan a walk on a day (YYYY-MM-DD) at a time (HH:MM)."""

    def ring(start: str, name: str) -> None:
        """Ring somebody up ("HH:MM")."""

    told = Tool.of(plan).spec.properties
    assert [told[name].get("description") for name in told] == ["YYYY-MM-DD", "HH:MM", None, None]
    assert Tool.of(ring).spec.properties["start"]["description"] == "HH:MM"
