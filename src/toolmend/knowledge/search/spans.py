"""The piece of a passage that answers best: a sentence, a row of a table, some words of what was spoken.

A span of the source's own text; nothing is rewritten.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from toolmend.knowledge.chunks import sentences
from toolmend.knowledge.search.fit import Asked, alike
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
    pairs = [(one[0], other[1]) for one, other in zip(alone, alone[1:], strict=False) if other[1] - one[0] <= _LONG]
    found = []
    for number, (first, last) in enumerate([*alone, *pairs]):
        share = share_of(asked, text[first:last]) * (1.0 if number < len(alone) else _PAIR)
        found.append(Span(first, last, share, question.shown(text[first:last])))
    return sorted(found, key=lambda span: (-span.score, span.end - span.start, span.start))


def share_of(asked: Asked, text: str) -> float:
    """The weight of the question's words that stand in a text."""
    held = {stem(each) for each in tokens(text)}
    return sum(
        weight * (1.0 if word in held else 0.6 if any(alike(word, each) for each in held) else 0.0)
        for word, weight in asked.weights.items()
    )


def pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The sentences and rows of a part of a text, without white space around them; long ones in windows."""
    for first, last in sentences(text, start, end):
        cuts = [first, *(found.end() for found in _ROW.finditer(text, first, last)), last]
        for begin, stop in zip(cuts, cuts[1:], strict=False):
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
