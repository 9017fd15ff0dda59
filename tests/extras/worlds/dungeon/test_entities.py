"""Enemies, treasures and traps: adding, updating and removing them, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from toolmend.base.messages import Call
from toolmend.extras.worlds.dungeon import Dungeon
from toolmend.extras.worlds.dungeon.level import Attack, Enemy, Trap, Treasure

Refused = Callable[..., str]

BAT = {"name": "Bat", "description": "A bat", "species": "bat", "hp": 1, "dodge": 0.5, "prot": 0, "spd": 1}
IN_HALL = {"room_name": "Hall", "cell_index": -1}
IN_CELL = {"room_name": "Hall-Cellar", "cell_index": 1}
CHEST = {"name": "Chest", "description": "A chest", "loot": "Gold"}
SNARE = {"name": "Snare", "description": "A snare", "effect": "You hang"}


def test_an_enemy_in_a_room(dungeon: Dungeon) -> None:
    assert dungeon.run_sync(Call("add_enemy", {**BAT, **IN_HALL})).value == "added the enemy 'Bat' to 'Hall'"
    assert dungeon.level.rooms[0].encounter.enemy[1] == Enemy("Bat", "A bat", "bat", 1.0, 0.5, 0.0, 1.0)
    assert dungeon.level.current == "Hall"


def test_an_enemy_in_a_cell(dungeon: Dungeon) -> None:
    result = dungeon.run_sync(Call("add_enemy", {**BAT, **IN_CELL}))
    assert result.value == "added the enemy 'Bat' to cell 1 of 'Hall-Cellar'"
    assert dungeon.level.corridors[1].cells[0].enemy[0].name == "Bat"
    assert dungeon.level.current == "Hall-Cellar"


def test_a_corridor_may_be_named_from_its_other_end(dungeon: Dungeon) -> None:
    assert dungeon.run_sync(Call("add_enemy", {**BAT, "room_name": "cellar-hall", "cell_index": 2})).ok
    assert dungeon.level.current == "Hall-Cellar"


def test_numbers_in_quotes_are_taken_and_said(dungeon: Dungeon) -> None:
    result = dungeon.run_sync(Call("add_enemy", {**BAT, **IN_HALL, "hp": "2.5", "cell_index": "-1"}))
    assert result.coerced == ("hp: '2.5' -> 2.5", "cell_index: '-1' -> -1")
    assert dungeon.level.rooms[0].encounter.enemy[1].hp == 2.5


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"hp": 50}, "hp must be 1 to 20, got 50"),
        ({"hp": 0.5}, "hp must be 1 to 20, got 0.5"),
        ({"dodge": 0}, "dodge must be 0.1 to 1, got 0"),
        ({"prot": 1.1}, "prot must be 0 to 1, got 1.1"),
        ({"spd": 0.05}, "spd must be 0.1 to 1, got 0.05"),
        ({"spd": 10**400}, "spd must be 0.1 to 1, got inf"),
        ({"species": ""}, "species must not be empty"),
        ({"name": "RAT"}, "there is an enemy 'RAT' in 'Hall' already; choose another name"),
        (
            {"room_name": "Attic"},
            "there is no room or corridor 'Attic'; rooms and corridors: "
            "'Hall', 'Tower', 'Cellar', 'Hall-Tower', 'Hall-Cellar'",
        ),
        ({"cell_index": 1}, "cell_index must be -1 in the room 'Hall', got 1"),
        ({"room_name": "Hall-Cellar"}, "cell_index must be 1 to 2 in the corridor 'Hall-Cellar', got -1"),
        (
            {"room_name": "Hall-Cellar", "cell_index": 3},
            "cell_index must be 1 to 2 in the corridor 'Hall-Cellar', got 3",
        ),
    ],
)
def test_what_add_enemy_refuses(dungeon: Dungeon, refused: Refused, changed: dict[str, Any], text: str) -> None:
    assert refused(dungeon, "add_enemy", **{**BAT, **IN_HALL, **changed}) == text


def test_the_cases_allow_a_thousand_hit_points(refused: Refused) -> None:
    dungeon = Dungeon(limits="cases")
    dungeon.create_room("Hall", "A hall")
    assert dungeon.run_sync(Call("add_enemy", {**BAT, **IN_HALL, "hp": 1000})).ok
    assert refused(dungeon, "add_enemy", **{**BAT, **IN_HALL, "hp": 1001}) == "hp must be 1 to 1000, got 1001"


def test_four_enemies_are_the_most(dungeon: Dungeon, refused: Refused) -> None:
    for name in ("Bat", "Cat", "Dog"):
        assert dungeon.run_sync(Call("add_enemy", {**BAT, **IN_HALL, "name": name})).ok
    assert refused(dungeon, "add_enemy", **{**BAT, **IN_HALL, "name": "Eel"}) == (
        "'Hall' holds 'Rat', 'Bat', 'Cat', 'Dog'; at most 4 of kind enemy fit; "
        "remove one first, or choose another place"
    )


@pytest.mark.parametrize(
    ("tool", "arguments", "text"),
    [
        (
            "add_treasure",
            {**CHEST, "room_name": "Cellar", "cell_index": -1},
            "'Cellar' holds 'Barrel'; at most 1 of kind treasure fit; remove one first, or choose another place",
        ),
        (
            "add_treasure",
            {**CHEST, "name": "Sack", "room_name": "Hall-Cellar", "cell_index": 2},
            "cell 2 of 'Hall-Cellar' holds 'Chest'; at most 1 of kind treasure fit; with space: cell 1",
        ),
        (
            "add_treasure",
            {**CHEST, "room_name": "Hall-Cellar", "cell_index": 2},
            "there is a treasure 'Chest' in cell 2 of 'Hall-Cellar' already; choose another name",
        ),
        (
            "add_treasure",
            {**CHEST, "loot": " ", "room_name": "Hall", "cell_index": -1},
            "loot must not be empty",
        ),
        (
            "add_trap",
            {**SNARE, "corridor_name": "Hall-Cellar", "cell_index": 1},
            "cell 1 of 'Hall-Cellar' holds 'Pit'; at most 1 of kind trap fit; with space: cell 2",
        ),
        (
            "add_trap",
            {**SNARE, "corridor_name": "Hall", "cell_index": -1},
            "traps go into corridors only, and 'Hall' is a room; corridors: 'Hall-Tower', 'Hall-Cellar'",
        ),
        (
            "add_trap",
            {**SNARE, "corridor_name": "Hall-Cellar", "cell_index": 0},
            "cell_index must be 1 to 2 in the corridor 'Hall-Cellar', got 0",
        ),
    ],
)
def test_what_does_not_fit(dungeon: Dungeon, refused: Refused, tool: str, arguments: dict[str, Any], text: str) -> None:
    assert refused(dungeon, tool, **arguments) == text


def test_every_cell_with_space_is_told(refused: Refused) -> None:
    dungeon = Dungeon()
    dungeon.create_room("Hall", "A hall")
    dungeon.create_room("Crypt", "A crypt", "Hall", "east")
    dungeon.update_corridor("Hall", "Crypt", 3, "east")
    dungeon.add_trap("Hall-Crypt", *SNARE.values(), 2)
    text = refused(dungeon, "add_trap", **{**SNARE, "name": "Net"}, corridor_name="Hall-Crypt", cell_index=2)
    assert text == "cell 2 of 'Hall-Crypt' holds 'Snare'; at most 1 of kind trap fit; with space: cell 1 and 3"


def test_where_there_is_no_corridor_there_is_no_trap(refused: Refused) -> None:
    dungeon = Dungeon()
    dungeon.create_room("Hall", "A hall")
    text = refused(dungeon, "add_trap", **SNARE, corridor_name="Hall", cell_index=-1)
    assert text == "traps go into corridors only, and 'Hall' is a room; corridors: none yet"


def test_a_treasure_in_a_room_and_a_trap_in_a_cell(dungeon: Dungeon) -> None:
    dungeon.add_treasure("Hall", *CHEST.values(), -1)
    dungeon.add_trap("Hall-Cellar", *SNARE.values(), 2)
    assert dungeon.level.rooms[0].encounter.treasure == (Treasure("Chest", "A chest", "Gold"),)
    assert dungeon.level.corridors[1].cells[1].trap == (Trap("Snare", "A snare", "You hang"),)
    assert dungeon.level.current == "Hall-Cellar"


def test_names_are_unique_within_a_kind_only(dungeon: Dungeon) -> None:
    assert dungeon.run_sync(Call("add_treasure", {**CHEST, **IN_HALL, "name": "Rat"})).ok


def test_an_updated_enemy_keeps_its_place_and_its_attacks(dungeon: Dungeon) -> None:
    dungeon.add_enemy("Hall", *BAT.values(), -1)
    arguments = {**BAT, **IN_HALL, "reference_name": "rat", "name": "Rat King", "hp": 20}
    result = dungeon.run_sync(Call("update_enemy_properties", arguments))
    assert result.value == "updated the enemy 'Rat King' in 'Hall'"
    king, bat = dungeon.level.rooms[0].encounter.enemy
    bite = Attack("Bite", "Sharp teeth", "damage", "XXOO", "XOOO", 3.0, 0.9)
    assert king == Enemy("Rat King", "A bat", "bat", 20.0, 0.5, 0.0, 1.0, (bite,))
    assert bat.name == "Bat"


def test_an_updated_treasure(dungeon: Dungeon) -> None:
    arguments = {**CHEST, "room_name": "Cellar", "cell_index": -1, "reference_name": "Barrel"}
    result = dungeon.run_sync(Call("update_treasure_properties", arguments))
    assert result.value == "updated the treasure 'Chest' in 'Cellar'"
    assert dungeon.level.rooms[2].encounter.treasure == (Treasure("Chest", "A chest", "Gold"),)


def test_an_updated_trap(dungeon: Dungeon) -> None:
    arguments = {**SNARE, "corridor_name": "Hall-Cellar", "cell_index": 1, "reference_name": "Pit"}
    result = dungeon.run_sync(Call("update_trap_properties", arguments))
    assert result.value == "updated the trap 'Snare' in cell 1 of 'Hall-Cellar'"
    assert dungeon.level.corridors[1].cells[0].trap == (Trap("Snare", "A snare", "You hang"),)
    assert dungeon.level.current == "Hall-Cellar"


@pytest.mark.parametrize(
    ("tool", "arguments", "text"),
    [
        (
            "update_enemy_properties",
            {**BAT, **IN_HALL, "reference_name": "Bat"},
            "there is no enemy 'Bat' in 'Hall'; there: 'Rat'",
        ),
        (
            "update_enemy_properties",
            {**BAT, **IN_HALL, "reference_name": "Rat", "hp": 21},
            "hp must be 1 to 20, got 21",
        ),
        (
            "update_treasure_properties",
            {**CHEST, **IN_HALL, "reference_name": "Chest"},
            "there is no treasure 'Chest' in 'Hall'; there is no treasure at all",
        ),
        (
            "update_treasure_properties",
            {**CHEST, "room_name": "Hall-Cellar", "cell_index": 1, "reference_name": "Chest"},
            "there is no treasure 'Chest' in cell 1 of 'Hall-Cellar'; 'Chest' is in cell 2 of 'Hall-Cellar'",
        ),
        (
            "update_trap_properties",
            {**SNARE, "corridor_name": "Hall-Cellar", "cell_index": 1, "reference_name": "Net"},
            "there is no trap 'Net' in cell 1 of 'Hall-Cellar'; there: 'Pit' in cell 1",
        ),
        (
            "update_trap_properties",
            {**SNARE, "corridor_name": "Cellar-Tower", "cell_index": 1, "reference_name": "Pit"},
            "there is no room or corridor 'Cellar-Tower'; rooms and corridors: "
            "'Hall', 'Tower', 'Cellar', 'Hall-Tower', 'Hall-Cellar'",
        ),
        (
            "update_trap_properties",
            {**SNARE, "corridor_name": "Hall", "cell_index": -1, "reference_name": "Pit"},
            "traps go into corridors only, and 'Hall' is a room; corridors: 'Hall-Tower', 'Hall-Cellar'",
        ),
        (
            "remove_entity",
            {**IN_HALL, "entity_name": "Rat", "entity_type": "treasure"},
            "there is no treasure 'Rat' in 'Hall'; 'Rat' is an enemy in 'Hall'",
        ),
    ],
)
def test_what_is_not_there(dungeon: Dungeon, refused: Refused, tool: str, arguments: dict[str, Any], text: str) -> None:
    assert refused(dungeon, tool, **arguments) == text


def test_a_name_that_another_enemy_has(dungeon: Dungeon, refused: Refused) -> None:
    dungeon.add_enemy("Hall", *BAT.values(), -1)
    text = refused(dungeon, "update_enemy_properties", **{**BAT, **IN_HALL, "reference_name": "Rat"})
    assert text == "there is an enemy 'Bat' in 'Hall' already; choose another name"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            {"room_name": "Hall", "entity_name": "Rat", "entity_type": "enemy", "cell_index": -1},
            "enemy 'Rat' from 'Hall'",
        ),
        (
            {"room_name": "Hall-Cellar", "entity_name": "pit", "entity_type": "Trap", "cell_index": 1},
            "trap 'Pit' from cell 1 of 'Hall-Cellar'",
        ),
        (
            {"room_name": "Cellar", "entity_name": "Barrel", "entity_type": "treasure", "cell_index": -1},
            "treasure 'Barrel' from 'Cellar'",
        ),
    ],
)
def test_removing_an_entity(dungeon: Dungeon, arguments: dict[str, Any], said: str) -> None:
    assert dungeon.run_sync(Call("remove_entity", arguments)).value == f"removed the {said}"
    assert dungeon.level.current == arguments["room_name"]
    found = [entity.name for place in dungeon.level.places for cell in place.cells for entity in cell]
    assert len(found) == 3


def test_a_kind_that_is_none(dungeon: Dungeon) -> None:
    result = dungeon.run_sync(Call("remove_entity", {**IN_HALL, "entity_name": "Rat", "entity_type": "hero"}))
    assert result.error == "argument 'entity_type': should be 'enemy', 'trap' or 'treasure', got 'hero'"
