"""What speaks against a reply's choice of tools."""

from typing import Any

import pytest

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve.flaws import flaws
from toolmend.language.resolve.said import Said


def tool(name: str, needed: str, **properties: Any) -> ToolSpec:
    return ToolSpec(name, "", {"type": "object", "properties": properties, "required": needed.split()})


TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
TOOLS = {
    "add_piece": tool("add_piece", "title composer", title=TEXT, composer=TEXT),
    "share_room": tool("share_room", "room singers", room=NUMBER, singers={"type": "array", "items": TEXT}),
}


@pytest.mark.parametrize(
    ("sentence", "line", "found"),
    [
        ("room 214 is for Hilde", Said("share_room", {"room": "214", "singers": "Hilde"}), 0),
        ("room 214 is for Hilde", Said("add_piece", {"title": "Hilde", "composer": "Hilde"}), 2),  # twice, and 214
        ("put Tom in number 9", Said("add_piece", {"title": "Tom", "composer": "?"}), 2),
        ("add Tom", Said("add_piece", {"title": "Tom", "composer": "?"}), 0),  # it is named: that is to be asked
        ("Ave Maria is a good one, by Biebl", Said("add_piece", {"title": "Ave Maria", "composer": "Biebl"}), 0),
        ("Ave Maria by Biebl", Said("add_piece", {"title": "Ave Maria", "composer": "Schubert"}), 1),  # made up
        ("sixty loaves for Bo", Said("add_piece", {"title": "Bo", "composer": "sixty"}), 1),
        ("Bo has the room on Friday", Said("share_room", {"room": "room", "singers": "Bo"}), 2),  # no number, no day
        ("at half past six, Ave Maria by Biebl", Said("add_piece", {"title": "Ave Maria", "composer": "Biebl"}), 0),
        ("a later one", Said("change", {"time": "later"}), 0),
    ],
)
def test_flaws_are_counted(sentence: str, line: Said, found: int) -> None:
    assert flaws([line], TOOLS, sentence) == found
