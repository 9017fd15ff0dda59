"""Tools of a foreign spec, checked by jsonschema."""

from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.base import schemas
from toolmend.base.errors import BadOption, ToolError
from toolmend.base.messages import Call, ToolSpec
from toolmend.tools import Toolbox, foreign
from toolmend.tools.foreign import checker

SPEC = ToolSpec(
    "search",
    "Look something up.",
    {
        "type": "object",
        "properties": {
            "query": {"type": "string", "minLength": 1},
            "max-results": {"type": "integer", "minimum": 1},
            "tags": {"type": "array", "items": {"enum": ["a", "b"]}},
            "since": {"type": "string", "format": "date"},
        },
        "required": ["query"],
        "additionalProperties": False,
    },
    effect="read",
)


def test_it_runs_with_one_dict_of_arguments() -> None:
    seen: list[dict[str, Any]] = []
    box = Toolbox.of(foreign(SPEC, lambda arguments: seen.append(arguments)), receiver="web")
    result = box.run_sync(Call("web.search", {"query": "x", "max-results": "3", "tags": '["a"]'}))
    assert seen == [{"query": "x", "max-results": 3, "tags": ["a"]}]
    assert result.coerced == ("max-results: '3' -> 3", "tags: '[\"a\"]' -> ['a']")


def test_it_may_be_async() -> None:
    async def send(arguments: dict[str, Any]) -> str:
        await anyio.sleep(0)
        return str(arguments["query"])

    assert anyio.run(Toolbox.of(foreign(SPEC, send)).run, Call("search", {"query": "x"})).value == "x"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({}, "argument 'query' is missing"),
        ({"query": True}, "argument 'query': should be of type string, got True"),
        ({"query": ""}, "argument 'query': does not satisfy minLength 1, got ''"),
        ({"query": "x", "max-results": True}, "argument 'max-results': should be of type integer, got True"),
        ({"query": "x", "max-results": 0}, "argument 'max-results': does not satisfy minimum 1, got 0"),
        ({"query": "x", "tags": ["c"]}, "argument 'tags[0]': should be 'a' or 'b', got 'c'"),
        ({"query": "x", "since": "now"}, "argument 'since': should be a date as YYYY-MM-DD, got 'now'"),
        (
            {"query": "x", "page": 2, "*5": 3},
            "there is no argument 'page' (it takes query, max-results, tags, since); "
            "one positional argument too many: 3 (it takes query, max-results, tags, since)",
        ),
    ],
)
def test_what_is_refused_names_the_argument(arguments: dict[str, Any], text: str) -> None:
    with pytest.raises(ToolError) as refused:
        checker(SPEC)(arguments)
    assert str(refused.value) == text


def test_every_missing_argument_is_named_once() -> None:
    spec = ToolSpec("f", parameters={"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a", "b"]})
    with pytest.raises(ToolError, match=r"^argument 'a' is missing; argument 'b' is missing$"):
        checker(spec)({})


def test_a_spec_that_is_no_schema_is_refused() -> None:
    with pytest.raises(BadOption, match=r"^tool 'web.f': its parameters are no JSON Schema: 'text' is not valid"):
        foreign(ToolSpec("f", parameters={"type": "object", "properties": {"x": {"type": "text"}}}, receiver="web"), id)


def test_what_cannot_be_checked_is_refused() -> None:
    spec = ToolSpec("f", parameters={"type": "object", "properties": {"x": {"$ref": "#/$defs/gone"}}})
    result = Toolbox.of(foreign(spec, id)).run_sync(Call("f", {"x": 1}))
    assert result.fault == "arguments"
    assert str(result.error) == "the arguments cannot be checked: a reference leads nowhere: '/$defs/gone'"


def test_regular_expressions_are_for_the_tool_itself() -> None:
    spec = ToolSpec("f", parameters={"type": "object", "properties": {"x": {"type": "string", "pattern": "(a+)+$"}}})
    assert checker(spec)({"x": "a" * 40 + "b"}) == ({"x": "a" * 40 + "b"}, ())


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
_CHECK = checker(SPEC)


@settings(deadline=None, max_examples=100)
@given(st.dictionaries(st.sampled_from(list(SPEC.properties)) | st.text(max_size=5), _JSON, max_size=4))
def test_whatever_a_model_sends_is_taken_or_refused(arguments: dict[str, Any]) -> None:
    try:
        taken, _ = _CHECK(arguments)
    except ToolError as refused:
        assert str(refused)
    else:
        assert list(schemas.errors(SPEC.parameters, taken)) == []
