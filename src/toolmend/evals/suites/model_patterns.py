"""Patterns of model names, in suites and files of prices: which of several a model's name fits. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import TypeVar

T = TypeVar("T")


def fitting(patterns: Mapping[str, T], model: str) -> T | None:
    """What stands under the name itself, else under the first pattern that fits it; None if none does.

    `*` is any text and `?` any sign; capitals do not matter. What follows a `?` in the name, its options, is left out.
    """
    bare = model.partition("?")[0]
    for exact in (model, bare):
        if exact in patterns:
            return patterns[exact]
    return next((value for pattern, value in patterns.items() if fnmatchcase(bare.lower(), pattern.lower())), None)
