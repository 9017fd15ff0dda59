"""Other ways of saying the same, put in the way that the rules for clauses know: "plus two" → "two more".

Knows no call.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.resources import files

from toolmend.language.resolve import vocabulary

_DIGITS = "zero one two three four five six seven eight nine".split()
_DIGIT = "|".join([*_DIGITS, "oh"])
_LINES = files("toolmend.language.corrections").joinpath("rewording.txt").read_text(encoding="utf-8").splitlines()
_TABLE = [
    (re.compile(vocabulary.filled(pattern.replace("[A-Z]", "(?-i:[A-Z])")), re.I), way.replace("_", " "))
    for pattern, way in (re.split(" => ?", line, maxsplit=1) for line in _LINES if not line.startswith("#"))
]
_TWO_DIGITS = re.compile(
    rf"(?<![\w:-])({_DIGIT})[ -]({_DIGIT})(?![\w-]|[ -](?:{_DIGIT})\b| (?:too|less|fewer|missing|short)\b)", re.I
)


def _joined(match: re.Match[str]) -> str:
    digits = ["0" if word.lower() == "oh" else str(_DIGITS.index(word.lower())) for word in match.groups()]
    return "".join(digits) if digits[0] != "0" else match[0]


_STEPS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = ((_TWO_DIGITS, _joined), *_TABLE)


def reworded(text: str) -> str:
    """The sentence in the words that are known."""
    for pattern, way in _STEPS:
        text = pattern.sub(way, text)
    return text
