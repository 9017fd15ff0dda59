"""The dungeon of Freyr's experiment: a level of rooms, corridors, enemies, traps and treasures, and sixteen tools.

It is rebuilt from facts about the published domain, in whose public version four of the sixteen tools are dead. Here
all work, and any call can be taken back. What a level is stands in level.py, what is allowed in rules.py, where
things lie in places.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from toolmend.base.errors import UnknownName
from toolmend.base.messages import ToolSpec
from toolmend.extras.worlds.dungeon.attacks import AttackTools
from toolmend.extras.worlds.dungeon.corridors import CorridorTools
from toolmend.extras.worlds.dungeon.entities import EntityTools
from toolmend.extras.worlds.dungeon.level import IN_ROOM, KINDS, Corridor, Level, kind_of
from toolmend.extras.worlds.dungeon.rooms import RoomTools
from toolmend.extras.worlds.dungeon.rules import PROFILES, span_text
from toolmend.extras.worlds.dungeon.view import place_lines, view_of

_POSITIONS = "^[XO]{4}$"
_NAMED: Mapping[str, Mapping[str, str]] = {
    "remove_room": {"name": "room"},
    "update_room": {"room_reference_name": "room"},
    "create_room": {"room_from": "room"},
    "add_corridor": {"room_from_name": "room", "room_to_name": "room"},
    "update_corridor": {"room_from_name": "room", "room_to_name": "room"},
    "remove_corridor": {"corridor": "corridor"},
    "add_enemy": {"room_name": "place"},
    "add_treasure": {"room_name": "place"},
    "add_trap": {"corridor_name": "place"},
    "update_enemy_properties": {"room_name": "place", "reference_name": "enemy"},
    "update_treasure_properties": {"room_name": "place", "reference_name": "treasure"},
    "update_trap_properties": {"corridor_name": "place", "reference_name": "trap"},
    "remove_entity": {"entity": "entity"},
}


class Dungeon(AttackTools, EntityTools, CorridorTools, RoomTools):  # a toolbox lists the tools of the last base first
    """A dungeon and its sixteen tools, under the limits of a profile: `published` or `cases`.

    >>> dungeon = Dungeon()
    >>> dungeon.create_room("Swamp Room", "A room in a swamp")
    "created the first room 'Swamp Room'"
    >>> print(dungeon.view())
    Current place: Swamp Room (room)
    Rooms:
    - Swamp Room (0, 0): A room in a swamp
      free sides: north, south, east, west
    """

    def __init__(self, level: Level | None = None, *, limits: str = "published") -> None:
        if limits not in PROFILES:
            raise UnknownName("profile of limits", limits, PROFILES)
        super().__init__(level, PROFILES[limits])

    named = _NAMED

    def things(self) -> dict[str, list[dict[str, Any]]]:
        """Rooms, corridors, and what is in them."""
        level = self.level
        entities = [
            {
                "entity_name": entity.name,
                "room_name": place.name,
                "entity_type": kind_of(entity),
                "cell_index": number if isinstance(place, Corridor) else IN_ROOM,
            }
            for place in level.places
            for number, cell in enumerate(place.cells, 1)
            for entity in cell
        ]
        return {
            "room": [{"name": room.name} for room in level.rooms],
            "corridor": [
                {"room_from_name": corridor.room_from, "room_to_name": corridor.room_to} for corridor in level.corridors
            ],
            "place": [{"name": place.name} for place in level.places],
            "entity": entities,
            **{kind: [entity for entity in entities if entity["entity_type"] == kind] for kind in KINDS},
        }

    def as_shown(self, spec: ToolSpec) -> ToolSpec:
        """The tool with the limits of this dungeon in its schema."""
        properties = {name: self._limited(name, schema) for name, schema in spec.properties.items()}
        return replace(spec, parameters={**spec.parameters, "properties": properties})

    def state(self) -> dict[str, Any]:
        """The level as JSON-able data (its shape: files.py); equal for equal levels."""
        from toolmend.extras.worlds.dungeon.files import write_level

        return write_level(self.level)

    def set_state(self, data: Mapping[str, Any]) -> None:
        """Become the level that `state` gave. Raises BadFile, the level unchanged, for one that cannot be here."""
        from toolmend.extras.worlds.dungeon.files import read_level

        self.level = read_level(data, self.limits)

    def view(self) -> str:
        """The level as text for a model."""
        return view_of(self.level, self.limits)

    def drawing(self) -> str:
        """The map as text, in a font of equal widths."""
        from toolmend.extras.worlds.dungeon.drawing import drawn

        return drawn(self.level)

    def __str__(self) -> str:
        """The map, and below it the current place with what it holds."""
        place = self.level.place(self.level.current)
        return "\n".join([self.drawing(), *(place_lines(self.level, place, self.limits) if place else ())])

    def _limited(self, name: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """The schema of a parameter with its limits."""
        if span := self.limits.spans().get(name):
            allowed = self.limits.damage_text() if name == "base_dmg" else span_text(span)
            text = f"{schema['description']}, {allowed}"
            return {**schema, "description": text, "minimum": span[0], "maximum": span[1]}
        if name == "cell_index":
            return {**schema, "minimum": -1, "maximum": self.limits.corridor_length[1]}
        return {**schema, "pattern": _POSITIONS} if name.endswith("_positions") else schema


def cases() -> Dungeon:
    """An empty dungeon under the limits of the published test cases."""
    return Dungeon(limits="cases")
