"""Numbers as they are said: by their place, in two pieces, by the week, in units that have two meanings."""

from __future__ import annotations

from typing import Any

import pytest

from toolmend.language.resolve import Resolved, Unclear, resolve

NUMBER, WHOLE = {"type": "number"}, {"type": "integer"}
MINUTES = {"type": "integer", "x-unit": "minutes"}


@pytest.mark.parametrize(
    ("words", "schema", "value"),
    [
        ("second", WHOLE, 2),
        ("third", WHOLE, 3),
        ("the sixth floor", WHOLE, 6),
        ("seventieth", NUMBER, 70),
        ("a third", NUMBER, 0.3333333333),
        ("twenty twenty-four", WHOLE, 2024),
        ("eighteen ninety-eight", WHOLE, 1898),
        ("two thirty", {"type": "number", "x-unit": "celsius"}, 230),
        ("32 hours a week", NUMBER, 32),
        ("2 days a week", WHOLE, 2),
        ("an hour 20", MINUTES, 80),
        ("five mil", {"type": "number", "x-unit": "millimetres"}, 5),
        ("a hundred and twenty mils", {"type": "number", "x-unit": "millilitres"}, 120),
    ],
)
def test_a_number_is_what_was_said(words: str, schema: dict[str, Any], value: float) -> None:
    result = resolve(words, schema)
    assert isinstance(result, Resolved) and result.value == value


@pytest.mark.parametrize(("words", "schema"), [("10 20", WHOLE), ("a quarter of an hour two", MINUTES)])
def test_two_numbers_are_not_one(words: str, schema: dict[str, Any]) -> None:
    assert isinstance(resolve(words, schema), Unclear)
