"""What the dungeon's tools share: the level, the limits, and finding what a call names, or saying what is there.

A tool makes a new level and hands it to `_become`, or raises ToolError and has changed nothing. Knows no tool.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from toolmend.base.errors import ToolError
from toolmend.extras.worlds.dungeon.level import (
    IN_ROOM,
    KINDS,
    Corridor,
    Direction,
    Enemy,
    Entity,
    EntityType,
    Level,
    Place,
    Room,
    with_cell,
)
from toolmend.extras.worlds.dungeon.places import clash, open_sides
from toolmend.extras.worlds.dungeon.rules import PUBLISHED, ProfileLimits
from toolmend.tools.texts import nearest, shown
from toolmend.tools.toolboxes.valued import ValueBox

LISTED = 6


class World(ValueBox):
    """A level and its limits, for the tool classes to build on."""

    kept = ("level",)

    def __init__(self, level: Level | None = None, limits: ProfileLimits = PUBLISHED) -> None:
        self.level = level or Level()
        self.limits = limits

    def _become(self, level: Level) -> None:
        """The new level, unless two things would lie on one square."""
        if found := clash(level):
            square, one, other = found
            raise ToolError(f"{_a(one)} and {_a(other)} would both lie at {square}; a square holds one thing only")
        self.level = level

    def _room(self, name: str) -> Room:
        room = self.level.room(name)
        if room is None:
            kind = "a corridor, not a room" if self.level.place(name) else "no room"
            there = _listed("rooms", (room.name for room in self.level.rooms), name)
            raise ToolError(f"{shown(name)} is {kind}; {there}")
        return room

    def _corridor(self, one: str, other: str) -> Corridor:
        corridor = self.level.corridor(one, other)
        if corridor is None:
            first, second = self._room(one), self._room(other)
            there = _listed("corridors", (way.name for way in self.level.corridors), f"{one}-{other}")
            raise ToolError(f"there is no corridor between {shown(first.name)} and {shown(second.name)}; {there}")
        return corridor

    def _place(self, name: str) -> Place:
        place = self.level.place(name)
        if place is None:
            there = _listed("rooms and corridors", (place.name for place in self.level.places), name)
            raise ToolError(f"there is no room or corridor {shown(name)}; {there}")
        return place

    def _free_name(self, name: str, but: Place | None = None) -> None:
        """Refuse the name of another place."""
        other = self.level.place(name)
        if other is not None and other is not but:
            raise ToolError(f"there is {_a(other)} already; choose another name")

    def _index(self, place: Place, cell_index: int) -> int:
        """Where in `place.cells` the cell is."""
        if isinstance(place, Room):
            if cell_index != IN_ROOM:
                raise ToolError(f"cell_index must be {IN_ROOM} in the room {shown(place.name)}, got {cell_index}")
            return 0
        if not 1 <= cell_index <= place.length:
            raise ToolError(
                f"cell_index must be 1 to {place.length} in the corridor {shown(place.name)}, got {cell_index}"
            )
        return cell_index - 1

    def _entity(self, place: Place, cell_index: int, kind: EntityType, name: str) -> Entity:
        encounter = place.cells[self._index(place, cell_index)]
        entity = encounter.find(kind, name)
        if entity is None:
            spot = where(place, cell_index)
            raise ToolError(f"there is no {kind} {shown(name)} in {spot}; {_else(place, kind, name)}")
        return entity

    def _enemy(self, place: Place, cell_index: int, name: str) -> Enemy:
        found = self._entity(place, cell_index, "enemy", name)
        assert isinstance(found, Enemy)
        return found

    def _put(self, place: Place, cell_index: int, entity: Entity | None, old: Entity | None = None) -> None:
        """An entity there, in the place of an old one, or only the old one away; the place becomes the current one."""
        index = self._index(place, cell_index)
        changed = with_cell(place, index, place.cells[index].putting(entity, old))
        self._become(replace(self.level.replacing(place, changed), current=place.name))

    def _side_is_open(self, room: Room, direction: Direction) -> None:
        """Refuse a side that has a corridor."""
        free = open_sides(self.level, room)
        if direction not in free:
            raise ToolError(f"the {direction} side of {room.name} is taken; free: {', '.join(free) or 'none'}")


def where(place: Place, cell_index: int) -> str:
    """`'Swamp Room'`, or `cell 2 of 'A-B'`."""
    return shown(place.name) if isinstance(place, Room) else f"cell {cell_index} of {shown(place.name)}"


def a(kind: EntityType) -> str:
    """`an enemy`, `a trap`."""
    return f"an {kind}" if kind == "enemy" else f"a {kind}"


def _a(place: Place) -> str:
    return f"{'a room' if isinstance(place, Room) else 'a corridor'} {shown(place.name)}"


def _listed(kind: str, names: Iterable[str], wanted: str) -> str:
    there = list(names)
    if len(there) > LISTED:
        return f"the nearest of the {len(there)} {kind}: {', '.join(map(shown, nearest(wanted, there)))}"
    return f"{kind}: {', '.join(map(shown, there)) or 'none yet'}"


def _else(place: Place, kind: EntityType, name: str) -> str:
    """Where such an entity is in the same place, else what is there, for a refusal."""
    for number, encounter in enumerate(place.cells, 1):
        for other in KINDS:
            if found := encounter.find(other, name):
                what = f"{shown(found.name)} is {a(other)}" if other != kind else f"{shown(found.name)} is"
                return f"{what} in {where(place, number)}"
    there = [
        f"{shown(entity.name)}{'' if isinstance(place, Room) else f' in cell {number}'}"
        for number, encounter in enumerate(place.cells, 1)
        for entity in encounter.of(kind)
    ]
    return f"there: {', '.join(there)}" if there else f"there is no {kind} at all"
