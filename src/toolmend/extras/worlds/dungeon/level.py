"""The values a dungeon is made of: a level of rooms and corridors, what they hold, and how enemies attack.

All frozen, so that snapshots share what did not change. They know no limits and no geometry: rules.py checks them,
places.py says where they lie. The words are those of the published domain (facts, not text, of LLMaker's).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from toolmend.tools.texts import folded

Direction = Literal["north", "south", "east", "west"]
EntityType = Literal["enemy", "trap", "treasure"]
AttackType = Literal["damage", "heal"]
Coords = tuple[int, int]

KINDS: tuple[EntityType, ...] = ("enemy", "trap", "treasure")
IN_ROOM = -1
"""The cell_index of a room, which has no cells."""


@dataclass(frozen=True, slots=True)
class Attack:
    """What an enemy can do. Positions are four characters, X where it may stand or reach and O where not."""

    name: str
    description: str
    type: AttackType
    starting_positions: str
    target_positions: str
    base_dmg: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class Enemy:
    """An enemy: `prot` is protection, `spd` speed; `hp` counts hit points, the others are shares."""

    name: str
    description: str
    species: str
    hp: float
    dodge: float
    prot: float
    spd: float
    attacks: tuple[Attack, ...] = ()


@dataclass(frozen=True, slots=True)
class Trap:
    """A trap, in a cell of a corridor."""

    name: str
    description: str
    effect: str


@dataclass(frozen=True, slots=True)
class Treasure:
    """A treasure, in a room or in a cell of a corridor."""

    name: str
    description: str
    loot: str


Entity = Enemy | Trap | Treasure
_KIND_OF: dict[type[Entity], EntityType] = {Enemy: "enemy", Trap: "trap", Treasure: "treasure"}


def kind_of(entity: Entity) -> EntityType:
    """What kind of entity it is."""
    return _KIND_OF[type(entity)]


@dataclass(frozen=True, slots=True)
class Encounter:
    """What waits in one room, or in one cell of a corridor, by kind."""

    enemy: tuple[Enemy, ...] = ()
    trap: tuple[Trap, ...] = ()
    treasure: tuple[Treasure, ...] = ()

    def of(self, kind: EntityType) -> tuple[Entity, ...]:
        """The entities of one kind."""
        entities: tuple[Entity, ...] = getattr(self, kind)
        return entities

    def find(self, kind: EntityType, name: str) -> Entity | None:
        """The entity of that kind and name, or None."""
        return next((entity for entity in self.of(kind) if folded(entity.name) == folded(name)), None)

    def putting(self, entity: Entity | None, old: Entity | None = None) -> Encounter:
        """The same with an entity in the place of an old one, or as the last of its kind; without the old one for
        None."""
        kind, new = kind_of(entity or old), () if entity is None else (entity,)  # type: ignore[arg-type]
        others = self.of(kind)
        place = next((at for at, other in enumerate(others) if other is old), len(others))
        return replace(self, **{kind: (*others[:place], *new, *others[place + 1 :])})

    def __iter__(self) -> Iterator[Entity]:
        """All of them: enemies, traps, treasures."""
        for kind in KINDS:
            yield from self.of(kind)


@dataclass(frozen=True, slots=True)
class Room:
    """A room on one square of the map. North is up: y grows to the south, x to the east."""

    name: str
    description: str
    coords: Coords
    encounter: Encounter = Encounter()

    @property
    def cells(self) -> tuple[Encounter, ...]:
        """Its one encounter, as corridors have theirs."""
        return (self.encounter,)


@dataclass(frozen=True, slots=True)
class Corridor:
    """A corridor from the side `direction` of one room to another; its cells count from `room_from`, one a square."""

    room_from: str
    room_to: str
    direction: Direction
    cells: tuple[Encounter, ...]

    @property
    def name(self) -> str:
        """Both rooms, with a hyphen between."""
        return f"{self.room_from}-{self.room_to}"

    @property
    def length(self) -> int:
        """How many cells."""
        return len(self.cells)

    def joins(self, room: str) -> bool:
        """Whether it begins or ends in the room of exactly that name."""
        return room in (self.room_from, self.room_to)

    def beyond(self, room: str) -> str:
        """The name of the room at its other end."""
        return self.room_to if room == self.room_from else self.room_from


Place = Room | Corridor


@dataclass(frozen=True, slots=True)
class Level:
    """A whole dungeon. `current` names the room or corridor that was edited last; "" while there is none.

    Names are found as people mean them: letter case and repeated white space do not count.
    """

    rooms: tuple[Room, ...] = ()
    corridors: tuple[Corridor, ...] = ()
    current: str = ""

    @property
    def places(self) -> tuple[Place, ...]:
        """Every room, then every corridor."""
        return (*self.rooms, *self.corridors)

    def room(self, name: str) -> Room | None:
        """The room of that name, or None."""
        return next((room for room in self.rooms if folded(room.name) == folded(name)), None)

    def corridor(self, one: str, other: str) -> Corridor | None:
        """The corridor between two rooms, in whatever order they are named, or None."""
        ends = {folded(one), folded(other)}
        return next(
            (corridor for corridor in self.corridors if {folded(corridor.room_from), folded(corridor.room_to)} == ends),
            None,
        )

    def place(self, name: str) -> Place | None:
        """The room or corridor of that name, or None; a corridor may be named from its other end."""
        wanted = folded(name)
        exact = next((place for place in self.places if folded(place.name) == wanted), None)
        turned = (
            corridor for corridor in self.corridors if folded(f"{corridor.room_to}-{corridor.room_from}") == wanted
        )
        return exact or next(turned, None)

    def replacing(self, old: Place, new: Place) -> Level:
        """The same with another room or corridor in the place of one; the names elsewhere stay as they are."""
        if isinstance(new, Room):
            return replace(self, rooms=tuple(new if room is old else room for room in self.rooms))
        return replace(self, corridors=tuple(new if corridor is old else corridor for corridor in self.corridors))


def with_cell(place: Place, index: int, encounter: Encounter) -> Place:
    """The place with another encounter in one cell; `index` counts from 0 and is 0 in a room."""
    if isinstance(place, Room):
        return replace(place, encounter=encounter)
    return replace(place, cells=(*place.cells[:index], encounter, *place.cells[index + 1 :]))
