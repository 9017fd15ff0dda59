"""The text of a level that a model is shown: everything a tool asks for, or what the published work showed.

`full` says what each tool needs to be called rightly: coordinates, connections, the sides where a room fits, the cells
of corridors, every number, and attacks. `published` leaves out what Freyr's prompts left out: coordinates,
directions, free sides and attacks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from toolmend.toolboxes.dungeon.level import Attack, Corridor, Encounter, Enemy, Entity, Level, Place, Room, Trap
from toolmend.toolboxes.dungeon.places import meetings, roomy_sides, sides, squares
from toolmend.toolboxes.dungeon.rules import Limits, number

Style = Literal["full", "published"]


def view_of(level: Level, limits: Limits, style: Style = "full") -> str:
    """The level as text, the current place first."""
    if not level.rooms:
        return "The level is empty: there are no rooms and no corridors."
    full = style == "full"
    lines = [f"Current place: {level.current} ({'room' if level.room(level.current) else 'corridor'})", "Rooms:"]
    for room in level.rooms:
        lines += place_lines(level, room, limits, full)
    lines += ["Corridors:"] if level.corridors else []
    for corridor in level.corridors:
        lines += place_lines(level, corridor, limits, full)
    return "\n".join(lines)


def place_lines(level: Level, place: Place, limits: Limits, full: bool = True) -> Iterator[str]:
    """The lines of one room or corridor."""
    if isinstance(place, Room):
        yield f"- {place.name}{f' {_square(place.coords)}' if full else ''}: {place.description}"
        if full:
            yield f"  {_ways(level, place, limits)}"
    else:
        yield _corridor(level, place) if full else f"- {place.name}: {place.length} cells"
    for index, encounter in enumerate(place.cells, 1):
        yield from _encounter(encounter, "  " if isinstance(place, Room) else f"  cell {index}: ", full)


def _ways(level: Level, room: Room, limits: Limits) -> str:
    joined = [f"{side} to {corridor.beyond(room.name)}" for side, corridor in sides(level, room).items()]
    free = roomy_sides(level, room, limits.new_corridor)
    near = [f"{side} to {met.name} (length {n})" for side, met, n in meetings(level, room, *limits.corridor_length)]
    parts = [f"joined: {', '.join(joined)}"] if joined else []
    parts.append(f"free sides: {', '.join(free) or 'none'}")
    parts += [f"could be joined: {', '.join(near)}"] if near else []
    return "; ".join(parts)


def _corridor(level: Level, corridor: Corridor) -> str:
    path = squares(level, corridor)
    course = f"{corridor.direction} from {corridor.room_from}"
    return f"- {corridor.name}: {course}, {corridor.length} cells, {_square(path[0])} to {_square(path[-1])}"


def _encounter(encounter: Encounter, margin: str, full: bool) -> Iterator[str]:
    for entity in encounter:
        yield margin + entity_line(entity)
        if full and isinstance(entity, Enemy):
            for attack in entity.attacks:
                yield f"{margin if margin.isspace() else '  '}  attack {_attack(attack)}"


def entity_line(entity: Entity) -> str:
    """One entity as a line, without its attacks."""
    if isinstance(entity, Enemy):
        stats = ", ".join(f"{stat} {number(getattr(entity, stat))}" for stat in ("hp", "dodge", "prot", "spd"))
        return f"enemy {entity.name}: {entity.description}; species {entity.species}; {stats}"
    if isinstance(entity, Trap):
        return f"trap {entity.name}: {entity.description}; effect: {entity.effect}"
    return f"treasure {entity.name}: {entity.description}; loot: {entity.loot}"


def _attack(attack: Attack) -> str:
    numbers = f"base_dmg {number(attack.base_dmg)}, accuracy {number(attack.accuracy)}"
    positions = f"{attack.starting_positions} to {attack.target_positions}"
    return f"{attack.name}: {attack.description}; {attack.type}, {positions}, {numbers}"


def _square(coords: tuple[int, int]) -> str:
    return f"({coords[0]}, {coords[1]})"
