"""Patterns of model names."""

from __future__ import annotations

import pytest

from toolmend.evals.suites.suite import fitting

PATTERNS = {"openai/*": 1, "openai/small": 2, "*Gemini*": 3, "a/b?c=d": 4, "x/[ab]?": 5}


@pytest.mark.parametrize(
    ("model", "found"),
    [
        ("openai/large", 1),
        ("openai/small", 2),
        ("openai/small?base_url=http:127.0.0.1", 2),
        ("openai/gemini-x", 1),
        ("gemini/gemini-x?stream=false", 3),
        ("a/b?c=d", 4),
        ("a/b", None),
        ("a/b?c=*", None),
        ("x/a1", 5),
        ("x/c1", None),
        ("other/openai?base_url=gemini", None),
        ("", None),
    ],
)
def test_a_name_in_full_then_the_first_pattern_that_fits(model: str, found: int | None) -> None:
    assert fitting(PATTERNS, model) == found
