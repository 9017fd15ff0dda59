"""Sentences about the talk itself."""

from __future__ import annotations

import pytest

from toolmend.session.asides import Aside, aside


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Undo the last two.", Aside("undo", 2)),
        ("please undo the last 3 changes", Aside("undo", 3)),
        ("take back my last couple of things", Aside("undo", 2)),
        ("What did I change?", Aside("changes")),
        ("what have we done so far", Aside("changes")),
        ("exit", Aside("leave")),
        ("Bye!", Aside("leave")),
        ("undo", Aside("undo", 1)),
        ("Exit the building at five", None),
        ("What did I order?", None),
    ],
)
def test_what_is_meant(text: str, meant: Aside | None) -> None:
    assert aside(text) == meant
