"""How much a memory matters, 0 to 1, by rules over its kind and words, all in one table. No model is asked."""

from __future__ import annotations

import re

OF_KIND = {"observation": 0.3, "call": 0.3, "correction": 0.6, "reflection": 0.7, "preference": 0.9}

_RULES: tuple[tuple[float, re.Pattern[str]], ...] = (
    (
        0.4,
        re.compile(r"\b(?:allerg\w*|intoleran\w*|diabet\w*|emergency|insulin|medication|pregnan\w*)\b", re.IGNORECASE),
    ),
    (0.3, re.compile(r"\b(?:remember|don't forget|do not forget|always|never|important|must not)\b", re.IGNORECASE)),
    (
        0.2,
        re.compile(r"\b(?:birthday|anniversary|deadline|moved|married|died|born|new job|hired|quit)\b", re.IGNORECASE),
    ),
    (
        0.2,
        re.compile(r"\b(?:prefer\w*|favou?rite|hate\w*|can't stand|vegan|vegetarian|name is|call me)\b", re.IGNORECASE),
    ),
    (0.1, re.compile(r"\d")),
)
_SMALL_TALK = re.compile(
    r"(?:hi|hello|hey|thanks?|thank you|ok(?:ay)?|great|bye|good (?:morning|night|evening))\b.{0,20}", re.IGNORECASE
)


def importance(kind: str, text: str) -> float:
    """That of its kind, more for health, wishes, dates of a life and numbers, next to none for a greeting."""
    if _SMALL_TALK.fullmatch(text.strip()):
        return 0.05
    return round(min(1.0, OF_KIND[kind] + sum(more for more, pattern in _RULES if pattern.search(text))), 2)
