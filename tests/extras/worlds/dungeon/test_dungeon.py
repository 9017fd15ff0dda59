"""The dungeon as a toolbox: its sixteen tools, its limits, taking calls back, its text for models."""

from __future__ import annotations

import pytest

from toolmend.base.errors import ToolError, UnknownName
from toolmend.base.messages import Call
from toolmend.extras.worlds.dungeon import Dungeon
from toolmend.extras.worlds.dungeon.rules import CASES, PUBLISHED
from toolmend.strategies.signature import signature
from toolmend.tools import Toolbox

PARAMETERS = {
    "create_room": "name description room_from direction",
    "remove_room": "name",
    "update_room": "room_reference_name name description",
    "add_corridor": "room_from_name room_to_name corridor_length direction",
    "remove_corridor": "room_from_name room_to_name",
    "update_corridor": "room_from_name room_to_name corridor_length direction",
    "add_enemy": "room_name name description species hp dodge prot spd cell_index",
    "add_treasure": "room_name name description loot cell_index",
    "add_trap": "corridor_name name description effect cell_index",
    "update_enemy_properties": "room_name reference_name name description species hp dodge prot spd cell_index",
    "update_treasure_properties": "room_name reference_name name description loot cell_index",
    "update_trap_properties": "corridor_name reference_name name description effect cell_index",
    "remove_entity": "room_name entity_name entity_type cell_index",
    "add_attack": "room_name cell_index enemy_name name description attack_type starting_positions target_positions "
    "base_dmg accuracy",
    "update_attack": "room_name cell_index enemy_name reference_name name description attack_type starting_positions "
    "target_positions base_dmg accuracy",
    "remove_attack": "room_name cell_index enemy_name name",
}


def test_the_sixteen_tools_and_their_parameters() -> None:
    assert {spec.full_name: " ".join(spec.properties) for spec in Dungeon().specs} == PARAMETERS


def test_only_the_first_room_needs_fewer_arguments() -> None:
    assert [spec.name for spec in Dungeon().specs if len(spec.required) < len(spec.properties)] == ["create_room"]
    assert Dungeon().specs[0].required == ("name", "description")


def test_every_tool_and_every_parameter_is_described() -> None:
    for spec in Dungeon().specs:
        assert spec.description.endswith(".")
        assert all(schema.get("description") for schema in spec.properties.values()), spec.name


def test_every_tool_changes_the_world_and_can_be_taken_back() -> None:
    dungeon = Dungeon()
    assert {spec.effect for spec in dungeon.specs} == {"write"}
    assert all(dungeon.can_undo(Call(name)) for name in PARAMETERS)


@pytest.mark.parametrize(("name", "most"), [("dungeon", 20), ("dungeon-cases", 1000)])
def test_the_limits_of_the_profile_are_in_the_schema(name: str, most: int) -> None:
    properties = Toolbox.load(name).tool("add_enemy").spec.properties
    assert properties["hp"] == {
        "type": "number",
        "minimum": 1,
        "maximum": most,
        "description": f"its hit points, 1 to {most}",
    }


def test_types_choices_and_patterns_are_in_the_schema() -> None:
    properties = Dungeon().tool("add_attack").spec.properties
    assert properties["attack_type"]["enum"] == ["damage", "heal"]
    assert properties["starting_positions"]["pattern"] == "^[XO]{4}$"
    assert properties["base_dmg"]["description"] == "how much it hurts or heals, 0 to 5 for damage, -5 to 0 for heal"
    corridor = Dungeon().tool("add_corridor").spec.properties
    assert corridor["direction"]["enum"] == ["north", "south", "east", "west"]
    assert (corridor["corridor_length"]["minimum"], corridor["corridor_length"]["maximum"]) == (2, 4)


def test_each_tool_is_one_line_of_python() -> None:
    lines = {spec.name: signature(spec) for spec in Dungeon().specs}
    assert lines["create_room"] == (
        "create_room(name, description, room_from='', direction='north'|'south'|'east'|'west'|'')"
    )
    assert lines["remove_entity"].startswith(
        "remove_entity(room_name, entity_name, entity_type='enemy'|'trap'|'treasure', cell_index)  # cell_index: -1"
    )
    assert "starting_positions: where the enemy may stand to attack: four characters" in lines["add_attack"]


def test_profiles() -> None:
    assert (Dungeon().limits, Dungeon(limits="cases").limits) == (PUBLISHED, CASES)
    with pytest.raises(UnknownName, match=r"^unknown profile of limits 'case' \(did you mean cases\?\)"):
        Dungeon(limits="case")


def test_snapshots_share_what_did_not_change(dungeon: Dungeon) -> None:
    before = dungeon.level
    dungeon.add_enemy("Tower", "Owl", "An owl", "bird", 1, 0.5, 0.5, 0.5, -1)
    after = dungeon.level
    assert after.rooms[0] is before.rooms[0]
    assert after.corridors is before.corridors
    dungeon.restore((before,))
    assert dungeon.level is before


def test_an_older_call_is_taken_back_and_done_again() -> None:
    dungeon = Dungeon()
    dungeon.run_sync(Call("create_room", {"name": "A", "description": "a"}, "c1"))
    dungeon.run_sync(Call("add_treasure", {**_chest("One"), "room_name": "A"}, "c2"))
    arguments = {"name": "B", "description": "b", "room_from": "A", "direction": "north"}
    dungeon.run_sync(Call("create_room", arguments, "c3"))
    there = dungeon.state()
    dungeon.undo_sync("c2")
    assert dungeon.state()["rooms"][0]["encounter"] == {}
    assert dungeon.state()["current"] == "B"
    dungeon.redo_sync("c2")
    assert dungeon.state() == there


def test_what_later_calls_build_on_is_not_taken_back() -> None:
    dungeon = Dungeon()
    dungeon.run_sync(Call("create_room", {"name": "A", "description": "a"}, "c1"))
    dungeon.run_sync(Call("add_treasure", {**_chest("One"), "room_name": "A"}, "c2"))
    before = dungeon.state()
    with pytest.raises(ToolError, match=r"^add_treasure \(call 'c2'\) builds on it; undo that first: there is no room"):
        dungeon.undo_sync("c1")
    assert dungeon.state() == before


def test_the_text_for_models(dungeon: Dungeon) -> None:
    assert dungeon.view() == (
        "Current place: Cellar (room)\n"
        "Rooms:\n"
        "- Hall (0, 0): A wide hall\n"
        "  joined: north to Tower, east to Cellar; free sides: south, west\n"
        "  enemy Rat: A fat rat; species rodent; hp 5, dodge 0.5, prot 0.25, spd 1\n"
        "    attack Bite: Sharp teeth; damage, XXOO to XOOO, base_dmg 3, accuracy 0.9\n"
        "- Tower (0, -3): A high tower\n"
        "  joined: south to Hall; free sides: north, east, west\n"
        "- Cellar (3, 0): A damp cellar\n"
        "  joined: west to Hall; free sides: north, south, east\n"
        "  treasure Barrel: A barrel; loot: Wine\n"
        "Corridors:\n"
        "- Hall-Tower: north from Hall, 2 cells, (0, -1) to (0, -2)\n"
        "- Hall-Cellar: east from Hall, 2 cells, (1, 0) to (2, 0)\n"
        "  cell 1: trap Pit: A deep pit; effect: You fall\n"
        "  cell 2: treasure Chest: An old chest; loot: Coins"
    )


def test_the_text_of_an_empty_level() -> None:
    assert Dungeon().view() == "The level is empty: there are no rooms and no corridors."


def test_the_text_says_which_rooms_could_be_joined_and_where_nothing_is_free() -> None:
    dungeon = Dungeon()
    dungeon.create_room("A", "a")
    for name, start, side in (("B", "A", "east"), ("C", "B", "south"), ("D", "C", "west")):
        dungeon.create_room(name, name, start, side)
    text = dungeon.view()
    assert "joined: east to B; free sides: north, west; could be joined: south to D (length 2)" in text
    assert "joined: east to C; free sides: south, west; could be joined: north to A (length 2)" in text


def test_attacks_of_an_enemy_in_a_corridor_stand_below_it(dungeon: Dungeon) -> None:
    dungeon.add_enemy("Hall-Cellar", "Bat", "A bat", "bat", 1, 0.5, 0.5, 0.5, 1)
    dungeon.add_attack("Hall-Cellar", 1, "Bat", "Bite", "Teeth", "damage", "XXXX", "XXXX", 1, 1)
    assert dungeon.view().splitlines()[14:16] == [
        "  cell 1: enemy Bat: A bat; species bat; hp 1, dodge 0.5, prot 0.5, spd 0.5",
        "    attack Bite: Teeth; damage, XXXX to XXXX, base_dmg 1, accuracy 1",
    ]


def _chest(name: str) -> dict[str, object]:
    return {"name": name, "description": "A chest", "loot": "Gold", "cell_index": -1}
