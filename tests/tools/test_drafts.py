"""Habits of older drafts, in today's words."""

from typing import Any

import pytest

from toolmend.base import schemas
from toolmend.tools.drafts import modern


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"minimum": 0, "exclusiveMinimum": True}, {"exclusiveMinimum": 0}),
        ({"maximum": 9, "exclusiveMaximum": False}, {"maximum": 9}),
        ({"exclusiveMinimum": True}, {}),
        ({"items": [{"type": "string"}], "additionalItems": False},
         {"prefixItems": [{"type": "string"}], "items": False}),
        ({"items": []}, {}),
        ({"type": "object", "properties": None, "required": None}, {"type": "object"}),
        ({"properties": {"a": None}}, {"properties": {"a": {}}}),
        ({"properties": {"a": {"type": "string", "required": True}}},
         {"properties": {"a": {"type": "string"}}, "required": ["a"]}),
        ({"required": "a"}, {"required": ["a"]}),
        ({"required": ["a", "a"]}, {"required": ["a"]}),
        ({"type": "any"}, {}),
        ({"type": "int"}, {"type": "integer"}),
        ({"type": "String"}, {"type": "string"}),
        ({"type": ["string", "string"]}, {"type": "string"}),
        ({"type": "string", "nullable": True, "enum": ["a"]}, {"type": ["string", "null"], "enum": ["a", None]}),
        ({"dependencies": {"a": ["b"], "c": {"type": "object"}}},
         {"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"type": "object"}}}),
        ({"anyOf": [{"type": "dict"}]}, {"anyOf": [{"type": "object"}]}),
        ({"enum": None, "default": None}, {"default": None}),
    ],
)  # fmt: skip
def test_an_old_form_is_said_anew(old: dict[str, Any], new: dict[str, Any]) -> None:
    assert modern(old) == new


@pytest.mark.parametrize(
    "schema",
    [
        {
            "type": "object",
            "properties": {"items": {"type": "array", "items": {"type": "string"}}, "type": {"const": "int"}},
        },
        {"const": {"exclusiveMinimum": True}},
        {"exclusiveMinimum": 3, "minimum": 0},
        True,
    ],
)
def test_what_is_of_today_stays(schema: Any) -> None:
    assert modern(schema) == schema


def test_what_was_refused_is_a_schema() -> None:
    schemas.check(
        modern({"type": "object", "properties": {"n": {"type": "integer", "minimum": 0, "exclusiveMinimum": True}}})
    )
