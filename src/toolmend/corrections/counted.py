"""Numbers that are said as a length of time ("six months"), or in two parts ("nineteen ninety nine"). Knows no call."""

from __future__ import annotations

import re

from toolmend.corrections.segments import segments
from toolmend.resolve import vocabulary
from toolmend.resolve.words import Words

COUNTED = vocabulary.table("counted")
"""The names of arguments that count a unit of time."""
FIGURES = re.compile(r"(\d+) (?:(?:oh|o|0) )?(\d+)")


def figures(text: str, request: str) -> list[str]:
    """What figures in two parts can be: "nineteen ninety nine" is 19.99, "three oh one" 301; of both what is asked."""
    match = FIGURES.fullmatch(Words(text).text)
    if match is None:
        return [text]
    whole = re.sub(r"oh?", "0", match[0]).replace(" ", "")
    ways = [whole] if len(match[0].split()) > 2 else [f"{match[1]}.{match[2]}", whole]
    asked = {value.words for value in segments(request)[0]}
    return ways[:1] if int(match[2]) >= 60 else [way for way in ways if way in asked] or ways
