"""One budget for schemas, and references followed in one way."""

from __future__ import annotations

import json
import socket
from typing import Any

import pytest

from toolmend.base import schemas
from toolmend.base.errors import BadOption
from toolmend.base.messages import ToolSpec
from toolmend.models.openai_messages import gemini
from toolmend.strategies import constraints
from toolmend.strategies.grammar import line
from toolmend.strategies.signature import parameters, signature
from toolmend.tools.fitting import Fitting


def bomb(key: str, length: int = 26) -> dict[str, Any]:
    """A schema of 3 KB that holds a value `x` against two to the power of `length` schemas."""
    parts: dict[str, Any] = {f"a{n}": {key: [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(length)}
    root = {"type": "object", "properties": {"x": {"$ref": "#/$defs/a0"}}}
    return {**root, "$defs": {**parts, f"a{length}": {"type": "integer"}}}


def tower(length: int = 26) -> dict[str, Any]:
    """The same, one level deeper in the value each time: nothing is much at one place."""
    inner = {"type": "object", "properties": {"p": {"$ref": "#/$defs/a"}, "q": {"$ref": "#/$defs/a"}}}
    twice = {"a": {"allOf": [inner, {**inner, "title": "again"}]}}
    return {"type": "object", "properties": {"x": {"$ref": "#/$defs/a"}}, "$defs": twice}


def fan(width: int = 2_400) -> dict[str, Any]:
    """As wide as can be, and deep in itself, each reference with words of its own."""
    properties = {f"p{n}": {"$ref": "#/$defs/a", "title": str(n)} for n in range(width)}
    inner = {"type": "object", "properties": {f"q{n}": {"$ref": "#/$defs/a"} for n in range(width)}}
    return {"type": "object", "properties": properties, "$defs": {"a": inner}}


@pytest.mark.parametrize("key", ["allOf", "anyOf", "oneOf"])
def test_a_value_is_held_against_so_many_schemas_at_most(key: str) -> None:
    with pytest.raises(BadOption, match=r"^one value would be held against more than 1,024 schemas$"):
        schemas.check(bomb(key))
    schemas.check(bomb(key, 8))


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ({"$ref": "#"}, "it refers to itself, and not from an item or a property"),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"not": {"$ref": "#"}}}}, "it refers to itself"),
        ({"enum": [[]] * 5_000}, "it has more than 5,000 objects and lists, or 20,000 values"),
        ({"enum": [0] * 20_001}, "it has more than 5,000 objects and lists, or 20,000 values"),
        ({"type": "text"}, "'text' is not valid under any of the given schemas"),
        (7, "7 is not of type 'object', 'boolean'"),
    ],
)
def test_what_goes_beyond_the_budget_is_refused(schema: Any, why: str) -> None:
    with pytest.raises(BadOption, match=f"^{why}"):
        schemas.check(schema)


def test_nesting_and_chains_of_references_have_an_end() -> None:
    deep: Any = {}
    for _ in range(70):
        deep = {"not": deep}
    with pytest.raises(BadOption, match="nested more than 64 levels deep"):
        schemas.check(deep)
    chain = {f"a{n}": {"$ref": f"#/$defs/a{n + 1}"} for n in range(70)}
    with pytest.raises(BadOption, match="references lead on more than 64 times"):
        schemas.check({"$ref": "#/$defs/a0", "$defs": chain})


def test_a_tree_is_a_schema_like_any_other() -> None:
    tree = {"type": "object", "properties": {"left": {"$ref": "#"}, "name": {"type": "string"}}}
    schemas.check(tree)
    assert [error.message for error in schemas.errors(tree, {"left": {"left": {"name": 1}}})] == [
        "1 is not of type 'string'"
    ]


def test_a_value_that_makes_a_small_schema_dear_is_given_up() -> None:
    schema = tower()
    schemas.check(schema)
    value: Any = {}
    for _ in range(26):
        value = {"p": value}
    with pytest.raises(BadOption, match=r"takes more than 20,000 steps$"):
        schemas.errors(schema, {"x": value})


def test_a_long_list_that_must_not_repeat_itself_is_given_up() -> None:
    with pytest.raises(BadOption, match="20,000 steps"):
        schemas.errors({"uniqueItems": True}, [{}, *({"a": n} for n in range(2_000))])


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"items": {"allOf": [{}] * 1_000}}, [1] * 300),
        ({"items": {"anyOf": [{}] * 1_000}}, [1] * 300),
        ({"items": {"items": {}}}, [[1] * 1_000] * 300),
    ],
    ids=["all", "any", "items"],
)
def test_schemas_that_demand_nothing_are_counted_too(schema: dict[str, Any], value: Any) -> None:
    schemas.check(schema)
    with pytest.raises(BadOption, match="20,000 steps"):
        schemas.errors(schema, value)


def test_a_reference_to_elsewhere_is_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **kwargs: asked.append(args) or [])
    monkeypatch.setattr(socket.socket, "connect", lambda self, address: asked.append(address))
    with pytest.raises(BadOption, match=r"leads nowhere: 'http://schemas.example/s.json'$"):
        schemas.errors({"$ref": "http://schemas.example/s.json"}, 1)
    assert asked == []


def test_regular_expressions_are_left_out_and_properties_of_their_names_are_not() -> None:
    schema = {"properties": {"pattern": {"pattern": "(a+)+$"}}, "patternProperties": {"(a+)+$": {}}, "enum": [{}]}
    assert schemas.harmless(schema) == {"properties": {"pattern": {}}, "enum": [{}]}


@pytest.mark.parametrize("schema", [bomb("anyOf"), tower(), fan()], ids=["wide", "deep", "both"])
def test_whatever_is_written_out_stays_short(schema: dict[str, Any]) -> None:
    spec = ToolSpec("f", parameters=schema)
    for written in (signature(spec), parameters(spec), constraints.arguments(spec), line([spec]).value, gemini(schema)):
        assert len(str(written)) < 500_000


def test_a_schema_that_is_small_enough_is_written_out_as_deep_as_asked() -> None:
    assert schemas.levels(bomb("anyOf"), 6) == 6
    assert schemas.levels(bomb("anyOf"), 26) == 11


def test_fitting_gives_up_too() -> None:
    schema: dict[str, Any] = {"type": "string", "format": "date"}
    value = "no date"
    for _ in range(6):
        schema, value = {"anyOf": [{"type": "array", "items": schema}] * 8}, json.dumps([value])
    with pytest.raises(BadOption, match="20,000 steps"):
        Fitting({}).fit(value, schema, "x")


def test_a_reference_is_followed_with_what_stands_beside_it_into_lists_too() -> None:
    root = {"anyOf": [{"type": "string"}, {"type": "integer", "title": "N"}], "a/b": {"const": 1}}
    assert schemas.followed({"$ref": "#/anyOf/1", "title": "n"}, root) == {"type": "integer", "title": "n"}
    assert schemas.followed({"$ref": "#/a~1b"}, root) == {"const": 1}
    assert schemas.followed({"$ref": "#/anyOf/9"}, root) == {}
    assert schemas.followed({"$ref": "https://schemas.example/"}, root) == {}


def test_what_applies_to_a_value_is_listed_once() -> None:
    root: dict[str, Any] = {"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "string"}]}}}
    part = {"$ref": "#/$defs/a"}
    a = root["$defs"]["a"]
    assert schemas.applied(part, root) == [part, a, a["anyOf"][0], a["anyOf"][1]]
