"""The tools that create, change and remove rooms.

Removing a room takes its corridors along, with what they hold: the published domain leaves them, and stale connections,
behind. Rooms that are no longer joined to the others stay. For the first room, which is joined to none, room_from and
direction may be left out; the published schema requires them always.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from toolmend.base.errors import ToolError
from toolmend.extras.worlds.dungeon.level import Corridor, Direction, Encounter, Level, Room
from toolmend.extras.worlds.dungeon.places import DIRECTIONS, away, roomy_sides
from toolmend.extras.worlds.dungeon.world import LISTED, World
from toolmend.tools import tool
from toolmend.tools.texts import shown


class RoomTools(World):
    """Creating, updating and removing rooms."""

    @tool
    def create_room(
        self,
        name: str,
        description: str,
        room_from: str = "",
        direction: Literal["north", "south", "east", "west", ""] = "",
    ) -> str:
        """Create a room, joined by a new corridor to a room that is there.

        Args:
            name: the name of the new room, which no other room has
            description: what the room looks like
            room_from: the room that it is joined to; leave it out for the first room of all
            direction: on which side of room_from the new room lies; leave it out for the first room of all
        """
        room = self.limits.fitted(Room(name, description, (0, 0)))
        name = room.name
        self._free_name(name)
        if not self.level.rooms:
            if room_from.strip():
                raise ToolError(f"there is no room yet, so none is called {shown(room_from)}: leave room_from empty")
            self._become(Level((room,), current=name))
            return f"created the first room {shown(name)}"
        start, side = self._start_of_new(room_from, direction)
        room = replace(room, coords=away(start.coords, side, self.limits.new_corridor + 1))
        corridor = Corridor(start.name, name, side, (Encounter(),) * self.limits.new_corridor)
        if other := self.level.place(corridor.name):
            raise ToolError(f"its corridor would have the name of {shown(other.name)}; choose another name")
        level = self.level
        self._become(Level((*level.rooms, room), (*level.corridors, corridor), name))
        return (
            f"created the room {shown(name)}, {side} of {shown(start.name)}, with the corridor {shown(corridor.name)}"
        )

    @tool
    def remove_room(self, name: str) -> str:
        """Remove a room with all it holds, and its corridors.

        Args:
            name: the name of the room
        """
        room, level = self._room(name), self.level
        gone = [corridor for corridor in level.corridors if corridor.joins(room.name)]
        rooms = tuple(other for other in level.rooms if other is not room)
        corridors = tuple(corridor for corridor in level.corridors if corridor not in gone)
        self._become(Level(rooms, corridors, rooms[0].name if rooms else ""))
        names = ", ".join(shown(corridor.name) for corridor in gone)
        return f"removed the room {shown(room.name)}{f' with its corridors: {names}' if gone else ''}"

    @tool
    def update_room(self, room_reference_name: str, name: str, description: str) -> str:
        """Change the name and the description of a room; give what stays as it is again.

        Args:
            room_reference_name: the name of the room so far
            name: its name from now on
            description: its description from now on
        """
        old, level = self._room(room_reference_name), self.level
        new = self.limits.fitted(replace(old, name=name, description=description))
        self._free_name(new.name, but=old)
        ends = {old.name: new.name}
        corridors = tuple(
            replace(way, room_from=ends.get(way.room_from, way.room_from), room_to=ends.get(way.room_to, way.room_to))
            for way in level.corridors
        )
        names = {before.name: after.name for before, after in zip(level.corridors, corridors, strict=True)}
        names[old.name] = new.name
        moved = level.replacing(old, new)
        level = Level(moved.rooms, corridors, names.get(level.current, level.current))
        for corridor in corridors:
            if level.place(corridor.name) is not corridor:
                raise ToolError(f"two places would be called {shown(corridor.name)}; choose another name")
        self._become(level)
        return f"updated the room {shown(new.name)}"

    def _start_of_new(self, room_from: str, direction: str) -> tuple[Room, Direction]:
        """The room that a new one is joined to, and the side of it: without a corridor, and with space."""
        side = next((known for known in DIRECTIONS if known == direction), None)
        if not room_from.strip() or side is None:
            raise ToolError(f"a new room needs room_from and direction, to join it; {self._free_anywhere()}")
        if not self.limits.rooms_from_corridors and self.level.room(self.level.current) is None:
            raise ToolError(
                f"no room can be created while the current place is a corridor ({shown(self.level.current)}); "
                "add or change something in a room first"
            )
        start = self._room(room_from)
        self._side_is_open(start, side)
        free = roomy_sides(self.level, start, self.limits.new_corridor)
        if side not in free:
            raise ToolError(f"there is no space {side} of {start.name}; with space: {', '.join(free) or 'none'}")
        return start, side

    def _free_anywhere(self) -> str:
        """Which rooms have which sides free, for a refusal."""
        sides = {room.name: roomy_sides(self.level, room, self.limits.new_corridor) for room in self.level.rooms}
        with_space = [f"{shown(name)} ({', '.join(free)})" for name, free in sides.items() if free]
        more = f" and {len(with_space) - LISTED} more" if len(with_space) > LISTED else ""
        return f"free sides: {', '.join(with_space[:LISTED]) or 'none'}{more}"
