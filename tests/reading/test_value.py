"""Values as text, by the schema of their parameter."""

from __future__ import annotations

import pytest

from toolmend.reading.value import value_of


@pytest.mark.parametrize(
    ("text", "schema", "value"),
    [
        ("30", {"type": "integer"}, 30),
        ("30", {"type": "string"}, "30"),
        ("50 HP", {"type": "integer"}, "50 HP"),
        ("2024-11-11", {}, "2024-11-11"),
        ("60*3", {"type": "integer"}, 180),
        ("true", {"type": "boolean"}, True),
        ("True", {"type": "boolean"}, True),
        ('["a", 1]', {"type": "array"}, ["a", 1]),
        ("30", {"anyOf": [{"type": "string"}, {"type": "null"}]}, "30"),
        ("null", {"anyOf": [{"type": "string"}, {"type": "null"}]}, None),
        ('"30"', {"type": "integer"}, "30"),
        ("'Fred's'", {"type": "string"}, "Fred's"),
    ],
)
def test_values_are_read_by_the_schema(text: str, schema: dict[str, object], value: object) -> None:
    assert value_of(text, schema) == value
