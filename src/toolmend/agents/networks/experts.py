"""The net of digits as an expert that a model can call: a picture of signs in, a digit and how bright it shines out.

A picture is lines of signs, from blank to `@` the brighter the denser. Knows no model.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from toolmend.agents.networks.digits import SIDE, Net, trained
from toolmend.agents.networks.pictures import drawn, scaled
from toolmend.errors import ToolError
from toolmend.tools import Toolbox, tool

_SIGNS = " .:-=+*#%@"


@dataclass(frozen=True, slots=True)
class DigitSeen:
    """The digit that is brightest, the one after it, and how bright both are (0 to 1)."""

    digit: int
    bright: float
    second: int
    second_bright: float


class Digits(Toolbox):
    """Reads and draws digits."""

    receiver = "digits"

    @tool(effect="read")
    def read_digit(self, picture: str) -> DigitSeen:
        """Read a handwritten digit from a picture made of signs.

        Args:
            picture: as many lines as signs in a line, 8 to 28; blank is dark, then .:-=+*#% and @ is brightest
        """
        held = _net().activations(_pixels(picture)[None])[-1][0]
        second, first = np.argsort(held)[-2:]
        return DigitSeen(int(first), round(float(held[first]), 3), int(second), round(float(held[second]), 3))

    @tool(effect="read")
    def draw_digit(self, digit: int, variant: int = 0) -> str:
        """Draw a digit as a picture of signs, each variant another hand.

        Args:
            digit: 0 to 9
            variant: which hand
        """
        if not 0 <= digit <= 9:
            raise ToolError(f"{digit} is no digit; 0 to 9 can be drawn")
        pictures, digits = drawn(200, seed=abs(variant), noise=0.0)
        return _text(pictures[digits == digit][0])


def _text(picture: np.ndarray) -> str:
    shades = np.rint(picture.reshape(SIDE, SIDE) * (len(_SIGNS) - 1)).astype(int)
    return "\n".join("".join(_SIGNS[shade] for shade in row) for row in shades)


def _pixels(picture: str) -> np.ndarray:
    """The 784 pixels of a picture. Raises ToolError for what is none."""
    rows = picture.strip("\n").split("\n")
    side = len(rows)
    if not 8 <= side <= SIDE or max(map(len, rows)) > side or set(picture) - set(_SIGNS) - {"\n"}:
        raise ToolError(f"no picture of a digit: 8 to 28 lines, none longer than there are lines, of {_SIGNS!r} only")
    shades = [[_SIGNS.index(sign) / (len(_SIGNS) - 1) for sign in row.ljust(side)] for row in rows]
    pixels: np.ndarray = scaled(np.array([shades]))[0].ravel()
    return pixels


@cache
def _net() -> Net:
    return trained()
