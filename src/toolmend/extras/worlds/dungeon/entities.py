"""The tools that put enemies, treasures and traps into rooms and corridors, change them and take them out.

An updated enemy keeps its attacks, which the published domain drops.
"""

from __future__ import annotations

from toolmend.base.errors import ToolError
from toolmend.extras.worlds.dungeon.level import Corridor, Enemy, Entity, EntityType, Place, Trap, Treasure, kind_of
from toolmend.extras.worlds.dungeon.world import World, a, where
from toolmend.tools import tool
from toolmend.tools.texts import folded, shown


class EntityTools(World):
    """Adding, updating and removing enemies, treasures and traps."""

    @tool
    def add_enemy(
        self,
        room_name: str,
        name: str,
        description: str,
        species: str,
        hp: float,
        dodge: float,
        prot: float,
        spd: float,
        cell_index: int,
    ) -> str:
        """Add an enemy to a room or to a cell of a corridor.

        Args:
            room_name: the room or corridor that it is put in
            name: the name of the enemy, which no other enemy there has
            description: what the enemy looks like
            species: what kind of being it is
            hp: its hit points
            dodge: how well it dodges
            prot: how well it is protected
            spd: how fast it is
            cell_index: -1 in a room, else the number of the corridor's cell, from 1
        """
        return self._add(room_name, cell_index, Enemy(name, description, species, hp, dodge, prot, spd))

    @tool
    def add_treasure(self, room_name: str, name: str, description: str, loot: str, cell_index: int) -> str:
        """Add a treasure to a room or to a cell of a corridor.

        Args:
            room_name: the room or corridor that it is put in
            name: the name of the treasure, such as that of a chest
            description: what it looks like
            loot: what is in it
            cell_index: -1 in a room, else the number of the corridor's cell, from 1
        """
        return self._add(room_name, cell_index, Treasure(name, description, loot))

    @tool
    def add_trap(self, corridor_name: str, name: str, description: str, effect: str, cell_index: int) -> str:
        """Add a trap to a cell of a corridor; rooms cannot have traps.

        Args:
            corridor_name: the corridor that it is put in, as room-room
            name: the name of the trap
            description: what it looks like
            effect: what it does to those who step in it
            cell_index: the number of the corridor's cell, from 1
        """
        return self._add(corridor_name, cell_index, Trap(name, description, effect))

    @tool
    def update_enemy_properties(
        self,
        room_name: str,
        reference_name: str,
        name: str,
        description: str,
        species: str,
        hp: float,
        dodge: float,
        prot: float,
        spd: float,
        cell_index: int,
    ) -> str:
        """Change an enemy; give what stays as it is again. It keeps its attacks.

        Args:
            room_name: the room or corridor that it is in
            reference_name: the name of the enemy so far
            name: its name from now on
            description: what it looks like from now on
            species: what kind of being it is from now on
            hp: its hit points from now on
            dodge: how well it dodges from now on
            prot: how well it is protected from now on
            spd: how fast it is from now on
            cell_index: -1 in a room, else the number of the corridor's cell, from 1
        """
        place = self._place(room_name)
        old = self._enemy(place, cell_index, reference_name)
        new = Enemy(name, description, species, hp, dodge, prot, spd, old.attacks)
        return self._update(place, cell_index, old, new)

    @tool
    def update_treasure_properties(
        self, room_name: str, reference_name: str, name: str, description: str, loot: str, cell_index: int
    ) -> str:
        """Change a treasure; give what stays as it is again.

        Args:
            room_name: the room or corridor that it is in
            reference_name: the name of the treasure so far
            name: its name from now on
            description: what it looks like from now on
            loot: what is in it from now on
            cell_index: -1 in a room, else the number of the corridor's cell, from 1
        """
        place = self._place(room_name)
        old = self._entity(place, cell_index, "treasure", reference_name)
        return self._update(place, cell_index, old, Treasure(name, description, loot))

    @tool
    def update_trap_properties(
        self, corridor_name: str, reference_name: str, name: str, description: str, effect: str, cell_index: int
    ) -> str:
        """Change a trap; give what stays as it is again.

        Args:
            corridor_name: the corridor that it is in, as room-room
            reference_name: the name of the trap so far
            name: its name from now on
            description: what it looks like from now on
            effect: what it does from now on
            cell_index: the number of the corridor's cell, from 1
        """
        place = self._place(corridor_name)
        self._takes(place, "trap")
        old = self._entity(place, cell_index, "trap", reference_name)
        return self._update(place, cell_index, old, Trap(name, description, effect))

    @tool
    def remove_entity(self, room_name: str, entity_name: str, entity_type: EntityType, cell_index: int) -> str:
        """Remove an enemy, a trap or a treasure.

        Args:
            room_name: the room or corridor that it is in
            entity_name: the name of the enemy, trap or treasure
            entity_type: which of the three it is
            cell_index: -1 in a room, else the number of the corridor's cell, from 1
        """
        place = self._place(room_name)
        gone = self._entity(place, cell_index, entity_type, entity_name)
        self._put(place, cell_index, None, gone)
        return f"removed the {entity_type} {shown(gone.name)} from {where(place, cell_index)}"

    def _add(self, place_name: str, cell_index: int, entity: Entity) -> str:
        place, kind, entity = self._place(place_name), kind_of(entity), self.limits.fitted(entity)
        self._takes(place, kind)
        encounter = place.cells[self._index(place, cell_index)]
        there, most = encounter.of(kind), self.limits.most(kind)
        if encounter.find(kind, entity.name):
            raise ToolError(_taken(entity, where(place, cell_index)))
        if len(there) >= most:
            holds = f"{where(place, cell_index)} holds {', '.join(shown(other.name) for other in there)}"
            raise ToolError(f"{holds}; at most {most} of kind {kind} fit; {self._room_left(place, kind)}")
        self._put(place, cell_index, entity)
        return f"added the {kind} {shown(entity.name)} to {where(place, cell_index)}"

    def _update(self, place: Place, cell_index: int, old: Entity, new: Entity) -> str:
        encounter, kind, new = place.cells[self._index(place, cell_index)], kind_of(new), self.limits.fitted(new)
        if folded(new.name) != folded(old.name) and encounter.find(kind, new.name):
            raise ToolError(_taken(new, where(place, cell_index)))
        self._put(place, cell_index, new, old)
        return f"updated the {kind} {shown(new.name)} in {where(place, cell_index)}"

    def _takes(self, place: Place, kind: EntityType) -> None:
        """Refuse a trap in a room."""
        if kind == "trap" and not isinstance(place, Corridor):
            names = ", ".join(shown(corridor.name) for corridor in self.level.corridors) or "none yet"
            raise ToolError(f"traps go into corridors only, and {shown(place.name)} is a room; corridors: {names}")

    def _room_left(self, place: Place, kind: EntityType) -> str:
        """Which cells of the place can take another one, for a refusal."""
        most = self.limits.most(kind)
        free = [str(number) for number, cell in enumerate(place.cells, 1) if len(cell.of(kind)) < most]
        if isinstance(place, Corridor) and free:
            return f"with space: cell {' and '.join(free)}"
        return "remove one first, or choose another place"


def _taken(entity: Entity, spot: str) -> str:
    return f"there is {a(kind_of(entity))} {shown(entity.name)} in {spot} already; choose another name"
