"""A world beside a talk: what a toolbox holds, as rows, and what a turn changed in it. Knows toolboxes, and no talk."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from difflib import SequenceMatcher
from typing import Any

from toolmend.extras.arena.views import WorldRow, WorldView
from toolmend.language.resolve.parameters import typed
from toolmend.tools import Toolbox

_SHORT = {"seconds": "s", "minutes": "min", "hours": "h"}
_FIRST = ("date", "time")  # columns that stand first, wherever a world has them
_MOST_ROWS = 500


def looked_at(box: Toolbox, toolbox: str, before: WorldView | None = None) -> WorldView:
    """The world as it is now; with `before`, what has changed since stands in it."""
    state = box.state()
    table = _table(state, _units(box))
    columns, cells = ((), [(line,) for line in _text(box, state).splitlines()]) if table is None else table
    rows = [tuple(row) for row in cells[:_MOST_ROWS]]
    old = None if before is None else [row.cells for row in before.rows if row.change != "gone"]
    marked = [WorldRow(row) for row in rows] if old is None else _paired(list(_compared(old, rows)))
    return WorldView(
        toolbox,
        tuple(marked),
        tuple(columns),
        mono=not columns and hasattr(box, "drawing"),
        changes=tuple(_in_words(marked)),
    )


def to_json(world: WorldView) -> dict[str, Any]:
    """Plain data."""
    return asdict(world)


def from_json(data: Mapping[str, Any]) -> WorldView:
    """What `to_json` wrote."""
    rows = tuple(WorldRow(tuple(row["cells"]), row["change"], tuple(row.get("was", ()))) for row in data["rows"])
    return WorldView(data["toolbox"], rows, tuple(data["columns"]), data["mono"], tuple(data["changes"]))


def _units(box: Toolbox) -> dict[str, str]:
    """The unit of each argument that has one, as its tools tell it: that of a column of the same name."""
    units = {
        name: typed(name, schema).get("x-unit", "") for spec in box.specs for name, schema in spec.properties.items()
    }
    return {name: _SHORT.get(unit, unit) for name, unit in units.items() if unit}


def _table(state: Any, units: Mapping[str, str]) -> tuple[Sequence[str], list[tuple[str, ...]]] | None:
    """A world that is one list of flat things, as a table; None for any other."""
    if not isinstance(state, Mapping) or len(state) != 1:
        return None
    [things] = state.values()
    if not isinstance(things, list) or not all(isinstance(thing, Mapping) for thing in things):
        return None
    if not things:
        return (), []
    names = list(things[0])
    if any(list(thing) != names or not all(_flat(value) for value in thing.values()) for thing in things):
        return None
    columns = [*(name for name in _FIRST if name in names), *(name for name in names if name not in _FIRST)]
    return columns, [tuple(_cell(thing[name], units.get(name, "")) for name in columns) for thing in things]


def _cell(value: Any, unit: str) -> str:
    return "" if value is None else f"{value} {unit}".rstrip()


def _flat(value: Any) -> bool:
    return value is None or isinstance(value, (str, int, float, bool))


def _text(box: Toolbox, state: Any) -> str:
    """As `toolmend chat` shows it: the world's own text, else its state as JSON; "" where there is no world."""
    if type(box).__str__ is not object.__str__:
        return str(box)
    return "" if state is None else json.dumps(state, ensure_ascii=False, indent=1, default=str)


def _compared(old: Sequence[tuple[str, ...]], new: Sequence[tuple[str, ...]]) -> Iterator[WorldRow]:
    for what, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what == "equal":
            yield from (WorldRow(row) for row in new[start:end])
        else:
            yield from (WorldRow(row, "gone") for row in old[first:last])
            yield from (WorldRow(row, "added") for row in new[start:end])


def _paired(rows: list[WorldRow]) -> list[WorldRow]:
    """A line that went and one that came, alike in at least half of their cells, as one line that changed."""
    for gone in [row for row in rows if row.change == "gone" and len(row.cells) > 1]:
        alike = {
            place: sum(a == b for a, b in zip(gone.cells, row.cells, strict=True))
            for place, row in enumerate(rows)
            if row.change == "added" and len(row.cells) == len(gone.cells)
        }
        place = max(alike, key=alike.__getitem__, default=-1)
        if place >= 0 and 2 * alike[place] >= len(gone.cells):
            rows[place] = WorldRow(rows[place].cells, "changed", gone.cells)
            rows.remove(gone)
    return rows


def _in_words(rows: Sequence[WorldRow]) -> Iterator[str]:
    for row in rows:
        if row.change == "changed":
            yield "  ".join(
                new if old == new else f"{old} → {new}" for old, new in zip(row.was, row.cells, strict=True)
            )
        elif row.change:
            yield f"{'+' if row.change == 'added' else '−'} {'  '.join(row.cells).strip()}"
