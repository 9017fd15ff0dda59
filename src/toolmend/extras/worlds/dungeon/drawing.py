"""The map of a level as text, north up: rooms as boxes, corridors as rows of cells, what they hold as counts.

E counts enemies, T traps, $ treasures. The current room has a double frame, the cells of the current corridor stand
between « and ». Squares that hold nothing take no space. Knows levels; no tools.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len, set_cell_size

from toolmend.extras.worlds.dungeon.level import Corridor, Encounter, Level, Room
from toolmend.extras.worlds.dungeon.places import sides, squares

LEGEND = "E enemies, T traps, $ treasures; double frame or « »: the current place"
_LONGEST_NAME = 20
_ROOM_HEIGHT = 4
_FRAMES = {False: "┌┐└┘─│┴┬├┤", True: "╔╗╚╝═║╧╤╟╢"}
"""Of a room, and of the current one: corners, lines, and doors to the north, south, east and west."""


def drawn(level: Level) -> str:
    """The map and its legend; a sentence where there is nothing yet."""
    if not level.rooms:
        return "(no rooms)"
    cells = {
        square: (corridor, cell)
        for corridor in level.corridors
        for square, cell in zip(squares(level, corridor), corridor.cells, strict=True)
    }
    rooms = {room.coords: room for room in level.rooms}
    widths, heights = dict[int, int](), dict[int, int]()
    for (x, y), room in rooms.items():
        widths[x] = max(widths.get(x, 0), *(cell_len(line) + 4 for line in _caption(room)))
        heights[y] = _ROOM_HEIGHT
    for (x, y), (_, cell) in cells.items():
        widths[x] = max(widths.get(x, 0), cell_len(counts(cell)) + 4)
        heights.setdefault(y, 1)
    lines: list[str] = []
    for y in sorted(heights):
        lines += ["", ""] if lines and y - 1 not in heights else []
        blocks = list[list[str]]()
        for x in sorted(widths):
            blocks += [[" " * 2] * heights[y]] if blocks and x - 1 not in widths else []
            if room := rooms.get((x, y)):  # type: ignore[assignment]
                blocks.append(list(_room(level, room, widths[x])))
            elif (x, y) in cells:
                blocks.append(list(_cell(level, *cells[x, y], widths[x], heights[y])))
            else:
                blocks.append([" " * widths[x]] * heights[y])
        lines += ["".join(parts).rstrip() for parts in zip(*blocks, strict=True)]
    return "\n".join([*lines, LEGEND])


def counts(encounter: Encounter) -> str:
    """What an encounter holds: `2E 1T 1$`."""
    numbers = (len(encounter.enemy), "E"), (len(encounter.trap), "T"), (len(encounter.treasure), "$")
    return " ".join(f"{number}{letter}" for number, letter in numbers if number)


def _room(level: Level, room: Room, width: int) -> Iterator[str]:
    """The four lines of a room, with a door where a corridor begins."""
    nw, ne, sw, se, flat, tall, *doors = tuple(_FRAMES[room.name == level.current])
    joined = sides(level, room)
    north, south, east, west = (
        door if side in joined else wall
        for side, door, wall in zip(("north", "south", "east", "west"), doors, (flat, flat, tall, tall), strict=True)
    )
    before, after = flat * (width // 2 - 1), flat * (width - 2 - width // 2)
    name, held = (_centred(line, width - 2) for line in _caption(room))
    yield from (nw + before + north + after + ne, west + name + east)
    yield from (tall + held + tall, sw + before + south + after + se)


def _cell(level: Level, corridor: Corridor, cell: Encounter, width: int, height: int) -> Iterator[str]:
    """The lines of a cell, its corridor running through them."""
    words, current = counts(cell), corridor.name == level.current
    framed = f"«{words or '·'}»" if current else f"[{words}]" if words else "·"
    if corridor.direction in ("east", "west"):
        yield from (_centred(framed, width, "─") if line == 1 else " " * width for line in range(height))
        return
    for line in range(height):
        text = framed if line == height // 2 else "│"
        yield set_cell_size(" " * (width // 2 - cell_len(text) // 2) + text, width)


def _caption(room: Room) -> tuple[str, str]:
    name = room.name
    if cell_len(name) > _LONGEST_NAME:
        name = f"{set_cell_size(name, _LONGEST_NAME - 1).rstrip()}…"
    return name, counts(room.encounter)


def _centred(text: str, width: int, filling: str = " ") -> str:
    spare = width - cell_len(text)
    return filling * (spare // 2) + text + filling * (spare - spare // 2)
