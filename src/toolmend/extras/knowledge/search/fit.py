"""How well a passage answers the words of a question: which of them stand in it, how near to each other, how rare; and
which piece of it answers best: a sentence, a row of a table, some words of what was spoken.

A number from 0 to 1, from stems alone; it ranks and it decides whether to answer at all. Knows no database.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from toolmend.extras.knowledge.chunks import sentences
from toolmend.extras.knowledge.search.question import Query
from toolmend.extras.knowledge.search.shelf import Stems
from toolmend.extras.knowledge.search.words import stems

_SPAN = 40  # stems: two or three sentences
_NAME = 1.5
_UNNAMED = 0.8  # a name of the question is nowhere in it
_ABOVE = 0.7  # a word that stands in the title or a heading, not in the text
_LONG = 360  # characters: longer ones are cut into windows
_WINDOW, _STEP = 32, 16  # words
_PAIR = 0.9  # two sentences are a longer answer
_SHOWN = 0.25  # what the right kind of answer weighs, beside all words of the question
_ROW = re.compile(r"\n(?=\s*(?:\||[-*+] |\d+\. |#|    ))")


@dataclass(frozen=True)
class QueryTerms:
    """The stems of a question that say something, each with its weight; the weights add up to 1."""

    weights: Mapping[str, float]
    names: frozenset[str] = frozenset()

    @classmethod
    def of(cls, question: Query, counts: Mapping[str, int], passages: int) -> QueryTerms:
        """Weighed by how few passages hold each; one that nothing holds weighs most, and names more than others.

        The parts of a word (`ChemCrow`) weigh together what one would.
        """
        rare = {
            stem: (math.log((passages + 1) / (counts.get(stem, 0) + 0.5)) + 0.1)
            * (_NAME if stem in question.names else 1)
            / question.parts.get(stem, 1)
            for stem in question.stems
        }
        whole = sum(rare.values()) or 1.0
        return cls({stem: weight / whole for stem, weight in rare.items()}, question.names)


def fit(asked: QueryTerms, passage: Stems) -> float:
    """How well a passage fits: half for the words it has, half for those that stand near to each other."""
    weights, inside = asked.weights, frozenset(passage.body)
    above = {stem for stem in weights if stem not in inside and (stem in passage.heading or stem in passage.title)}
    outside = _ABOVE * sum(weights[stem] for stem in above)
    whole = outside + sum(weight for stem, weight in weights.items() if stem in inside)
    named = all(stem in inside or stem in above for stem in asked.names & weights.keys())
    return (0.5 * whole + 0.5 * (outside + _nearest(weights, passage.body))) * (1.0 if named else _UNNAMED)


def _nearest(weights: Mapping[str, float], body: Sequence[str]) -> float:
    """The most weight of the words within one stretch of the text."""
    places = [(at, stem) for at, stem in enumerate(body) if stem in weights]
    inside, most, now, last = Counter[str](), 0.0, 0.0, 0
    for at, word in places:
        now += 0.0 if inside[word] else weights[word]
        inside[word] += 1
        while places[last][0] <= at - _SPAN:
            gone = places[last][1]
            inside[gone] -= 1
            now -= 0.0 if inside[gone] else weights[gone]
            last += 1
        most = max(most, now)
    return most


@dataclass(frozen=True)
class TextSpan:
    """A piece of a text: `share` of the question's words by weight are in it, `shown` whether the kind of answer is."""

    start: int
    end: int
    share: float
    shown: bool

    @property
    def score(self) -> float:
        """By which spans are compared."""
        return self.share + (_SHOWN if self.shown else 0.0)


def best_spans(question: Query, asked: QueryTerms, text: str, start: int, end: int) -> list[TextSpan]:
    """The pieces of a part of a text, the best first; among equals the shorter."""
    alone = list(pieces(text, start, end))
    held = [_held(asked, text[first:last]) for first, last in alone]
    found = []
    for number, (first, last) in enumerate(alone):
        found.append(TextSpan(first, last, sum(held[number]), question.shown(text[first:last])))
        after = alone[number + 1 : number + 2]
        if after and after[0][1] - first <= _LONG:
            share = _PAIR * sum(map(max, held[number], held[number + 1]))
            found.append(TextSpan(first, after[0][1], share, question.shown(text[first : after[0][1]])))
    return sorted(found, key=lambda span: (-span.score, span.end - span.start, span.start))


def _held(asked: QueryTerms, text: str) -> list[float]:
    """What each word of the question weighs in a piece."""
    inside = set(stems(text))
    return [weight if word in inside else 0.0 for word, weight in asked.weights.items()]


def pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The sentences and rows of a part of a text, without white space around them; long ones in windows."""
    for first, last in sentences(text, start, end):
        cuts = [first, *(found.end() for found in _ROW.finditer(text, first, last)), last]
        for begin, stop in pairwise(cuts):
            yield from _windows(text, begin, stop)


def _windows(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    words = [found.span() for found in re.finditer(r"\S+", text[start:end])]
    if not words:
        return
    if words[-1][1] - words[0][0] <= _LONG:
        yield start + words[0][0], start + words[-1][1]
        return
    for at in range(0, max(1, len(words) - _WINDOW + _STEP), _STEP):
        some = words[at : at + _WINDOW]
        yield start + some[0][0], start + some[-1][1]
