"""The map of a level as an SVG picture, north up. It needs no other file and follows the light or dark of the page.

Enemies are circles, traps triangles, treasures diamonds, each with its count; the current place has a strong frame.
Pointing at a room or cell tells what it holds. Names are cut as on the text map. Knows levels; no tools.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import pairwise

from toolmend.toolboxes.dungeon.drawing import cut, text_width
from toolmend.toolboxes.dungeon.level import KINDS, Coords, Corridor, Encounter, EntityType, Level, Room
from toolmend.toolboxes.dungeon.places import squares
from toolmend.toolboxes.dungeon.view import entity_line

_MARGIN = 16
_ICON = 22
_CELL = 32
_ROOM_HEIGHT = 68
_NARROWEST_ROOM = 96
_CHARACTER = 8.4
_LEGEND_HEIGHT = 28
_GAP = 24

_STYLE = """
 .dungeon-map { --paper: #ffffff; --room: #f4f1ea; --cell: #ece7db; --line: #8a8272; --ink: #26221a; --now: #1f6feb;
  --enemy: #b3261e; --trap: #8f5a00; --treasure: #2e6b34; --count: #ffffff }
 @media (prefers-color-scheme: dark) { .dungeon-map { --paper: #16181c; --room: #24272e; --cell: #1d2026;
  --line: #6f7683; --ink: #e8e6e1; --now: #6cb0ff;
  --enemy: #ff8a80; --trap: #f5c04d; --treasure: #7fd48a;
  --count: #16181c } }
 .dungeon-map .paper { fill: var(--paper) }
 .dungeon-map .room { fill: var(--room); stroke: var(--line) }
 .dungeon-map .cell { fill: var(--cell); stroke: var(--line) }
 .dungeon-map .now { stroke: var(--now); stroke-width: 3 }
 .dungeon-map .enemy { fill: var(--enemy) }
 .dungeon-map .trap { fill: var(--trap) }
 .dungeon-map .treasure { fill: var(--treasure) }
 .dungeon-map text { font: 13px system-ui, sans-serif; fill: var(--ink) }
 .dungeon-map .name { font-weight: 600; text-anchor: middle }
 .dungeon-map .count { font-size: 11px; font-weight: 700; fill: var(--count); text-anchor: middle }
"""
_SHAPES: dict[EntityType, str] = {
    "enemy": '<circle class="enemy" r="9"/>',
    "trap": '<path class="trap" d="M0-10 11 9H-11Z"/>',
    "treasure": '<path class="treasure" d="M0-11 11 0 0 11-11 0Z"/>',
}
_LEGEND: tuple[tuple[EntityType, str], ...] = (("enemy", "enemies"), ("trap", "traps"), ("treasure", "treasures"))


def svg_of(level: Level) -> str:
    """The picture as SVG text."""
    return _Sheet(level).text()


class _Sheet:
    """The level laid out: where each column and row of squares begins, and how large it is, in pixels."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.paths = {corridor.name: squares(level, corridor) for corridor in level.corridors}
        widths, heights = dict[int, int](), dict[int, int]()
        for room in level.rooms:
            need = max(_NARROWEST_ROOM, round(text_width(cut(room.name)) * _CHARACTER) + 24)
            _enlarge(widths, room.coords[0], need)
            _enlarge(heights, room.coords[1], _ROOM_HEIGHT)
        for corridor in level.corridors:
            for (x, y), cell in zip(self.paths[corridor.name], corridor.cells, strict=True):
                _enlarge(widths, x, _cell_width(cell))
                _enlarge(heights, y, _CELL)
        self.widths, self.heights = widths, heights
        self.columns, self.rows = _origins(widths), _origins(heights)
        right = max((self.columns[x] + widths[x] for x in widths), default=_MARGIN)
        self.bottom = max((self.rows[y] + heights[y] for y in heights), default=_MARGIN)
        self.width, self.height = max(right + _MARGIN, 460), self.bottom + _LEGEND_HEIGHT + _MARGIN

    def text(self) -> str:
        """The whole picture."""
        size = f'width="{self.width}" height="{self.height}" viewBox="0 0 {self.width} {self.height}"'
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="dungeon-map" {size} role="img">',
            f"<title>{escape(self._title())}</title><style>{_STYLE}</style>",
            '<rect class="paper" width="100%" height="100%"/>',
        ]
        for corridor in self.level.corridors:
            parts += self._corridor(corridor)
        parts += [self._room(room) for room in sorted(self.level.rooms, key=self._is_current)]
        parts += self._legend()
        return "\n".join([*parts, "</svg>\n"])

    def _title(self) -> str:
        rooms, corridors = len(self.level.rooms), len(self.level.corridors)
        return f"Dungeon: rooms {rooms}, corridors {corridors}, current place {self.level.current or 'none'}"

    def _room(self, room: Room) -> str:
        x, y, width, height = self._box(room.coords)
        shape = f'<rect class="room{self._now(room)}" x="{x}" y="{y}" width="{width}" height="{height}" rx="8"/>'
        name = f'<text class="name" x="{x + width / 2:g}" y="{y + 27}">{escape(cut(room.name))}</text>'
        icons = _icons(room.encounter, x + width / 2, y + 48)
        about = "\n".join([f"{room.name}: {room.description}", *map(entity_line, room.encounter)])
        return f"<g><title>{escape(about)}</title>{shape}{name}{icons}</g>"

    def _corridor(self, corridor: Corridor) -> Iterator[str]:
        along = corridor.direction in ("east", "west")
        widest = max(map(_cell_width, corridor.cells))
        for number, cell in enumerate(corridor.cells, 1):
            x, y, width, height = self._box(self.paths[corridor.name][number - 1])
            if along:
                y, height = y + (height - _CELL) // 2, _CELL
            else:
                x, width = x + (width - widest) // 2, widest
            box = f'x="{x}" y="{y}" width="{width}" height="{height}"'
            about = "\n".join([f"{corridor.name}, cell {number}", *map(entity_line, cell)])
            icons = _icons(cell, x + width / 2, y + height / 2)
            yield f'<g><title>{escape(about)}</title><rect class="cell{self._now(corridor)}" {box}/>{icons}</g>'

    def _legend(self) -> Iterator[str]:
        y = self.bottom + _LEGEND_HEIGHT - 6
        for place, (kind, words) in enumerate(_LEGEND):
            x = _MARGIN + 12 + place * 105
            yield f'<g transform="translate({x} {y})">{_SHAPES[kind]}<text x="17" y="5">{words}</text></g>'
        x = _MARGIN + 3 * 105
        yield f'<rect class="room now" x="{x}" y="{y - 9}" width="22" height="18" rx="4"/>'
        yield f'<text x="{x + 30}" y="{y + 5}">current place</text>'

    def _box(self, square: Coords) -> tuple[int, int, int, int]:
        x, y = square
        return self.columns[x], self.rows[y], self.widths[x], self.heights[y]

    def _is_current(self, place: Room | Corridor) -> bool:
        return place.name == self.level.current

    def _now(self, place: Room | Corridor) -> str:
        return " now" if self._is_current(place) else ""


def _icons(encounter: Encounter, x: float, y: float) -> str:
    """A shape with a count for each kind that is there, side by side about a point."""
    there = [(kind, len(encounter.of(kind))) for kind in KINDS if encounter.of(kind)]
    left = x - _ICON * (len(there) - 1) / 2
    return "".join(
        f'<g transform="translate({left + _ICON * place:g} {y:g})">{_SHAPES[kind]}'
        f'<text class="count" y="{7 if kind == "trap" else 4}">{count}</text></g>'
        for place, (kind, count) in enumerate(there)
    )


def _cell_width(cell: Encounter) -> int:
    return max(_CELL, _ICON * sum(bool(cell.of(kind)) for kind in KINDS) + 10)


def _enlarge(sizes: dict[int, int], key: int, size: int) -> None:
    sizes[key] = max(sizes.get(key, 0), size)


def _origins(sizes: dict[int, int]) -> dict[int, int]:
    """Where each column or row begins; a gap where squares between them hold nothing."""
    order = sorted(sizes)
    origins = dict.fromkeys(order[:1], _MARGIN)
    for before, here in pairwise(order):
        origins[here] = origins[before] + sizes[before] + (0 if here == before + 1 else _GAP)
    return origins
