"""Pictures of figures: values with intervals, as plain SVG; and rows as a table of HTML.

Shown by themselves in a notebook; can be saved. Compute nothing; need no plotting library.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

Mark = tuple[str, float, float | None, float | None]  # name, value, low, high
Across = Callable[[float], float]

_WIDTH, _LEFT, _RIGHT = 760, 180, 110
_ROW, _HEAD, _FOOT = 18, 34, 30
_COLOURS = ("#3b6ea5", "#c0562f", "#4b8b3b", "#8a5aa8", "#777777", "#a8862a")


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture as SVG text."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg


def table_html(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows below a head as a table of HTML; every cell is text, line breaks and all. None is an empty cell."""
    cells = [f"<tr>{''.join(f'<th>{escape(name)}</th>' for name in head)}</tr>"]
    for row in rows:
        texts = (escape("" if cell is None else str(cell)).replace("\n", "<br>") for cell in row)
        cells.append(f"<tr>{''.join(f'<td>{text}</td>' for text in texts)}</tr>")
    return f"<table>{''.join(cells)}</table>"


def interval_plot(title: str, groups: Mapping[str, Sequence[Mark]]) -> Plot:
    """A row for each name, in the order of its first appearance, with a mark of each group that has it."""
    names = list(dict.fromkeys(mark[0] for marks in groups.values() for mark in marks))
    ends = [end for marks in groups.values() for mark in marks for end in mark[1:] if end is not None] or [1000.0]
    ticks = _ticks(min(ends), max(ends))
    tall = _HEAD + len(names) * (len(groups) + 1) * _ROW + _FOOT

    def across(value: float) -> float:
        return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * (value - ticks[0]) / (ticks[-1] - ticks[0]), 1)

    parts = [_text(10, 20, title, weight="bold")]
    for tick in ticks:
        x = across(tick)
        parts.append(f'<line x1="{x}" x2="{x}" y1="{_HEAD}" y2="{tall - _FOOT}" stroke="#ddd"/>')
        parts.append(_text(x, tall - 12, f"{tick:g}", anchor="middle"))
    for place, name in enumerate(names):
        top = _HEAD + place * (len(groups) + 1) * _ROW + _ROW
        parts.append(_text(10, top + 4, name))
        for number, (group, marks) in enumerate(groups.items()):
            for mark in marks:
                if mark[0] == name:
                    parts += _mark(mark, across, top + number * _ROW, _COLOURS[number % len(_COLOURS)], group)
    return _drawn(title, tall, parts)


def _drawn(title: str, tall: int, parts: Sequence[str]) -> Plot:
    body = "\n".join(parts)
    return Plot(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {tall}" width="{_WIDTH}" height="{tall}" '
        f'font-family="sans-serif" font-size="12" role="img" aria-label="{escape(title)}">\n{body}\n</svg>'
    )


def _mark(mark: Mark, across: Across, y: float, colour: str, group: str) -> list[str]:
    _, value, low, high = mark
    words = f"{value:.0f}" if low is None or high is None else f"{value:.0f} ({low:.0f} to {high:.0f})"
    parts = [f"<g><title>{escape(f'{mark[0]}, {group}: {words}')}</title>"]
    if low is not None and high is not None:
        ends = f'x1="{across(low)}" x2="{across(high)}" y1="{y}" y2="{y}"'
        parts.append(f'<line {ends} stroke="{colour}" stroke-width="3" stroke-opacity="0.6"/>')
    parts.append(f'<circle cx="{across(value)}" cy="{y}" r="4" fill="{colour}"/></g>')
    right = across(max(value, high if high is not None else value))
    parts.append(_text(right + 8, y + 4, group, colour=colour))
    return parts


def _text(x: float, y: float, words: str, *, anchor: str = "start", weight: str = "", colour: str = "#222") -> str:
    bold = f' font-weight="{weight}"' if weight else ""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}"{bold}>{escape(words)}</text>'


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers, four to eight, from below the lowest to above the highest."""
    reach = high - low or 1.0
    step = 10 ** math.floor(math.log10(reach / 4))
    step = next(step * factor for factor in (1, 2, 5, 10) if reach / (step * factor) <= 6)
    first = math.floor(low / step)
    return [step * each for each in range(first, max(first + 1, math.ceil(high / step)) + 1)]
