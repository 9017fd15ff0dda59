"""A question taken apart: the words that say something, which of them are names, and what kind of answer is wanted.

Rules over English words; a question of another kind wants anything. Knows no passage.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from toolmend.extras.knowledge.search.words import content, stem, stems

Wanted = Literal["count", "share", "duration", "amount", "date", "anything"]

_PART = r"(?:share|proportion|percentage|percent|per cent|fraction|portion)\b"
_TIME = r"(?:year|month|day|date)\b"
_WANTED: tuple[tuple[Wanted, re.Pattern[str]], ...] = (
    ("share", re.compile(r"\b(?:what|which|how large an?|how many) (?:\w+ )?" + _PART, re.IGNORECASE)),
    ("count", re.compile(r"\bhow many\b", re.IGNORECASE)),
    ("duration", re.compile(r"\bhow long\b|\bhow many (?:seconds|minutes|hours|days|weeks|months|years)\b", re.I)),
    ("amount", re.compile(r"\bhow (?:much|large|big|high|heavy|expensive|wide|tall|old)\b", re.IGNORECASE)),
    # `When should I …?` asks for a condition.
    (
        "date",
        re.compile(r"^when\b(?! (?:should|do|does|can|could|must|may)\b)|\b(?:what|which) " + _TIME, re.IGNORECASE),
    ),
)
_ASKING = frozenset("share proportion percentage percent fraction long large big high many much number".split())

ALONE = r"(?<![\w.])(?<![A-Za-z]-)"  # no part of a name: GPT-4
NUMBER = (
    r"(?:~|≥|≤|<|>)?(?:\d[\d,.]*\s?[kKmMbB]?\b|"
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|"
    r"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?|hundreds?|thousands?|millions?|"
    r"half|one|none|no)\b)"
)
_UNIT = r"(?:milliseconds?|microseconds?|ms|µs|seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?|s|h|min)\b"
_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_SHAPES: dict[Wanted, re.Pattern[str]] = {
    "share": re.compile(r"\d\s?%|\bper ?cent\b|\b(?:half|third|quarter|fifth|tenth)s?\b", re.IGNORECASE),
    "duration": re.compile(rf"{ALONE}{NUMBER}[\s-]*{_UNIT}|\bdecades\b", re.IGNORECASE),
    "count": re.compile(rf"{ALONE}{NUMBER}", re.IGNORECASE),
    "amount": re.compile(rf"{ALONE}[$€£]?{NUMBER}", re.IGNORECASE),
    "date": re.compile(rf"\b(?:1[5-9]|20)\d\d\b|{_MONTH}\s+\d|\d\s+{_MONTH}"),
}
_VERB = r"(?:do|does|did|is|are|was|were|be|has|have|had|will|would|can|could|should|may|might|must)\b"
# What is counted ends where the sentence goes on: `memory | does ChemCrow need`, `genes | were mutated`.
_COUNTED = re.compile(
    rf"\bhow (?:many|much) (?!{_VERB})(.*?)(?=\s{_VERB}|\s(?:in|of|for|from|on|at|to|by|per|with)\b|[?,;]|$)",
    re.IGNORECASE | re.DOTALL,
)
_FAR = 40  # characters between a number and what it counts


@dataclass(frozen=True)
class Query:
    """What is asked: its stems in order, each once; those that are names; the kind of answer; what is counted.

    `parts`: of how many a word consists whose stem is one of them (`ChemCrow`: 2).
    """

    text: str
    stems: tuple[str, ...]
    names: frozenset[str]
    wanted: Wanted
    counted: tuple[str, ...] = ()
    parts: Mapping[str, int] = field(default_factory=dict)

    def shown(self, text: str) -> bool:
        """Whether a piece of text has something of the kind that is wanted."""
        if self.counted:
            return any(_counts(noun, text) for noun in self.counted)
        shape = _SHAPES.get(self.wanted)
        return shape is None or shape.search(text) is not None


def read_question(text: str) -> Query:
    """Take a question apart."""
    wanted: Wanted = next((kind for kind, pattern in _WANTED if pattern.search(text)), "anything")
    said = [word for word in content(text) if wanted == "anything" or word not in _ASKED]
    counted = _COUNTED.search(text) if wanted in ("count", "amount") else None
    noun = tuple(content(counted[1])[:3]) if counted else ()
    kept = tuple(dict.fromkeys(said or content(text) or stems(text)))
    return Query(text, kept, _names(text), wanted, noun, _parts(text))


def _names(text: str) -> frozenset[str]:
    """The stems of words written as names: a capital or a digit, but for the first word's capital."""
    found = set[str]()
    for place, word in enumerate(re.findall(r"[\w.-]*\w", text)):
        inner = any(sign.isupper() or sign.isdigit() for sign in word[1:])
        if inner or (place and word[0].isupper()) or word[0].isdigit():
            found.update(content(word))
    return frozenset(found)


def _parts(text: str) -> dict[str, int]:
    """Of how many stems each word consists that consists of several; written together they are one thing."""
    words = [content(word) for word in re.findall(r"[\w-]*\w", text)]
    return {part: len(word) for word in words if len(word) > 1 for part in word}


_ASKED = frozenset(stem(word) for word in _ASKING)


def _counts(counted: str, text: str) -> bool:
    """Whether a number stands shortly before a word, in a piece of text: `53 commonly used API tools`."""
    for number in re.finditer(rf"{ALONE}{NUMBER}", text, re.IGNORECASE):
        after = text[number.end() : number.end() + _FAR]
        if counted in stems(after):
            return True
    return False
