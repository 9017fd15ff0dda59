"""The curve of a training's loss as a small SVG, with the exams' shares below. Knows rows of log.jsonl, no library."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

_WIDTH, _HEIGHT, _LEFT, _TOP = 640, 300, 56, 28
_RIGHT, _BOTTOM = _WIDTH - 48, _HEIGHT - 40
_STYLE = (
    "text{font:12px sans-serif;fill:#444}.grid{stroke:#ddd}.loss{fill:none;stroke:#1f6f8b;stroke-width:2}"
    ".exam{fill:none;stroke:#c2571a;stroke-width:2}.dot{fill:#c2571a}"
)


def loss_plot(rows: Sequence[Mapping[str, Any]], title: str) -> str:
    """An SVG of loss (left, logarithmic) and held-out share (right, 0 to 100 %) over millions of positions."""
    losses = [(row["tokens"], row["loss"]) for row in rows if "loss" in row]
    exams = [(row["tokens"], row["held_out"]) for row in rows if "held_out" in row]
    most = max((tokens for tokens, _ in (*losses, *exams)), default=1)
    low = math.floor(math.log10(max(1e-3, min((loss for _, loss in losses), default=1.0))) * 2) / 2
    high = math.ceil(math.log10(max(1e-3, *(loss for _, loss in losses), 1.0)) * 2) / 2

    def place(tokens: float, share: float) -> str:
        return f"{_LEFT + (_RIGHT - _LEFT) * tokens / most:.1f},{_BOTTOM - (_BOTTOM - _TOP) * share:.1f}"

    def height(loss: float) -> float:
        return (math.log10(max(loss, 1e-3)) - low) / max(1e-9, high - low)

    parts = [
        f'<svg xmlns="http{":"}//www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">',
        f"<style>{_STYLE}</style><text x='{_LEFT}' y='16'>{_escaped(title)}</text>",
        *_grid(low, high, most),
        f'<polyline class="loss" points="{" ".join(place(tokens, height(loss)) for tokens, loss in losses)}"/>',
        f'<polyline class="exam" points="{" ".join(place(*exam) for exam in exams)}"/>',
        *(
            f'<circle class="dot" r="3" cx="{at.split(",")[0]}" cy="{at.split(",")[1]}"/>'
            for at in (place(*exam) for exam in exams)
        ),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _grid(low: float, high: float, most: float) -> list[str]:
    lines = []
    for step in range(5):
        y = _BOTTOM - (_BOTTOM - _TOP) * step / 4
        loss = 10 ** (low + (high - low) * step / 4)
        lines += [
            f'<line class="grid" x1="{_LEFT}" x2="{_RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>',
            f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{loss:.2g}</text>',
            f'<text x="{_RIGHT + 6}" y="{y + 4:.1f}">{25 * step} %</text>',
        ]
    for step in range(5):
        x = _LEFT + (_RIGHT - _LEFT) * step / 4
        lines.append(f'<text x="{x:.1f}" y="{_BOTTOM + 18}" text-anchor="middle">{most * step / 4e6:.3g}</text>')
    caption = "million positions · blue: loss · orange: held-out exact"
    return [*lines, f'<text x="{(_LEFT + _RIGHT) / 2}" y="{_HEIGHT - 6}" text-anchor="middle">{caption}</text>']


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
