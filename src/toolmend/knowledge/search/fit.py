"""How well a passage answers the words of a question: which of them stand in it, how near to each other, how rare.

A number from 0 to 1, from stems alone; it ranks and it decides whether to answer at all. Knows no database.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
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


class Held:
    """Stems, to ask how far a word is among them."""

    def __init__(self, stems: Iterable[str]) -> None:
        self.stems = frozenset(stems)
        self._line = f" {' '.join(self.stems)} "  # where a beginning is found at the speed of str.find

    def __call__(self, word: str) -> float:
        """1 for a word that is there, less for one that only begins the same, or 0."""
        if word in self.stems:
            return 1.0
        at = self._line.find(f" {word[:_BEGIN]}") if len(word) >= _BEGIN else -1
        while at >= 0:
            end = self._line.index(" ", at + 1)
            if abs(len(word) - (end - at - 1)) <= 4:
                return _ALIKE
            at = self._line.find(f" {word[:_BEGIN]}", end)
        return 0.0


def fit(asked: Asked, passage: Stems) -> float:
    """How well a passage fits: half for the words it has, half for those that stand near to each other."""
    above = {each for each in asked.weights if each in passage.heading or each in passage.title}
    held = Held(passage.body)
    found = {each: _ABOVE if each in above and each not in held.stems else held(each) for each in asked.weights}
    whole = sum(asked.weights[each] * share for each, share in found.items())
    return 0.5 * whole + 0.5 * _nearest(asked, passage, found, above)


def _nearest(asked: Asked, passage: Stems, found: Mapping[str, float], above: AbstractSet[str]) -> float:
    """The weight of the words within one stretch of the text, and of those above it."""
    begins = {each[:_BEGIN]: each for each, share in found.items() if share == _ALIKE}
    alike = {each: begins[each[:_BEGIN]] for each in set(passage.body) if each[:_BEGIN] in begins} if begins else {}
    meant = alike | {each: each for each in asked.weights}
    places = [(at, meant[stem]) for at, stem in enumerate(passage.body) if stem in meant]
    worth = {each: asked.weights[each] * share for each, share in found.items()}
    inside, most, now, last = Counter[str](), 0.0, 0.0, 0
    for at, word in places:
        now += 0.0 if inside[word] else worth[word]
        inside[word] += 1
        while places[last][0] <= at - _SPAN:
            gone = places[last][1]
            inside[gone] -= 1
            now -= 0.0 if inside[gone] else worth[gone]
            last += 1
        most = max(most, now)
    missing = above - {each for _, each in places}
    return most + sum(asked.weights[each] * _ABOVE for each in missing)
