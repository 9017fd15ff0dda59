"""What becomes of a list: what is put in, what is taken out."""

from __future__ import annotations

import pytest

from toolmend.language.resolve.lists import ListChange, change_of


@pytest.mark.parametrize(
    ("said", "change"),
    [
        ("and Friday too.", ListChange(put="Friday")),
        (", without Saturday, please!", ListChange(out="Saturday")),
    ],
)
def test_what_stands_around_a_change_is_left_out(said: str, change: ListChange) -> None:
    assert change_of(said) == change
