"""Where things lie: squares, directions, the sides of rooms. Knows levels as values; no limits, no tools, no words.

A room takes one square and a corridor of n cells n squares, so that the rooms it joins lie n + 1 apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from toolmend.extras.worlds.dungeon.level import Coords, Corridor, Direction, Level, Place, Room

DIRECTIONS: tuple[Direction, ...] = get_args(Direction)
_CLOCKWISE: tuple[Direction, ...] = ("north", "east", "south", "west")
_STEPS: dict[Direction, Coords] = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}


def opposite(direction: Direction) -> Direction:
    """The way back."""
    return turned(direction, 2)


def turned(direction: Direction, quarters: int) -> Direction:
    """The direction after so many quarter turns, clockwise."""
    return _CLOCKWISE[(_CLOCKWISE.index(direction) + quarters) % 4]


def quarters(old: Direction, new: Direction) -> int:
    """How many quarter turns, clockwise, make one direction the other."""
    return (_CLOCKWISE.index(new) - _CLOCKWISE.index(old)) % 4


def away(coords: Coords, direction: Direction, distance: int) -> Coords:
    """The square that far off."""
    x, y = _STEPS[direction]
    return coords[0] + x * distance, coords[1] + y * distance


def bearing(start: Coords, end: Coords) -> tuple[Direction, int] | None:
    """Direction and distance from one square to another; None where they are on no line, or the same."""
    x, y = end[0] - start[0], end[1] - start[1]
    if (x == 0) == (y == 0):
        return None
    if x:
        return ("east" if x > 0 else "west"), abs(x)
    return ("south" if y > 0 else "north"), abs(y)


def squares(level: Level, place: Place) -> tuple[Coords, ...]:
    """The squares of a place: that of a room, or those of a corridor's cells in their order."""
    if isinstance(place, Room):
        return (place.coords,)
    start = next(room.coords for room in level.rooms if room.name == place.room_from)
    return tuple(away(start, place.direction, step) for step in range(1, place.length + 1))


def ground(level: Level) -> dict[Coords, Place]:
    """What lies on each square that is taken."""
    return {square: place for place in level.places for square in squares(level, place)}


def clash(level: Level) -> tuple[Coords, Place, Place] | None:
    """A square that is taken twice and by whom; None where there is none."""
    taken: dict[Coords, Place] = {}
    for place in level.places:
        for square in squares(level, place):
            if square in taken:
                return square, taken[square], place
            taken[square] = place
    return None


def sides(level: Level, room: Room) -> dict[Direction, Corridor]:
    """The corridors of a room by its sides."""
    found = {
        corridor.direction if corridor.room_from == room.name else opposite(corridor.direction): corridor
        for corridor in level.corridors
        if corridor.joins(room.name)
    }
    return {direction: found[direction] for direction in DIRECTIONS if direction in found}


def open_sides(level: Level, room: Room) -> list[Direction]:
    """The sides of a room that have no corridor."""
    taken = sides(level, room)
    return [direction for direction in DIRECTIONS if direction not in taken]


def roomy_sides(level: Level, room: Room, length: int) -> list[Direction]:
    """The sides where a corridor of that length and a new room behind it fit."""
    taken = ground(level)
    return [
        direction
        for direction in open_sides(level, room)
        if not any(away(room.coords, direction, step) in taken for step in range(1, length + 2))
    ]


def meetings(level: Level, room: Room, shortest: int, longest: int) -> Iterator[tuple[Direction, Room, int]]:
    """The rooms that a corridor from a side of this one could reach, with the length that it needs."""
    taken = ground(level)
    for direction in open_sides(level, room):
        steps = range(1, longest + 2)
        distance = next((step for step in steps if away(room.coords, direction, step) in taken), 0)
        met = taken.get(away(room.coords, direction, distance))
        if shortest < distance and isinstance(met, Room) and opposite(direction) in open_sides(level, met):
            yield direction, met, distance - 1


def reach(level: Level, room: str, without: Corridor) -> set[str]:
    """The names of the rooms that can be walked to from one, that corridor closed."""
    found, waiting = {room}, [room]
    while waiting:
        here = waiting.pop()
        for corridor in level.corridors:
            beyond = corridor.beyond(here)
            if corridor is not without and corridor.joins(here) and beyond not in found:
                found.add(beyond)
                waiting.append(beyond)
    return found
