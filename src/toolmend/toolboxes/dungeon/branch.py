"""What lies beyond a corridor, moved and turned as one piece when the corridor changes. Knows levels; no tools."""

from __future__ import annotations

from dataclasses import replace

from toolmend.errors import ToolError
from toolmend.toolboxes.dungeon.level import Coords, Corridor, Direction, Encounter, Level, Room
from toolmend.toolboxes.dungeon.places import away, opposite, quarters, reach, turned
from toolmend.tools.texts import shown


def swung(level: Level, corridor: Corridor, fixed: Room, direction: Direction, length: int) -> Level:
    """The level with the corridor leaving the fixed room at that side, so long, and the branch beyond it in its place.

    Cells keep their numbers; what is on the map twice then is for the caller to find. Raises ToolError for a corridor
    that is part of a loop: its two ends cannot move apart.
    """
    anchor = corridor.beyond(fixed.name)
    branch = reach(level, anchor, without=corridor)
    if fixed.name in branch:
        raise ToolError(f"{shown(corridor.name)} is part of a loop, so neither end can move; remove it and add another")
    away_from_fixed = corridor.direction if corridor.room_from == fixed.name else opposite(corridor.direction)
    turn = quarters(away_from_fixed, direction)
    old = next(room.coords for room in level.rooms if room.name == anchor)
    new = away(fixed.coords, direction, length + 1)
    rooms = tuple(
        replace(room, coords=_carried(room.coords, old, new, turn)) if room.name in branch else room
        for room in level.rooms
    )
    cells = (*corridor.cells[:length], *(Encounter(),) * (length - corridor.length))
    changed = replace(corridor, direction=turned(corridor.direction, turn), cells=cells)
    corridors = tuple(
        replace(each, direction=turned(each.direction, turn)) if each.room_from in branch else each
        for each in level.corridors
        if each is not corridor
    )
    place = level.corridors.index(corridor)
    return replace(level, rooms=rooms, corridors=(*corridors[:place], changed, *corridors[place:]))


def _carried(coords: Coords, old: Coords, new: Coords, turn: int) -> Coords:
    """A square of the branch after its anchor went from `old` to `new` and it turned about the anchor."""
    x, y = coords[0] - old[0], coords[1] - old[1]
    for _ in range(turn):
        x, y = -y, x
    return new[0] + x, new[1] + y
