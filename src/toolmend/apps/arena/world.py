"""The world beside a talk, as HTML: a table, a map, a picture; and what the last turn changed, in words first."""

from __future__ import annotations

from toolmend.apps.arena.markup import safe, tag
from toolmend.arena.views import WorldRow, WorldView

_CHANGED = {"added": ("new", "+ "), "gone": ("gone", "\N{MINUS SIGN} ")}
_SHORT = 12  # characters that are not broken over lines: dates, times, prices


def world_html(world: WorldView) -> str:
    """The world with its name, its last changes, and what is in it."""
    parts = [tag("h3", safe(world.toolbox.partition("?")[0].capitalize()))]
    if world.changes:
        changed = "".join(tag("li", safe(change)) for change in world.changes)
        parts.append(tag("ul", changed, class_="changes", aria_label="Changed by the last turn"))
    return tag("section", "".join(parts) + _content(world), class_="inside", aria_label=f"World: {world.toolbox}")


def _content(world: WorldView) -> str:
    if not world.rows and not world.svg:
        return tag("p", "nothing in it yet", class_="empty")
    if world.svg:  # drawn by the toolbox, which escapes what it is told
        words = tag("details", tag("summary", "As text") + _lines(world), data_fold="world-text")
        return tag("div", world.svg, class_="picture") + words
    return _table(world) if world.columns else _lines(world)


def _table(world: WorldView) -> str:
    head = tag("tr", "".join(tag("th", safe(column), scope="col") for column in world.columns))
    return tag("table", tag("thead", head) + tag("tbody", "".join(map(_row, world.rows))))


def _row(row: WorldRow) -> str:
    style, sign = _CHANGED.get(row.change, (None, ""))
    cells = [tag("del", safe(cell)) if row.change == "gone" else safe(cell) for cell in row.cells]
    cells[:1] = [sign + cell for cell in cells[:1]]
    short = [len(cell) <= _SHORT for cell in row.cells]
    made = [tag("td", cell, class_="short" if one else None) for cell, one in zip(cells, short, strict=True)]
    return tag("tr", "".join(made), class_=style)


def _lines(world: WorldView) -> str:
    lines = []
    for row in world.rows:
        style, sign = _CHANGED.get(row.change, (None, ""))
        words = sign + "  ".join(row.cells)
        lines.append(tag("span", safe(words), class_=style) if style else safe(words))
    return tag("pre", "\n".join(lines), class_="mono" if world.mono else "lines", tabindex=0)
