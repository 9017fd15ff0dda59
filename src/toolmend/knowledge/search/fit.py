"""How well a passage answers the words of a question: which of them stand in it, how near to each other, how rare.

A number from 0 to 1, from stems alone; it ranks and it decides whether to answer at all. Knows no database.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from toolmend.knowledge.search.fulltext import Stems
from toolmend.knowledge.search.question import Question

_SPAN = 40  # stems: two or three sentences
_BEGIN = 5  # letters
_ALIKE = 0.6  # a word that only begins the same
_NAME = 1.5
_ABOVE = 0.7  # a word that stands in the title or a heading, not in the text


@dataclass(frozen=True)
class Asked:
    """The stems of a question that say something, each with its weight; the weights add up to 1."""

    weights: Mapping[str, float]

    @classmethod
    def of(cls, question: Question, counts: Mapping[str, int], passages: int) -> Asked:
        """Weighed by how few passages hold each; one that nothing holds weighs most, and names more than others."""
        rare = {
            each: (math.log((passages + 1) / (counts.get(each, 0) + 0.5)) + 0.1)
            * (_NAME if each in question.names else 1)
            for each in question.stems
        }
        whole = sum(rare.values()) or 1.0
        return cls({each: weight / whole for each, weight in rare.items()})


def fit(asked: Asked, passage: Stems) -> float:
    """How well a passage fits: half for the words it has, half for those that stand near to each other."""
    body = set(passage.body)
    found = {each: _share(each, passage, body) for each in asked.weights}
    whole = sum(asked.weights[each] * share for each, share in found.items())
    return 0.5 * whole + 0.5 * _nearest(asked, passage, found)


def held(word: str, stems: AbstractSet[str]) -> float:
    """How far a word is among stems: 1, less for one that only begins the same, or 0."""
    if word in stems:
        return 1.0
    begin = word[:_BEGIN]
    near = len(word) >= _BEGIN and any(each.startswith(begin) and abs(len(word) - len(each)) <= 4 for each in stems)
    return _ALIKE if near else 0.0


def _share(word: str, passage: Stems, body: AbstractSet[str]) -> float:
    if word not in body and (word in passage.heading or word in passage.title):
        return _ABOVE
    return held(word, body)


def _nearest(asked: Asked, passage: Stems, found: Mapping[str, float]) -> float:
    """The weight of the words within one stretch of the text, and of those above it."""
    above = {each for each in asked.weights if each in passage.heading or each in passage.title}
    here = {each for each, share in found.items() if share and each not in above}
    begins = {each[:_BEGIN]: each for each, share in found.items() if share == _ALIKE}
    places = []
    for at, stem in enumerate(passage.body):
        if word := stem if stem in asked.weights else begins.get(stem[:_BEGIN]):
            places.append((at, word))
    most = 0.0
    for first, (at, _) in enumerate(places):
        seen = {each for place, each in places[first : first + _SPAN] if place < at + _SPAN}
        most = max(most, sum(asked.weights[each] * found[each] for each in seen))
        if seen >= here:
            break
    missing = above - {each for _, each in places}
    return most + sum(asked.weights[each] * _ABOVE for each in missing)
