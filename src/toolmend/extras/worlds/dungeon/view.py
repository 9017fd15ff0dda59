"""The text of a level that a model is shown, with all that a tool needs to be called rightly: coordinates, connections,
the sides where a room fits, the cells of corridors, every number, and attacks.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolmend.extras.worlds.dungeon.level import Encounter, Enemy, Entity, Level, Place, Room, Trap
from toolmend.extras.worlds.dungeon.places import meetings, roomy_sides, sides, squares
from toolmend.extras.worlds.dungeon.rules import ProfileLimits, number


def view_of(level: Level, limits: ProfileLimits) -> str:
    """The level as text, the current place first."""
    if not level.rooms:
        return "The level is empty: there are no rooms and no corridors."
    lines = [f"Current place: {level.current} ({'room' if level.room(level.current) else 'corridor'})", "Rooms:"]
    for room in level.rooms:
        lines += place_lines(level, room, limits)
    lines += ["Corridors:"] if level.corridors else []
    for corridor in level.corridors:
        lines += place_lines(level, corridor, limits)
    return "\n".join(lines)


def place_lines(level: Level, place: Place, limits: ProfileLimits) -> Iterator[str]:
    """The lines of one room or corridor."""
    path = squares(level, place)
    if isinstance(place, Room):
        yield f"- {place.name} {_square(path[0])}: {place.description}"
        yield f"  {_ways(level, place, limits)}"
        yield from _encounter(place.encounter, "  ")
        return
    course = f"{place.direction} from {place.room_from}"
    yield f"- {place.name}: {course}, {place.length} cells, {_square(path[0])} to {_square(path[-1])}"
    for index, encounter in enumerate(place.cells, 1):
        yield from _encounter(encounter, f"  cell {index}: ")


def _ways(level: Level, room: Room, limits: ProfileLimits) -> str:
    joined = [f"{side} to {corridor.beyond(room.name)}" for side, corridor in sides(level, room).items()]
    free = roomy_sides(level, room, limits.new_corridor)
    near = [f"{side} to {met.name} (length {n})" for side, met, n in meetings(level, room, *limits.corridor_length)]
    parts = [f"joined: {', '.join(joined)}"] if joined else []
    parts.append(f"free sides: {', '.join(free) or 'none'}")
    parts += [f"could be joined: {', '.join(near)}"] if near else []
    return "; ".join(parts)


def _encounter(encounter: Encounter, margin: str) -> Iterator[str]:
    for entity in encounter:
        yield f"{margin}{_line(entity)}"
        for attack in entity.attacks if isinstance(entity, Enemy) else ():
            numbers = f"base_dmg {number(attack.base_dmg)}, accuracy {number(attack.accuracy)}"
            positions = f"{attack.starting_positions} to {attack.target_positions}"
            yield f"    attack {attack.name}: {attack.description}; {attack.type}, {positions}, {numbers}"


def _line(entity: Entity) -> str:
    if isinstance(entity, Enemy):
        stats = ", ".join(f"{stat} {number(getattr(entity, stat))}" for stat in ("hp", "dodge", "prot", "spd"))
        return f"enemy {entity.name}: {entity.description}; species {entity.species}; {stats}"
    if isinstance(entity, Trap):
        return f"trap {entity.name}: {entity.description}; effect: {entity.effect}"
    return f"treasure {entity.name}: {entity.description}; loot: {entity.loot}"


def _square(coords: tuple[int, int]) -> str:
    return f"({coords[0]}, {coords[1]})"
