"""The piece of a passage that answers best: a sentence, a row of a table, some words of what was spoken.

A span of the source's own text; nothing is rewritten.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from toolmend.knowledge.chunks import sentences
from toolmend.knowledge.search.fit import Asked, Held
from toolmend.knowledge.search.question import Question
from toolmend.knowledge.search.words import stem, tokens

_LONG = 360  # characters: longer ones are cut into windows
_WINDOW, _STEP = 32, 16  # words
_PAIR = 0.9  # two sentences are a longer answer
_SHOWN = 0.25  # what the right kind of answer weighs, beside all words of the question
_ROW = re.compile(r"\n(?=\s*(?:\||[-*+] |\d+\. |#|    ))")


@dataclass(frozen=True)
class Span:
    """A piece of a text: `share` of the question's words by weight are in it, `shown` whether the kind of answer is."""

    start: int
    end: int
    share: float
    shown: bool

    @property
    def score(self) -> float:
        """By which spans are compared."""
        return self.share + (_SHOWN if self.shown else 0.0)


def best_spans(question: Question, asked: Asked, text: str, start: int, end: int) -> list[Span]:
    """The pieces of a part of a text, the best first; among equals the shorter."""
    alone = list(pieces(text, start, end))
    held = [_held(asked, text[first:last]) for first, last in alone]
    found = []
    for number, (first, last) in enumerate(alone):
        found.append(Span(first, last, sum(held[number]), question.shown(text[first:last])))
        after = alone[number + 1 : number + 2]
        if after and after[0][1] - first <= _LONG:
            share = _PAIR * sum(map(max, held[number], held[number + 1]))
            found.append(Span(first, after[0][1], share, question.shown(text[first : after[0][1]])))
    return sorted(found, key=lambda span: (-span.score, span.end - span.start, span.start))


def _held(asked: Asked, text: str) -> list[float]:
    """What each word of the question weighs in a piece."""
    held = Held((stem(each) for each in tokens(text)), asked)
    return [weight * held(word) for word, weight in asked.weights.items()]


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
