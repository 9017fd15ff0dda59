"""Which words of a sentence mean a value: the tightest run, with the neighbours that say more of the same kind."""

from __future__ import annotations

import pytest

from toolmend.language.resolve import Resolved, resolve
from toolmend.training.teach.align import runs, words_meaning


def meant(text: str, kind: str, value: str, taken: tuple[tuple[int, int], ...] = ()) -> str | None:
    """The words of the text for a time or a date."""

    def means(words: str) -> bool:
        result = resolve(words, {"type": "string", "format": kind})
        return isinstance(result, Resolved) and result.value == value

    span = words_meaning(text, kind, means, taken=taken)
    return None if span is None else text[slice(*span)]


def test_runs_are_longest_first_and_bare() -> None:
    assert [("a b, c"[start:end]) for start, end in runs("a b, c")] == ["a b, c", "a b", "b, c", "a", "b", "c"]


@pytest.mark.parametrize(
    ("text", "kind", "value", "words"),
    [
        ("Lunch with Ada at quarter past 15 on May 8", "time", "15:15", "quarter past 15"),
        ("Lunch with Ada at 3:30 pm, please", "time", "15:30", "3:30 pm"),
        ("It is at 15:30 on 2025-06-08.", "date", "2025-06-08", "2025-06-08"),
        ("Add tea", "time", "15:30", None),
    ],
)
def test_the_words_for_a_value(text: str, kind: str, value: str, words: str | None) -> None:
    assert meant(text, kind, value) == words


def test_words_that_are_taken_are_not_taken_again() -> None:
    assert meant("at 15:30 or at 15:30", "time", "15:30", taken=((3, 8),)) == "15:30"
    assert meant("at 15:30", "time", "15:30", taken=((3, 8),)) is None
