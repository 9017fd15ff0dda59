"""A correction that says the whole request once more, and one that says what is to be different."""

from __future__ import annotations

import pytest

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve.restated import restated

SPECS = (ToolSpec("move_hive"), ToolSpec("inspect"))
REQUEST = "Beatrix stands at the rape field from now on"


@pytest.mark.parametrize(
    ("said", "whole"),
    [
        ("Move the hive Beatrix to the rape field.", True),
        ("No, move Beatrix to the rape field.", True),
        ("Beatrix is moved to the rape field now, please.", True),
        ("Move Beatrix: rape field!", True),
        ("Move Beatrix: field!", False),
        ("Move it to the rape field.", False),
        ("The place should be the rape field.", False),
        ("not the wood, the rape field", False),
        ("wrong place", False),
        ("Did you move Beatrix to the rape field?", False),
        ("Put the kettle on the stove in the kitchen.", False),
    ],
)
def test_a_whole_request_is_told_from_what_is_to_be_different(said: str, whole: bool) -> None:
    assert restated(said, REQUEST, SPECS) is whole
