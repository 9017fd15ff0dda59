"""Corrections that list arguments by their names."""

import pytest

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.corrections.listed import listed
from toolmend.language.corrections.slots import slots_of
from toolmend.language.corrections.values import Surroundings

SPEC = ToolSpec(
    "add_piece",
    parameters={
        "type": "object",
        "properties": {"title": {"type": "string"}, "composer": {"type": "string"}, "minutes": {"type": "integer"}},
    },
)
SLOTS = slots_of(Call("add_piece", {"title": "Ave", "composer": "Bach", "minutes": 5}), [SPEC])


@pytest.mark.parametrize(
    ("text", "edits"),
    [
        ("Title Ave Maria, composer Biebl.", {"title": "Ave Maria", "composer": "Biebl"}),
        ("No, the composer is Biebl, minutes: 7", {"composer": "Biebl", "minutes": 7}),
        ("the title is the Magnificat and the composer is Part", {"title": "Magnificat", "composer": "Part"}),
    ],
)
def test_each_part_names_its_argument(text, edits):
    part = listed(text, SLOTS, Surroundings())
    assert part is not None
    assert part.edits == edits


@pytest.mark.parametrize(
    "text", ["Title Ave Maria", "Ave Maria, composer Biebl", "title A, title B", "minutes some, title A"]
)
def test_what_is_no_list_is_left_to_others(text):
    assert listed(text, SLOTS, Surroundings()) is None
