"""The map of a dungeon, as text and as a picture."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from toolmend.toolboxes.dungeon import Dungeon
from toolmend.toolboxes.dungeon.drawing import LEGEND

SVG = "{http://www.w3.org/2000/svg}"


def test_the_map(dungeon: Dungeon) -> None:
    assert dungeon.drawing().splitlines() == [
        "┌───────┐",
        "│ Tower │",
        "│       │",
        "└───┬───┘",
        "    ·",
        "    ·",
        "┌───┴───┐            ╔════════╗",
        "│ Hall  ├─[1T]──[1$]─╢ Cellar ║",
        "│  1E   │            ║   1$   ║",
        "└───────┘            ╚════════╝",
        LEGEND,
    ]


def test_a_current_corridor(dungeon: Dungeon) -> None:
    dungeon.add_enemy("Hall-Cellar", "Bat", "A bat", "bat", 1, 0.5, 0.5, 0.5, 1)
    assert dungeon.drawing().splitlines()[7] == "│ Hall  ├─«1E 1T»──«1$»─┤ Cellar │"


def test_an_empty_level() -> None:
    assert Dungeon().drawing() == "(no rooms)"
    assert str(Dungeon()) == "(no rooms)"


def test_in_a_talk_the_current_place_stands_below_the_map(dungeon: Dungeon) -> None:
    assert str(dungeon).splitlines()[-4:] == [
        LEGEND,
        "- Cellar (3, 0): A damp cellar",
        "  joined: west to Hall; free sides: north, south, east",
        "  treasure Barrel: A barrel; loot: Wine",
    ]


def test_wide_characters_take_two_columns_and_accents_none() -> None:
    dungeon = Dungeon()
    dungeon.create_room("地下", "x")
    dungeon.create_room("e\u0301te\u0301", "x", "地下", "south")
    assert dungeon.drawing().splitlines()[:2] == ["┌──────┐", "│ 地下 │"]
    assert dungeon.drawing().splitlines()[7] == "║ e\u0301te\u0301  ║"


def test_long_names_are_cut() -> None:
    dungeon = Dungeon()
    dungeon.create_room("A room with a very long name", "x")
    assert dungeon.drawing().splitlines()[1] == "║ A room with a very… ║"


def test_what_is_far_away_takes_no_more_space() -> None:
    rooms = [{"name": n, "description": n, "coords": c} for n, c in (("A", [0, 0]), ("B", [999_999, -7]))]
    dungeon = Dungeon.from_json({"current": "B", "rooms": rooms, "corridors": []})
    assert dungeon.drawing().splitlines()[1] == "       ║ B ║"
    assert len(dungeon.to_svg()) < 4000


def test_a_corridor_beside_a_room_runs_through_its_row() -> None:
    dungeon = Dungeon(limits="cases")
    dungeon.create_room("A", "a")
    dungeon.create_room("B", "b", "A", "east")
    dungeon.create_room("C", "c", "B", "south")
    dungeon.update_corridor("B", "C", 4, "south")
    dungeon.create_room("D", "d", "A", "south")
    assert dungeon.drawing().splitlines()[4:11] == [
        "  ·            ·",
        "  ·            ·",
        "╔═╧═╗          │",
        "║ D ║          │",
        "║   ║          ·",
        "╚═══╝          │",
        "               ·",
    ]


def test_the_picture_is_xml_with_every_name_and_count(dungeon: Dungeon) -> None:
    dungeon.update_room("Tower", 'A <b> & "c"', "x > y")
    root = ElementTree.fromstring(dungeon.to_svg())
    words = [node.text for node in root.iter(f"{SVG}text")]
    assert words == [
        *["1", "1", "Hall", "1", 'A <b> & "c"', "Cellar", "1"],
        *["enemies", "traps", "treasures", "current place"],
    ]
    titles = [node.text for node in root.iter(f"{SVG}title")]
    assert titles[0] == "Dungeon: rooms 3, corridors 2, current place Cellar"
    assert "Hall-Cellar, cell 1\ntrap Pit: A deep pit; effect: You fall" in titles


def test_the_picture_needs_nothing_else_and_knows_light_and_dark(dungeon: Dungeon) -> None:
    picture = dungeon.to_svg()
    assert "prefers-color-scheme: dark" in picture
    assert not re.search(r"href|url\(|<image|<script|@import", picture)


def test_the_style_of_the_picture_reaches_nothing_else_on_a_page(dungeon: Dungeon) -> None:
    root = ElementTree.fromstring(dungeon.to_svg())
    style = root.findtext(f"{SVG}style", "")
    rules = [line.strip() for line in style.splitlines() if "{" in line]
    assert root.get("class") == "dungeon-map"
    assert all(rule.startswith((".dungeon-map", "@media")) for rule in rules)


@pytest.mark.parametrize("current", ["Hall", "Hall-Cellar"])
def test_the_current_place_is_marked_in_the_picture(dungeon: Dungeon, current: str) -> None:
    dungeon.set_state({**dungeon.state(), "current": current})
    marked = re.findall(r'class="(room|cell) now"', dungeon.to_svg())
    assert marked == (["room", "room"] if current == "Hall" else ["cell", "cell", "room"])


def test_the_picture_of_an_empty_level() -> None:
    assert ElementTree.fromstring(Dungeon().to_svg()).get("width") == "460"
