"""Curves as SVG, and grids of numbers as pixels in PNG, which a notebook shows. Needs no plotting library."""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from toolmend.plots import _COLOURS, _RIGHT, _WIDTH, Plot, _drawn, _text, _ticks

Curve = Sequence[tuple[float, float, str]]  # across, up, what is told of the point
_TALL, _EDGE = 360, 60


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as PNG."""

    png: bytes

    def _repr_png_(self) -> bytes:
        return self.png


def pixel_grids(grids: Sequence[Sequence[Sequence[float]]], *, across: int = 8, zoom: int = 3) -> Picture:
    """Grids of one size side by side, so many to a line: green above 0, red below, the brighter the further from it.

    Each grid by its own furthest number.
    """
    tall, wide = len(grids[0]), len(grids[0][0])
    rows: list[bytes] = []
    for first in range(0, len(grids), across):
        line = [
            (grid, max(abs(value) for row in grid for value in row) or 1.0) for grid in grids[first : first + across]
        ]
        for number in range(tall):
            pixels = b"".join(
                b"".join(_pixel(value / most) * zoom for value in grid[number]) + b"\x60" * 3 for grid, most in line
            )
            rows += [b"\0" + pixels.ljust((wide * zoom + 1) * min(across, len(grids)) * 3, b"\x60")] * zoom
        rows.append(b"\0" + b"\x60" * (len(rows[-1]) - 1))
    head = struct.pack(">IIBBBBB", len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)
    parts = (b"IHDR", head), (b"IDAT", zlib.compress(b"".join(rows))), (b"IEND", b"")
    chunks = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    ]
    return Picture(b"\x89PNG\r\n\x1a\n" + b"".join(chunks))


def _pixel(value: float) -> bytes:
    bright = int(255 * min(1.0, abs(value)))
    return bytes([bright // 4, bright, bright // 4]) if value >= 0 else bytes([bright, bright // 5, bright // 5])


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


def _ends(values: Sequence[float]) -> tuple[float, float]:
    return (min(values), max(values)) if values else (0.0, 1.0)
