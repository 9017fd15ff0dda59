"""Numbers in words, wherever the words go on, and what is typed or said otherwise."""

from __future__ import annotations

import pytest

from toolmend.language.resolve import resolve
from toolmend.language.resolve.words import Words


@pytest.mark.parametrize(("said", "number"), [("two hundred and five", 205), ("two thousand and twenty six", 2026)])
def test_a_number_goes_on_after_and(said: str, number: int) -> None:
    assert resolve(said, {"type": "integer"}).value == number


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("2 days b4 the fair", "2 days before the fair"),
        ("three days prior to it", "3 days before it"),
        ("two nights later", "2 days later"),
        ("two nights", "2 nights"),
        ("the prior week", "the prior week"),
    ],
)
def test_what_is_said_otherwise(said: str, text: str) -> None:
    assert Words(said).text == text
