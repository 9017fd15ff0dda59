"""Corridors: joining rooms, taking corridors away, and moving what lies beyond one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dungeons import dungeon_of
from toolmend.base.messages import Call
from toolmend.extras.worlds.dungeon import Dungeon

Refused = Callable[..., str]
Coords = tuple[int, int]


def where(dungeon: Dungeon) -> dict[str, Coords]:
    return {room.name: room.coords for room in dungeon.level.rooms}


@pytest.fixture
def square() -> Dungeon:
    """A (0, 0), B east of it, C south of B, D west of C: a ring but for the side between A and D."""
    made = Dungeon()
    made.create_room("A", "a")
    made.create_room("B", "b", "A", "east")
    made.create_room("C", "c", "B", "south")
    made.create_room("D", "d", "C", "west")
    return made


def test_two_rooms_are_joined_and_the_corridor_is_the_current_place(square: Dungeon) -> None:
    arguments = {"room_from_name": "A", "room_to_name": "D", "corridor_length": 2, "direction": "south"}
    assert square.run_sync(Call("add_corridor", arguments)).value == "added the corridor 'A-D' of 2 cells"
    assert [corridor.name for corridor in square.level.corridors] == ["A-B", "B-C", "C-D", "A-D"]
    assert square.state()["corridors"][3]["coords"] == [[0, 1], [0, 2]]
    assert square.level.current == "A-D"


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"room_to_name": "a"}, "a corridor joins two rooms, but both names are 'A'"),
        ({"room_to_name": "E"}, "'E' is no room; rooms: 'A', 'B', 'C', 'D'"),
        ({"room_from_name": "A-B"}, "'A-B' is a corridor, not a room; rooms: 'A', 'B', 'C', 'D'"),
        ({"room_to_name": "B"}, "'A' and 'B' are joined already, by 'A-B'"),
        ({"room_from_name": "B", "room_to_name": "A"}, "'B' and 'A' are joined already, by 'A-B'"),
        ({"corridor_length": 1}, "corridor_length must be 2 to 4, got 1"),
        ({"corridor_length": 5}, "corridor_length must be 2 to 4, got 5"),
        ({"direction": "east"}, "the east side of A is taken; free: north, south, west"),
        (
            {"direction": "west"},
            "'D' is not 3 squares west of 'A'; this would join them: direction south, corridor_length 2",
        ),
        (
            {"corridor_length": 3},
            "'D' is not 4 squares south of 'A'; this would join them: direction south, corridor_length 2",
        ),
        (
            {"room_to_name": "C"},
            "'C' is not 3 squares south of 'A', and no straight corridor can join them; "
            "'A' can be joined to: 'D' (direction south, corridor_length 2)",
        ),
    ],
)
def test_what_add_corridor_refuses(square: Dungeon, refused: Refused, changed: dict[str, object], text: str) -> None:
    arguments = {"room_from_name": "A", "room_to_name": "D", "corridor_length": 2, "direction": "south"}
    assert refused(square, "add_corridor", **{**arguments, **changed}) == text


def test_a_corridor_cannot_pass_through_a_room_that_stands_alone() -> None:
    rooms = [{"name": name, "description": name, "coords": [x, 0]} for name, x in (("A", 0), ("B", 2), ("C", 4))]
    dungeon = dungeon_of({"current": "A", "rooms": rooms, "corridors": []})
    result = dungeon.run_sync(
        Call("add_corridor", {"room_from_name": "A", "room_to_name": "C", "corridor_length": 3, "direction": "east"})
    )
    assert result.error == "a room 'B' and a corridor 'A-C' would both lie at (2, 0); a square holds one thing only"
    assert dungeon.level.corridors == ()


@pytest.mark.parametrize("names", [("Hall", "Cellar"), ("cellar", "hall")])
def test_removing_a_corridor_whatever_the_order_of_its_rooms(dungeon: Dungeon, names: tuple[str, str]) -> None:
    arguments = {"room_from_name": names[0], "room_to_name": names[1]}
    assert dungeon.run_sync(Call("remove_corridor", arguments)).value == "removed the corridor 'Hall-Cellar'"
    assert [corridor.name for corridor in dungeon.level.corridors] == ["Hall-Tower"]
    assert dungeon.level.current == "Cellar"


def test_its_first_room_is_current_when_the_corridor_was(dungeon: Dungeon) -> None:
    dungeon.add_enemy("Hall-Cellar", "Bat", "A bat", "bat", 1, 0.5, 0.5, 0.5, 1)
    dungeon.remove_corridor("Cellar", "Hall")
    assert dungeon.level.current == "Hall"


def test_removing_a_corridor_that_is_not_there(dungeon: Dungeon, refused: Refused) -> None:
    text = refused(dungeon, "remove_corridor", room_from_name="Tower", room_to_name="Cellar")
    assert text == "there is no corridor between 'Tower' and 'Cellar'; corridors: 'Hall-Tower', 'Hall-Cellar'"
    unknown = refused(dungeon, "remove_corridor", room_from_name="Tower", room_to_name="Attic")
    assert unknown == "'Attic' is no room; rooms: 'Hall', 'Tower', 'Cellar'"


def test_a_longer_corridor_moves_all_that_lies_beyond_it(square: Dungeon) -> None:
    arguments = {"room_from_name": "A", "room_to_name": "B", "corridor_length": 4, "direction": "east"}
    assert square.run_sync(Call("update_corridor", arguments)).value == (
        "updated the corridor 'A-B': east of 'A', 4 cells"
    )
    assert where(square) == {"A": (0, 0), "B": (5, 0), "C": (5, 3), "D": (2, 3)}
    assert square.level.current == "A-B"


@pytest.mark.parametrize(
    ("direction", "places"),
    [
        ("south", {"A": (0, 0), "B": (0, 3), "C": (-3, 3), "D": (-3, 0)}),
        ("west", {"A": (0, 0), "B": (-3, 0), "C": (-3, -3), "D": (0, -3)}),
        ("north", {"A": (0, 0), "B": (0, -3), "C": (3, -3), "D": (3, 0)}),
    ],
)
def test_a_turned_corridor_turns_all_that_lies_beyond_it(
    square: Dungeon, direction: str, places: dict[str, Coords]
) -> None:
    arguments = {"room_from_name": "A", "room_to_name": "B", "corridor_length": 2, "direction": direction}
    assert square.run_sync(Call("update_corridor", arguments)).ok
    assert where(square) == places
    assert dungeon_of(square.state()).level == square.level


def test_the_room_named_first_stays_where_it_is(square: Dungeon) -> None:
    square.update_corridor("B", "A", 2, "north")
    assert where(square) == {"A": (3, -3), "B": (3, 0), "C": (3, 3), "D": (0, 3)}
    corridor = square.level.corridors[0]
    assert (corridor.name, corridor.direction) == ("A-B", "south")


def test_cells_keep_their_numbers(dungeon: Dungeon) -> None:
    dungeon.update_corridor("Hall", "Cellar", 4, "east")
    held = [[entity.name for entity in cell] for cell in dungeon.level.corridors[1].cells]
    assert held == [["Pit"], ["Chest"], [], []]
    dungeon.update_corridor("Cellar", "Hall", 2, "west")
    assert dungeon.level.corridors[1].length == 2


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("Hall", "Cellar", 5, "east"), "corridor_length must be 2 to 4, got 5"),
        (("Hall", "Cellar", 2, "north"), "the north side of Hall is taken; free: south, west"),
        (("Cellar", "Cellar", 2, "north"), "a corridor joins two rooms, but both names are 'Cellar'"),
        (
            ("Tower", "Cellar", 2, "north"),
            "there is no corridor between 'Tower' and 'Cellar'; corridors: 'Hall-Tower', 'Hall-Cellar'",
        ),
    ],
)
def test_what_update_corridor_refuses(
    dungeon: Dungeon, refused: Refused, arguments: tuple[str, str, int, str], text: str
) -> None:
    names = ("room_from_name", "room_to_name", "corridor_length", "direction")
    assert refused(dungeon, "update_corridor", **dict(zip(names, arguments, strict=True))) == text


def test_shortening_does_not_drop_what_a_cell_holds(dungeon: Dungeon, refused: Refused) -> None:
    dungeon.update_corridor("Hall", "Cellar", 3, "east")
    dungeon.add_trap("Hall-Cellar", "Snare", "A snare", "You hang", 3)
    arguments = {"room_from_name": "Hall", "room_to_name": "Cellar", "corridor_length": 2, "direction": "east"}
    assert refused(dungeon, "update_corridor", **arguments) == (
        "the cells beyond 2 hold 'Snare'; remove what is in them first, or keep the length"
    )


def test_a_corridor_in_a_ring_cannot_move(square: Dungeon, refused: Refused) -> None:
    square.add_corridor("A", "D", 2, "south")
    arguments = {"room_from_name": "A", "room_to_name": "B", "corridor_length": 3, "direction": "east"}
    assert refused(square, "update_corridor", **arguments) == (
        "'A-B' is part of a loop, so neither end can move; remove it and add another"
    )


def test_the_new_side_of_the_fixed_room_must_be_free(square: Dungeon, refused: Refused) -> None:
    arguments = {"room_from_name": "C", "room_to_name": "D", "corridor_length": 2, "direction": "north"}
    assert refused(square, "update_corridor", **arguments) == "the north side of C is taken; free: south, east"


def test_what_moves_may_not_lie_on_what_stays(refused: Refused) -> None:
    dungeon = Dungeon(limits="cases")
    dungeon.create_room("A", "a")
    dungeon.create_room("B", "b", "A", "east")
    dungeon.create_room("C", "c", "A", "south")
    dungeon.create_room("D", "d", "C", "east")
    dungeon.update_corridor("A", "C", 4, "south")
    dungeon.create_room("E", "e", "B", "south")
    arguments = {"room_from_name": "A", "room_to_name": "C", "corridor_length": 2, "direction": "south"}
    assert refused(dungeon, "update_corridor", **arguments) == (
        "a room 'D' and a room 'E' would both lie at (3, 3); a square holds one thing only"
    )
