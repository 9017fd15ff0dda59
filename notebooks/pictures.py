"""Grids of numbers as a picture of pixels: PNG, which a notebook shows. Needs no plotting library."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass


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
