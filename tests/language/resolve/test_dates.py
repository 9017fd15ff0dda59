"""Days as they are said."""

from __future__ import annotations

from typing import Any

import pytest

from toolmend.language.resolve import Resolved, resolve

DAY, TIME = {"type": "string", "format": "date"}, {"type": "string", "format": "time"}


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("last night", "2024-12-31"),
        ("the last of June", "2025-06-30"),
        ("All Souls", "2025-11-02"),
        ("Shrove Monday", "2025-03-03"),
        ("Easter Saturday", "2025-04-19"),
        ("Friday week", "2025-01-10"),
        ("the last day of next week", "2025-01-12"),
        ("the end of next year", "2026-12-31"),
        ("Friday fortnight", "2025-01-17"),
    ],
)
def test_a_day_by_its_name(words: str, day: str) -> None:
    result = resolve(words, DAY, now="2025-01-01")
    assert isinstance(result, Resolved) and result.value == day


@pytest.mark.parametrize(
    ("words", "schema", "like", "value"),
    [
        ("after two days", DAY, "2025-05-01", "2025-05-03"),
        ("one week more late", DAY, "2025-05-01", "2025-05-08"),
        ("one hour more", TIME, "10:00", "11:00"),
    ],
)
def test_so_much_later_in_other_words(words: str, schema: dict[str, Any], like: str, value: str) -> None:
    result = resolve(words, schema, now="2025-01-01", like=like)
    assert isinstance(result, Resolved) and result.value == value
