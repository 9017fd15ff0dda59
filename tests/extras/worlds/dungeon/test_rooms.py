"""Creating, updating and removing rooms: what each does, what each refuses, and in which words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from toolmend.base.messages import Call
from toolmend.extras.worlds.dungeon import Dungeon
from toolmend.extras.worlds.dungeon.level import Level, Room

Refused = Callable[..., str]


def names(dungeon: Dungeon) -> list[str]:
    return [place.name for place in dungeon.level.places]


def test_the_first_room_lies_at_the_origin_and_is_joined_to_none() -> None:
    dungeon = Dungeon()
    result = dungeon.run_sync(Call("create_room", {"name": "Hall", "description": "A wide hall"}))
    assert result.value == "created the first room 'Hall'"
    assert dungeon.level == Level((Room("Hall", "A wide hall", (0, 0)),), (), "Hall")


def test_empty_text_counts_as_left_out_and_a_direction_alone_does_not_matter_for_the_first_room() -> None:
    dungeon = Dungeon()
    arguments = {"name": "Hall", "description": "A wide hall", "room_from": "", "direction": "north"}
    assert dungeon.run_sync(Call("create_room", arguments)).ok


@pytest.mark.parametrize(
    ("direction", "coords"), [("north", (0, -3)), ("south", (0, 3)), ("east", (3, 0)), ("west", (-3, 0))]
)
def test_a_new_room_lies_three_squares_away_behind_a_corridor_of_two_cells(
    direction: str, coords: tuple[int, int]
) -> None:
    dungeon = Dungeon()
    dungeon.create_room("Hall", "A wide hall")
    result = dungeon.run_sync(
        Call("create_room", {"name": "B", "description": "b", "room_from": "Hall", "direction": direction})
    )
    assert result.value == f"created the room 'B', {direction} of 'Hall', with the corridor 'Hall-B'"
    assert dungeon.level.rooms[1].coords == coords
    assert (dungeon.level.corridors[0].direction, dungeon.level.corridors[0].length) == (direction, 2)
    assert dungeon.level.current == "B"


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"name": "hall"}, "there is a room 'Hall' already; choose another name"),
        ({"name": "Hall-Cellar"}, "there is a corridor 'Hall-Cellar' already; choose another name"),
        ({"name": " "}, "name must not be empty"),
        ({"description": ""}, "description must not be empty"),
        ({"name": "x" * 81}, "name must have at most 80 characters, got 81"),
        ({"description": "x" * 2001}, "description must have at most 2000 characters, got 2001"),
        ({"name": "a\x00b"}, "name must not hold control characters"),
        (
            {"room_from": ""},
            "a new room needs room_from and direction, to join it; free sides: 'Hall' (south, west), "
            "'Tower' (north, east, west), 'Cellar' (north, south, east)",
        ),
        (
            {"direction": ""},
            "a new room needs room_from and direction, to join it; free sides: 'Hall' (south, west), "
            "'Tower' (north, east, west), 'Cellar' (north, south, east)",
        ),
        ({"room_from": "Attic"}, "'Attic' is no room; rooms: 'Hall', 'Tower', 'Cellar'"),
        (
            {"room_from": "Hall-Cellar"},
            "'Hall-Cellar' is a corridor, not a room; rooms: 'Hall', 'Tower', 'Cellar'",
        ),
        ({"direction": "north"}, "the north side of Hall is taken; free: south, west"),
    ],
)
def test_what_create_room_refuses(dungeon: Dungeon, refused: Refused, changed: dict[str, str], text: str) -> None:
    arguments = {"name": "Attic", "description": "Dusty", "room_from": "Hall", "direction": "west"}
    assert refused(dungeon, "create_room", **{**arguments, **changed}) == text


def test_a_direction_that_is_none_is_refused_by_the_schema(dungeon: Dungeon) -> None:
    arguments = {"name": "Attic", "description": "Dusty", "room_from": "Hall", "direction": "up"}
    result = dungeon.run_sync(Call("create_room", arguments))
    assert (result.fault, result.error) == (
        "arguments",
        "argument 'direction': should be 'north', 'south', 'east', 'west' or '', got 'up'",
    )


def test_the_first_room_cannot_be_joined_to_another(refused: Refused) -> None:
    text = refused(Dungeon(), "create_room", name="A", description="a", room_from="Hall", direction="north")
    assert text == "there is no room yet, so none is called 'Hall': leave room_from empty"


def test_a_side_without_a_corridor_but_without_space(dungeon: Dungeon, refused: Refused) -> None:
    dungeon.create_room("Attic", "Dusty", "Tower", "east")
    text = refused(dungeon, "create_room", name="B", description="b", room_from="Cellar", direction="north")
    assert text == "there is no space north of Cellar; with space: south, east"


def test_a_corridor_that_would_have_the_name_of_a_room(refused: Refused) -> None:
    dungeon = Dungeon()
    dungeon.create_room("A", "a")
    dungeon.create_room("A-B", "ab", "A", "north")
    text = refused(dungeon, "create_room", name="B", description="b", room_from="A", direction="south")
    assert text == "its corridor would have the name of 'A-B'; choose another name"


def test_from_a_corridor_no_room_is_created_under_the_published_limits(dungeon: Dungeon, refused: Refused) -> None:
    dungeon.add_enemy("Hall-Cellar", "Bat", "A bat", "bat", 1, 0.5, 0.5, 0.5, 1)
    text = refused(dungeon, "create_room", name="Attic", description="Dusty", room_from="Hall", direction="west")
    assert text == (
        "no room can be created while the current place is a corridor ('Hall-Cellar'); "
        "add or change something in a room first"
    )


def test_from_a_corridor_a_room_is_created_under_the_limits_of_the_cases() -> None:
    dungeon = Dungeon(limits="cases")
    dungeon.create_room("Hall", "A wide hall")
    dungeon.create_room("Cellar", "Damp", "Hall", "east")
    dungeon.add_trap("Hall-Cellar", "Pit", "A pit", "You fall", 1)
    dungeon.create_room("Attic", "Dusty", "Hall", "west")
    assert dungeon.level.current == "Attic"


def test_white_space_is_collapsed() -> None:
    dungeon = Dungeon()
    dungeon.create_room("  Great\n Hall ", "wide\tand  high")
    assert (dungeon.level.rooms[0].name, dungeon.level.rooms[0].description) == ("Great Hall", "wide and high")


def test_removing_a_room_takes_its_corridors_along_and_leaves_the_others(dungeon: Dungeon) -> None:
    result = dungeon.run_sync(Call("remove_room", {"name": "Hall"}))
    assert result.value == "removed the room 'Hall' with its corridors: 'Hall-Tower', 'Hall-Cellar'"
    assert names(dungeon) == ["Tower", "Cellar"]
    assert dungeon.level.current == "Tower"


def test_the_sides_of_the_neighbours_are_free_again(dungeon: Dungeon) -> None:
    dungeon.remove_room("Cellar")
    assert dungeon.run_sync(
        Call("create_room", {"name": "Attic", "description": "Dusty", "room_from": "Hall", "direction": "east"})
    ).ok


def test_removing_the_last_room_leaves_an_empty_level() -> None:
    dungeon = Dungeon()
    dungeon.create_room("Hall", "A wide hall")
    dungeon.remove_room("HALL")
    assert dungeon.level == Level()


def test_removing_what_is_not_there(dungeon: Dungeon, refused: Refused) -> None:
    assert refused(dungeon, "remove_room", name="Attic") == "'Attic' is no room; rooms: 'Hall', 'Tower', 'Cellar'"
    assert refused(Dungeon(), "remove_room", name="Attic") == "'Attic' is no room; rooms: none yet"


def test_many_rooms_are_not_all_listed(refused: Refused) -> None:
    dungeon = Dungeon()
    dungeon.create_room("Room 0", "r")
    for number in range(1, 8):
        dungeon.create_room(f"Room {number}", "r", f"Room {number - 1}", "east")
    text = refused(dungeon, "remove_room", name="Room 77")
    assert text == "'Room 77' is no room; the nearest of the 8 rooms: 'Room 7', 'Room 6', 'Room 5'"


def test_a_renamed_room_renames_its_corridors_and_stays_where_it_is(dungeon: Dungeon) -> None:
    arguments = {"room_reference_name": "Hall", "name": "Great Hall", "description": "Very wide"}
    assert dungeon.run_sync(Call("update_room", arguments)).value == "updated the room 'Great Hall'"
    assert names(dungeon) == ["Great Hall", "Tower", "Cellar", "Great Hall-Tower", "Great Hall-Cellar"]
    assert dungeon.level.rooms[0].encounter.enemy[0].name == "Rat"


@pytest.mark.parametrize(("current", "after"), [("Hall", "Salon"), ("Hall-Cellar", "Salon-Cellar"), ("Tower", "Tower")])
def test_the_current_place_follows_the_new_name(dungeon: Dungeon, current: str, after: str) -> None:
    dungeon.set_state({**dungeon.state(), "current": current})
    dungeon.update_room("Hall", "Salon", "Very wide")
    assert dungeon.level.current == after


def test_a_room_may_keep_its_name_or_change_its_case(dungeon: Dungeon) -> None:
    dungeon.update_room("Hall", "HALL", "Very wide")
    assert dungeon.level.rooms[0].name == "HALL"
    assert dungeon.level.corridors[0].name == "HALL-Tower"


def test_what_update_room_refuses(dungeon: Dungeon, refused: Refused) -> None:
    taken = refused(dungeon, "update_room", room_reference_name="Hall", name="Tower", description="x")
    assert taken == "there is a room 'Tower' already; choose another name"
    unknown = refused(dungeon, "update_room", room_reference_name="Attic", name="B", description="x")
    assert unknown == "'Attic' is no room; rooms: 'Hall', 'Tower', 'Cellar'"


def test_a_new_name_that_would_make_two_places_one(refused: Refused) -> None:
    dungeon = Dungeon()
    dungeon.create_room("A", "a")
    dungeon.create_room("B", "b", "A", "east")
    dungeon.create_room("A-C", "ac", "A", "north")
    text = refused(dungeon, "update_room", room_reference_name="B", name="C", description="c")
    assert text == "two places would be called 'A-C'; choose another name"
