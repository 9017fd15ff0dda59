"""Pictures of figures: values with intervals, and curves. Plain SVG.

Shown by themselves in a notebook; can be saved. Compute nothing; need no plotting library.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

Mark = tuple[str, float, float | None, float | None]  # name, value, low, high
Across = Callable[[float], float]
Curve = Sequence[tuple[float, float, str]]  # across, up, what is told of the point

_WIDTH, _LEFT, _RIGHT = 760, 180, 110
_ROW, _HEAD, _FOOT = 18, 34, 30
_COLOURS = ("#3b6ea5", "#c0562f", "#4b8b3b", "#8a5aa8", "#777777", "#a8862a")
_TALL, _EDGE = 360, 60


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


def curve_plot(title: str, curves: Mapping[str, Curve], across: str, up: str, *, log: bool = False) -> Plot:
    """A line for each name through its points, marked and told; `log`: powers of ten upwards. No point, no line."""
    points = [point for curve in curves.values() for point in curve]
    lift = (lambda value: math.log10(max(value, 1e-9))) if log else float
    marks = _ticks(*_ends([point[0] for point in points])), _ticks(*_ends([lift(point[1]) for point in points]))
    right, left = _WIDTH - _RIGHT, _EDGE

    def x(value: float) -> float:
        return round(left + (right - left) * (value - marks[0][0]) / (marks[0][-1] - marks[0][0]), 1)

    def y(height: float) -> float:
        return round(_TALL - _EDGE - (_TALL - 2 * _EDGE) * (height - marks[1][0]) / (marks[1][-1] - marks[1][0]), 1)

    parts = [_text(10, 20, title, weight="bold"), _text((left + right) / 2, _TALL - 12, across, anchor="middle")]
    parts.append(_text(10, 42, up))
    for tick in marks[0]:
        parts.append(f'<line x1="{x(tick)}" x2="{x(tick)}" y1="{_EDGE}" y2="{_TALL - _EDGE}" stroke="#ddd"/>')
        parts.append(_text(x(tick), _TALL - _EDGE + 18, f"{tick:.6g}", anchor="middle"))
    for tick in marks[1]:
        parts.append(f'<line x1="{left}" x2="{right}" y1="{y(tick)}" y2="{y(tick)}" stroke="#ddd"/>')
        parts.append(_text(left - 6, y(tick) + 4, f"{10**tick if log else tick:,.6g}", anchor="end"))
    for number, (name, curve) in enumerate(curves.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        places = [(x(value), y(lift(height))) for value, height, _ in curve]
        line = " ".join(f"{a},{b}" for a, b in places)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for (a, b), (_, _, words) in zip(places, curve, strict=True):
            told = f"<title>{escape(f'{name} {words}')}</title>"
            parts.append(f'<circle cx="{a}" cy="{b}" r="3" fill="{colour}">{told}</circle>')
        parts.append(_text(right + 8, _EDGE + 18 * number, name, colour=colour))
    return _drawn(title, _TALL, parts)


def _drawn(title: str, tall: int, parts: Sequence[str]) -> Plot:
    body = "\n".join(parts)
    return Plot(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {tall}" width="{_WIDTH}" height="{tall}" '
        f'font-family="sans-serif" font-size="12" role="img" aria-label="{escape(title)}">\n{body}\n</svg>'
    )


def _ends(values: Sequence[float]) -> tuple[float, float]:
    return (min(values), max(values)) if values else (0.0, 1.0)


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
    return [step * number for number in range(first, max(first + 1, math.ceil(high / step)) + 1)]
