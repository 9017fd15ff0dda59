"""The map of a dungeon."""

from __future__ import annotations

from dungeons import dungeon_of
from toolmend.extras.worlds.dungeon import Dungeon
from toolmend.extras.worlds.dungeon.drawing import LEGEND


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
    dungeon = dungeon_of({"current": "B", "rooms": rooms, "corridors": []})
    assert dungeon.drawing().splitlines()[1] == "       ║ B ║"


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
