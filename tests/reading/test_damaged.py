"""Damaged replies, pieces and random characters through every reader: a small piece of benchmarks/readers.py."""

from __future__ import annotations

import pytest

from fakes.texts import READERS, check, texts


@pytest.mark.parametrize("seed", range(4))
def test_no_text_raises_in_any_reader(seed: int) -> None:
    for text in texts(500, seed):
        check(text)


@pytest.mark.parametrize("text", ["{'```json```3"])
def test_texts_that_once_raised(text: str) -> None:
    check(text)


def test_the_texts_are_worth_reading() -> None:
    """Among them are replies that each reader makes something of."""
    found = dict.fromkeys(READERS, 0)
    for text in texts(400, 1):
        for name, reader in READERS.items():
            made = reader(text)
            found[name] += bool(getattr(made, "calls", None) or getattr(made, "names", None))
    assert min(found.values()) >= 3
