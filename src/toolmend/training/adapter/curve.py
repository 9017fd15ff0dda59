"""The course of a training as a small SVG: loss while learning, and on what was held out, over the tokens seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 640, 320, 56, 40
_LINES = (("loss", "learning", "#1f77b4"), ("held_out_loss", "held out", "#d62728"), ("score", "score", "#2ca02c"))
Points = list[tuple[float, float]]


def curve_svg(curve: Sequence[Mapping[str, Any]]) -> str:
    """The picture; what was not measured is left out, and so are its lines."""
    lines = [
        (title, colour, [(float(row["tokens"]), float(row[name])) for row in curve if row.get(name) is not None])
        for name, title, colour in _LINES
    ]
    lines = [each for each in lines if each[2]]
    high = max((y for *_, points in lines for _, y in points), default=1.0) or 1.0
    wide = max((x for *_, points in lines for x, _ in points), default=1.0) or 1.0
    drawn = [_line(*each, number, wide, high) for number, each in enumerate(lines)]
    return "\n".join(
        [
            f'<svg xmlns="{"http" + "://www.w3.org/2000/svg"}" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
            'font-family="sans-serif" font-size="12">',
            f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
            f'<path d="M{_LEFT} 16V{_HEIGHT - _BOTTOM}H{_WIDTH - 16}" fill="none" stroke="black"/>',
            f'<text x="{_LEFT - 6}" y="24" text-anchor="end">{high:.2f}</text>',
            f'<text x="{_LEFT - 6}" y="{_HEIGHT - _BOTTOM}" text-anchor="end">0</text>',
            f'<text x="{_WIDTH - 16}" y="{_HEIGHT - 12}" text-anchor="end">{wide:,.0f} padded tokens</text>',
            *drawn,
            "</svg>\n",
        ]
    )


def _line(title: str, colour: str, points: Points, number: int, wide: float, high: float) -> str:
    across, up = _WIDTH - 16 - _LEFT, _HEIGHT - _BOTTOM - 16
    places = " ".join(f"{_LEFT + across * x / wide:.1f},{_HEIGHT - _BOTTOM - up * y / high:.1f}" for x, y in points)
    return (
        f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2"/>'
        f'<text x="{_WIDTH - 20}" y="{32 + 16 * number}" fill="{colour}" text-anchor="end">{title}</text>'
    )
