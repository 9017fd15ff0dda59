"""The tools that join rooms by corridors, change corridors and remove them.

They are dead in the published domain. A changed corridor takes all that lies beyond it along: the branch moves and
turns as one piece. Shortening never drops what a cell holds; the other rules are those of the published domain.
"""

from __future__ import annotations

from dataclasses import replace

from toolmend.base.errors import ToolError
from toolmend.extras.worlds.dungeon.level import Coords, Corridor, Direction, Encounter, Level, Room
from toolmend.extras.worlds.dungeon.places import away, bearing, meetings, opposite, quarters, reach, turned
from toolmend.extras.worlds.dungeon.world import World
from toolmend.tools import tool
from toolmend.tools.texts import shown


class CorridorTools(World):
    """Adding, updating and removing corridors."""

    @tool
    def add_corridor(self, room_from_name: str, room_to_name: str, corridor_length: int, direction: Direction) -> str:
        """Join two rooms that are there by a corridor; the second must lie exactly corridor_length + 1 squares away.

        Args:
            room_from_name: the room where the corridor begins
            room_to_name: the room where it ends
            corridor_length: how many cells it has
            direction: on which side of room_from_name it begins
        """
        start, end = self._two_rooms(room_from_name, room_to_name)
        if other := self.level.corridor(start.name, end.name):
            raise ToolError(f"{shown(start.name)} and {shown(end.name)} are joined already, by {shown(other.name)}")
        length = self.limits.length(corridor_length)
        self._side_is_open(start, direction)
        if bearing(start.coords, end.coords) != (direction, length + 1):
            raise ToolError(self._not_there(start, end, direction, length))
        self._side_is_open(end, opposite(direction))
        corridor = Corridor(start.name, end.name, direction, (Encounter(),) * length)
        self._free_name(corridor.name)
        self._become(replace(self.level, corridors=(*self.level.corridors, corridor), current=corridor.name))
        return f"added the corridor {shown(corridor.name)} of {length} cells"

    @tool
    def remove_corridor(self, room_from_name: str, room_to_name: str) -> str:
        """Remove the corridor between two rooms with all it holds; the rooms stay.

        Args:
            room_from_name: one of the rooms
            room_to_name: the other room
        """
        gone, level = self._corridor(room_from_name, room_to_name), self.level
        corridors = tuple(corridor for corridor in level.corridors if corridor is not gone)
        current = gone.room_from if level.current == gone.name else level.current
        self._become(replace(level, corridors=corridors, current=current))
        return f"removed the corridor {shown(gone.name)}"

    @tool
    def update_corridor(
        self, room_from_name: str, room_to_name: str, corridor_length: int, direction: Direction
    ) -> str:
        """Change the length and direction of a corridor; the second room and all beyond it move along.

        Args:
            room_from_name: the room that stays where it is
            room_to_name: the room that moves, with all that lies beyond it
            corridor_length: how many cells the corridor has from now on
            direction: on which side of room_from_name it begins from now on
        """
        fixed, moving = self._two_rooms(room_from_name, room_to_name)
        corridor = self._corridor(fixed.name, moving.name)
        length = self.limits.length(corridor_length)
        seen = corridor.direction if corridor.room_from == fixed.name else opposite(corridor.direction)
        if direction != seen:
            self._side_is_open(fixed, direction)
        lost = [entity for cell in corridor.cells[length:] for entity in cell]
        if lost:
            raise ToolError(
                f"the cells beyond {length} hold {', '.join(shown(entity.name) for entity in lost)}; "
                "remove what is in them first, or keep the length"
            )
        level = swung(self.level, corridor, fixed, direction, length)
        self._become(replace(level, current=corridor.name))
        return f"updated the corridor {shown(corridor.name)}: {direction} of {shown(fixed.name)}, {length} cells"

    def _two_rooms(self, one: str, other: str) -> tuple[Room, Room]:
        start, end = self._room(one), self._room(other)
        if start is end:
            raise ToolError(f"a corridor joins two rooms, but both names are {shown(start.name)}")
        return start, end

    def _not_there(self, start: Room, end: Room, direction: Direction, length: int) -> str:
        """Why a corridor does not lead where it should, and which would."""
        shortest, longest = self.limits.corridor_length
        text = f"{shown(end.name)} is not {length + 1} squares {direction} of {shown(start.name)}"
        for side, met, fitting in meetings(self.level, start, shortest, longest):
            if met is end:
                return f"{text}; this would join them: direction {side}, corridor_length {fitting}"
        joinable = [
            f"{shown(met.name)} (direction {side}, corridor_length {fitting})"
            for side, met, fitting in meetings(self.level, start, shortest, longest)
        ]
        return f"{text}, and no straight corridor can join them; {shown(start.name)} can be joined to: " + (
            ", ".join(joinable) or "none"
        )


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
        replace(other, direction=turned(other.direction, turn)) if other.room_from in branch else other
        for other in level.corridors
        if other is not corridor
    )
    place = level.corridors.index(corridor)
    return replace(level, rooms=rooms, corridors=(*corridors[:place], changed, *corridors[place:]))


def _carried(coords: Coords, old: Coords, new: Coords, turn: int) -> Coords:
    """A square of the branch after its anchor went from `old` to `new` and it turned about the anchor."""
    x, y = coords[0] - old[0], coords[1] - old[1]
    for _ in range(turn):
        x, y = -y, x
    return new[0] + x, new[1] + y
