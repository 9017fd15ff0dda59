"""From when to when: "from 3 to 4:30 pm", "9-13", "18 h to 21 h". What is ten minutes to two is no range."""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolmend.language.resolve import Resolved, resolve

_CLOCK = {"type": "string", "format": "time"}
_DAY = 24 * 60
_TO = re.compile(r"\s*(?:–|—|-|\bto\b|\btill?\b|\buntil\b|\bthrough\b|\band ends? at\b|\band\b)\s*")
_OPENING = re.compile(r"^(?:from|between|starts? at|starting at|at)\s+")
_SURELY = re.compile(
    r"^(?:from|between)\b|\d(?:[:.]\d\d|\s?h\b|\s?[ap]\.?m\b\.?)\s*(?:to|till?|until|-|–)\s*\d"
    r"|^\d+ ?(?:(?:to|-|–) ?(?:1[3-9]|2[0-4])\b(?!:)|(?<=\b10 )till? ?\d)"
)
_FACE = re.compile(r"(?:at )?1[0-2][:.][0-5]\d")  # the same twice a day


def surely_a_range(words: str) -> bool:
    """Whether small letters that could be read as one time say two: "10 to 16", not "ten to one"."""
    return _SURELY.search(words) is not None


def clock_range(words: str, hours: str | None) -> tuple[str, int] | None:
    """Start (HH:MM) and minutes of the shortest range that the words can mean, in somebody's usual hours where these
    are known; None where they mean none."""
    words = re.sub(r"\s+(?:hours?|uhr)$", "", _OPENING.sub("", words.lower()))
    for match in _TO.finditer(words):
        usual, starts = clocks(words[: match.start()], hours), either_half(words[: match.start()])
        ends = either_half(words[match.end() :])
        lengths = sorted(
            (length, start not in usual, start) for start in starts if (length := minutes_until(start, ends))
        )
        if lengths:
            return lengths[0][2], lengths[0][0]
    return None


def clocks(words: str, hours: str | None = None) -> tuple[str, ...]:
    """Every time of day that the words can mean."""
    result = resolve(words.strip(), _CLOCK, hours=hours)
    return (result.value,) if isinstance(result, Resolved) else tuple(result.candidates)


def either_half(words: str) -> tuple[str, ...]:
    """Every time of day that the words can mean beside another one: of "10:15 pm until 12:45" the next of both."""
    times = clocks(words)
    if len(times) == 1 and _FACE.fullmatch(words.strip()):
        return (*times, f"{(int(times[0][:2]) + 12) % 24:02}{times[0][2:]}")
    return times


def minutes_until(start: str, ends: Sequence[str]) -> int | None:
    """To the next of the ends, within a day."""
    lengths = [(minute(end) - minute(start)) % _DAY for end in ends]
    return min((length for length in lengths if length), default=None)


def minute(clock: str) -> int:
    """The minute of the day of HH:MM."""
    return int(clock[:2]) * 60 + int(clock[3:5])
