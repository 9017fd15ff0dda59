"""Where in a sentence values stand and of which kind each is: a clock, a day, a length of time, a change, a number.

Only finds the places; what they mean is computed in resolve/. Knows no argument.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from toolmend.language.resolve import vocabulary
from toolmend.language.resolve.durations import SPAN
from toolmend.language.resolve.words import Words

_RULES = vocabulary.rules("values in sentences", {"a span": SPAN})
# "second" and "a" alone are too often no length and no number.
_TOO_LITTLE = re.compile(r"(?:a|the|(?:second|minute|hour|day|week|month|year)s?|h|s|m|d|w)")
_ONE = re.compile(
    r"(?:that|this|the|which|other|right|wrong|same|no|weekday\d|\d+th|morning|afternoon|evening|later|earlier|next"
    r"|first|last|new|old|big|small|large) 1$"
    r"|\bthe (?:(?!is|be|to|was|for|at|of|with|\d)\S+ ){1,3}1$"
)
_RANK = re.compile(r"[123]th|2nd|second")
_OF_SEVERAL = re.compile(r" 1(?= [,.]|$)")
_TO_THE_HOUR = re.compile(r"(?i)(?:five|ten|twenty|twenty[- ]five) to\b")
_SEARCH = re.compile(
    r"(?<!\S)(?:" + "|".join(f"(?P<r{number}>{rule})" for number, (_, rule) in enumerate(_RULES)) + r")(?!\S)"
).search


@dataclass(frozen=True, slots=True)
class Segment:
    """A value in a text: its kind, the text of it, its normalised words, the word before it and those right after, and
    where in the text it begins."""

    kind: str
    text: str
    words: str
    before: str
    after: str
    start: int = 0


def segments(text: str) -> tuple[tuple[Segment, ...], str]:
    """The values in a text, and its normalised words with each of them blanked out."""
    words = Words(text)
    line, place, rest = words.text, 0, []
    values: list[Segment] = []
    while match := _SEARCH(line, place):
        kind = _RULES[int((match.lastgroup or "r0")[1:])][0]
        ranks = _RANK.fullmatch(match[0].removeprefix("the "))
        dated = re.search(r"(?:the|on) $", line[: match.start()]) or match[0].startswith("the ")
        if kind == "day" and ranks and (not dated or _OF_SEVERAL.match(line[match.end() :])):
            kind = "rank"
        if kind == "rank" or _TOO_LITTLE.fullmatch(match[0]) or (kind == "number" and _ONE.search(line[: match.end()])):
            rest.append(line[place : match.end()])
            place = match.end()
            continue
        start, end = words.span(match.start(), match.end())
        if kind == "clock range" and _TO_THE_HOUR.match(text, start):
            kind = "clock"
        before = line[: match.start()].split()
        values.append(
            Segment(kind, text[start:end], match[0], before[-1] if before else "", line[match.end() :].strip(), start)
        )
        rest.append(line[place : match.start()])
        rest.append("~")
        place = match.end()
    rest.append(line[place:])
    return tuple(values), " ".join(" ".join(rest).split())
