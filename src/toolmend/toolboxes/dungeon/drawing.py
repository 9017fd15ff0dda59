"""The map of a level as text, north up: rooms as boxes, corridors as rows of cells, what they hold as counts.

E counts enemies, T traps, $ treasures. The current room has a double frame, the cells of the current corridor stand
between « and ». Squares that hold nothing take no space. Knows levels; no tools.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from itertools import pairwise

from toolmend.toolboxes.dungeon.level import Coords, Corridor, Direction, Encounter, Level, Room
from toolmend.toolboxes.dungeon.places import sides, squares

LEGEND = "E enemies, T traps, $ treasures; double frame or « »: the current place"
_LONGEST_NAME = 20
_ROOM_HEIGHT = 4
_SINGLE, _DOUBLE = tuple("┌┐└┘─│"), tuple("╔╗╚╝═║")
_SIDES: tuple[Direction, ...] = ("north", "south", "east", "west")
_DOORS = {False: dict(zip(_SIDES, "┴┬├┤", strict=True)), True: dict(zip(_SIDES, "╧╤╟╢", strict=True))}


def drawn(level: Level) -> str:
    """The map and its legend; a sentence where there is nothing yet."""
    if not level.rooms:
        return "(no rooms)"
    return "\n".join([*_Canvas(level).lines(), LEGEND])


def counts(encounter: Encounter) -> str:
    """What an encounter holds: `2E 1T 1$`."""
    numbers = (len(encounter.enemies), "E"), (len(encounter.traps), "T"), (len(encounter.treasures), "$")
    return " ".join(f"{number}{letter}" for number, letter in numbers if number)


class _Canvas:
    """A sheet of characters with a column of its own width for each x, and a row of its own height for each y."""

    def __init__(self, level: Level) -> None:
        self.level = level
        paths = {corridor.name: squares(level, corridor) for corridor in level.corridors}
        taken = [room.coords for room in level.rooms] + [square for path in paths.values() for square in path]
        widths = dict.fromkeys((x for x, _ in taken), 3)
        heights = dict.fromkeys((y for _, y in taken), 1)
        for room in level.rooms:
            x, y = room.coords
            widths[x] = max(widths[x], *(text_width(line) + 4 for line in _caption(room)))
            heights[y] = _ROOM_HEIGHT
        for corridor in level.corridors:
            for (x, _), cell in zip(paths[corridor.name], corridor.cells, strict=True):
                widths[x] = max(widths[x], text_width(counts(cell)) + 4)
        self.columns, self.rows = _origins(widths), _origins(heights)
        self.widths, self.heights = widths, heights
        size = max(self.columns[x] + widths[x] for x in widths), max(self.rows[y] + heights[y] for y in heights)
        self.sheet = [[" "] * size[0] for _ in range(size[1])]
        for room in level.rooms:
            self._room(room)
        for corridor in level.corridors:
            for square, cell in zip(paths[corridor.name], corridor.cells, strict=True):
                self._cell(corridor, square, cell)

    def lines(self) -> list[str]:
        """The sheet, without what is empty at the ends of lines."""
        return ["".join(row).rstrip() for row in self.sheet]

    def _room(self, room: Room) -> None:
        (left, top), width, current = self._origin(room.coords), self.widths[room.coords[0]], self._is_current(room)
        nw, ne, sw, se, flat, tall = _DOUBLE if current else _SINGLE
        self._write(left, top, nw + flat * (width - 2) + ne)
        for line, words in enumerate(_caption(room), 1):
            self._write(left, top + line, tall + _centred(words, width - 2) + tall)
        self._write(left, top + _ROOM_HEIGHT - 1, sw + flat * (width - 2) + se)
        doors = {
            "north": (left + width // 2, top),
            "south": (left + width // 2, top + _ROOM_HEIGHT - 1),
            "east": (left + width - 1, top + 1),
            "west": (left, top + 1),
        }
        for side in sides(self.level, room):
            self._write(*doors[side], _DOORS[current][side])

    def _cell(self, corridor: Corridor, square: Coords, cell: Encounter) -> None:
        (left, top), width, current = self._origin(square), self.widths[square[0]], self._is_current(corridor)
        words = counts(cell) or "·"
        framed = f"«{words}»" if current else f"[{words}]" if words != "·" else words
        if corridor.direction in ("east", "west"):
            self._write(left, top + 1, _centred(framed, width, "─"))
            return
        height = self.heights[square[1]]
        for line in range(height):
            self._write(left + width // 2, top + line, "│")
        self._write(left + width // 2 - text_width(framed) // 2, top + height // 2, framed)

    def _origin(self, square: Coords) -> tuple[int, int]:
        return self.columns[square[0]], self.rows[square[1]]

    def _is_current(self, place: Room | Corridor) -> bool:
        return place.name == self.level.current

    def _write(self, column: int, row: int, text: str) -> None:
        for character, width in _units(text):
            self.sheet[row][column : column + width] = [character, *[""] * (width - 1)]
            column += width


def _origins(sizes: dict[int, int]) -> dict[int, int]:
    """Where each column or row begins; two spaces where squares between them hold nothing."""
    order = sorted(sizes)
    origins = {order[0]: 0}
    for before, here in pairwise(order):
        origins[here] = origins[before] + sizes[before] + (0 if here == before + 1 else 2)
    return origins


def _caption(room: Room) -> tuple[str, str]:
    return cut(room.name), counts(room.encounter)


def cut(name: str) -> str:
    """The name, or as much of it as the map has room for."""
    if text_width(name) <= _LONGEST_NAME:
        return name
    kept, total = "", 0
    for unit, width in _units(name):
        total += width
        if total >= _LONGEST_NAME:
            break
        kept += unit
    return f"{kept.rstrip()}…"


def _centred(text: str, width: int, filling: str = " ") -> str:
    spare = width - text_width(text)
    return filling * (spare // 2) + text + filling * (spare - spare // 2)


def text_width(text: str) -> int:
    """How many columns it takes in a font of equal widths."""
    return sum(width for _, width in _units(text))


def _units(text: str) -> Iterable[tuple[str, int]]:
    """Characters with the columns that they take; what combines stays with the character before it."""
    units: list[tuple[str, int]] = []
    for character in text:
        if units and unicodedata.category(character) in ("Mn", "Me", "Cf"):
            units[-1] = (units[-1][0] + character, units[-1][1])
        else:
            units.append((character, 2 if unicodedata.east_asian_width(character) in "WF" else 1))
    return units
